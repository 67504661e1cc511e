"""The layouts of values in IR, and the operations that convert them from one layout to another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mlir import ir

from ttkit.analysis.value_names import NamedValue
from ttkit.dialects import ttg
from ttkit.inspection import stored_bits
from ttkit.layout import to_linear_layout
from ttkit.layout.conversion_plan import Movement, plan_conversion
from ttkit.layout.encodings import Distributed, Layout
from ttkit.layout.linear import LinearLayout
from ttkit.layout.report import access_facts
from ttkit.layout.swizzling import scratch_layout
from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.records import dataclass


@dataclass(frozen=True)
class Subject:
    """A layout to show.

    heading: the line before its text.  shape: that of the tensor, or of the allocation in memory.
    end: the text after it.
    """

    heading: str
    layout: Layout
    shape: tuple[int, ...]
    element_type: ir.Type
    end: str = ""

    @property
    def stored_bits(self) -> int:
        """Bits of an element in shared memory."""
        return stored_bits(self.element_type)

    @property
    def accessed_bits(self) -> int:
        """Bits of an element; for a pointer, those of the pointee in global memory."""
        return stored_bits(getattr(self.element_type, "pointee_type", self.element_type))

    @property
    def title(self) -> str:
        """The layout's alias or text, and the type, for the heading of a picture."""
        return f"{self.layout}, {'x'.join(map(str, self.shape))}x{self.element_type}"

    @property
    def linear(self) -> LinearLayout:
        """The layout as a map from bits of registers, lanes, warps and CTAs to elements."""
        return to_linear_layout(self.shape, self.layout)


def subject_of_type(heading: str, type: ir.Type) -> Subject:
    """The layout of a tensor or memory descriptor type.

    Raises TypeError if it has none.
    """
    layout = ttg.layout_of(type)
    if layout is None:
        raise TypeError(f"{type} has no layout; give one with -l")
    element_type = getattr(type, "block_type", type).element_type
    return Subject(heading, layout, ttg.linear_layout_of(type).shape, element_type)


def accesses(named: NamedValue, names: Mapping[ir.Value, str]) -> list[tuple[str, str]]:
    """The cost of each convert_layout and each access to shared memory of a value.  names: value -> name."""
    value, found = named.value, []
    for op in _operations(value):
        name = op.name.split(".")[-1]
        source, target = _moved(op)
        if source is None or target is None:
            continue
        other = target if value == source else source
        heading = f"{name} {'to' if value == source else 'from'} {names.get(other, '')}".strip()
        taken = _taken(source.type, target.type)
        found += [(f"{heading}, {key}" if key else heading, text) for key, text in taken]
    return found


def _operations(value: ir.Value) -> Iterator[ir.Operation]:
    if not isinstance(value.owner, ir.Block):
        yield value.owner.operation
    for use in value.uses:
        yield use.owner.operation


def _moved(op: ir.Operation) -> tuple[ir.Value | None, ir.Value | None]:
    """The value that `op` reads, and the one that it defines or writes."""
    if op.name in (CONVERT_LAYOUT, "ttg.local_load"):
        return op.opview.src, op.result
    if op.name == "ttg.local_alloc" and len(op.operands):
        return op.opview.src, op.result
    if op.name == "ttg.local_store":
        return op.opview.src, op.opview.dst
    return None, None


def _taken(source: ir.Type, target: ir.Type) -> list[tuple[str, str]]:
    first, second = subject_of_type("", source), subject_of_type("", target)
    if isinstance(first.layout, Distributed) and isinstance(second.layout, Distributed):
        return _conversion(first.linear, second.linear, first.stored_bits)
    registers, memory = (first, second) if isinstance(first.layout, Distributed) else (second, first)
    if registers.shape != memory.shape:
        return []  # a view of part of the allocation
    return access_facts(registers.linear, memory.linear, registers.stored_bits, getattr(memory.layout, "pads", ()))


def _conversion(source: LinearLayout, target: LinearLayout, bits: int) -> list[tuple[str, str]]:
    plan = plan_conversion(source, target)
    if plan.is_no_op:
        return [("", "nothing, both hold the same")]
    if plan.movement == Movement.REGISTERS:
        return [("", "other registers of the same thread")]
    if plan.uses_shuffles:
        return [("", "shuffles between the lanes of a warp")]
    scratch = scratch_layout(source, target, bits)
    size = scratch.elements * bits // 8
    again = f", used {scratch.repetitions} times" if scratch.repetitions > 1 else ""
    return [("", f"{size} bytes of shared memory{again}")]
