"""Layouts through operations: which layout a result has if its operand has a given one, and the other way round.

The rules are the dialects'; here each question is asked of them once.
"""

import ctypes
from collections.abc import Callable
from typing import Any, TypeAlias

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.dialects._layouts import layout_of
from ttkit.dialects._type_base import attribute_at, attribute_pointer, function, int64_array, type_pointer
from ttkit.inspection import name_of
from ttkit.layout.distributed_encodings import Blocked, Slice

Encoding: TypeAlias = ir.Attribute
Rule: TypeAlias = "Callable[[LayoutInference, Any, Encoding], Encoding | None]"

_INFERENCES = {
    name: function(f"ttkitInfer{name}Layout")
    for name in ("Trans", "Reduce", "ExpandDims", "Reshape", "Join", "Split", "Fp4ToFp")
}
_converts_within_threads = function("ttkitConvertsWithinThreads")
_is_expensive_view = function("ttkitIsExpensiveView")
_registers_per_thread = function("ttkitRegistersPerThread")
_lanes_along_axis = function("ttkitLanesAlongAxis")

KEEPING_TRAITS = (b"SameOperandsAndResultEncoding", b"Elementwise")
"""Traits of operations all of whose tensors have one layout."""

# Operations without such a trait whose results have their operands' layout nevertheless.
_KEEPING_STRUCTURES = {"scf.for", "scf.while", "scf.yield", "scf.condition", "ttng.warp_group_dot_wait"}

_traits: dict[tuple[str, bytes], bool] = {}
_keeping: dict[str, bool] = {}


def has_trait(op: ir.OpView, trait: bytes) -> bool:
    """Whether operations of the kind of `op` have one of the traits that libttkit knows by name."""
    key = (name_of(op), trait)
    found = _traits.get(key)
    if found is None:
        found = _traits[key] = library().ttkitHasTrait(operation_handle(op.operation), trait)
    return found


def encoding_of(value: ir.Value) -> Encoding | None:
    """The layout of a tensor; None for other values, and tensors without a layout."""
    type = value.type
    return type.encoding if isinstance(type, ir.RankedTensorType) else None


class LayoutInference:
    """Answers about layouts, remembered for one run of a pass."""

    def __init__(self) -> None:
        self._answers: dict[Any, Any] = {}

    def remember(self, key: Any, answer: Callable[[], Any]) -> Any:
        answers = self._answers
        if key not in answers:
            answers[key] = answer()
        return answers[key]

    def keeps_layout(self, op: ir.OpView) -> bool:
        """Whether a trait says that all tensors of `op` have one layout."""
        name = name_of(op)
        found = _keeping.get(name)
        if found is None:
            found = _keeping[name] = any(has_trait(op, trait) for trait in KEEPING_TRAITS)
        return found

    def retyped(self, type: ir.RankedTensorType, encoding: Encoding) -> ir.RankedTensorType:
        """The tensor type with another layout."""
        return self.remember(
            (type, encoding), lambda: ir.RankedTensorType.get_unchecked(type.shape, type.element_type, encoding)
        )

    def shape(self, type: ir.RankedTensorType) -> tuple[int, ...]:
        return self.remember((type, "shape"), lambda: tuple(type.shape))

    def result_layout(self, op: ir.OpView, encoding: Encoding) -> Encoding | None:
        """The layout of the results of `op` if its operands have layout `encoding`; None if nothing can be said."""
        name = name_of(op)
        if name == "tt.scan":
            return encoding if isinstance(layout_of(encoding), Blocked) else None
        if self._keeps(op, name):
            return encoding
        rule = _RESULT_RULES.get(name)
        return rule(self, op, encoding) if rule else None

    def source_layout(self, op: ir.OpView, encoding: Encoding) -> Encoding | None:
        """The layout that the operands of `op` need for results of layout `encoding`; None if there is no such."""
        name = name_of(op)
        if name == "tt.scan":
            return encoding if isinstance(layout_of(encoding), Blocked) else None
        if name != "scf.for" and self._keeps(op, name):
            return encoding
        rule = _SOURCE_RULES.get(name)
        return rule(self, op, encoding) if rule else None

    def _keeps(self, op: ir.OpView, name: str) -> bool:
        return (
            self.keeps_layout(op)
            or has_trait(op, b"SameLoadStoreOperandsAndResultEncoding")
            or name in _KEEPING_STRUCTURES
        )

    def moves_within_threads(self, source: ir.Type, result: ir.Type) -> bool:
        """Whether a conversion between the tensor types only renames the registers of each thread."""
        return self.remember(
            (source, result), lambda: _converts_within_threads(type_pointer(source), type_pointer(result))
        )

    def is_expensive_view(self, source: ir.Type, result: ir.Type) -> bool:
        """Whether a reshape that may reorder, between the tensor types, moves values between threads."""
        return self.remember(
            (source, result, "view"), lambda: _is_expensive_view(type_pointer(source), type_pointer(result))
        )

    def registers_per_thread(self, type: ir.Type) -> int:
        """Number of elements of a tensor that a thread holds, copies included."""
        return self.remember((type, "registers"), lambda: _registers_per_thread(type_pointer(type)))

    def threads_along_axis(self, type: ir.Type, axis: int) -> tuple[int, int]:
        """Numbers of lanes of a warp and of warps that hold different parts of a tensor along `axis`."""
        pointer = type_pointer(type)
        return _lanes_along_axis(pointer, axis, False), _lanes_along_axis(pointer, axis, True)

    def ask(self, rule: str, encoding: Encoding, parameters: tuple[Any, ...], *arguments: Any) -> Encoding | None:
        """The layout that a rule of the dialect gives for `encoding` and parameters, which go there as `arguments`."""

        def answer() -> Encoding | None:
            pointer = _INFERENCES[rule](attribute_pointer(encoding), *arguments)
            return attribute_at(pointer) if pointer else None

        return self.remember((rule, encoding, parameters), answer)

    # --- The rules: operands to results, and back -----------------------------------------------------------------

    def reduced(self, op: Any, encoding: Encoding) -> Encoding | None:
        axis = op.attributes["axis"].value
        return self.ask("Reduce", encoding, (axis,), axis)

    def expanded(self, op: Any, encoding: Encoding) -> Encoding | None:
        axis = op.attributes["axis"].value
        return self.ask("ExpandDims", encoding, (axis,), axis)

    def before_reduce(self, op: Any, encoding: Encoding) -> Encoding | None:
        layout = layout_of(encoding)
        if not isinstance(layout, Slice) or layout.dim != op.attributes["axis"].value:
            return None
        return self.expanded(op, encoding)

    def transposed(self, op: Any, encoding: Encoding) -> Encoding | None:
        order = tuple(op.attributes["order"])
        return self._permuted(encoding, self.shape(op.operands[0].type), order)

    def before_trans(self, op: Any, encoding: Encoding) -> Encoding | None:
        """Transposing the result the other way gives the operand."""
        order = tuple(op.attributes["order"])
        inverse = tuple(order.index(dim) for dim in range(len(order)))
        return self._permuted(encoding, self.shape(op.results[0].type), inverse)

    def _permuted(self, encoding: Encoding, shape: tuple[int, ...], order: tuple[int, ...]) -> Encoding | None:
        dims = (ctypes.c_int32 * len(order))(*order)
        return self.ask("Trans", encoding, (shape, order), len(shape), int64_array(shape), dims)

    def reshaped(self, op: Any, encoding: Encoding) -> Encoding | None:
        return self._reshaped(op, encoding, op.operands[0].type, op.results[0].type)

    def before_reshape(self, op: Any, encoding: Encoding) -> Encoding | None:
        """Inference is symmetric: reshaping the result back gives the operand."""
        return self._reshaped(op, encoding, op.results[0].type, op.operands[0].type)

    def _reshaped(self, op: Any, encoding: Encoding, before: Any, after: Any) -> Encoding | None:
        if "allow_reorder" in op.attributes:  # any layout will do: there is none to infer
            return None
        return self.of_reshape(encoding, self.shape(before), self.shape(after))

    def of_reshape(self, encoding: Encoding, source: tuple[int, ...], result: tuple[int, ...]) -> Encoding | None:
        """The layout of a tt.reshape, which keeps elements where they are."""
        arguments = (len(source), int64_array(source), len(result), int64_array(result))
        return self.ask("Reshape", encoding, (source, result), *arguments)

    def joined(self, op: Any, encoding: Encoding) -> Encoding | None:
        shape = self.shape(op.operands[0].type)
        return self.ask("Join", encoding, (shape,), len(shape), int64_array(shape))

    def split(self, op: Any, encoding: Encoding) -> Encoding | None:
        shape = self.shape(op.operands[0].type)
        return self.ask("Split", encoding, (shape,), len(shape), int64_array(shape))

    def before_join(self, op: Any, encoding: Encoding) -> Encoding | None:
        shape = self.shape(op.results[0].type)
        return self.ask("Split", encoding, (shape,), len(shape), int64_array(shape))

    def before_split(self, op: Any, encoding: Encoding) -> Encoding | None:
        shape = self.shape(op.results[0].type)
        return self.ask("Join", encoding, (shape,), len(shape), int64_array(shape))

    def unpacked(self, op: Any, encoding: Encoding) -> Encoding | None:
        return self._fp4_to_fp(op, encoding, op.operands[0].type, forward=True)

    def before_unpacking(self, op: Any, encoding: Encoding) -> Encoding | None:
        return self._fp4_to_fp(op, encoding, op.results[0].type, forward=False)

    def _fp4_to_fp(self, op: Any, encoding: Encoding, type: Any, forward: bool) -> Encoding | None:
        return self.of_fp4_to_fp(encoding, self.shape(type), op.attributes["axis"].value, forward)

    def of_fp4_to_fp(self, encoding: Encoding, shape: tuple[int, ...], axis: int, forward: bool) -> Encoding | None:
        """The layout of the result of a ttg.fp4_to_fp of a tensor of some shape; or backward, of the operand."""
        arguments = (len(shape), int64_array(shape), axis, forward)
        return self.ask("Fp4ToFp", encoding, (shape, axis, forward), *arguments)

    def same(self, op: Any, encoding: Encoding) -> Encoding | None:
        return encoding


_RESULT_RULES: dict[str, Rule] = {
    "tt.reduce": LayoutInference.reduced,
    "tt.expand_dims": LayoutInference.expanded,
    "tt.join": LayoutInference.joined,
    "tt.split": LayoutInference.split,
    "tt.trans": LayoutInference.transposed,
    "tt.reshape": LayoutInference.reshaped,
    "tt.gather": LayoutInference.same,  # the indices' layout
    "ttg.fp4_to_fp": LayoutInference.unpacked,
}
_SOURCE_RULES: dict[str, Rule] = {
    "tt.reduce": LayoutInference.before_reduce,
    "tt.expand_dims": LayoutInference.reduced,
    "tt.join": LayoutInference.before_join,
    "tt.split": LayoutInference.before_split,
    "tt.trans": LayoutInference.before_trans,
    "tt.reshape": LayoutInference.before_reshape,
    "tt.gather": LayoutInference.same,
    "ttg.fp4_to_fp": LayoutInference.before_unpacking,
}
