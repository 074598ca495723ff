"""Hex with other programs: the Hex Text Protocol in both directions, and their game files.

`htp_engine` offers a topple agent to programs that speak the protocol (HTP), `htp_agent` plays
against an engine that does. `notation` translates how others write moves, swaps and results.
"""
