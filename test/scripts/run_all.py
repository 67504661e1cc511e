"""Runs every script of this folder, and says of each whether its numbers were right."""

import importlib
import sys
import traceback
from pathlib import Path

HERE = Path(__file__).parent
HELPERS = {"arrays", "graph_helpers", "run_all"}


def main(names):
    failed = 0
    for name in names or sorted(path.stem for path in HERE.glob("*.py") if path.stem not in HELPERS):
        try:
            importlib.import_module(name).main()
            print(f"{name}.py: ok", flush=True)
        except Exception:
            failed += 1
            print(f"{name}.py: failed\n{traceback.format_exc()}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    sys.exit(main(sys.argv[1:]))
