"""Reproduced papers as text, tables, figures, one page, Markdown and CSV."""
