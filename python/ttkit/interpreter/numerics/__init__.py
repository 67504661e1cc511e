"""Numbers as GPUs round them, and the functions of the library."""
