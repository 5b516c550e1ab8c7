"""Pages that belong to no app: the front page, help, the page for readers without a network."""
