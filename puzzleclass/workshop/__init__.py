"""The workshop: one page on which a teacher makes a kind of puzzle from sentences."""
