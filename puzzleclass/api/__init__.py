"""The read-only API for teachers' scripts: tokens, classes and results as JSON and CSV."""
