"""OpenSpiel's games and bots in topple: its games for topple's agents, its bots as agents."""
