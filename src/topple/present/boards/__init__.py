"""Pictures of boards and networks, as SVG, PNG or PDF."""
