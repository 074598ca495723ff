"""The store: one SQLite file that keeps every game whole.

`store.Store` is its interface; the other modules hold its tables, its rows, and the checks that
a file passes before it is believed.
"""
