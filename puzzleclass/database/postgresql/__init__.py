"""Django's engine for PostgreSQL, with connections that ask and plan less."""
