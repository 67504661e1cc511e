"""One process of a pair, see `pairs.py`: python worker.py COMPILER LEG FOLDER; requests on stdin, answers on stdout.

A leg is a module with `load(folder)`, whose result has `prepare(program)`, `time(timer)`, `profile()` and `drop()`.
That of kernels also has `build(timer)` and `time_variants(timer)`, see `causes.py`.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import traceback
from typing import Any


def short(error: BaseException) -> str:
    """An error as one line: its type, and the first lines of its text that are not empty."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [""]
    return f"{type(error).__name__}: {' | '.join(lines[:4])}"[:500]


def answer(leg: Any, request: dict[str, Any]) -> dict[str, Any]:
    if request["do"] == "prepare":
        return leg.prepare(request["program"])
    if request["do"] == "time":
        return {"microseconds": leg.time(request["timer"])}
    if request["do"] == "build":
        return {"variants": list(leg.build(request["timer"]))}
    if request["do"] == "variants":
        return {"variants": leg.time_variants(request["timer"])}
    if request["do"] == "profile":
        return {"kernels": leg.profile()}
    leg.drop()
    return {}


def main() -> None:
    compiler, name, folder = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what packages print is no answer
    if compiler == "ttkit":
        import ttkit.compat

        ttkit.compat.install()
    leg: Any = None
    for line in sys.stdin:
        try:
            if leg is None:
                leg = importlib.import_module(name).load(folder)
            found = answer(leg, json.loads(line))
        except Exception as error:
            traceback.print_exc()
            found = {"error": short(error)}
        answers.write(json.dumps(found) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
