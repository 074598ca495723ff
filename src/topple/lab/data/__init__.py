"""What the lab knows and keeps: its database, positions met before, and answers as plain data."""
