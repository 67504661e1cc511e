"""Assigning a layout to every tensor of a module: the framework of the passes that do it.

All values get the default layout of their type at once, in C++.  Then handlers process the few operations that need or
produce another layout: a handler inserts ttg.convert_layout before its operands and after its result, so that all other
operations see default layouts.

Operations of dialects without support for layouts keep their types.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

from mlir import ir

import ttkit.dialects.defined as defined
from ttkit.dialects import builtin, ttg
from ttkit.dialects._layouts import attribute, layout_of
from ttkit.dialects._tt_types import PointerType
from ttkit.layout import to_linear_layout
from ttkit.layout.blocked import default_blocked
from ttkit.layout.encodings import Blocked, Layout
from ttkit.passes.infra import PassError, collect
from ttkit.passes.infra.layout_inference import LayoutInference
from ttkit.passes.infra.nesting import arguments_in, point_after
from ttkit.passes.infra.retyping import fold_once, operation_names, replace_types, value_types
from ttkit.passes.layouts.thread_counts import machine_of

Handler = Callable[[ir.Operation, "Layouts"], None]
Made = TypeVar("Made")

# Dialects all of whose operations take tensors with layouts, as those of packages do.
LAYOUT_DIALECTS = frozenset({"arith", "cf", "math", "scf", "tt", "ub"})
# The operations that have no meaning for tensors with layouts.
REFUSED = ("scf.execute_region", "scf.parallel", "scf.reduce", "scf.reduce.return")


class Layouts:
    """The numbers of warps, threads and CTAs, and the layouts and types derived from them, each computed once.

    Attributes:
        machine: the warps, threads and CTAs that run the module.
        inference: infers layouts of results from operands, and back.
    """

    def __init__(self, root: ir.Operation) -> None:
        self.root, self.machine = root, machine_of(root)
        self.inference = LayoutInference()
        self._made: dict[Hashable, object] = {}

    def once(self, make: Callable[..., Made], *arguments: Hashable) -> Made:
        """Result of `make` with these arguments, one of which may be this object, computed once and cached."""
        key = (make, *(one for one in arguments if one is not self))  # without itself, it ends with its last user
        if key not in self._made:
            self._made[key] = make(*arguments)
        return self._made[key]  # type: ignore[return-value]

    def default(self, type: ir.Type) -> ir.Type:
        """A tensor type, or block pointer type, with the default layout in place of its own.

        Raises:
            PassError: the shape has no such layout.
        """
        if isinstance(type, PointerType):
            return PointerType.get(self.default(type.pointee_type), type.address_space)
        return self.once(_default, type, self)

    def default_layout(self, shape: Iterable[int]) -> Blocked:
        """The layout of a tensor of this shape before any pass chooses one.

        Raises:
            PassError: the shape has rank 0, or a size is not a power of two.
        """
        shape = list(shape)
        if not shape:
            raise PassError(self.root, "found a tensor of rank 0, which has no layout; use its element instead")
        try:
            return default_blocked(shape, *self.machine)
        except ValueError as error:
            raise PassError(
                self.root, f"no layout for a tensor of shape {shape}: {error}; sizes must be powers of two"
            ) from error


def _default(type: ir.RankedTensorType, layouts: Layouts) -> ir.RankedTensorType:
    return with_layout(type, layouts.default_layout(type.shape))


def assign_layouts(layouts: Layouts, handlers: Mapping[str, Handler], *, keep_types_of_others: bool) -> None:
    """Gives every tensor without a layout its default one, and runs the handler of each operation that has one.

    Args:
        handlers: by name of an operation; called in the order of the text.  All values have their final types then,
            except for those that other handlers change.
        keep_types_of_others: whether operations of other dialects keep their types by
            builtin.unrealized_conversion_cast; else a tensor that they share with the other operations is an error.

    Raises:
        PassError: an operation can't take tensors with layouts, or a shape has no layout.
    """
    root = layouts.root
    types = value_types(root)
    bare = {type for type in types if is_bare(tensor_of(type))}
    for op in collect(root, REFUSED):
        raise PassError(op, f"'{op.name}' can't contain tensors with layouts; lower it first")
    if bare:
        fold_once(root, bare)
    handled = collect(root, handlers)
    if any(isinstance(type, ir.RankedTensorType) and type not in bare for type in types):  # those stay as they are
        handled = [op for op in handled if not bare.isdisjoint(_types(op)) or _lacks_dot_operands(op)]
    others = [op for name in _other_names(root) for op in collect(root, [name])]
    kept = [_KeptTypes(op, bare) for op in others if not bare.isdisjoint(_types(op))]
    replace_types(root, {type: layouts.default(type) for type in bare})
    for keeper in kept:
        keeper.restore(keep_types_of_others)
    for op in handled:
        handlers[op.name](op, layouts)


def tensor_of(type: ir.Type) -> ir.Type:
    """Tensor type that a block pointer points to; any other type unchanged."""
    return type.pointee_type if isinstance(type, PointerType) else type


def is_bare(type: ir.Type) -> bool:
    """Whether the type is a tensor without a layout."""
    return isinstance(type, ir.RankedTensorType) and type.encoding is None


def _other_names(root: ir.Operation) -> list[str]:
    known = {*LAYOUT_DIALECTS, *defined.DIALECTS}
    return [name for name in operation_names(root) if name.partition(".")[0] not in known and name != "builtin.module"]


def _types(op: ir.Operation) -> set[ir.Type]:
    return {value.type for value in (*op.operands, *op.results, *arguments_in(op))}


def _lacks_dot_operands(op: ir.Operation) -> bool:
    return op.name == "tt.dot" and any(
        "#ttg.dot_op" not in str(operand.type.encoding) for operand in (op.opview.a, op.opview.b)
    )


class _KeptTypes:
    """The types without layouts of an operation, which `restore` gives back after all types have changed."""

    def __init__(self, op: ir.Operation, bare: set[ir.Type]) -> None:
        self.op = op
        self.values = [(value, value.type) for value in (*op.results, *arguments_in(op)) if value.type in bare]
        self.operands = [(i, operand, operand.type) for i, operand in enumerate(op.operands) if operand.type in bare]

    def restore(self, cast_operands: bool) -> None:
        """Restores the types without layouts; casts convert between them and the types that other operations see.

        Raises:
            PassError: an operand got a layout and `cast_operands` is false, or a result is a block pointer.
        """
        for value, bare in self.values:
            assigned = value.type
            if assigned == bare:
                continue
            if not isinstance(assigned, ir.RankedTensorType):
                raise PassError(
                    self.op,
                    f"'{self.op.name}' returns {bare}, whose layout only tt operations can have; "
                    "run triton-rewrite-tensor-pointer, which replaces it by tensors of pointers",
                )
            value.set_type(bare)
            convert_result(value, assigned)
        for i, operand, bare in self.operands:
            if operand.type != bare:  # else its definition keeps its types too
                if not cast_operands:
                    raise PassError(
                        self.op,
                        f"operand #{i} of '{self.op.name}' is a tensor, which gets a layout; use enable-source-remat",
                    )
                where = {"loc": self.op.location, "ip": ir.InsertionPoint(self.op)}
                (operand,) = builtin.unrealized_conversion_cast([bare], [operand], **where)
            self.op.operands[i] = operand


def with_layout(type: ir.RankedTensorType, layout: Layout | ir.Attribute) -> ir.RankedTensorType:
    """The tensor type with another layout."""
    encoding = layout if isinstance(layout, ir.Attribute) else attribute(layout, type.context)
    return ir.RankedTensorType.get(type.shape, type.element_type, encoding, ir.Location.unknown(type.context))


def tensor_layout(type: ir.RankedTensorType) -> Layout:
    """The layout of a tensor type that has one."""
    layout = layout_of(type)
    assert layout is not None
    return layout


def elements_per_thread(type: ir.RankedTensorType) -> int:
    """Number of elements in the registers of one thread, replicas included."""
    return to_linear_layout(type.shape, tensor_layout(type)).in_size("register")


def convert_operand(op: ir.Operation, index: int, type: ir.Type, location: ir.Location | None = None) -> None:
    """Converts an operand to another layout, right before `op`.

    Args:
        index: of the operand.
        type: with the new layout.
        location: of the conversion; by default that of the operand.
    """
    operand = op.operands[index]
    op.operands[index] = convert_layout(operand, type, ir.InsertionPoint(op), location or operand.location)


def set_result_type(result: ir.Value, type: ir.Type) -> None:
    """Gives a result its final type; a conversion gives its users the previous type."""
    assigned = result.type
    if assigned == type:
        return
    result.set_type(type)
    convert_result(result, assigned)


def convert_result(value: ir.Value, type: ir.Type) -> None:
    """Converts a value to `type` right after its definition, for all of its users; does nothing if there are none."""
    users = [use.owner.operation for use in value.uses]
    if not users:
        return
    converted = convert_layout(value, type, point_after(value), _first(users).location)
    value.replace_all_uses_except(converted, converted.owner.operation)


def convert_layout(value: ir.Value, type: ir.Type, place: ir.InsertionPoint, location: ir.Location) -> ir.Value:
    """A ttg.convert_layout at a place."""
    return ttg.convert_layout(value, type, loc=location, ip=place)


def _first(users: list[ir.Operation]) -> ir.Operation:
    """The first of the users that share a block with the first one listed."""
    first = users[0]
    for user in users[1:]:
        if user.block == first.block and user != first and user.is_before_in_block(first):
            first = user
    return first
