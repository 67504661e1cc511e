"""The terms of operations, a family a file."""
