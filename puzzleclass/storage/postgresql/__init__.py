"""Django's engine for PostgreSQL, which recognizes a lost connection without a question."""
