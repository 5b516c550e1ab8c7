"""The figures of the pages in `puzzleclass.learn`, one module for each file."""
