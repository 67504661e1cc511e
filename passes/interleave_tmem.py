"""Load and fill tensor memory right before the values are needed: fewer registers are live at a time.

    %x = ttng.tmem_load %left                            %x = ttng.tmem_load %left
    %y = ttng.tmem_load %right                           tt.store %p, %x
    tt.store %p, %x                              =>      %y = ttng.tmem_load %right
    tt.store %q, %y                                      tt.store %q, %y

Differs from Triton: the comparison of parts of buffers leaves no unused constants.

An access moves past operations that do not depend on it, together with its only users if they follow it directly.

Input:  ttg and ttng.      Output: the same.
Order:  after the last remove-layout-conversions, before shared memory is allocated.
Skips:  moves past writes to the same tensor memory, and past arrivals at mbarriers, which may release it to others.
Test:   test/lit/passes/interleave_tmem.mlir
"""

from mlir import ir

from ttkit.inspection import address_of, collect, defining, memory_effects, next_operation
from ttkit.operation_sets import ARRIVE_BARRIER, TMEM_ALLOC, TMEM_LOAD
from ttkit.passes.infra import Pass, is_memory_effect_free
from ttkit.passes.infra.constants import constant_splat
from ttkit.passes.infra.nesting import operations_in
from ttkit.passes.infra.rewriting import is_pure

ACCESSES = (TMEM_LOAD, TMEM_ALLOC)
TENSOR_MEMORY = "<TensorMemory>"
ANYWHERE = "<Default>"


class InterleaveTMem(Pass):
    """Load and fill tensor memory right before the values are needed"""

    name = "triton-nvidia-interleave-tmem"

    def run(self, op: ir.Operation) -> None:
        """Sinks each load and store as far as it goes."""
        for access in collect(op, ACCESSES):
            buffer = access.opview.src if access.name == TMEM_LOAD else access.opview.result
            while sink(access, buffer):
                pass


def sink(access: ir.Operation, buffer: ir.Value) -> bool:
    """Moves an access and the users that directly follow it down as far as possible; returns whether they moved."""
    chain = [access]
    while (following := next_operation(chain[-1])) is not None:
        users = [use.owner.operation for result in chain[-1].results for use in result.uses]
        if users != [following] or not is_pure(following):
            break
        chain.append(following)
    results = {result for op in chain for result in op.results}
    start = place = next_operation(chain[-1])
    if start is None or place is None:
        return False
    # Before the operation that stops it; else, as in Triton, before the last one before the terminator.
    while not stops(place, results, buffer):
        further = next_operation(place)
        if further is None or next_operation(further) is None:
            break
        place = further
    if address_of(place) == address_of(start):
        return False
    for op in chain:
        op.move_before(place)
    return True


def stops(op: ir.Operation, results: set[ir.Value], buffer: ir.Value) -> bool:
    """Whether an access must stay before an operation: it uses one of the results, or may write the buffer."""
    return op.name == ARRIVE_BARRIER or any(
        any(operand in results for operand in inner.operands) or may_write(inner, buffer) for inner in operations_in(op)
    )


def may_write(op: ir.Operation, buffer: ir.Value) -> bool:
    """Whether an operation itself may write, or free, tensor memory of a buffer."""
    if len(op.regions) or is_memory_effect_free(op):
        return False  # operations inside are checked one by one
    effects = memory_effects(op)
    if effects is None:
        return True
    return any(
        kind in ("write", "free")
        and (resource == ANYWHERE or (resource == TENSOR_MEMORY and (value is None or may_alias(value, buffer))))
        for kind, resource, value in effects
    )


def may_alias(a: ir.Value, b: ir.Value) -> bool:
    """Whether two buffers in tensor memory may share bytes."""
    first, second = columns_of(a), columns_of(b)
    if first is None or second is None:
        return True
    return first[0] == second[0] and first[1].start < second[1].stop and second[1].start < first[1].stop


def columns_of(buffer: ir.Value) -> tuple[tuple[ir.Value, int | None], range] | None:
    """The allocation of a buffer, the number of the slot that a view picks, and the columns."""
    part: int | None = None
    start, width = 0, buffer.type.shape[-1]
    source = defining(buffer)
    while source is not None:
        op = source.operation
        if op.name == TMEM_ALLOC:
            return (buffer, part), range(start, start + width)
        if op.name == "ttng.tmem_subslice" and source.dim == 1:
            start += op.attributes["N"].value
        elif op.name == "ttg.memdesc_index":
            number = constant_splat(source.index)
            if not isinstance(number, int):
                return None
            part = number
        else:
            return None
        buffer = source.src
        source = defining(buffer)
    return None
