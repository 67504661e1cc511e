"""Kernels lifted to Gluon after three passes, and whether the source compiles to the same IR: counts by reason.

    .venv/bin/python test/lift_kernels.py [--sets kernels gluon gluon_later bench language] [--targets 80 90 100]
        [--every N] [--only NAME...] [--output FILE]

A row is the IR of a kernel after one of three passes of the stage ttgir (POINTS); of kernels in Gluon it is the end.
"""

import argparse
import importlib.util
import json
import re
import sys
from collections import Counter
from pathlib import Path

import ttkit
from ttkit import compat, lift
from ttkit.compiler.compilation import Compilation
from ttkit.options import CompileOptions
from ttkit.passes.stages import ttgir

DATA = Path(__file__).parent / "data"
BENCH = Path(__file__).parents[1] / "bench"
POINTS = {
    80: ("tritongpu-coalesce", "remove-last-conversions", "end"),
    90: ("remove-first-conversions", "tritongpu-pipeline", "end"),
    100: ("remove-first-conversions", "tritongpu-pipeline", "end"),
}
SETS = ("kernels", "gluon", "gluon_later", "bench", "language")


def load(folders=("kernels", "gluon")):
    """{set: {name: case}} of folders of test/data; `import triton` leads to ttkit from here on."""
    compat.install(children=False)
    sys.path[:0] = [str(DATA / "kernels"), str(BENCH)]
    found = {folder: {} for folder in (*folders, "gluon")}
    for file in sorted(file for folder in folders for file in (DATA / folder).glob("*.py")):
        if file.stem == "cases":
            continue
        spec = importlib.util.spec_from_file_location(f"{file.parent.name}_{file.stem}", file)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        for case in getattr(module, "CASES", ()):
            is_with_gluon = case.kernel.is_gluon() and file.parent.name != "gluon_later"
            found["gluon" if is_with_gluon else file.parent.name][case.name] = case
    return found


def compiled(source, capability, options, until):
    """The kernel's IR at a level, and the options."""
    options = CompileOptions.for_capability(capability, **options)
    target = ttkit.GPUTarget("cuda", capability, 32)
    return Compilation(source, target, options, until=until).run().asm[until], options


def source_of(case):
    """What a case compiles."""
    return ttkit.ASTSource(case.kernel, case.signature, case.constants, case.attributes)


def texts(source, capability, options):
    """The kernel's IR for a GPU at the three points."""
    tt, options = compiled(source, capability, options, "ttir")
    with ttkit.Context():
        module = ttkit.parse(tt)
        for step in ttgir(options):
            name, text = (step, step) if isinstance(step, str) else (step.name, step.text)
            ttkit.run_passes(module, text)
            if name in POINTS[capability]:
                yield module.operation.get_asm(enable_debug_info=True)
        yield module.operation.get_asm(enable_debug_info=True)


def judged(text):
    """`equal`, `different`, `refused` or `not valid`, and why not."""
    try:
        with ttkit.Context():
            found = lift.lifted(ttkit.parse(text))
        difference = lift.check(text, found)
        return ("different", difference) if difference else ("equal", "")
    except lift.LiftError as error:
        return "refused", re.sub(r"^[^ ]*:\d+: ", "", str(error))
    except (ttkit.CompilationError, ValueError) as error:
        return "not valid", str(error)


def of_set(name, capability, cases):
    """(name, source, options) of a set's kernels for a GPU."""
    if name == "bench":
        from cubins import chosen, sources

        return [(case.name, source, case.options) for case, source, _, _ in sources("ttkit", chosen([]), capability)]
    return [(case.name, source_of(case), case.options) for case in cases[name].values() if capability in case.archs]


def rows(sets, targets, every, only):
    """(set, target, kernel, point, outcome, reason) of each IR."""
    cases = load(tuple(name for name in (*SETS,) if name != "bench"))
    for name in sets:
        for capability in targets:
            for kernel, source, options in of_set(name, capability, cases)[::every]:
                if only and kernel not in only:
                    continue
                try:
                    made = (
                        [compiled(source, capability, options, "ttgir")[0]]
                        if name.startswith("gluon")
                        else list(texts(source, capability, options))
                    )
                except ttkit.CompilationError as error:
                    yield name, capability, kernel, "", "not compiled", str(error).strip().split("\n")[-1]
                    continue
                for point, text in enumerate(made):
                    yield name, capability, kernel, point, *judged(text)


def main():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sets", nargs="*", default=SETS, choices=SETS)
    parser.add_argument("--targets", nargs="*", type=int, default=[80, 90, 100])
    parser.add_argument("--every", type=int, default=1, help="of so many kernels one")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--output", help="all rows as JSON")
    arguments = parser.parse_args()
    found = list(rows(arguments.sets, arguments.targets, arguments.every, arguments.only))
    for key in dict.fromkeys(row[:2] for row in found):
        these = [row for row in found if row[:2] == key and row[4] != "not compiled"]
        print(f"{key[0]} sm_{key[1]}: {sum(row[4] == 'equal' for row in these)} of {len(these)} equal,"
              f" {len({row[2] for row in these})} kernels")  # fmt: skip
        for (outcome, reason), count in Counter((row[4], row[5][:160]) for row in these).most_common():
            if outcome != "equal":
                names = list(dict.fromkeys(row[2] for row in these if (row[4], row[5][:160]) == (outcome, reason)))
                print(f"  {count:4} {outcome}: {reason} [{', '.join(names[:4])}]")
    if arguments.output:
        Path(arguments.output).write_text(json.dumps(found, indent=1))
    return 0 if all(row[4] in ("equal", "refused", "not compiled") for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
