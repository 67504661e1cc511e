"""Layout ledger: the cost of layouts, counted after each pass of a pipeline.

It has the conversions of layouts by kind (ttkit.layout.conversion_plan), bytes of shared memory, and bank conflicts:
the additional wavefronts in shared memory if each warp executes each operation once.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from typing import Any

from mlir import ir

from ttkit.analysis.allocation import ModuleAllocation
from ttkit.analysis.scratch_sizes import ScratchTarget, linear
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import collect, stored_bits
from ttkit.layout import to_linear_layout
from ttkit.layout.conversion_plan import Movement, plan_conversion
from ttkit.layout.exchange import plan_exchange
from ttkit.layout.shared_access import access_pattern
from ttkit.layout.shared_encodings import PaddedShared
from ttkit.module_attributes import NUM_WARPS, module_number, module_target
from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.records import dataclass
from ttkit.target import SHARED_KILOBYTES, Target


@dataclass(frozen=True)
class Count:
    """The costs of the layouts of one module.

    Attributes:
        conversions: the number of ttg.convert_layout.
        no_ops: the conversions that do nothing.
        registers: the conversions within each thread.
        shuffles: the conversions within each warp, by shuffles.
        shared: the conversions through shared memory.
        shared_bytes: the bytes of shared memory for a launch; None before there are layouts.
        conflicts: additional wavefronts of a warp in all conversions, loads and stores of shared memory.
    """

    conversions: int = 0
    no_ops: int = 0
    registers: int = 0
    shuffles: int = 0
    shared: int = 0
    shared_bytes: int | None = None
    conflicts: int = 0


@dataclass(frozen=True)
class Entry:
    """The count after one pass; the first entry of a ledger is that of the input."""

    pass_name: str
    count: Count
    problem: str = ""
    """The reason why something could not be counted."""


class Ledger:
    """The entries of one pipeline."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def __repr__(self) -> str:
        if not self.entries:
            return "<Ledger, empty>"
        return (
            f"<Ledger of {len(self.entries) - 1} passes, {self.entries[-1].count.conversions} conversions at the end>"
        )

    def add(self, pass_name: str, module: ir.Operation) -> None:
        """Adds an entry for the current state of `module`."""
        try:
            self.entries.append(Entry(pass_name, count_layouts(module)))
        except ValueError as error:  # a layout that does not fit its shape
            self.entries.append(Entry(pass_name, Count(), str(error)))

    def table(self) -> str:
        """The entries as text, a row each; a dot is a number that the pass did not change."""
        return table(self.entries)

    def _repr_html_(self) -> str:
        from ttkit.display import table_html

        heads = [field.name.replace("_", " ") for field in fields(Count)]
        rows = [[entry.pass_name, *asdict(entry.count).values(), entry.problem] for entry in self.entries]
        return table_html(["pass", *heads, ""], rows)

    def to_json(self) -> list[dict[str, Any]]:
        """An object for each pass: its name, and its counts by their names."""
        return [{"pass": entry.pass_name, **asdict(entry.count)} for entry in self.entries]


def target_of(module: ir.Operation) -> ScratchTarget:
    """The target in the module's ttg.target; without it, a target without matrix instructions.

    Raises:
        BadModuleAttribute: it is not a string.
    """
    name = module_target(module)
    if not name:
        return ScratchTarget()
    vendor, _, capability = name.partition(":")
    known = vendor == "cuda" and capability.isdigit() and int(capability) in SHARED_KILOBYTES
    return ScratchTarget(Target(int(capability)) if known else None)


def count_layouts(module: ir.Module | ir.Operation) -> Count:
    """Counts conversions, shared memory and bank conflicts of a module.

    Raises:
        ttkit.layout.UnsuitableShape: a layout does not fit its tensor.
        ttkit.module_attributes.BadModuleAttribute: the module's target or number of warps has the wrong type.
    """
    root = module.operation
    target = target_of(root)
    kinds: dict[str, int] = {"no_ops": 0, "registers": 0, "shuffles": 0, "shared": 0}
    conflicts = 0
    for op in collect(root, [CONVERT_LAYOUT, "ttg.local_load", "ttg.local_store", "ttg.local_alloc"]):
        if op.name == CONVERT_LAYOUT:
            kind, extra = conversion_cost(op.opview.src.type, op.result.type, target)
            kinds[kind] += 1
            conflicts += extra
        else:
            conflicts += access_conflicts(op)
    size = None if module_number(root, NUM_WARPS) is None else ModuleAllocation(root, target).size
    return Count(sum(kinds.values()), **kinds, shared_bytes=size, conflicts=conflicts)


def conversion_cost(source: Any, result: Any, target: ScratchTarget) -> tuple[str, int]:
    """The kind of a conversion (the name of a field of `Count`), and its bank conflicts in wavefronts of a warp."""
    before, after = linear(source), linear(result)
    plan = plan_conversion(before, after)
    if plan.movement <= Movement.REGISTERS:
        return "no_ops" if plan.is_no_op else "registers", 0
    if plan.uses_shuffles:
        return "shuffles", 0
    width = stored_bits(source.element_type)
    gpu = target.gpu
    exchange = plan_exchange(
        before, after, width, gpu is not None and gpu.has_stmatrix, gpu is not None and gpu.has_ldmatrix
    )
    return "shared", exchange.store.conflicts(width) + exchange.load.conflicts(width)


def access_conflicts(op: Any) -> int:
    """The bank conflicts of a load or store of shared memory, or of an allocation with initial contents."""
    if op.name == "ttg.local_load":
        buffer, tensor = op.opview.src.type, op.result.type
    elif op.name == "ttg.local_store":
        buffer, tensor = op.opview.dst.type, op.opview.src.type
    elif len(op.operands):
        buffer, tensor = op.result.type, op.opview.src.type
    else:
        return 0
    layout = layout_of(buffer)
    if layout is None or list(buffer.alloc_shape)[-len(buffer.shape) :] != list(buffer.shape):
        return 0  # part of a buffer, whose offset is unknown
    memory = to_linear_layout(tuple(buffer.shape), layout)
    pads = layout.pads if isinstance(layout, PaddedShared) else ()
    pattern = access_pattern(linear(tensor), memory, stored_bits(tensor.element_type), pads=pads)
    return round(pattern.instructions * (pattern.wavefronts - pattern.ideal))


# --- as text ---

_HEADINGS = ("conversions", "no-op", "registers", "shuffles", "shared", "shared bytes", "bank conflicts")


def table(entries: Iterable[Entry]) -> str:
    """A table with a row for each entry; a dot is an unchanged number."""
    rows = [["pass", *_HEADINGS]]
    previous: tuple[Any, ...] | None = None
    for entry in entries:
        values = tuple(getattr(entry.count, item.name) for item in fields(Count))
        if entry.problem:
            rows.append([entry.pass_name, entry.problem])
            continue
        cells = ["-" if value is None else f"{value}" for value in values]
        if previous is not None:
            cells = ["." if value == old else cell for cell, value, old in zip(cells, values, previous, strict=True)]
        rows.append([entry.pass_name, *cells])
        previous = values
    full = [row for row in rows if len(row) == len(rows[0])]
    widths = [max(len(row[column]) for row in full) for column in range(len(rows[0]))]
    widths[0] = max(len(row[0]) for row in rows)
    lines = []
    for row in rows:
        first, *rest = row
        if len(row) == len(rows[0]):
            rest = [cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *rest]).rstrip())
    return "\n".join(lines)


def write_json(path: str, ledgers: list[Ledger]) -> None:
    """Writes ledgers as a list of pipelines, each a list of entries.

    Raises:
        OSError: the file can't be written.
    """
    with open(path, "w", encoding="utf-8") as file:
        json.dump([ledger.to_json() for ledger in ledgers], file, indent=1)
        file.write("\n")
