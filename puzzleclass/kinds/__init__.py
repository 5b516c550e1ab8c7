"""Which kinds of puzzles a class sees, and the kinds that teachers make of tables of rules."""
