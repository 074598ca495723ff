"""Findings as words, tables, charts, one page, Markdown, CSV and JSON data.

`files` writes a whole report into a folder. The terminal's view is `topple.cli.views.reproduction`.
"""
