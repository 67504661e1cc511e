"""One compilation at a time: how passes are registered, what they raise and LLVM's flags are the process's own.

Threads may compile nevertheless: each waits for the others' passes, and ptxas, which takes longest, runs beside them.
"""

import threading

COMPILING = threading.RLock()
"""Held while MLIR or LLVM are at work."""
