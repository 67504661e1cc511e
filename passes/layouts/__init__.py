"""Choosing layouts for operations, for the passes that assign them."""
