"""Checks that MLIR's bindings don't make, of what would end the process or read memory that is gone."""
