"""The computation of the figures in `puzzleclass.learn`, with one module for each file."""
