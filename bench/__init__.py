"""Measurements of the solvers beside the studies' own algorithms: `python -m bench`."""
