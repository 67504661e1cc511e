// No kernel.
