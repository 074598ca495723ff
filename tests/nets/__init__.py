"""Tests of networks: what they see, how they are computed, and their files."""
