"""What the lab knows: its database, a cache of positions, and the shapes in which both are sent.

`allowed` decides which games, agents and boards requests may name. Nothing here knows HTTP.
"""
