"""Kinds of boards that can be named: grids, hexagons, plain shapes, segments, trees, networks.

`catalogue` lists them with their options; every other module makes boards of one family.
"""
