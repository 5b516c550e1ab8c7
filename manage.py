#!/usr/bin/env python
"""The command line of Django."""

from puzzleclass.__main__ import main

if __name__ == "__main__":
    main()
