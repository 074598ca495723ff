"""The lab's server: the guard in front, the routes, and the process that listens on a port.

Each `routes_…` module holds the calls of one part of the API. They use a `Lab` and keep no state.
"""
