"""Global and shared memory with bounds, and what was written and read by whom."""
