"""Layouts through operations: the layout of a result for a given layout of its operand, and the reverse.

The rules are those of `ttkit.layout.inference`.  This module applies them to attributes and caches their results.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from mlir import ir

import ttkit.dialects.defined as defined
from ttkit._native import library, operation_handle
from ttkit.declarations import declares
from ttkit.dialects._layouts import attribute, layout_of, linear_layout_of
from ttkit.inspection import name_of
from ttkit.layout import LinearLayout, UnsuitableLayout, inference
from ttkit.layout.encodings import Blocked, Layout
from ttkit.operation_sets import LOOPS, WGMMA_WAIT

Encoding: TypeAlias = ir.Attribute
Rule: TypeAlias = Callable[[Any, Any, Layout], Layout]  # a LayoutInference, an operation, its layout

KEEPING_TRAITS = (b"SameOperandsAndResultEncoding", b"Elementwise")
"""Traits of operations all of whose tensors have one layout."""

# Operations without such a trait whose results have the layout of their operands.
_KEEPING_STRUCTURES = {*LOOPS, "scf.yield", "scf.condition", WGMMA_WAIT}


def has_trait(op: ir.OpView, trait: bytes) -> bool:
    """Whether operations of the kind of `op` have a trait, one of those that libttkit knows by name."""
    return library().ttkitHasTrait(operation_handle(op.operation), trait)


def encoding_of(value: ir.Value) -> Encoding | None:
    """The layout of a tensor; None for other values, and tensors without a layout."""
    type = value.type
    return type.encoding if isinstance(type, ir.RankedTensorType) else None


class LayoutInference:
    """Queries about layouts, cached for one run of a pass."""

    def __init__(self) -> None:
        self._answers: dict[Any, Any] = {}
        self._keeping: dict[str, bool] = {}

    def remember(self, key: Any, answer: Callable[[], Any]) -> Any:
        """The cached value for a key, computed by `answer` the first time."""
        answers = self._answers
        if key not in answers:
            answers[key] = answer()
        return answers[key]

    def keeps_layout(self, op: ir.OpView) -> bool:
        """Whether all tensors of `op` have one layout by a trait."""
        return self.remember(("keeps", name_of(op)), lambda: any(has_trait(op, trait) for trait in KEEPING_TRAITS))

    def retyped(self, type: ir.RankedTensorType, encoding: Encoding) -> ir.RankedTensorType:
        """The tensor type with another layout."""
        found = self._answers.get((type, encoding))
        if found is None:
            found = ir.RankedTensorType.get_unchecked(type.shape, type.element_type, encoding)
            self._answers[type, encoding] = found
        return found

    def shape(self, type: ir.RankedTensorType) -> tuple[int, ...]:
        """The shape of a tensor type."""
        return self.remember((type, "shape"), lambda: tuple(type.shape))

    def result_layout(self, op: ir.OpView, encoding: Encoding) -> Encoding | None:
        """The layout of the results of `op` for operands of layout `encoding`; None if it is unknown."""
        name = name_of(op)
        if name == "tt.scan":
            return encoding if isinstance(layout_of(encoding), Blocked) else None
        if self._keeps(op, name):
            return encoding
        return self._answer(rule_of(_RESULT_RULES, name), op, encoding)

    def source_layout(self, op: ir.OpView, encoding: Encoding) -> Encoding | None:
        """The layout that the operands of `op` need for results of layout `encoding`; None if there is none."""
        name = name_of(op)
        if name == "tt.scan":
            return encoding if isinstance(layout_of(encoding), Blocked) else None
        if name != "scf.for" and self._keeps(op, name):
            return encoding
        return self._answer(rule_of(_SOURCE_RULES, name), op, encoding)

    def _keeps(self, op: ir.OpView, name: str) -> bool:
        """Whether all tensors have one layout, apart from those that a load or store ignores."""
        found = self._keeping.get(name)
        if found is None:
            is_access = has_trait(op, b"SameLoadStoreOperandsAndResultEncoding")
            found = self._keeping[name] = is_access or self.keeps_layout(op) or name in _KEEPING_STRUCTURES
        return found

    def _answer(self, rule: Rule | None, op: ir.OpView, encoding: Encoding) -> Encoding | None:
        layout = layout_of(encoding)
        if rule is None or layout is None:
            return None
        try:
            return attribute(rule(self, op, layout), encoding.context)
        except UnsuitableLayout:
            return None

    def moves_within_threads(self, source: ir.Type, result: ir.Type) -> bool:
        """Whether a conversion between the tensor types only renames the registers of each thread."""
        before, after = self._linear(source), self._linear(result)
        return before is not None and after is not None and inference.moves_within_threads(before, after)

    def is_expensive_view(self, source: ir.Type, result: ir.Type) -> bool:
        """Whether a reshape that may reorder, between the tensor types, moves values between threads."""
        before, after = self._linear(source), self._linear(result)
        return before is None or after is None or inference.is_expensive_view(before, after)

    def registers_per_thread(self, type: ir.Type) -> int:
        """The number of elements of a tensor in a thread, copies included; 0 if its layout does not suit it."""
        linear = self._linear(type)
        return linear.in_size("register") if linear else 0

    def threads_along_axis(self, type: ir.Type, axis: int) -> tuple[int, int]:
        """The numbers of lanes of a warp, and of warps, that hold different parts of a tensor along `axis`."""
        linear = self._linear(type)
        if linear is None:
            return 0, 0
        lanes, warps = (sum(basis[axis] != 0 for basis in linear.bases(name)) for name in ("lane", "warp"))
        return 1 << lanes, 1 << warps

    def _linear(self, type: ir.Type) -> LinearLayout | None:
        def answer() -> LinearLayout | None:
            """The linear layout of the type; None if it has no layout, or one without a linear form."""
            try:
                return linear_layout_of(type)
            except (UnsuitableLayout, TypeError):
                return None

        return self.remember((type, "linear"), answer)


# --- The rules: operands to results, and back ------------------------------------------------------------------------
def _axis(op: Any) -> int:
    return op.attributes["axis"].value


def _operand_shape(layouts: LayoutInference, op: Any) -> tuple[int, ...]:
    return layouts.shape(op.operands[0].type)


def _result_shape(layouts: LayoutInference, op: Any) -> tuple[int, ...]:
    return layouts.shape(op.results[0].type)


def _expand_dims(layouts: LayoutInference, op: Any, layout: Layout) -> Layout:
    return inference.expand_dims(layout, _axis(op))


def _reduce(layouts: LayoutInference, op: Any, layout: Layout) -> Layout:
    return inference.reduce(layout, _axis(op))


def _trans(layouts: LayoutInference, op: Any, layout: Layout) -> Layout:
    return inference.trans(layout, _operand_shape(layouts, op), tuple(op.attributes["order"]))


def _before_trans(layouts: LayoutInference, op: Any, layout: Layout) -> Layout:
    """Transposing the result the other way gives the operand."""
    order = tuple(op.attributes["order"])
    inverse = tuple(order.index(dim) for dim in range(len(order)))
    return inference.trans(layout, _result_shape(layouts, op), inverse)


def _reshape(layouts: LayoutInference, op: Any, layout: Layout) -> Layout:
    return _of_reshape(op, layout, _operand_shape(layouts, op), _result_shape(layouts, op))


def _before_reshape(layouts: LayoutInference, op: Any, layout: Layout) -> Layout:
    """Inference is symmetric: reshaping the result back gives the operand."""
    return _of_reshape(op, layout, _result_shape(layouts, op), _operand_shape(layouts, op))


def _of_reshape(op: Any, layout: Layout, shape: tuple[int, ...], result: tuple[int, ...]) -> Layout:
    if "allow_reorder" in op.attributes:
        raise UnsuitableLayout("any layout will do: there is none to infer")
    return inference.reshape(layout, shape, result)


def _same(layouts: LayoutInference, op: Any, layout: Layout) -> Layout:
    return layout


_RESULT_RULES: dict[str, Rule] = {
    "tt.reduce": _reduce,
    "tt.expand_dims": _expand_dims,
    "tt.join": lambda layouts, op, layout: inference.join(layout, _operand_shape(layouts, op)),
    "tt.split": lambda layouts, op, layout: inference.split(layout, _operand_shape(layouts, op)),
    "tt.trans": _trans,
    "tt.reshape": _reshape,
    "tt.gather": _same,  # the indices' layout
    "ttg.fp4_to_fp": lambda layouts, op, layout: inference.fp4_to_fp(layout, _operand_shape(layouts, op), _axis(op)),
}
_SOURCE_RULES: dict[str, Rule] = {
    "tt.reduce": _expand_dims,
    "tt.expand_dims": _reduce,
    "tt.join": lambda layouts, op, layout: inference.split(layout, _result_shape(layouts, op)),
    "tt.split": lambda layouts, op, layout: inference.join(layout, _result_shape(layouts, op)),
    "tt.trans": _before_trans,
    "tt.reshape": _before_reshape,
    "tt.gather": _same,
    "ttg.fp4_to_fp": lambda layouts, op, layout: inference.fp4_to_fp(
        layout, _result_shape(layouts, op), _axis(op), forward=False
    ),
}


def rule_of(rules: dict[str, Rule], name: str) -> Rule | None:
    """The rule of an operation in one of the tables, also of one that a package defines."""
    defined.load_part(name, "layouts")
    return rules.get(name)


def has_result_rule(name: str) -> bool:
    """Whether the layouts of results of an operation follow from those of its operands by a rule."""
    return rule_of(_RESULT_RULES, name) is not None


def infers_result(*names: str) -> Callable[[Rule], Rule]:
    """Declares the rule for the layout of results: it takes (a LayoutInference, the operation, the layout of the first
    operand) and raises UnsuitableLayout where none follows."""
    return declares(_RESULT_RULES, names)


def infers_source(*names: str) -> Callable[[Rule], Rule]:
    """Declares the rule for the layout of operands, given that of the first result; otherwise as `infers_result`."""
    return declares(_SOURCE_RULES, names)
