"""Playing: from a plan's fixtures to score sheets.

`run` plays the games that a store lacks and keeps the standings. Its backends are `worker_pool`,
on this machine, and `ray_backend`, on a cluster. `game` plays one game, whatever its agents do.
"""
