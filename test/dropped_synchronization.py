"""What keeps lowered code in order, left out piece by piece: which pieces the interpreter of lowered code misses.

.venv/bin/python test/dropped_synchronization.py [--only NAME ...] [--targets 90 ...] [--jobs 2] [--output FILE]

Each kernel of KERNELS is compiled to the llvm dialect.  Then every barrier, wait, fence, commit and arrival of it is
left out, one at a time, and the interpreter runs what is left on the inputs that the whole kernel ran on.  A mutant is
named by an error, or by another result; those that are neither are listed, with a class (`class_of`).  For what another
one covers that one is looked for: without both, something is named (`covering`); else other arguments are tried.
"""

import argparse
import json
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mlir import ir

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "oracle")]

KERNELS = {
    "matmul_f16": (80, 90, 100), "matmul_f16_warps8": (90,), "chained_matmul": (80, 90), "attention": (90, 100),
    "scaled_matmul": (100,), "scaled_matmul_fp4": (80,), "descriptor_matmul": (90, 100), "descriptor_attention": (90,),
    "persistent_matmul": (90,), "specialized_matmul": (90, 100), "specialized_attention": (100,),
    "matmul_cluster": (90,), "descriptor_matmul_cluster": (90,), "axis_reductions": (80,), "row_softmax": (90,),
}  # fmt: skip
SIZES = {"m": 128, "n": 128, "k": 320, "length": 256, "steps": 5, "stride_a": 320, "stride_b": 320, "stride_c": 128}
"""Arguments, so that loops go around some times."""
OTHER_SIZES = SIZES | {
    "m": 256, "n": 256, "k": 256, "stride_a": 256, "stride_b": 256, "stride_c": 256, "length": 384, "steps": 4,
}  # fmt: skip
MANY_TILES = {"persistent_matmul": {"n": 8704, "k": 64, "stride_a": 64, "stride_b": 64}}
"""Of kernels whose programs compute a second tile only of as many."""
OPERATIONS = re.compile(
    r'^\s*"(?P<name>nvvm\.(?:barrier0?|bar\.warp\.sync|cluster\.\w+(?:\.relaxed)?|cp\.async\.(?:bulk\.)?\w+[._]group)'
    r'|llvm\.call_intrinsic)"\('
)
INTRINSICS = {
    '"llvm.nvvm.barrier.cta.sync.all"': "llvm.nvvm.barrier.cta.sync.all",
    '"llvm.nvvm.barrier.cta.sync.aligned.count"': "nvvm.barrier",
}
"""Barriers by their names in the text, and what they are called here."""
STATEMENTS = re.compile(
    r"(?:@!\S+ bra\.uni skipWait;\s*)?\w+:\s*(?P<loop>mbarrier\.try_wait)[^;]*;\s*@!complete bra\.uni \w+;"
    r"\s*(?:skipWait:)?|(?:@\S+ )?(?P<name>fence\.[\w.:]+|wgmma\.(?:fence|commit_group|wait_group)[\w.]*"
    r"|mbarrier\.(?:arrive|expect_tx|init)[\w.:]*|tcgen05\.(?:wait|commit)[\w.:]*"
    r"|cp\.async\.(?:bulk\.)?(?:commit|wait)_group[\w.]*|cp\.async\.mbarrier[\w.:]*)[^;]*;"
)
ASSEMBLY = re.compile(r'(?<=asm_string = ")(?:[^"\\]|\\.)*(?=")')


NOT_REACHED, COVERED, OTHER = "not reached", "covered", "other sizes"
SEVERAL = "several"
NEAREST = 8
"""Of what stands before and behind, looked at for what covers something."""
CLASSES = (
    # what is left out, what stands in front of it, what follows
    ("fence of a map", r"cp\.async\.bulk\.(commit|wait)_group", r".*fence\.proxy\.tensormap", r".*"),
    ("map of one warp", r".*barrier", r".*fence\.proxy\.tensormap", r".*"),
    ("group of copies", r"nvvm\.cp\.async\.commit\.group", r".*", r".*"),
    (
        "part of a ring",
        r".*barrier",
        r".*(cp\.async\.commit\.group|tcgen05\.commit|mbarrier\.try_wait)",
        r"cp\.async\.c",
    ),
    ("end of the kernel", r".*barrier", r".*", r"(@\S+ )?(tcgen05\.dealloc|llvm\.return)"),
    ("set up in pieces", r".*barrier", r".*mbarrier\.(init|inval)", r".*mbarrier\.(init|inval)"),
    ("one lane of a warp", r"nvvm\.bar\.warp\.sync", r".*", r".*"),
)
"""Classes of what is not named, by regular expressions; docs/interpreter.md says why it is not."""
ACCESS = re.compile(r'^\s*(?:%\S+ = )?"(?P<op>llvm\.(?:load|store)"(?=.*ptr<3>)|nvvm\.(?!read)[\w.]+|llvm\.return)')


def class_of(text: str, number: int, what: str) -> str:
    """The class of something that is left out of a line, by the accesses and synchronization around it."""
    lines = text.splitlines()
    before = next((found for line in reversed(lines[:number]) if (found := access(line))), "")
    behind = next((found for line in lines[number + 1 :] if (found := access(line))), "")
    here = access(lines[number]) if ASSEMBLY.search(lines[number]) else ""
    for name, left_out, front, following in CLASSES:
        if re.match(left_out, what) and re.match(front, here or before) and re.match(following, behind):
            return name
    return COVERED


def access(line: str) -> str:
    """What a line does with memory that other threads see, by the name of its operation or of its instructions."""
    if found := ASSEMBLY.search(line):
        return found[0].replace("\\0A", " ").replace("\\09", " ")
    return found["op"] if (found := ACCESS.match(line)) else ""


def is_reached(text: str, number: int, judged: Callable[[str], tuple[str, str]]) -> bool:
    """Whether a kernel comes to a line: with an instruction there that has no meaning it can't be run."""
    from ttkit.interpreter.errors import NotInterpretable

    lines = text.splitlines()
    trap = '"llvm.inline_asm"() <{asm_string = "trap;", constraints = "", has_side_effects}> : () -> ()'
    try:
        judged("\n".join([*lines[:number], trap, *lines[number:]]))
    except NotInterpretable:
        return True
    return False


@dataclass(frozen=True)
class Place:
    """Something that can be left out of a module in generic form: a line, or part of the inline assembly there."""

    line: int
    what: str
    part: tuple[int, int] | None = None


def places(text: str) -> Iterator[Place]:
    """What keeps a module in generic form in order."""
    for number, line in enumerate(text.splitlines()):
        if found := OPERATIONS.match(line):
            name = found["name"]
            if not name.startswith("nvvm"):
                name = next((called for intrinsic, called in INTRINSICS.items() if intrinsic in line), "")
            if name:
                yield Place(number, name)
        if found := ASSEMBLY.search(line):
            for one in STATEMENTS.finditer(unescaped(found[0])):
                yield Place(number, one["loop"] or one["name"], one.span())


def unescaped(assembly: str) -> str:
    """Inline assembly with lines and tabs as such."""
    return assembly.replace("\\0A", "\n").replace("\\09", "\t")


def without(text: str, *left_out: Place) -> str:
    """A module in generic form without these, its lines numbered as before."""
    lines = text.splitlines()
    for place in sorted(left_out, key=lambda one: one.part or (0, 0), reverse=True):
        if place.part is None:
            lines[place.line] = ""
        elif found := ASSEMBLY.search(lines[place.line]):
            assembly, (start, end) = unescaped(found[0]), place.part
            left = (assembly[:start] + assembly[end:]).replace("\n", "\\0A").replace("\t", "\\09")
            lines[place.line] = lines[place.line][: found.start()] + left + lines[place.line][found.end() :]
    return "\n".join(lines)


def covering(
    text: str, place: Place, alone: dict[Place, str], judged: Callable[[str], tuple[str, str]]
) -> Place | None:
    """What orders the same accesses as `place`: without both something is named that is not without it alone.

    Args:
        alone: what is said of each without it, nothing if it is missed; the nearest are tried.
    """
    order = list(alone)
    at = order.index(place)
    for other in sorted(order, key=lambda one: abs(order.index(one) - at))[1 : NEAREST + 1]:
        kind, why = judged(without(text, place, other))
        if kind != "missed" and why != alone[other]:
            return other
    return None


def needed_together(
    text: str, missed: Sequence[Place], judged: Callable[[str], tuple[str, str]]
) -> dict[Place, tuple[Place, ...]]:
    """Which of the places that can be left out alone are needed once others are gone, and those others.

    Args:
        missed: in the order in which they are left out, one after the other, as long as nothing is named.
    """
    gone: list[Place] = []
    needed = {}
    for place in missed:
        if judged(without(text, *gone, place))[0] == "missed":
            gone.append(place)
        else:
            needed[place] = tuple(gone)
    return needed


def lowered(name: str, target: int) -> tuple[Any, Any]:
    """A module in ttg and the options that it is compiled with."""
    import compile_kernels
    import kernel_sources

    from ttkit.options import CompileOptions
    from ttkit.passes.manager import run_passes
    from ttkit.passes.stages import stage_passes

    compile_kernels.CASES.update(compile_kernels.CASES or compile_kernels.load())
    case = compile_kernels.CASES[name]
    options = CompileOptions.for_capability(target, **case.options)
    module = kernel_sources.prepared_ttkit(case, target)()
    with module.context:
        for stage in ("ttkit-ttir", "ttkit-ttgir"):
            run_passes(module, ",".join(stage_passes(stage, options)))
    return module, options


@contextmanager
def runs(
    name: str, target: int, values: dict[str, int] = SIZES
) -> Iterator[tuple[str, Callable[[str], tuple[str, str]]]]:
    """The text of a lowered kernel, and a function of such a text: "error", "result" or "missed", and what was said.

    Raises:
        RuntimeError: the kernel itself can't be run.
    """
    from ttkit.interpreter.check.check_passes import compare
    from ttkit.interpreter.check.generated_inputs import find_inputs, run
    from ttkit.interpreter.decode import decode_module
    from ttkit.passes.manager import run_passes
    from ttkit.passes.stages import stage_passes

    module, options = lowered(name, target)
    with module.context:
        source = decode_module(module)
        (kernel,) = (one for one in source.functions.values() if one.body is not None and not one.private)
        sizes = [f"{name}={size}" for name, size in values.items() if name in kernel.argument_names]
        inputs = find_inputs(source, kernel, 0, sizes, (1, 1, 1))
        run_passes(module, ",".join(stage_passes("ttkit-llir", options)))
        text = module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True)

        def outcome(text: str) -> Any:
            """What the kernel of a lowered module does."""
            made = decode_module(ir.Module.parse(text))
            return run(made, made.functions[kernel.name], inputs, made_for=kernel)

        expected = outcome(text)
        if expected.error is not None:
            raise RuntimeError(f"the whole kernel fails: {expected.error}")

        def judged(text: str) -> tuple[str, str]:
            """How the interpreter names what is wrong with a mutant."""
            found = outcome(text)
            why = compare(expected, found, 0.0)
            return "error" if found.error is not None else "result" if why else "missed", why

        yield text, judged


def check(name: str, target: int) -> list[dict[str, Any]]:
    """A row for each mutant: what was left out, where, what became of it and how long it took."""
    warnings.simplefilter("ignore")
    about, rows = {"kernel": name, "target": target}, []
    try:
        with runs(name, target) as (text, judged):
            alone: dict[Place, str] = {}
            for place in places(text):
                start = time.monotonic()
                kind, why = judged(without(text, place))
                alone[place] = why
                if kind == "missed":
                    reached = is_reached(text, place.line, judged)
                    why = class_of(text, place.line, place.what) if reached else NOT_REACHED
                row = {"dropped": place.what, "line": place.line + 1, "outcome": kind, "why": why}
                rows.append(about | row | {"seconds": round(time.monotonic() - start, 2)})
            covered = [(place, row) for place, row in zip(alone, rows) if row["why"] == COVERED]
            missed = [
                place for place, row in zip(alone, rows) if row["outcome"] == "missed" and row["why"] != NOT_REACHED
            ]
            together = needed_together(text, missed, judged) | needed_together(text, missed[::-1], judged)
            for place, row in covered:
                by = covering(text, place, alone, judged)
                row["by"] = f"{by.what} in line {by.line + 1}" if by else SEVERAL if place in together else None
        if left := [(place, row) for place, row in covered if not row["by"]]:
            with runs(name, target, OTHER_SIZES | MANY_TILES.get(name, {})) as (text, judged):
                for place, row in left:
                    row["why"] = COVERED if judged(without(text, place))[0] == "missed" else OTHER
    except Exception as error:
        return [about | {"outcome": "refused", "why": f"{type(error).__name__}: {error}"}]
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", nargs="*", type=int, help="of kernels that are given")
    parser.add_argument("--only", nargs="*", default=list(KERNELS), metavar="NAME", help="kernels of test/data")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    pairs = [(name, target) for name in given.only for target in given.targets or KERNELS.get(name, (90,))]
    rows: list[dict[str, Any]] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for job in as_completed(pool.submit(check, *pair) for pair in pairs):
            rows += job.result()
            for row in job.result():
                if row["outcome"] not in ("error", "result"):
                    print(json.dumps(row), flush=True)
            if given.output:
                given.output.write_text(json.dumps(rows, indent=0))
    print(dict(Counter(row["outcome"] for row in rows)))
    shown = Counter(
        "not shown" if not row["by"] else "by one" if row["by"] != SEVERAL else "by several"
        for row in rows
        if row["why"] == COVERED
    )
    print(f"covered: {dict(shown)}")
    classes = Counter((row["why"], row["dropped"]) for row in rows if row["outcome"] == "missed")
    for (name, what), count in sorted(classes.items()):
        print(f"{count:4} {name:20} {what}")


if __name__ == "__main__":
    main()
