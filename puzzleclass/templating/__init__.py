"""Tags, filters and frames that all pages share, and the slots by which apps add to pages."""
