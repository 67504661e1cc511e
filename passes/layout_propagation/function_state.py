"""The state of a function while its conversions are removed: the layouts in which each value exists already."""

from collections.abc import Callable

from mlir import ir

from ttkit._native import handle, library, operation_handle
from ttkit.inspection import address_of
from ttkit.operation_sets import CONVERT_LAYOUT
from ttkit.passes.infra import collect
from ttkit.passes.infra.layout_inference import Encoding, LayoutInference
from ttkit.passes.layout_propagation.backward_slice import Slice, Stop, Use, backward_slice
from ttkit.passes.layout_propagation.layout_anchors import can_run_twice


class FunctionState:
    """The copies of the values of a function in other layouts.

    Operations that are no longer needed stay until `cleanup`, so that their values remain valid keys.
    """

    def __init__(self, layouts: LayoutInference) -> None:
        self.layouts = layouts
        # By address: the hash of an operation changes with its operands.
        self._removed: dict[int, ir.Operation] = {}
        self._copies: dict[tuple[ir.Value, Encoding], ir.Value] = {}
        # The layout of the latest copy of each value: the copy that follows it when its operation is replaced.
        self._latest: dict[ir.Value, Encoding] = {}

    def add_copy(self, value: ir.Value, encoding: Encoding, copy: ir.Value) -> None:
        """Notes that `copy` is `value` in layout `encoding`."""
        self._copies[value, encoding] = copy
        self._latest[value] = encoding

    def copy_of(self, value: ir.Value, encoding: Encoding) -> ir.Value | None:
        """The copy of a value in a layout, if there is one; it may not dominate the place of its use."""
        return self._copies.get((value, encoding))

    def copy_before(self, value: ir.Value, encoding: Encoding, user: ir.Operation) -> ir.Value | None:
        """The copy of `value` in layout `encoding`, if it dominates `user`; else None."""
        copy = self.copy_of(value, encoding)
        if copy is None or not library().ttkitProperlyDominates(handle(copy, "Value"), operation_handle(user)):
            return None
        return copy

    def replace_values(self, replacements: list[tuple[ir.Value, ir.Value]]) -> None:
        """Replaces values, given as (old, new), whose operations were replaced; copies are replaced too."""
        new_of = dict(replacements)
        for old, new in replacements:
            encoding = self._latest.pop(old, None)
            if encoding is not None:
                copy = self._copies.pop((old, encoding))
                self.add_copy(new, encoding, new_of.get(copy, copy))
        for old, new in replacements:
            old.replace_all_uses_with(new)

    def remove(self, op: ir.Operation) -> None:
        """Has `cleanup` erase `op`, which has no uses any more."""
        self._removed[address_of(op)] = op

    def cleanup(self) -> bool:
        """Erases the removed operations; whether there were any."""
        for op in reversed(self._removed.values()):
            op.erase()
        return bool(self._removed)

    def is_removed(self, op: ir.Operation) -> bool:
        """Whether an operation was removed, so that passes must ignore it."""
        return address_of(op) in self._removed

    def slice_before(self, root: Use, encoding: Encoding, stop: Stop | None = None) -> Slice | None:
        """The slice of `root`, if all its operations can be computed again in other layouts; else None."""
        found = backward_slice(root, encoding, self.layouts, self.copy_before, stop, can_run_twice)
        return found if found is not None and found.values else None


def for_each_conversion(
    function: ir.OpView, layouts: LayoutInference, act: Callable[[ir.OpView, FunctionState], None]
) -> bool:
    """Lets `act` try to remove each conversion in a function; whether it removed any.

    Conversions that stay are copies of their operands, which later operations may use.
    """
    state = FunctionState(layouts)
    for op in collect(function.operation, [CONVERT_LAYOUT]):
        conversion = op.opview
        act(conversion, state)
        if not state.is_removed(op):
            result = conversion.result
            state.add_copy(conversion.src, result.type.encoding, result)
    return state.cleanup()
