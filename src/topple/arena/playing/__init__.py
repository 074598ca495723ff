"""Playing: from a plan's fixtures to score sheets.

`run` plays what a store lacks, the worker pool plays on this machine and the Ray backend on a
cluster; `game` plays one game, whatever its agents do.
"""
