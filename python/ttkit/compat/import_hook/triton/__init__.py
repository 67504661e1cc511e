"""`import triton` where this folder is on the search path: ttkit takes its place."""

import importlib
import sys

try:
    import ttkit.compat
except ImportError:
    # Not the environment that ttkit is installed in, such as a child process of another Python.
    raise ImportError(
        "PYTHONPATH asks for ttkit in place of triton, but this Python has no ttkit: install it"
    ) from None

del sys.modules["triton"]
ttkit.compat.install()
importlib.import_module("triton")
