"""A school to look around in."""
