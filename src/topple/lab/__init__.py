"""The lab: a page to play, watch, analyse and compare, and the server behind it."""
