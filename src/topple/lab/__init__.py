"""The lab: a page in the browser to play, watch, analyse and compare, and the server behind it.

`server` answers requests, `work` does what takes long in processes of its own, and `data` holds
what both use: the database, the cache of positions, and positions as plain data. A `Lab` (in
`lab.lab`) joins them while the server runs; `static` is the page.
"""
