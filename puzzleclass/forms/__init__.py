"""Forms that are sent twice, and forms that two people change at the same time."""
