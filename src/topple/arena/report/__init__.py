"""Reports: standings and moves as tables, charts, one page, plain data and exports."""
