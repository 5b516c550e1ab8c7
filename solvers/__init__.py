"""PuzzleClass's puzzle kinds and their solvers: pure Python, numpy and numba."""
