"""The lab's server: the application, its routes, and the guard in front of them."""
