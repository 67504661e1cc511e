"""What a module computes, whatever the order of its operations without effects: to see what differs by order alone."""

import hashlib
from typing import Any

# What only computes values: operations of these dialects, and these.
VALUE_DIALECTS = ("arith", "math", "ub")
VALUES = frozenset(
    f"tt.{name}"
    for name in """addptr bitcast broadcast cat clampf dot dot_scaled expand_dims fp_to_fp gather get_num_programs
    get_program_id histogram int_to_ptr join make_range make_tensor_descriptor make_tensor_ptr map_elementwise mulhiui
    precise_divf precise_sqrt ptr_to_int reduce reshape scan splat split trans unsplat""".split()
) | {"ttg.convert_layout", "ttg.fp4_to_fp", "ttg.memdesc_index", "ttg.memdesc_subslice", "ttg.memdesc_trans"}


def _digest(*parts: Any) -> str:
    return hashlib.sha1(repr(parts).encode()).hexdigest()


def fingerprint(module: Any) -> str:
    """A digest of the module's operations by what they are and what feeds them.

    Operations that only compute values count as a set, all others in their order.
    """
    return _operation(module.operation, {}, "")


def _operation(op: Any, values: dict[Any, str], place: str) -> str:
    """The digest of an operation at a place, a digest of those around it, with what is in it."""
    attributes = sorted((name, str(op.attributes[name])) for name in op.attributes)
    operands = [values[operand] for operand in op.operands]
    head = _digest(place, op.name, attributes, operands, [str(result.type) for result in op.results])
    digest = _digest(head, [_region(region, values, head) for region in op.regions])
    for number, result in enumerate(op.results):
        values[result] = f"{digest}#{number}"
    return digest


def _region(region: Any, values: dict[Any, str], place: str) -> list[Any]:
    """Of each block the digests of operations: those with effects in order, the others as a set."""
    blocks = list(region.blocks)
    for number, block in enumerate(blocks):
        for argument in block.arguments:
            values[argument] = f"{place} {number} {argument.arg_number}"
    made = []
    for block in blocks:
        ordered, unordered = [], set()
        for each in block.operations:
            op = each.operation
            digest = _operation(op, values, place)
            if op.name in VALUES or op.name.partition(".")[0] in VALUE_DIALECTS:
                unordered.add(digest)
            else:
                ordered.append(digest)
        made.append((ordered, sorted(unordered)))
    return made
