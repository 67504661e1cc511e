"""ttkit's kernels as cubins with their arguments, for tools that watch a process: `compute_sanitizer.sh`.

python cubins.py make FOLDER CAPABILITY [JOBS] [PATTERN]    compiles every kernel, or those that a regular expression
                                                        finds by name; needs no GPU, nor Triton or torch
python cubins.py launch FOLDER [PART/PARTS]                launches them, through ttkit's own run time alone
"""

from __future__ import annotations

import json
import pickle
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
# Their outcome is to print, to assert or to wait, which under a tool only takes long.
LEFT_OUT = (
    *("kernels/diagnostics", "language/debugging", "language/debugging_on"),  # print, or fail on purpose
    "language/descriptor_updates",  # an H200 refuses its reductions of 64-bit integers by TMA, Triton's too
)

_cases: dict[str, Any] = {}


def _load(folder: Path) -> None:
    from corpus import load

    _cases.update(load("ttkit", folder / "sources"))


def _make(name: str, folder: Path, capability: int) -> str:
    """Compiles one kernel; gives a line that says why not, or nothing."""
    from compilers import TTKit
    from launches import Unlaunchable, launch_of

    case = _cases[name]
    try:
        launch = launch_of(name, case)
        compiled = TTKit().compiled(case, capability)
    except Unlaunchable as error:
        return f"{name}: {error}"
    except Exception as error:
        return f"{name}: {' '.join(str(error).split())[:200]}"
    path = folder / name.replace("/", ".")
    path.with_name(path.name + ".cubin").write_bytes(compiled.asm["cubin"])
    path.with_name(path.name + ".json").write_text(json.dumps(compiled.metadata, default=str))
    path.with_name(path.name + ".arguments").write_bytes(pickle.dumps((launch.grid, launch.arguments)))
    return ""


def make(folder: Path, capability: int, jobs: int, pattern: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    _load(folder)
    names = [name for name in sorted(_cases) if name not in LEFT_OUT and re.search(pattern, name)]
    count = len(names)
    with ProcessPoolExecutor(jobs, initializer=_load, initargs=(folder,)) as pool:
        for line in pool.map(_make, names, [folder] * count, [capability] * count):
            if line:
                print("left out", line)
    print(f"{len(list(folder.glob('*.cubin')))} kernels in {folder}")


def launch(folder: Path, part: int, parts: int) -> None:
    from launches import flat

    from ttkit.runtime import CompiledKernel, DriverError

    paths = sorted(folder.glob("*.cubin"))[part::parts]
    for path in paths:
        print(path.stem, flush=True)
        stem = path.name.removesuffix(".cubin")
        grid, arguments = pickle.loads((folder / f"{stem}.arguments").read_bytes())
        metadata = json.loads((folder / f"{stem}.json").read_text())
        held: list[Any] = []
        try:
            kernel = CompiledKernel.from_cubin(path.read_bytes(), metadata, check=True)
            kernel.launch(grid, [_passed(value, held) for value in flat(arguments)])
        except DriverError as error:
            print(f"FAILED {stem}: {error}", flush=True)
            if type(error).__name__ == "KernelFault":  # the process can't go on
                sys.exit(1)
        except ValueError as error:
            print(f"left out {stem}: {error}", flush=True)
    print(f"launched {len(paths)} kernels")


def _passed(value: Any, held: list[Any]) -> Any:
    """What a kernel takes for an argument; arrays go to the GPU with their margins, and are kept in `held`."""
    import numpy as np
    from launches import Array, Described

    from ttkit.runtime import DeviceArray

    if isinstance(value, Described):
        raise ValueError("its tensor descriptors can't be launched from here")
    if not isinstance(value, Array):
        return value
    held.append(DeviceArray(np.pad(value.data.reshape(-1), value.margin)))
    return held[-1].data_ptr() + value.margin * value.data.itemsize


if __name__ == "__main__":
    sys.path.insert(0, str(HERE))
    what, where = sys.argv[1], Path(sys.argv[2])
    if what == "make":
        capability, jobs, pattern = [*sys.argv[3:], *["2", ""][len(sys.argv) - 4 :]]
        make(where, int(capability), int(jobs), pattern)
    else:
        chosen, _, of = (sys.argv[3] if len(sys.argv) > 3 else "0/1").partition("/")
        launch(where, int(chosen), int(of))
