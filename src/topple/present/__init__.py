"""Presenting results: numbers as text, tables, pages, charts, and pictures of boards.

Nothing here knows of arenas, papers or solvers; they bring the rows and choose the columns.
"""
