"""The demo school, for visitors who want to look around."""
