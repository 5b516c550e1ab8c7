"""How data is stored, queried, deleted and served."""
