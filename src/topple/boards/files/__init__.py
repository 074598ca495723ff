"""Boards in files: readers and writers for the formats that graph programs share.

`reading` reads a file by the ending of its name, with one module for each family of formats;
`writing` writes a board. `portable` is the JSON form of boards in records.
"""
