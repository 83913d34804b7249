"""From run folders to tables, charts and a page.

`page.write_report` does it all; `tables` gives the numbers as polars frames and `charts` draws such frames.
"""
