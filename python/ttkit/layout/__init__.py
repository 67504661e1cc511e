"""Layouts as plain values: nothing in this package imports MLIR."""
