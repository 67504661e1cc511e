"""The layout of each value, propagated forward from the operations that fix one.

Layouts propagate from anchors to all values computed from them.  A value reached by several layouts keeps all of them
as candidates; at the end one is picked.
"""

from mlir import ir

import ttkit.dialects.defined as defined
from ttkit.analysis.control_flow import outgoing_values
from ttkit.dialects._layouts import layout_of
from ttkit.inspection import name_of
from ttkit.layout.distributed_encodings import Blocked
from ttkit.operation_sets import CONVERT_LAYOUT, POINTER_ACCESSES, TENSOR_VIEWS, WGMMA_WAIT
from ttkit.passes.infra import collect
from ttkit.passes.infra.layout_inference import Encoding, LayoutInference, encoding_of, has_result_rule
from ttkit.passes.layout_propagation.layout_anchors import ANCHOR_CANDIDATES, is_anchor, is_mma

_FOLLOWING = {"tt.reduce", *TENSOR_VIEWS, CONVERT_LAYOUT}

Candidates = dict[ir.Value, dict[Encoding, None]]


def follows_operands(op: ir.OpView, layouts: LayoutInference) -> bool:
    """Whether the layouts of the results of `op` are inferred from those of its operands."""
    name = name_of(op)
    return name in _FOLLOWING or layouts.keeps_layout(op) or (name in defined.OPERATIONS and has_result_rule(name))


def pick_layouts(function: ir.OpView, layouts: LayoutInference) -> dict[ir.Value, Encoding]:
    """The layout that each tensor in a function should have, for the tensors reached from an anchor."""
    candidates = _anchored(function)
    _spread(candidates, layouts)
    return {value: _pick(value, found) for value, found in candidates.items()}


def _anchored(function: ir.OpView) -> Candidates:
    """The values whose layouts are worth keeping: results of anchors, and arguments, whose layout the caller fixes."""
    values = list(function.regions[0].blocks[0].arguments)
    for op in collect(function.operation, ANCHOR_CANDIDATES):
        if is_anchor(op.opview):
            values += op.results
    return {value: {encoding: None} for value in values if (encoding := encoding_of(value)) is not None}


def _spread(candidates: Candidates, layouts: LayoutInference) -> None:
    # The order decides which candidate of a value comes first, and so which one is picked: depth first, as in Triton.
    stack = list(candidates)
    while stack:
        value = stack.pop()
        found = list(candidates[value])
        for use in value.uses:
            user, number = use.owner, use.operand_number
            for target in _targets(user, number, layouts):
                if _add(candidates, target, user, found, layouts):
                    stack.append(target)


def _add(
    candidates: Candidates, target: ir.Value, op: ir.OpView, found: list[Encoding], layouts: LayoutInference
) -> bool:
    """Adds the layouts that `op` infers from the layouts `found`; whether there was a new one."""
    known = candidates.get(target)
    before = len(known) if known else 0
    for encoding in found:
        result = encoding if name_of(op) == CONVERT_LAYOUT else layouts.result_layout(op, encoding)
        if result is not None:
            if known is None:
                known = candidates[target] = {}
            known[result] = None
    return known is not None and len(known) > before


def _targets(user: ir.OpView, number: int, layouts: LayoutInference) -> list[ir.Value]:
    """The tensors whose layout is inferred from that of operand `number` of `user`."""
    name = name_of(user)
    if name in ("scf.for", "scf.while", "scf.yield", "scf.condition"):
        return outgoing_values(user, number)
    if name == WGMMA_WAIT:
        return [user.outputs[number]]
    if name == "tt.gather":
        follows = number == 1 and "efficient_layout" not in user.attributes
        return list(user.results) if follows else []
    if not follows_operands(user, layouts):
        return []
    return [result for result in user.results if isinstance(result.type, ir.RankedTensorType)]


def _pick(value: ir.Value, candidates: dict[Encoding, None]) -> Encoding:
    """The layout of tensor cores if there is one, a blocked one for accesses to memory; else the first candidate."""
    first = next(iter(candidates))
    if len(candidates) == 1:
        return first
    owner = value.owner
    is_access = not isinstance(owner, ir.Block) and name_of(owner) in POINTER_ACCESSES
    for encoding in candidates:
        if isinstance(layout_of(encoding), Blocked) if is_access else is_mma(encoding):
            return encoding
    return first
