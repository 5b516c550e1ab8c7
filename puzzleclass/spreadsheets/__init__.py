"""Reading and writing spreadsheets: CSV and Excel workbooks."""
