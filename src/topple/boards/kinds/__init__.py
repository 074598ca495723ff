"""The kinds of boards that a text can name, such as `grid:5x5`.

`catalogue` lists them with their options and builds a board from its text. Every other module
builds the boards of one family: grids, hexagons, plain shapes, networks, boards for INFLUENCE.
"""
