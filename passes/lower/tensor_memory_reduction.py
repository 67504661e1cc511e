"""Lower loads from tensor memory that also reduce each row (`redOp` of ttng.tmem_load).

A thread has whole rows.  tcgen05.ld.red reduces what a message loads of one row, on sm_103 and sm_110; several messages
of a row are combined after it, and elsewhere all registers of a row are.

Ops: dialects/ttng/tensor_memory_ops.td    Test: test/lit/lower/sm_100/tensor_memory_reduction.mlir
"""

import functools
from collections.abc import Iterable, Sequence

from mlir import ir

from ttkit.layout import LinearLayout, gf2
from ttkit.layout.tensor_memory_access import Messages
from ttkit.passes.lower.assembly import in_assembly
from ttkit.passes.lower.lowering import Lowering

WHOLE_ROWS = ("32x32b", "16x32bx2")
"""Patterns whose words in a thread are all of one row, which tcgen05.ld.red takes."""
FEWEST_WORDS = 2
"""The fewest words of an instruction that reduces."""


def reduced_by_load(low: Lowering, plan: Messages, layout: LinearLayout) -> bool:
    """Whether tcgen05.ld.red does what a plan for 32-bit elements does, and each message has one row."""
    row = rows_of(layout)
    fits = plan.shape in WHOLE_ROWS and not plan.spread and plan.repeat >= FEWEST_WORDS
    has = low.target.has_tensor_memory_reductions
    return has and fits and all(len({row[register] for (register,) in words}) == 1 for words in plan.words)


def rows_of(layout: LinearLayout) -> list[int]:
    """For each register of a thread the row, relative to the thread's first, of which it has an element."""
    return [layout.apply({"register": register})["dim0"] for register in range(layout.in_size("register"))]


def kind_of(op: ir.OpView) -> tuple[str, bool, bool]:
    """`max` or `min`, whether of absolute values, and whether NaN stays."""
    return str(op.redOp).split("<")[1].rstrip(">"), bool(op.abs), bool(op.NaN)


def load_and_reduce(
    low: Lowering, op: ir.OpView, plan: Messages, base: ir.Value, layout: LinearLayout
) -> tuple[list[ir.Value], dict[int, ir.Value]]:
    """The words of all messages, i32, and for each row what is computed of it, by tcgen05.ld.red."""
    kind, absolute, keeps_nan = kind_of(op)
    name = f"tcgen05.ld.red.sync.aligned.{plan.shape}.x{plan.repeat}.{kind}"
    name += ".abs" * absolute + ".NaN" * keeps_nan + ".f32"
    size, count = len(plan.words[0]), len(plan.words)
    results = [f"${number}" for number in range(size * count + count)]
    words, found = results[: size * count], results[size * count :]
    lines = []
    for number, address in enumerate(plan.addresses):
        second = "" if plan.second is None else f", {plan.second}"
        loaded = ", ".join(words[number * size : (number + 1) * size])
        lines.append(f"{name} {{{loaded}}}, {found[number]}, [${len(results)} + {address}]{second};")
    lines.append("tcgen05.wait::ld.sync.aligned;")
    emit = low.emit
    values = in_assembly(emit, "\n\t".join(lines), [], [base], ["r"], [emit.i32] * len(results))
    row = rows_of(layout)
    parts = [emit.bitcast(value, emit.f32) for value in values[size * count :]]
    of_messages = [row[words[0][0]] for words in plan.words]
    return values[: size * count], combine(low, op, zip(of_messages, parts))


def reduce_registers(low: Lowering, op: ir.OpView, loaded: ir.Value, layout: LinearLayout) -> dict[int, ir.Value]:
    """The same of the vector of all registers."""
    _, absolute, _ = kind_of(op)
    values = low.emit.unpack(loaded)
    if absolute:
        values = [low.emit.same("llvm.intr.fabs", value) for value in values]
    copies = gf2.all_values([1 << bit if column else 0 for bit, column in enumerate(layout.columns_of("register"))])
    row = rows_of(layout)
    return combine(low, op, ((row[number], values[number]) for number in sorted(set(copies))))


def combine(low: Lowering, op: ir.OpView, parts: Iterable[tuple[int, ir.Value]]) -> dict[int, ir.Value]:
    """For each row the largest or smallest of its parts, without signs already where they do not count."""
    kind, _, keeps_nan = kind_of(op)
    name = f"llvm.intr.{kind}{'imum' if keeps_nan else 'num'}"
    by_row: dict[int, list[ir.Value]] = {}
    for row, value in parts:
        by_row.setdefault(row, []).append(value)
    return {row: functools.reduce(functools.partial(low.emit.same, name), values) for row, values in by_row.items()}


def as_tensor(low: Lowering, found: dict[int, ir.Value], layout: LinearLayout) -> ir.Value:
    """The vector of registers of `red`, whose layout is given."""
    return low.emit.pack(in_order(found, rows_of(layout)))


def in_order(found: dict[int, ir.Value], rows: Sequence[int]) -> list[ir.Value]:
    """The results of these rows."""
    return [found[row] for row in rows]
