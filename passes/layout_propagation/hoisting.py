"""Moving conversions to where they cost less.

That is before an operation that enlarges a tensor; in the branch of a conditional that alone needs the conversion; or
next to a load whose value is the operand of a dot.
"""

from collections import deque

from mlir import ir

from ttkit._native import library, operation_handle
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import defining, name_of
from ttkit.layout.encodings import Blocked
from ttkit.operation_sets import ALL_DOTS, BLOCK_LOADS, CONVERT_LAYOUT
from ttkit.passes.infra import collect, is_memory_effect_free
from ttkit.passes.infra.layout_inference import Encoding, encoding_of, has_trait
from ttkit.passes.infra.nesting import yields_of
from ttkit.passes.infra.transforms import set_operands
from ttkit.passes.layout_propagation.backward_slice import Slice, Use, backward_slice
from ttkit.passes.layout_propagation.function_state import FunctionState
from ttkit.passes.layout_propagation.layout_anchors import is_dot_operand, is_extension, is_mma_operand, is_view
from ttkit.passes.layout_propagation.layout_conversions import insert_conversion
from ttkit.passes.layout_propagation.slice_rewriting import Mapping, rewrite_slice

# --- Above extensions ------------------------------------------------------------------------------------------------


def hoist_above_extension(conversion: ir.OpView, state: FunctionState) -> None:
    """convert(f(extend(x))) -> f(extend(convert(x))), for one extension; other operands of f are computed again."""
    encoding = conversion.result.type.encoding
    if is_dot_operand(encoding):  # hoist_dot_operand does better
        return
    found = state.slice_before(Use(conversion.operation, 0), encoding, is_extension)
    if found is None or any(_slows_scan(value, new) for value, new in found.encodings.items()):
        return
    extension = None
    for value in list(found.values):
        op = defining(value)
        if op is None or not is_extension(op):
            continue
        source = state.layouts.source_layout(op, found.encodings[value])
        if source is None:
            return
        before = state.slice_before(Use(op.operation, 0), source)
        if before is not None and found.agrees_with(before):
            found.merge(before)  # no conversion is needed here
        elif extension is not None:
            return  # the conversion would run twice
        else:
            extension = op, source
    if extension is not None:
        _convert_operand(*extension, found, conversion, state)


def _slows_scan(result: ir.Value, encoding: Encoding) -> bool:
    """Whether a value is the result of a scan whose threads would hold fewer neighbours along its axis.

    Such a scan takes a shuffle for each of its elements and steps.
    """
    op = defining(result)
    if op is None or name_of(op) != "tt.scan":
        return False
    held, left = layout_of(encoding_of(result)), layout_of(encoding)
    if not (isinstance(held, Blocked) and isinstance(left, Blocked)):
        return False
    return left.size_per_thread[op.axis] < held.size_per_thread[op.axis]


def _convert_operand(
    extension: ir.OpView, source: Encoding, slice: Slice, conversion: ir.OpView, state: FunctionState
) -> None:
    """Rewrites a slice that needs one extension in another layout, by converting its operand to `source`."""
    result = extension.result
    encoding = slice.encodings[result]
    place = ir.InsertionPoint(extension)
    (before,) = extension.operands
    operand = insert_conversion(before, source, conversion.location, state.layouts, place)
    clone = extension.operation.clone(ip=place)
    set_operands(clone, [operand])
    clone.result.set_type(state.layouts.retyped(result.type, encoding))
    slice.remove(result)
    rewrite_slice(slice, conversion, state, {result: clone.result})


# --- Into conditionals -----------------------------------------------------------------------------------------------


def hoist_into_conditional(conversion: ir.OpView, state: FunctionState) -> None:
    """Moves a conversion of a conditional's result into the branch that needs it, if the other branch does not.

    Only in loops, where a branch is likely to run less often than the operations after the conditional.
    """
    found = state.slice_before(Use(conversion.operation, 0), conversion.result.type.encoding, _is_conditional)
    if found is None:
        return
    hoisted: list[tuple[ir.Value, Use]] = []  # results of conditionals, and the yielded values to convert for them
    ends: list[ir.Value] = []  # results that need a conversion after the conditional
    pending = deque(found.values)
    while pending:
        value = pending.popleft()
        op = defining(value)
        if op is None or not _is_conditional(op):
            continue
        uses = [Use(end, value.result_number) for end in yields_of(op.operation)]
        branches = _slices_of(uses, found.encodings[value], found, state)
        needing = [use for use, branch in zip(uses, branches) if branch is None]
        if len(needing) == 2 or (needing and name_of(op.operation.parent) != "scf.for"):
            ends.append(value)
            continue
        for branch in branches:
            if branch is not None:
                pending += [value for value in branch.values if value not in found.values]
                found.merge(branch)
        hoisted += [(value, use) for use in needing]
    converted = {use.value for _, use in hoisted}
    if len(converted) < len(hoisted) or any(value in converted for value in found.values):
        return  # what is converted in one branch is needed in another place, too
    if hoisted and all(found.add(use.value, found.encodings[result]) for result, use in hoisted):
        _convert_in_branches(hoisted, ends, found, conversion, state)


def _slices_of(uses: list[Use], encoding: Encoding, found: Slice, state: FunctionState) -> list[Slice | None]:
    """The slice of each use, up to conditionals; None if it can't be computed, or disagrees with the others or `found`.

    Triton 3.6 merges slices that disagree, and produces invalid IR.
    """
    slices: list[Slice | None] = []
    known = [found]
    for use in uses:
        slice = state.slice_before(use, encoding, _is_conditional)
        if slice is not None and not all(slice.agrees_with(other) for other in known):
            slice = None
        slices.append(slice)
        known += [] if slice is None else [slice]
    return slices


def _is_conditional(op: ir.OpView) -> bool:
    return name_of(op) == "scf.if"


def _convert_in_branches(
    hoisted: list[tuple[ir.Value, Use]], ends: list[ir.Value], slice: Slice, conversion: ir.OpView, state: FunctionState
) -> None:
    mapping: Mapping = {}
    places: list[tuple[ir.Value, ir.Value, ir.InsertionPoint]] = [
        (value, value, ir.InsertionPoint.after(value.owner)) for value in ends
    ]
    places += [(result, use.value, ir.InsertionPoint(use.owner)) for result, use in hoisted]
    for result, value, place in places:
        encoding = slice.encodings[result]
        mapping[value] = insert_conversion(value, encoding, conversion.location, state.layouts, place)
        slice.remove(value)
    rewrite_slice(slice, conversion, state, mapping)


# --- Next to loads ---------------------------------------------------------------------------------------------------


def hoist_dot_operand(conversion: ir.OpView, state: FunctionState) -> None:
    """dot(convert(f(load))) -> dot(f(convert(load))), where f moves no data between threads: easy to pipeline."""
    if not _feeds_dot(conversion):
        return
    encoding = conversion.result.type.encoding
    found = backward_slice(Use(conversion.operation, 0), encoding, state.layouts, state.copy_before, _moves_data)
    if found is None:
        return
    mapping: Mapping = {}
    loads: list[ir.OpView] = []
    for value in list(found.values):
        op = defining(value)
        if op is None:
            return
        if name_of(op) in BLOCK_LOADS:
            loads.append(op)
            found.remove(value)
        elif name_of(op) != "arith.constant" and _moves_data(op):
            return
    if not found.values:
        return
    for load in loads:
        result = load.result
        place = ir.InsertionPoint.after(load)
        mapping[result] = insert_conversion(result, found.encodings[result], conversion.location, state.layouts, place)
    rewrite_slice(found, conversion, state, mapping)


def _feeds_dot(conversion: ir.OpView) -> bool:
    """Whether a dot with operand a in registers always runs after the conversion."""
    for op in collect(conversion.operation.parent.operation, ALL_DOTS):
        encoding = encoding_of(op.opview.a)
        if (
            encoding is not None
            and is_mma_operand(encoding)
            and library().ttkitPostDominates(operation_handle(op), operation_handle(conversion.operation))
        ):
            return True
    return False


def _moves_data(op: ir.OpView) -> bool:
    if name_of(op) in ("tt.broadcast", "ttg.fp4_to_fp", CONVERT_LAYOUT) or is_view(op):
        return False
    return not (has_trait(op, b"Elementwise") and is_memory_effect_free(op))
