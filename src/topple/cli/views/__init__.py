"""Results as tables and sentences in 80 columns."""
