"""Writes the statements of a function.

Each operation is a statement, in order; constants are written where they are used.  Values are signed integers.
"""

from __future__ import annotations

import linecache
from typing import Any

from mlir import ir

import ttkit.lift.arithmetic
import ttkit.lift.blackwell
import ttkit.lift.control
import ttkit.lift.descriptors
import ttkit.lift.hopper
import ttkit.lift.partitions
import ttkit.lift.regions
import ttkit.lift.tensors  # noqa: F401 - the handlers
from ttkit.analysis.axis_analysis import HINTS
from ttkit.inspection import has_uses
from ttkit.lift.buffers import described
from ttkit.lift.errors import place_of
from ttkit.lift.inferred_layouts import check_inferred
from ttkit.lift.registry import HANDLERS
from ttkit.lift.values import (
    TOKEN,
    Names,
    constant_of,
    element_of,
    element_text,
    is_of_tokens,
    is_tensor,
    name_of,
    number_text,
    refuse,
)
from ttkit.operation_sets import CONSTANTS

_HINT_FUNCTIONS = dict(zip(HINTS, ("max_contiguous", "multiple_of", "max_constancy")))


class Writer:
    """The lines of one function.

    Args:
        source: what functions of a module share, a `ModuleWriter`.
    """

    def __init__(self, source: Any) -> None:
        self.source = source
        self.lines: list[str] = []
        self.names: dict[ir.Value, str] = {}
        self.pending: dict[ir.Value, bool] = {}
        self.namer = Names(source.function_names.values())
        self._depth = 1
        self._place: tuple[str, int] | None = None

    # --- Lines -------------------------------------------------------------------------------------------------------
    def line(self, text: str) -> None:
        """A statement."""
        self.lines.append("    " * self._depth + text)

    def block(self, head: str, write: Any) -> None:
        """A compound statement; `write` writes what is in it."""
        self.line(head)
        self._depth += 1
        before = len(self.lines)
        write()
        if all(line.lstrip().startswith("#") for line in self.lines[before:]):
            self.line("pass")
        self._depth -= 1

    def operations(self, block: ir.Block) -> None:
        """All operations of a block but its terminator."""
        for op in list(block.operations)[:-1]:
            self.operation(op.operation)

    def operation(self, op: ir.Operation) -> None:
        """One operation."""
        if op.name in CONSTANTS or is_of_tokens(op):
            return
        if op.name not in HANDLERS:
            refuse(op, "it has no such operation")
        self._comment(op)
        try:
            check_inferred(op)
            text = HANDLERS[op.name](self, op)
        except ValueError as error:
            if type(error) is ValueError:
                refuse(op, str(error))
            raise
        if text is not None:
            results = [self.define(result, op) for result in op.results if str(result.type) != TOKEN]
            self.line(f"{', '.join(results)} = {text}" if any(map(has_uses, op.results)) or results else text)
            self._hints(op, results)

    def _comment(self, op: ir.Operation) -> None:
        """The line of the source that the operation is of, once for neighbours."""
        place = place_of(op.location)
        if place is None or place == self._place:
            return
        self._place = place
        text = linecache.getline(*place).strip()
        if text:
            self.line(f"# {place[0].rpartition('/')[2]}:{place[1]}: {text}"[: 118 - 4 * self._depth])

    def _hints(self, op: ir.Operation, results: list[str]) -> None:
        for hint in HINTS:
            if hint in op.attributes:
                attribute = op.attributes[hint]
                values = list(attribute) if isinstance(attribute, ir.DenseIntElementsAttr) else [attribute.value]
                self.line(f"{results[0]} = gl.{_HINT_FUNCTIONS[hint]}({results[0]}, {values})")

    # --- Values ------------------------------------------------------------------------------------------------------
    def define(self, value: ir.Value, op: ir.Operation) -> str:
        """A name for a result."""
        location = op.location
        is_of_loop = location.is_a_name() and location.child_loc.is_a_name()  # names of all that the loop carries
        name = "" if is_of_loop else name_of(location)
        name = name or op.name.rpartition(".")[2]
        self.names[value] = self.namer.new(name)
        return self.names[value]

    def is_constant(self, value: ir.Value) -> bool:
        """Whether it is a constant."""
        return constant_of(value) is not None

    def is_literal(self, value: ir.Value) -> bool:
        """Whether a number means it next to another operand of the same type."""
        number = constant_of(value)
        if number is None or str(element_of(value)) == "f64":
            return False
        return not (isinstance(number, int) and abs(number) > 2**31 - 1)

    def literal(self, value: ir.Value) -> str:
        """The number of a literal."""
        return number_text(constant_of(value))

    def literal_or_ref(self, value: ir.Value) -> str:
        """A literal if it is one, otherwise an expression of the same type."""
        return self.literal(value) if self.is_literal(value) else self.ref(value)

    def ref(self, value: ir.Value) -> str:
        """The value as an expression of its type."""
        if value in self.names:
            return self.names[value]
        number = constant_of(value)
        owner = value.owner
        if number is None:
            if not isinstance(owner, ir.Block) and owner.name == "ub.poison":
                element = str(element_of(value))
                if element_text(element_of(value)) is None or "!tt" in f"{value.type} {element}":
                    refuse(owner.operation, "pointers and buffers without a value have no spelling")
                number = 0
            else:
                op = owner.owner if isinstance(owner, ir.Block) else owner
                refuse(op.operation, "a constant with different elements, or a value that was not written")
        return self.filled(value, number_text(number), element_text(element_of(value)))

    def filled(self, value: ir.Value, number: str, element: Any) -> str:
        """`gl.full` for a constant of the value's shape and layout."""
        if is_tensor(value):
            return f"gl.full({list(value.type.shape)}, {number}, {element}, {self.layout(value)})"
        if element in ("gl.int32", "gl.int1") or (element == "gl.float32" and "inf" not in number):
            return f"gl.to_tensor({number})"
        return f"gl.full([], {number}, {element})"

    def unsigned_type(self, value: ir.Value) -> str:
        """The unsigned type of its elements."""
        text = str(element_of(value))
        return "gl.int1" if text == "i1" else f"gl.u{text.replace('i', 'int')}"

    def unsigned(self, value: ir.Value) -> str:
        """The value as unsigned integers."""
        number = constant_of(value)
        if number is not None and not isinstance(number, bool):
            bits = element_of(value).width
            return self.filled(value, str(number % (1 << bits)), self.unsigned_type(value))
        if str(element_of(value)) == "i1":
            return self.ref(value)
        return f"{self.ref(value)}.to({self.unsigned_type(value)})"

    # --- Attributes --------------------------------------------------------------------------------------------------
    def layout(self, value: ir.Value) -> str:
        """The layout of a tensor or buffer.  Raises ValueError: it has none."""
        encoding = value.type.encoding if is_tensor(value) else described(value).encoding
        if encoding is None:
            raise ValueError("the tensor has no layout: lift the IR after convert-triton-to-tritongpu")
        return self.source.layouts.text(encoding)

    def integer(self, op: ir.Operation, name: str, default: Any = None) -> int:
        """An attribute, an integer."""
        if name not in op.attributes and default is not None:
            return int(default)
        return int(ir.IntegerAttr(op.attributes[name]).value)

    def segments(self, op: ir.Operation) -> list[int]:
        """The number of values of each operand of the definition."""
        return list(ir.DenseI32ArrayAttr(op.attributes["operandSegmentSizes"]))
