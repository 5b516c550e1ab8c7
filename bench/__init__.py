"""Measures the solvers against the studies' own algorithms: `python -m bench`."""
