"""What MLIR's bindings don't check, and what would crash or read memory that is gone: `erased` and `contexts`."""
