"""A running lesson: the teacher leads a class through an assignment."""
