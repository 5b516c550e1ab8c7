"""The help: tasks of teachers and students, written once for the site and the documentation."""
