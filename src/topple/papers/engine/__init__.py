"""From the items of a paper to verdicts.

`plans` selects items and makes arena plans at a scale, `tasks` and `computing` play and compute
what a store lacks, `stored_games` and `measuring` take the measures from it, and `judging` turns
them into `findings`.
"""
