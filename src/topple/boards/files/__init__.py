"""Boards in files: readers and writers for the formats that graph programs share.

`reading` finds the reader for a file, `writing` writes a board, and `portable` is the JSON form
that records keep.
"""
