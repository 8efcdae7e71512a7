"""A database backend: Django's for PostgreSQL, but for how it looks after its connections."""
