"""Django's engine for PostgreSQL, whose kept connections ask nothing."""
