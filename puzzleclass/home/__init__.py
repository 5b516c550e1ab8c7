"""Pages about everything that somebody has: the front pages, the search, the bin, own records."""
