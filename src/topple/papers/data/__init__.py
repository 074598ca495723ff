"""Published tables and figures as data: settings, numbers, and where they stand in each source."""
