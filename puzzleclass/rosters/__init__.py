"""Rosters of schools in OneRoster's CSV format: read, planned as a dry run, and stored."""
