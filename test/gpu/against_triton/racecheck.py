"""Kernels of both compilers under compute-sanitizer's racecheck: what it names in ttkit's code, and in Triton's.

    python test/gpu/against_triton/racecheck.py [--folder FOLDER] [--seconds 120] [NAME ...]

Needs compute-sanitizer, and a Python with torch and Triton 3.6, in which `import ttkit` works.  FOLDER keeps the logs.
racecheck does not follow every barrier: what it names in both compilers' code, at the same places, is likely its own.
Prints a row for each kernel and compiler; exit code 1 if more is named in ttkit's code than in Triton's, or one of
the processes ends early.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMES = ("kernels/specialized_matmul", "kernels/specialized_attention", "kernels/descriptor_matmul")
COMPILERS = ("triton", "ttkit")
LAUNCHED = "launched"


def launch(compiler: str, name: str, scratch: Path) -> None:
    """Compiles and launches one kernel: what the tool watches."""
    import torch
    from compilers import COMPILERS as BY_NAME
    from compilers import Buffers
    from corpus import load
    from launches import launch_of

    if compiler == "triton":
        import triton

        triton.set_allocator(lambda size, alignment, stream: torch.empty(size, dtype=torch.int8, device="cuda"))
    case = load(compiler, scratch)[name]
    major, minor = torch.cuda.get_device_capability()
    planned = launch_of(name, case)
    run = BY_NAME[compiler].compile(case, 10 * major + minor)
    buffers = Buffers(planned)
    buffers.reset()
    run(planned.grid, buffers.arguments)
    buffers.contents()
    print(LAUNCHED)


def watched(compiler: str, name: str, function: str, folder: Path, seconds: float) -> tuple[int | None, str]:
    """The hazards that racecheck counts, None if the kernel was not run to its end; and the log."""
    stem = f"{compiler}.{name.replace('/', '.')}"
    scratch = folder / stem
    scratch.mkdir(parents=True, exist_ok=True)
    tool = ["compute-sanitizer", "--tool", "racecheck", "--report-api-errors", "no", "--print-limit", "20"]
    # Not torch's own kernels, which fill the arrays.
    command = [
        *tool,
        "--kernel-regex",
        f"kns={function}",
        sys.executable,
        __file__,
        "--launch",
        compiler,
        name,
        scratch,
    ]
    try:
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=seconds)
        log = done.stdout + done.stderr
    except subprocess.TimeoutExpired as error:
        log = f"took more than {seconds} s\n{error.stdout or ''}"
    (folder / f"{stem}.log").write_text(log)
    found = re.search(r"RACECHECK SUMMARY: (\d+) hazard", log)
    return (int(found[1]) if found and LAUNCHED in log else None), log


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", default=NAMES, metavar="NAME", help="of kernels whose name has `descriptor`"
    )
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--seconds", type=float, default=120, help="limit for each kernel")
    parser.add_argument("--launch", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    sys.path.insert(0, str(HERE))
    if options.launch:
        compiler, name, scratch = options.launch
        launch(compiler, name, Path(scratch))
        return
    folder = options.folder or Path(tempfile.mkdtemp())
    from corpus import load

    cases, bad = load("ttkit", folder), False
    for name in options.names:
        counts = []
        for compiler in COMPILERS:
            count, log = watched(compiler, name, cases[name].kernel.__name__, folder, options.seconds)
            counts.append(count)
            print(f"{compiler:7} {name}: {'not run to its end' if count is None else f'{count} hazards'}")
            print("".join(f"    {line}\n" for line in log.splitlines() if "access at" in line), end="")
        bad |= None in counts or counts[1] > counts[0]
    print(f"logs are in {folder}")
    sys.exit(bad)


if __name__ == "__main__":
    main()
