"""The puzzle kinds of PuzzleClass and their solvers, in pure Python, numpy and numba.

The framework consists of the modules of this package and of `contract`. It does not know any kind.
Each kind is a package of its own: `goishi`, `kikazu`, `maxstrings`, `tonari`.
"""

__version__ = "1.0.0"
"""The version of the solvers and of the site, which are released together. It is written here
alone."""
