"""The trace page as a workbench: IR and pipelines are edited in it, run on, and run on the interpreter.

`ttkit explore` serves it on 127.0.0.1 alone, under an address with a token that nobody can guess (`docs/explore.md`).

* `server.py`: HTTP, and who may ask.
* `workbench.py`: the kernels that the page shows, and those that edits made of them.
* `worker.py`: what runs passes and the interpreter, in a process that may die of it.
"""

from __future__ import annotations

from ttkit.explorer.server import Server
from ttkit.explorer.workbench import Workbench

__all__ = ["Server", "Workbench"]
