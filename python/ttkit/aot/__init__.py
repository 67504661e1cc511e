"""Kernels ahead of time: C sources that hold compiled kernels and launch them through the driver alone.

`sources.py` is the entrance. `signature.py` reads what a kernel is compiled for, and `grid.py` checks grids;
`variant.py` compiles for one signature and its targets. `launch.c` is the C that all kernels share; `c_source.py`
writes the C that one kernel adds. `dispatcher.py` chooses between variants; `wrappers.py` writes C++ and ctypes around
them; `fatbin.py` puts several cubins into one image. `c_compiler.py` compiles the C once. `command_line.py` has what
the commands share, and `kernel_file.py` finds a kernel in a Python file.

Lists of launches and bundles (`bundles.md`): `compile_only.py` is a device for scripts where there is no GPU,
`launch_list.py` has the launches of a program (`launch_values.py`, `listed_modules.py`), `launches_of_processes.py`
those of all its processes. `bundle_builder.py` compiles them, also elsewhere (`portable_compile.py`).
"""
