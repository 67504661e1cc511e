"""Bugs planted in groups of warps that synchronize by mbarriers: one change of one operation each."""

from __future__ import annotations

from mlir import ir
from planted_in_passes import Change, Mistake, attribute, bound_moved, carried_stale, carried_swapped, erased, swapped

ARRIVES = ("ttng.arrive_barrier", "ttng.tc_gen5_commit", "ttng.barrier_expect")
ACCESSES = (
    "ttng.tmem_load",
    "ttng.tmem_store",
    "ttg.local_load",
    "ttg.local_store",
    "ttng.tc_gen5_mma",
    "ttng.warp_group_dot",
    "ttng.async_tma_copy_global_to_local",
)


def other_of_its_type(position: int) -> Change:
    """An operand is another value of its type: one that was made before it, or an argument of the group."""

    def change(op: ir.Operation) -> bool:
        """Sets it."""
        value = op.operands[position]
        block = op.operation.block
        found = [one for one in block.arguments if one.type == value.type and one != value]
        for before in block.operations:
            if before.operation == op.operation:
                break
            found += [one for one in before.operation.results if one.type == value.type and one != value]
        if found:
            op.operands[position] = found[-1]
        return bool(found)

    return change


def computed(position: int, name: str, amount: int) -> Change:
    """An integer operand becomes NAME(operand, amount)."""

    def change(op: ir.Operation) -> bool:
        """Sets it."""
        value = op.operands[position]
        if not isinstance(value.type, ir.IntegerType):
            return False
        with ir.InsertionPoint(op), op.location:
            number = ir.IntegerAttr.get(value.type, amount)
            other = ir.Operation.create("arith.constant", [value.type], [], {"value": number}).result
            op.operands[position] = ir.Operation.create(name, [value.type], [value, other]).result
        return True

    return change


def slot(amount: int) -> Change:
    """A view is another slot of its buffer: so many further, the first after the last."""

    def change(op: ir.Operation) -> bool:
        """Sets it."""
        shape = ir.ShapedType(op.operands[0].type).shape if isinstance(op.operands[0].type, ir.ShapedType) else None
        count = shape[0] if shape else int(str(op.operands[0].type).partition("<")[2].partition("x")[0])
        if amount % count == 0:
            return False
        computed(1, "arith.addi", amount)(op)
        return computed(1, "arith.remui", count)(op)

    return change


def after_an_access(op: ir.Operation) -> bool:
    """It comes after the access that follows it."""
    return moved(op, list(op.operation.block.operations))


def before_an_access(op: ir.Operation) -> bool:
    """It comes before the access in front of it."""
    return moved(op, list(op.operation.block.operations)[::-1])


def moved(op: ir.Operation, order: list[ir.OpView]) -> bool:
    """Moves an operation beyond the next access of an order, with the values that it needs."""
    place = [one.operation for one in order].index(op.operation)
    forwards = order[0].operation.is_before_in_block(order[-1].operation) if len(order) > 1 else True
    for other in order[place + 1 :]:
        if other.operation.name in ACCESSES:
            if forwards:
                op.operation.move_after(other.operation)
            else:
                op.operation.move_before(other.operation)
                for value in op.operands:
                    before(value, op.operation)
            return True
    return False


def before(value: ir.Value, op: ir.Operation) -> None:
    """A value of the same block is made before an operation."""
    if isinstance(value.owner, ir.Block):
        return
    made = value.owner.operation
    if made.block != op.block or made.is_before_in_block(op):
        return
    made.move_before(op)
    for one in made.operands:
        before(one, made)


def first_carried_changed(op: ir.Operation) -> bool:
    """An integer that a loop carries begins with another number: a phase or a slot."""
    for position in range(len(op.operands) - 1, 2, -1):
        if isinstance(op.operands[position].type, ir.IntegerType) and op.operands[position].type.width > 1:
            return computed(position, "arith.xori", 1)(op)
    return False


def repeated(op: ir.Operation) -> bool:
    """It is done twice."""
    with ir.InsertionPoint(op):
        op.operation.clone()
    return True


WAIT = ("ttng.wait_barrier",)
MISTAKES = (
    Mistake("wrong phase", WAIT, computed(1, "arith.xori", 1)),
    Mistake("phase of the first iteration", WAIT, computed(1, "arith.andi", 0)),
    Mistake("another number as the phase", WAIT, other_of_its_type(1)),
    Mistake("wait at another barrier", WAIT, other_of_its_type(0)),
    Mistake("dropped wait", WAIT, erased),
    Mistake("a read or write before its wait", WAIT, after_an_access),
    Mistake("dropped arrival", ("ttng.arrive_barrier",), erased),
    Mistake("dropped commit", ("ttng.tc_gen5_commit",), erased),
    Mistake("dropped announcement of bytes", ("ttng.barrier_expect",), erased),
    Mistake("arrival at another barrier", ARRIVES, other_of_its_type(0)),
    Mistake("arrival before the access", ARRIVES, before_an_access),
    Mistake("one arrival too many", ("ttng.arrive_barrier", "ttng.tc_gen5_commit"), repeated),
    Mistake("too few arrivals for a phase", ("ttng.init_barrier",), attribute("count", lambda count: count + 1)),
    Mistake("too many bytes", ("ttng.barrier_expect",), attribute("size", lambda size: 2 * size)),
    Mistake("too few bytes", ("ttng.barrier_expect",), attribute("size", lambda size: size // 2)),
    Mistake("one slot further", ("ttg.memdesc_index",), slot(1)),
    Mistake("one slot back", ("ttg.memdesc_index",), slot(2)),
    Mistake("a slot that is not one", ("ttg.memdesc_index",), other_of_its_type(1)),
    Mistake("another buffer", ("ttg.memdesc_index",), other_of_its_type(0)),
    Mistake("another phase or slot at first", ("scf.for",), first_carried_changed),
    Mistake("stale slot or phase", ("scf.for",), carried_stale),
    Mistake("swapped slots and phases", ("scf.for",), carried_swapped),
    Mistake("a group ends late", ("scf.for",), bound_moved(1)),
    Mistake("a group begins late", ("scf.for",), bound_moved(0)),
    Mistake("dropped copy", ("ttng.async_tma_copy_global_to_local",), erased),
    Mistake("coordinates of a copy swapped", ("ttng.async_tma_copy_global_to_local",), swapped(1, 2)),
    Mistake("dropped write to tensor memory", ("ttng.tmem_store", "ttg.local_store"), erased),
    Mistake("dropped product", ("ttng.tc_gen5_mma",), erased),
    Mistake("swapped operands", ("ttng.tc_gen5_mma", "ttng.warp_group_dot"), swapped(0, 1)),
    Mistake("arguments of groups swapped", ("ttg.warp_specialize",), swapped(0, 4)),
)
