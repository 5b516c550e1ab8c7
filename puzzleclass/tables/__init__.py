"""Charts, tables of numbers, CSV and workbooks."""
