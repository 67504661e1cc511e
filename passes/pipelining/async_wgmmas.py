"""Asynchronous wgmmas in loops, of two iterations at once.

    %d = ttng.warp_group_dot %a, %b, %acc        =>    %d = ttng.warp_group_dot %a, %b, %acc {isAsync = true}
    scf.yield %d                                       %w:3 = ttng.warp_group_dot_wait %d, %a, %b {pendings = 1}
                                                       scf.yield %w#0

In hardware every wgmma is asynchronous.  If its result is used at once, a wait for all pending wgmmas follows it.
Other wgmmas may run until the next iteration has started its own: then the loop waits until only as many are pending as
one iteration starts.  Such a wgmma

(0) accumulates in elements of 32 bits: f32 or, unlike in Triton, i32;
(1) reads buffers that nothing writes meanwhile: slots of a buffer with several, or a buffer from before the loop.
    A may be in registers: the loop waits for the wgmma before it writes them again;
(2) has no users in the loop but its scf.yield, or users under an scf.if, which begins with a wait; and
(3) passes its result on as an accumulator to which only other wgmmas add.  It may also be first used after a wait for
    all pending wgmmas, which then holds it too.
"""

from mlir import ir

from ttkit.dialects._ttg_types import MemDescType
from ttkit.inspection import defining, element_bits, users_of
from ttkit.layout import to_linear_layout
from ttkit.layout.conversion_plan import plan_conversion
from ttkit.operation_sets import CONVERT_LAYOUT, MEMDESC_VIEWS, WGMMA, WGMMA_WAIT
from ttkit.passes.infra.loops import body_of, body_operations, carried_argument, final_value, result_of_yield, yielded
from ttkit.passes.infra.nesting import block_of, is_above, point_after, runs_after
from ttkit.passes.infra.slices import each_once
from ttkit.passes.layouts.assignment import tensor_layout
from ttkit.passes.pipelining.split_wgmmas import split_wgmma
from ttkit.passes.pipelining.wgmma_waits import build_wait, hold_too

ACCUMULATOR_BITS = 32
ACCUMULATOR = 2


def launch_wgmmas(loop: ir.Operation) -> None:
    """Makes the wgmmas of a loop's body asynchronous, and adds the waits that they need."""
    early: list[tuple[ir.Operation, int]] = []  # may run on; the number of the loop's result
    for dot in [op for op in body_operations(loop) if op.name == WGMMA]:
        dot.attributes["isAsync"] = ir.BoolAttr.get(True, loop.context)
        number = carried_as(dot, loop)
        if number is None:
            build_wait(ir.InsertionPoint.after(dot), dot.location, 0, [dot.result])
        else:
            early.append((dot, number))
    if not early:
        return
    complete = complete_wait(loop)
    if complete is None:
        early = [(part, number) for dot, number in early for part in split_wgmma(dot)]
        wait_in_loop([dot for dot, _ in early], loop)
    else:
        for dot, _ in early:
            wait_in_branches(dot, loop)
            if runs_after(dot, complete) and overwrites_registers(dot, loop) and not writes_after(dot, complete):
                build_wait(ir.InsertionPoint.after(dot), dot.location, 0, [dot.result])
    results = [final_value(loop, number) for _, number in early]
    build_wait(ir.InsertionPoint.after(loop), loop.location, 0, results)


def complete_wait(loop: ir.Operation) -> ir.Operation | None:
    """The first wait for all pending wgmmas in a loop's body."""
    waits = (op for op in body_operations(loop) if op.name == WGMMA_WAIT and op.attributes["pendings"].value == 0)
    return next(waits, None)


def wait_in_loop(dots: list[ir.Operation], loop: ir.Operation) -> None:
    """Waits for wgmmas of the previous iteration before anything writes what they read.

    All of them have ended after those of this iteration have started, since the operations that follow may load into
    their buffers.  Registers with A are free earlier or later, depending on where the next iteration writes them: right
    before its wgmma, or before all wgmmas.
    """
    count = len(dots)
    pendings = {count - 1: count}
    for number, dot in enumerate(dots):
        wait_in_branches(dot, loop)
        if overwrites_registers(dot, loop):
            is_late = number == 0 or writes_after(dot, dots[number - 1])
            # Triton 3.6 counts as if all registers were written late, which is wrong.
            place, most = ((number - 1) % count, count - 1) if is_late else (count - 1, count - 1 - number)
            pendings[place] = min(pendings.get(place, most), most)
    ends = [dot.result for dot in dots if not any(use.owner in dots for use in moving_uses(dot.result))]
    for number, most in sorted(pendings.items()):
        is_last = number == count - 1
        done = [dot for other, dot in enumerate(dots) if other == number or (is_last and other not in pendings)]
        held = ends if is_last else [dots[number].result]
        build_wait(ir.InsertionPoint.after(dots[number]), dots[number].location, most, held, done)


def writes_after(dot: ir.Operation, place: ir.Operation) -> bool:
    """Whether the registers with A of a wgmma are written after an operation of the same block."""
    made = defining(dot.opview.a)
    while made is not None and moves_nothing(made.operation):
        made = defining(made.operation.operands[0])
    return made is not None and runs_after(made.operation, place)


def wait_in_branches(dot: ir.Operation, loop: ir.Operation) -> None:
    """Waits for all pending wgmmas in each block under a branch that uses the result of a wgmma of the loop's body.

    Triton 3.6 omits these waits if A is in registers, and if the loop already has a wait for all pending wgmmas.
    """
    for block, values in used_in_branches(dot, loop).items():
        for value in values:
            point = point_after(value) if block_of(value) == block else ir.InsertionPoint.at_block_begin(block)
            build_wait(point, dot.location, 0, [value], [dot])


def used_in_branches(dot: ir.Operation, loop: ir.Operation) -> dict[ir.Block, list[ir.Value]]:
    """Blocks under branches -> the values of a wgmma that they use, other than as an accumulator of another wgmma.

    A branch may yield the value unchanged; a later branch may then use it.
    """
    body = body_of(loop)
    found: dict[ir.Block, list[ir.Value]] = {}
    for value in each_once(waiting := [dot.result], set()):
        for use in value.uses:
            user = use.owner.operation
            if user.name == "scf.yield":
                waiting += [] if user.block == body else [result_of_yield(use)]
            elif user.block == body and moves_nothing(user):
                waiting.append(user.result)
            elif user.block != body and not is_accumulator(use):
                values = found.setdefault(user.block, [])
                values += [] if value in values else [value]
    return found


def overwrites_registers(dot: ir.Operation, loop: ir.Operation) -> bool:
    """Whether each iteration writes registers that the wgmma reads."""
    operand = dot.opview.a
    if not isinstance(operand.type, ir.RankedTensorType) or is_above(operand, loop):
        return False
    op = defining(operand)
    return op is None or op.operation.name != CONVERT_LAYOUT or moves_nothing(op.operation)


# --- Which may run on -------------------------------------------------------------------------------------------------
def carried_as(dot: ir.Operation, loop: ir.Operation) -> int | None:
    """The number of the loop-carried value that a wgmma computes, if it may run into the next iteration; else None."""
    if element_bits(dot.result.type.element_type) != ACCUMULATOR_BITS:  # (0)
        return None
    if not all(stays(operand, loop) for operand in (dot.opview.a, dot.opview.b)):  # (1)
        return None
    number = only_yield(dot, loop)  # (2)
    if number is None:
        return None
    argument = carried_argument(loop, number)  # (3)
    if all(is_accumulator(use) for use in moving_uses(argument)):
        return number
    wait = complete_wait(loop)
    if wait is None:
        return None
    if not all(runs_after(user, wait) for user in users_of(argument)):
        return None
    hold_too(wait, [argument])
    return number


def stays(operand: ir.Value, loop: ir.Operation) -> bool:
    """Whether nothing writes an operand's memory before the next iteration's wgmmas have started."""
    if not isinstance(operand.type, MemDescType):
        return True
    body = body_of(loop)
    seen: set[ir.Value] = set()
    while operand not in seen:
        seen.add(operand)
        owner = operand.owner
        if isinstance(owner, ir.Block):
            if owner != body:
                break
            operand = yielded(body, ir.BlockArgument(operand).arg_number - 1)
        elif owner.operation.name in MEMDESC_VIEWS and owner.operation.name != "ttg.memdesc_index":
            operand = owner.opview.src
    op = defining(operand)
    return is_above(operand, loop) or (op is not None and op.operation.name == "ttg.memdesc_index")


def only_yield(dot: ir.Operation, loop: ir.Operation) -> int | None:
    """The number of the loop-carried value that a wgmma computes, if all its other users are under an scf.if."""
    body = body_of(loop)
    number: int | None = None
    waiting = moving_uses(dot.result)
    while waiting:
        use = waiting.pop()
        user = use.owner.operation
        if user.block == body:
            if user.name != "scf.yield" or number is not None:
                return None
            number = use.operand_number
            continue
        if user.parent.operation.name != "scf.if":
            return None
        if user.name == "scf.yield":
            waiting += moving_uses(result_of_yield(use))
    return number


def moving_uses(value: ir.Value) -> list[ir.OpOperand]:
    """The uses of a value, and those of its copies by operations that move nothing, which do not count themselves."""
    found: list[ir.OpOperand] = []
    for use in value.uses:
        user = use.owner.operation
        found += moving_uses(user.result) if moves_nothing(user) else [use]
    return found


def is_accumulator(use: ir.OpOperand) -> bool:
    """Whether a use is as the accumulator of a wgmma."""
    user = use.owner.operation
    return user.name == WGMMA and use.operand_number == ACCUMULATOR


def moves_nothing(op: ir.Operation) -> bool:
    """Whether each register keeps its contents: the operation changes only the shape or the layout."""
    if op.name in ("tt.trans", "tt.reshape"):
        return True
    if op.name != CONVERT_LAYOUT:
        return False
    source, result = op.opview.src.type, op.result.type
    layouts = [to_linear_layout(type.shape, tensor_layout(type)) for type in (source, result)]
    return plan_conversion(*layouts).is_no_op
