"""Statistics: from results to rates, ratings and their intervals.

Two games from one opening with sides swapped are one sample (`pairs`); `standings` gathers them
by pairing and by agent.
"""
