"""Reproduction: published items played, measured and judged."""
