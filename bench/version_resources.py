"""What kernels take on GPUs that nobody here has: registers, stack, instructions and shared memory of cubins.

    python bench/version_resources.py measure FOLDER --output FILE    # FOLDER/<target>/<compiler>/*.cubin
    python bench/version_resources.py table FILE                      # as docs/measurements/resources.md has it

The cubins are those that bench/versions.py compiles with --target, by each compiler's own ptxas.  Instructions are
counted without the padding at the end; those of local memory load and store what does not fit into registers.
"""

from __future__ import annotations

import argparse
import json
from datetime import date
from pathlib import Path
from typing import Any

from resources import KIND_BITS, instructions
from result_file import as_text

from ttkit.runtime.stand_in import registers_of, stack_bytes_of
from ttkit.target import Target

LOCAL_LOAD, LOCAL_STORE = 0x183, 0x187
FIGURES = ("registers", "stack", "local", "instructions", "shared")
"""Registers of a thread, bytes of its stack, its instructions of local memory, all instructions, bytes of a program."""


def figures(path: Path) -> list[int]:
    """FIGURES of a cubin."""
    cubin = path.read_bytes()
    kinds = [kind & KIND_BITS for kind in instructions(cubin)]
    local = sum(kind in (LOCAL_LOAD, LOCAL_STORE) for kind in kinds)
    shared = json.loads(path.with_suffix(".json").read_text())["shared"]
    return [registers_of(cubin), stack_bytes_of(cubin), local, len(kinds), shared]


def measure(folder: Path) -> dict[str, Any]:
    """FIGURES of each kernel that all compilers have, by target and compiler."""
    found: dict[str, Any] = {}
    for target in sorted(path for path in folder.iterdir() if path.name.isdecimal()):
        compilers = sorted(path for path in target.iterdir() if path.is_dir())
        names = set.intersection(*({path.stem for path in one.glob("*.cubin")} for one in compilers))
        for name in sorted(names):
            row = {one.name: figures(one / f"{name}.cubin") for one in compilers}
            found.setdefault(target.name, []).append({"kernel": name, **row})
    return {"date": str(date.today()), "figures": FIGURES, "targets": found}


def table(results: dict[str, Any]) -> list[str]:
    """A row for each target and compiler: sums, and how many kernels ask for more shared memory than the GPU has."""
    lines = [
        "| GPU | compiler | kernels | registers | stack | local memory | instructions | shared | too large |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for target, rows in sorted(results["targets"].items(), key=lambda item: int(item[0])):
        limit = Target(int(target)).shared_bytes
        for compiler in sorted(set(rows[0]) - {"kernel"}, key=lambda name: (name != "ttkit", name)):
            sums = [sum(row[compiler][place] for row in rows) for place in range(len(FIGURES))]
            large = sum(row[compiler][FIGURES.index("shared")] > limit for row in rows)
            cells = [f"sm_{target}", compiler.replace("-", " ").capitalize() if "-" in compiler else compiler]
            lines.append(f"| {' | '.join([*cells, str(len(rows)), *(f'{each:,}' for each in sums), str(large)])} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    measuring = commands.add_parser("measure")
    measuring.add_argument("folder", type=Path)
    measuring.add_argument("--output", type=Path, required=True)
    commands.add_parser("table").add_argument("results", type=Path)
    options = parser.parse_args()
    if options.command == "measure":
        options.output.write_text(as_text(measure(options.folder)))
    else:
        print("\n".join(table(json.loads(options.results.read_text()))))


if __name__ == "__main__":
    main()
