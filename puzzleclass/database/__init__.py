"""What models of several apps share: batches, the bin, storable texts, secret words."""
