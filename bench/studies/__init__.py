"""The computation of the figures in `puzzleclass.studies`, with one module for each file."""
