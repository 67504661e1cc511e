"""Types, layouts, constants and names of values as Python has them."""

from __future__ import annotations

import keyword
import math
import re
from typing import Any

from mlir import ir

import ttkit.layout.gluon.tensor_memory_layouts  # noqa: F401 - its layouts
from ttkit.dialects import ttg
from ttkit.layout.encoding_parser import parse_layout
from ttkit.layout.gluon.from_encoding import from_encoding
from ttkit.lift.errors import LiftError

_ELEMENTS = {
    "f16": "float16",
    "bf16": "bfloat16",
    "f32": "float32",
    "f64": "float64",
    "f8E5M2": "float8e5",
    "f8E4M3FN": "float8e4nv",
    "f8E4M3FNUZ": "float8e4b8",
    "f8E5M2FNUZ": "float8e5b16",
    "i1": "int1",
    "i8": "int8",
    "i16": "int16",
    "i32": "int32",
    "i64": "int64",
}
_KINDS = {
    "BlockedLayout": "BLOCKED",
    "NVMMADistributedLayout": "MMA",
    "DistributedLinearLayout": "LINEAR",
    "SwizzledSharedLayout": "SHARED",
    "NVMMASharedLayout": "SHARED",
    "PaddedSharedLayout": "PADDED",
    "SharedLinearLayout": "SHARED_LINEAR",
    "TensorMemoryLayout": "TENSOR_MEMORY",
    "TensorMemoryScalesLayout": "SCALES",
}
FLAGS = {
    "tt.disallow_acc_multi_buffer": "disallow_acc_multi_buffer=True",
    "tt.flatten": "flatten=True",
    "tt.warp_specialize": "warp_specialize=True",
    "llvm.loop_annotation": "disable_licm=True",
}
"""Options of loops that hold or don't."""
TOKEN = "!ttg.async.token"


class Layouts:
    """The layouts of a module as constants of the source, in the order of their first use.

    constants: name -> text.
    """

    def __init__(self) -> None:
        self.constants: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def text(self, attribute: Any) -> str:
        """The layout as an expression.  Raises ValueError: Gluon has no such layout."""
        return self._of(from_encoding(parse_layout(str(attribute))))

    def plain(self, attribute: Any) -> str:
        """The layout as signatures spell it."""
        return repr(from_encoding(parse_layout(str(attribute))))

    def _of(self, layout: Any) -> str:
        kind = type(layout).__name__
        if kind == "SliceLayout":
            return f"gl.SliceLayout({layout.dim}, {self._of(layout.parent)})"
        if kind == "DotOperandLayout":
            return f"gl.DotOperandLayout({layout.operand_index}, {self._of(layout.parent)}, {layout.k_width})"
        module = "gl.nvidia.blackwell" if kind.startswith("TensorMemory") else "gl"
        text = f"{module}.{layout!r}".replace(", cga_layout=[]", "")
        return self.constant(text, _KINDS[kind])

    def constant(self, text: str, base: str) -> str:
        """The name of a constant, which is new unless there is one of this text."""
        if text not in self._names:
            count = sum(re.fullmatch(rf"{base}\d*", name) is not None for name in self.constants)
            name = self._names[text] = f"{base}{count}" if count else base
            self.constants[name] = text
        return self._names[text]


def element_text(type: ir.Type) -> str | None:
    """A type of elements as an expression; None if Gluon has none."""
    text = str(type)
    if pointer := re.fullmatch(r"!tt\.ptr<(.*?)(?:, (\d+))?>", text):
        inner = _ELEMENTS.get(pointer[1])
        space = f", {pointer[2]}" if pointer[2] not in (None, "1") else ""
        return f"gl.pointer_type(gl.{inner}{space})" if inner else None
    return f"gl.{_ELEMENTS[text]}" if text in _ELEMENTS else None


def signature_text(type: ir.Type) -> str | None:
    """The type of a parameter as signatures spell it; None if they can't."""
    text = str(type)
    if pointer := re.fullmatch(r"!tt\.ptr<(.*)>", text):
        inner = signature_text_of(pointer[1])
        return f"*{inner}" if inner else None
    return signature_text_of(text)


def signature_text_of(text: str) -> str | None:
    """The same of an element type's text."""
    names = {"f16": "fp16", "bf16": "bf16", "f32": "fp32", "f64": "fp64", "f8E5M2": "fp8e5", "f8E4M3FN": "fp8e4nv"}
    return names.get(text, text if re.fullmatch(r"i(1|8|16|32|64)", text) else None)


def is_tensor(value: ir.Value) -> bool:
    """Whether it is a tensor."""
    return isinstance(value.type, ir.RankedTensorType)


def element_of(value: ir.Value) -> ir.Type:
    """Type of its elements; of a scalar its own."""
    if str(value.type).startswith("!ttg.memdesc<"):
        return ttg.MemDescType(value.type).element_type
    return value.type.element_type if is_tensor(value) else value.type


def is_of_tokens(op: ir.Operation) -> bool:
    """Whether an operation only chooses between tokens, which Gluon does not have."""
    return op.name == "arith.select" and str(op.results[0].type) == TOKEN


def constant_of(value: ir.Value) -> Any:
    """The number that a constant is, in every element; None if it is no such constant."""
    owner = value.owner
    if isinstance(owner, ir.Block) or owner.name != "arith.constant":
        return None
    attribute = owner.attributes["value"]
    if isinstance(attribute, (ir.IntegerAttr, ir.FloatAttr, ir.BoolAttr)):
        return _number(attribute)
    if isinstance(attribute, ir.DenseElementsAttr) and attribute.is_splat:
        return _number(attribute.get_splat_value())
    return None


_QUIET_NAN = ("0x7FC00000", "0x7E00", "0x7FC0", "0x7FF8000000000000")


def _number(attribute: Any) -> Any:
    number = attribute.value
    if isinstance(number, float) and math.isnan(number) and str(attribute).split()[0] not in _QUIET_NAN:
        return None  # its bits have no spelling
    if str(attribute.type) == "i1":
        return bool(number)
    return number


def number_text(number: Any) -> str:
    """A number as an expression."""
    if isinstance(number, float):
        if math.isnan(number):
            return 'float("nan")'
        if math.isinf(number):
            return 'float("inf")' if number > 0 else 'float("-inf")'
    return repr(number)


class Names:
    """Names of values: of the source where locations have them, otherwise after the operation."""

    def __init__(self, reserved: Any = ()) -> None:
        self._used = {*reserved, "gl", "tl", "gluon", *keyword.kwlist, "range", "float"}

    def new(self, hint: str) -> str:
        """A name that no other value has."""
        base = re.sub(r"\W+", "_", hint).strip("_") or "value"
        if base[0].isdigit():
            base = f"_{base}"
        name, number = base, 1
        while name in self._used:
            name, number = f"{base}_{number}", number + 1
        self._used.add(name)
        return name


def name_of(location: ir.Location) -> str:
    """The name that a location gives a value; empty if none."""
    if location.is_a_name():
        return location.name_str if re.fullmatch(r"\w+", location.name_str) else name_of(location.child_loc)
    if location.is_a_callsite():
        return name_of(location.callee)
    return ""


def refuse(op: ir.Operation, reason: str) -> Any:
    """Raises LiftError."""
    raise LiftError(op, reason)


def condition(writer: Any, name: str, values: Any) -> str:
    """A further argument for an optional condition; empty if it is absent or always holds."""
    if not len(values) or constant_of(values[0]) is True:
        return ""
    return f", {name}={writer.ref(values[0])}"
