"""Discardable attributes through which passes pass information, and the kinds of their values.

No verifier checks them, nor do passes that read them; preconditions.py checks them after a pass has failed.
"""

from collections.abc import Callable

from mlir import ir


def is_integer(value: ir.Attribute) -> bool:
    """An integer of any width, such as 1 : i32; not true or false."""
    return isinstance(value, ir.IntegerAttr) and not isinstance(value, ir.BoolAttr)


def is_list(value: ir.Attribute) -> bool:
    """array<i32: 0, 1>."""
    return isinstance(value, ir.DenseI32ArrayAttr)


def is_list_of_integers(value: ir.Attribute) -> bool:
    """[0 : i32, 1 : i32]."""
    return isinstance(value, ir.ArrayAttr) and all(is_integer(each) for each in value)


Kind = tuple[Callable[[ir.Attribute], bool], str]
INTEGER: Kind = (is_integer, "an integer, such as 1 : i32")
KINDS: dict[str, Kind] = {
    **dict.fromkeys(
        """tt.num_stages tt.latency tt.self_latency tt.scheduled_max_stage tt.loop_unroll_factor loop.stage
        loop.cluster ttg.warp_specialize.tag allocation.offset ttg.global_scratch_memory_offset
        tensor_memory_col_offset tensor_memory_row_offset ttkit.in_turn""".split(),
        INTEGER,
    ),
    "async_task_id": (is_list, "a list of numbers, such as array<i32: 0, 1>"),
    "ttg.partition.stages": (is_list_of_integers, "one integer for each partition, such as [0 : i32, 1 : i32]"),
}


def bad_attribute(op: ir.Operation | ir.OpView) -> str:
    """The problem with the first attribute of an operation that is not of its kind; empty if there is none."""
    attributes = op.attributes
    for name in attributes:
        kind = KINDS.get(name)
        if kind is not None and not kind[0](attributes[name]):
            return f"found {name} = {attributes[name]}; it must be {kind[1]}"
    return ""


def integer(op: ir.Operation, name: str) -> int | None:
    """The value of an integer attribute; None if the operation has no attribute of that name."""
    attributes = op.attributes
    return ir.IntegerAttr(attributes[name]).value if name in attributes else None


def set_integer(op: ir.Operation, name: str, value: int) -> None:
    """Sets an attribute of type i32."""
    op.attributes[name] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32, op.context), value)
