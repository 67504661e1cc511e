"""A former way to read operations: `op.result` does it now."""

part = getattr
