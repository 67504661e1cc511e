"""The backward slice of operations to compute in another layout so that a value has that layout.

    %0 = tt.load %p : #a
    %1 = math.exp %0 : #a
    %2 = ttg.convert_layout %1 : #a -> #b

%1 is needed in #b.  The slice is %1, %0, %p and so on, up to operations that produce #b for free (constants, ranges,
splats...) and to values that exist in #b already.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from mlir import ir

from ttkit.inspection import defining, name_of, terminator
from ttkit.operation_sets import CONVERT_LAYOUT, WARP_SPECIALIZE
from ttkit.passes.infra.layout_inference import Encoding, LayoutInference, encoding_of
from ttkit.passes.infra.nesting import holder_of, yields_of
from ttkit.passes.layout_propagation.layout_anchors import gives_any_layout, is_tensor


class Use(NamedTuple):
    """An operand of an operation."""

    owner: ir.Operation
    number: int

    @property
    def value(self) -> ir.Value:
        """The operand."""
        return self.owner.operands[self.number]


class Slice:
    """Values, in the order in which they were found, and the layout that each should have."""

    def __init__(self) -> None:
        self.values: dict[ir.Value, None] = {}
        """All values visited: the cost is estimated from them."""
        self.encodings: dict[ir.Value, Encoding] = {}
        """Layouts of these values, and of operands that stay as they are."""
        self.computed: dict[ir.Value, None] = {}
        """The values to compute."""
        self.existing: dict[ir.Value, ir.Value] = {}
        """Value -> its copy in the layout needed, for some uses; for all uses, unless the value is computed too."""

    def add(self, value: ir.Value, encoding: Encoding) -> bool:
        """Adds a value; false if the slice needs it in another layout already."""
        if self.encodings.setdefault(value, encoding) != encoding:
            return False
        self.values[value] = None
        return True

    def merge(self, other: "Slice") -> None:
        """Adds the values of `other`; those in both keep their layout."""
        self.values |= other.values
        for value, encoding in other.encodings.items():
            self.encodings.setdefault(value, encoding)
        self.computed |= other.computed
        self.existing |= other.existing

    def remove(self, value: ir.Value) -> None:
        """Removes a value that is computed in another way."""
        self.values.pop(value, None)
        self.computed.pop(value, None)

    def agrees_with(self, other: "Slice") -> bool:
        """Whether no value has different layouts in the two."""
        mine = self.encodings
        return all(mine.get(value, encoding) == encoding for value, encoding in other.encodings.items())


Stop: TypeAlias = Callable[[ir.OpView], bool]
Existing: TypeAlias = Callable[[ir.Value, Encoding, ir.Operation], ir.Value | None]


def backward_slice(
    root: Use,
    encoding: Encoding,
    layouts: LayoutInference,
    existing: Existing,
    stop: Stop | None = None,
    allowed: Callable[[ir.OpView], bool] = lambda op: True,
) -> Slice | None:
    """The slice that computes the operand `root` in a layout; None if an operation in it can't change its layout.

    Args:
        root: the operand to start from.
        encoding: its new layout.
        layouts: infers layouts.
        existing: returns the copy of a value in a given layout that can replace it at a given use; None without one.
        stop: operations beyond which the slice does not go.
        allowed: operations that a slice may have.
    """
    found = Slice()
    start = (root, encoding, True)
    seen, stack = {start}, [start]
    while stack:
        use, encoding, is_needed = stack.pop()
        value = use.value
        if not is_tensor(value):
            continue
        op = defining(value)
        if op is not None and (name_of(op) == "scf.for" or not allowed(op)):
            return None  # a loop would need a copy of itself
        if not found.add(value, encoding):
            return None
        other = existing(value, encoding, use.owner)
        if other is not None:
            op = defining(other)
            if op is not None and not allowed(op):
                return None
            # The operations before it count in the estimate, as in Triton, but are not computed again.
            found.existing[value] = other
            value, is_needed = other, False
            if not found.add(value, encoding):
                return None
        elif is_needed:
            found.computed[value] = None
        before = _uses_before(value, op, encoding, found, layouts, stop)
        if before is None:
            return None
        for item in ((*pair, is_needed) for pair in before):
            if item not in seen:
                seen.add(item)
                stack.append(item)
    return found


def _uses_before(
    value: ir.Value, op: ir.OpView | None, encoding: Encoding, found: Slice, layouts: LayoutInference, stop: Stop | None
) -> list[tuple[Use, Encoding]] | None:
    """The operands that `value`, which `op` makes, depends on and the layouts they need; None if it can't have one."""
    if op is None:
        return _uses_before_argument(value, encoding)
    name = name_of(op)
    if name == "scf.if":
        if stop and stop(op):
            return []
        return [(Use(end, value.result_number), encoding) for end in yields_of(op.operation)]
    if len(results := op.results) > 1:  # the only one is in the slice
        for result in results:
            if is_tensor(result) and not found.add(result, encoding):
                return None
    if name == CONVERT_LAYOUT and layouts.moves_within_threads(op.src.type, op.result.type):
        return [(Use(op.operation, 0), encoding)]
    if gives_any_layout(op, encoding, layouts) or (stop and stop(op)):
        return []
    if name in ("tt.cat", WARP_SPECIALIZE):  # values of other warps can't be computed again
        return None
    operands = op.operands
    if not len(operands):
        return []
    source = layouts.source_layout(op, encoding)
    if source is None:
        return None
    if name == "tt.gather":  # the source may have any layout
        return [(Use(op.operation, 1), source)]
    uses = []
    for number, operand in enumerate(operands):
        if (given := encoding_of(operand)) is None:
            continue
        if given != source:
            uses.append((Use(op.operation, number), source))
        elif found.encodings.setdefault(operand, given) != given:
            return None  # another user needs it in another layout
    return uses


def _uses_before_argument(value: ir.BlockArgument, encoding: Encoding) -> list[tuple[Use, Encoding]] | None:
    loop = holder_of(value)
    if loop.name != "scf.for":
        return None
    index = value.arg_number - 1
    return [(Use(loop, index + 3), encoding), (Use(terminator(value.owner).operation, index), encoding)]
