"""Boards that a solver makes to a teacher's wishes, and how they come into the library."""
