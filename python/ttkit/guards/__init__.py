"""Checks that MLIR's bindings don't make, of what would crash or read memory that is gone: `erased` and `contexts`."""
