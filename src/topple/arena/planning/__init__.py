"""Planning: which games a tournament plays, fixed before the first of them begins.

`plan.Plan` has the games, boards and agents; `openings` draws the first moves; `settings` turns
plain data, such as a TOML file, into a plan and back.
"""
