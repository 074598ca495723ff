"""The `topple` command: every command in a file of its own."""
