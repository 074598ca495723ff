"""Tests of training: self-play, the window, the learner, and runs that are interrupted."""
