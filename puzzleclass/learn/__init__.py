"""What the studies found, what we found beyond them, and how it is computed: pages to read and try.

One module, one template and one style sheet a kind. The pages are for everybody; what makes
the worker work is for teachers.
"""
