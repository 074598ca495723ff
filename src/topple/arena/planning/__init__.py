"""Planning: which games a tournament plays, fixed before the first of them begins.

`Plan` names games, boards and agents; `openings` draws the first moves; `settings` reads and
writes plans.
"""
