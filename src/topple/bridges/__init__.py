"""Bridges between topple and other programs.

`hex`, `sgf` and `hexworld` exchange games of Hex, `infexion` plays under a university's Infexion
referee, and `open_spiel` and `pettingzoo` offer topple's games to these libraries. The agents
`htp:`, `referee:` and `open-spiel:` let other programs play here; `networks` writes positions
for Gephi and NetworkX.
"""
