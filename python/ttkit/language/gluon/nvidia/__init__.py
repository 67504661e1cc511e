"""What only GPUs of NVIDIA have, by the generation that brought it."""
