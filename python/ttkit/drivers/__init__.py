"""The command-line drivers: `tools/` and the installed commands are thin wrappers of these."""
