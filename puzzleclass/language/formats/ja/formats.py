"""How Japanese pages write a day in a narrow place."""

MONTH_DAY_FORMAT = "n/j"
