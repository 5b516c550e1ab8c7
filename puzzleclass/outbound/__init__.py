"""What other servers need of us: guarded requests to them, and their secrets, encrypted."""
