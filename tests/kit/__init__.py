"""The kit for makers of games and agents: what it finds, and what it writes."""
