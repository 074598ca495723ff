"""The option that names a network, which several agents have."""

from topple.core.spec import Option

NET = Option(
    "net",
    None,
    str,
    "a shipped network or the file of another; by default the one shipped for the game",
)
