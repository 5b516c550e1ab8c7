"""Pages about the studies: what they found, what we found beyond them, and how it is computed.

Each kind has a module, a template and a style sheet. Everybody can read the pages. Only teachers
can start jobs from them.
"""
