"""Kernels that a script launches, built by the rules of two versions of Triton and compared line by line.

Both modules are inlined and canonicalized, so that what a function of the language does counts for the line that calls
it.  A line is a finding if its operations differ, and a rule in which the versions disagree was asked about there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any, NamedTuple

from mlir import ir

import ttkit.knobs as knobs
from ttkit.context import Context
from ttkit.frontend.errors import CompilationError
from ttkit.frontend.invalid_modules import source_places
from ttkit.frontend.source import ASTSource
from ttkit.inspection import enclosing
from ttkit.installation import FOLDER
from ttkit.language.versions import Noted, noting
from ttkit.layout.hardware import GROUP_WARPS, WGMMA_ROWS
from ttkit.options import CompileOptions
from ttkit.passes.manager import run_passes
from ttkit.target import Target
from ttkit.triton_versions import KNOWN, Version
from ttkit.upgrade.changes import CHANGES, CLUSTERS, ERROR, FUSION, PREFETCH, REFUSED, Change, Finding, other_work

_PIPELINE = "builtin.module(inline,canonicalize,symbol-dce)"
_PLACE = re.compile(r"\((\S+):(\d+), in \w+\)")
_MIRRORED = {"gt": "lt", "ge": "le", "sgt": "slt", "sge": "sle", "ugt": "ult", "uge": "ule", "ogt": "olt", "oge": "ole"}
_PREDICATES = {
    "arith.cmpi": "eq ne slt sle sgt sge ult ule ugt uge".split(),
    "arith.cmpf": "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split(),
}

_COSTS = {"tt.precise_divf": 8, "tt.precise_sqrt": 8}
"""Operations that take several instructions, in instructions of most others."""

Place = tuple[str, int]


class Launched(NamedTuple):
    """A kernel that a script launched."""

    source: ASTSource
    target: Any
    options: CompileOptions


class _Built(NamedTuple):
    """A kernel by the rules of one version.

    lines: {place in the program: its operations, with the number of each}.
    asked: {place in the program: the changes that were asked about there}.
    fused: places where a product is added to something.
    looped: places of products in loops, with the rows of each.
    """

    lines: dict[Place, Counter[str]]
    asked: dict[Place, set[str]]
    fused: list[Place]
    looped: list[tuple[Place, int]]


@contextmanager
def launched() -> Iterator[list[Launched]]:
    """A `with` statement's scope: its value gets the kernels that are compiled inside, or come from the cache."""
    found: list[Launched] = []
    known = set()
    outer = knobs.compilation.listener

    def listen(*, src: Any, metadata: dict[str, Any], **more: Any) -> None:
        """Notes a kernel, and tells the listener that was there before."""
        if isinstance(src, ASTSource) and (key := src.hash()) not in known:
            known.add(key)
            target = metadata["target"]
            fields = CompileOptions.__dataclass_fields__
            given = {name: value for name, value in metadata.items() if name in fields and name != "extern_libs"}
            found.append(Launched(src, target, CompileOptions(**given)))
        if outer is not None:
            outer(src=src, metadata=metadata, **more)

    knobs.compilation.listener = listen
    try:
        yield found
    finally:
        knobs.compilation.listener = outer


def compare(kernel: Launched, first: Version, last: Version) -> list[Finding]:
    """The findings of a kernel for an upgrade from one version to another, version by version."""
    found: list[Finding] = []
    steps = [version for version in KNOWN if first <= version <= last]
    for before, after in pairwise(steps):
        try:
            found += _compared(kernel, before, after)
        except CompilationError:
            break  # it did not run before, or an earlier step says why not
    return found


def _refused(error: CompilationError, version: Version, name: str) -> Finding:
    file, line = _place_of(error)
    message = str(error).rstrip().rpartition("\n")[2]
    return Finding(file, line, Change(version, ERROR, REFUSED.format(message=message), "see the error"), name)


def _place_of(error: CompilationError) -> Place:
    """The innermost line of the program, of an error in a kernel."""
    places = [(file, int(line)) for file, line in _PLACE.findall(str(error))]
    own = [place for place in places if not place[0].startswith(FOLDER)]
    return (own or places or [("", 0)])[-1]


def _compared(kernel: Launched, first: Version, last: Version) -> list[Finding]:
    """The findings between a version and the next.  Raises CompilationError if the first refuses the kernel."""
    name = kernel.source.name
    before = _built(kernel, first, first)
    try:
        after = _built(kernel, last, first)
    except CompilationError as error:
        return [_refused(error, last, name)]
    found = []
    for place in sorted({*before.lines, *after.lines}):
        if before.lines.get(place) != after.lines.get(place):
            asked = before.asked.get(place, set()) | after.asked.get(place, set())
            changes = [CHANGES[one] for one in sorted(asked) if CHANGES[one].since == last]
            found += [Finding(*place, change, name) for change in changes]
            if (
                changes
                and (work := _other_work(before.lines.get(place, Counter()), after.lines.get(place, Counter()), last))
                is not None
            ):
                found.append(Finding(*place, work, name))
    return [*found, *(Finding(*place, change, name) for place, change in _of_passes(kernel, before, last))]


def _other_work(before: Counter[str], after: Counter[str], since: Version) -> Change | None:
    """The change of speed of a line: operations on tensors that it takes more, and less; None if they cost the same."""
    ours, theirs = (
        Counter({text: count for text, count in lines.items() if "tensor<" in text}) for lines in (before, after)
    )
    came, went = _names_of(theirs - ours), _names_of(ours - theirs)
    more, less = came - went, went - came
    if _cost(more) == _cost(less):
        return None
    said = [", ".join(f"{count} {name}" for name, count in sorted(one.items())) for one in (more, less)]
    return other_work(since, *said)


def _names_of(operations: Counter[str]) -> Counter[str]:
    names: Counter[str] = Counter()
    for text, count in operations.items():
        names[text.partition(" ")[0]] += count
    return names


def _cost(operations: Counter[str]) -> int:
    return sum(count * _COSTS.get(name, 1) for name, count in operations.items())


def _of_passes(kernel: Launched, before: _Built, last: Version) -> Iterator[tuple[Place, Change]]:
    """Places that passes and options of a version treat otherwise than those of the one before."""
    if before.fused and kernel.options.enable_fp_fusion and FUSION.since == last:
        yield min(before.fused), FUSION
    if kernel.options.num_ctas > 1 and before.lines and CLUSTERS.since == last:
        yield min(before.lines), CLUSTERS
    if PREFETCH.since == last:
        yield from ((place, PREFETCH) for place, rows in before.looped if _is_prefetched_before(kernel, rows))


def _is_prefetched_before(kernel: Launched, rows: int) -> bool:
    """Whether Triton 3.7 loads operands of a product ahead, and 3.8 does not: that of mma.sync, beside sm_8x."""
    target = Target(int(kernel.target.arch))
    fits = kernel.options.num_warps % GROUP_WARPS == 0 and rows >= WGMMA_ROWS
    takes_shared_memory = fits and (target.has_wgmma or target.has_tensor_memory)
    return target.capability // 10 != 8 and not takes_shared_memory


def _built(kernel: Launched, version: Version, first: Version) -> _Built:
    with knobs.language.scope(), noting(first) as noted, Context():
        knobs.language.triton_version = "{}.{}".format(*version)
        module = kernel.source.make_ir(kernel.target, kernel.options)
        run_passes(module, _PIPELINE)
        return _read(module, noted)


def _read(module: Any, noted: list[Noted]) -> _Built:
    built = _Built({}, {}, [], [])
    by_file: dict[str, set[Noted]] = {}
    for one in noted:
        by_file.setdefault(one.file, set()).add(one)
        if not one.file.startswith(FOLDER):
            built.asked.setdefault((one.file, one.first), set()).add(one.change)

    def visit(op: ir.Operation) -> ir.WalkResult:
        """Notes an operation for its line in the program."""
        places = [(file, line) for file, line, _ in source_places(op.location)]
        own = next((place for place in places if not place[0].startswith(FOLDER)), None)
        if own is not None and op.name != "arith.constant" and not op.name.startswith("tt.func"):
            built.lines.setdefault(own, Counter())[_described(op)] += 1
            for file, line in places:
                asked = {one.change for one in by_file.get(file, ()) if one.first <= line <= one.last}
                built.asked.setdefault(own, set()).update(asked)
            if op.name in ("arith.addf", "arith.subf") and any(_is_product(operand) for operand in op.operands):
                built.fused.append(own)
            if op.name == "tt.dot" and enclosing(op, "scf.for", "scf.while") is not None:
                built.looped.append((own, ir.RankedTensorType(op.results[0].type).shape[-2]))
        return ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return built


def _is_product(value: ir.Value) -> bool:
    return isinstance(value.owner, ir.Operation | ir.OpView) and value.owner.name == "arith.mulf"


def _described(op: ir.Operation) -> str:
    """An operation without names of values: mirrored comparisons have one text."""
    operands = [_operand(operand) for operand in op.operands]
    attributes = {name: str(op.attributes[name]) for name in op.attributes}
    if (predicates := _PREDICATES.get(op.name)) is not None:
        predicate = predicates[ir.IntegerAttr(op.attributes["predicate"]).value]
        if predicate in _MIRRORED:
            predicate, operands = _MIRRORED[predicate], operands[::-1]
        attributes["predicate"] = predicate
    results = [str(result.type) for result in op.results]
    return f"{op.name} {operands} {sorted(attributes.items())} {results}"


def _operand(value: ir.Value) -> str:
    owner = value.owner
    if isinstance(owner, ir.Operation | ir.OpView) and owner.name == "arith.constant":
        return str(owner.attributes["value"])
    return str(value.type)
