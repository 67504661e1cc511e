"""The CUDA driver: `libcuda.py` calls it and names its errors, `device.py` has the GPU in use."""
