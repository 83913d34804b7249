"""From run folders to tables, charts and a page.

`page.write_report` does it all. In a notebook, `tables` gives the numbers of a run as polars frames and `charts` draws
such frames: ``charts.win_share_chart(tables.players(run))``. What only one game has is in its own ``report`` module.
"""
