"""The arena: matches and tournaments, their store and what can be concluded from it."""
