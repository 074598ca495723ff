"""The commands of `topple`, one module each, loaded when called."""
