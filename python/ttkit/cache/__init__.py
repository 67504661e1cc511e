"""Compiled kernels on disk, by what they are compiled from: keys, files, and other places to keep them."""
