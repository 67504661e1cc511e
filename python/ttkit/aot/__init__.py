"""Kernels ahead of time: C sources that hold compiled kernels and launch them through the driver alone.

`sources.py` is the entrance. `signature.py` reads what a kernel is compiled for, and `grid.py` checks grids;
`variant.py` compiles for one signature and its targets. `launch.c` is the C that all kernels share; `c_source.py`
writes the C that one kernel adds. `dispatcher.py` chooses between variants; `wrappers.py` writes C++ and ctypes around
them; `fatbin.py` puts several cubins into one image. `c_compiler.py` compiles the C once.
"""
