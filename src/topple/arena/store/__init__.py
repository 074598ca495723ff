"""The store: one SQLite file that holds every game whole.

`store.open_store` opens one. `played` has the games as others see them, `rows` turns them into
checked rows and back, `lookup_tables` holds what rows refer to, `facts` the computed facts, and
`files` the file itself.
"""
