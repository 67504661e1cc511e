"""Functions for GPUs of NVIDIA, by the generation that brought them."""
