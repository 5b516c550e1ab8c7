"""Due dates for calendar programs."""
