"""Move addresses after the loads of tensor memory that stand between them and their use.

    %p = llvm.getelementptr %out[%i]               %x = llvm.inline_asm "tcgen05.ld ..."
    %x = llvm.inline_asm "tcgen05.ld ..."    =>    ...
    ...                                            %p = llvm.getelementptr %out[%i]
    llvm.store %x, %p                              llvm.store %x, %p

A load gives a thread up to half of its registers, and ptxas keeps there what is computed before it: of a product
of 128 x 128 it spilled 160 bytes, and none with the addresses of its 32 stores after the load (ptxas 13.0, 2026-11).
"""

from mlir import ir

LOAD = "tcgen05.ld"
# Arithmetic of indices, addresses and masks, by the names of its operations.
INDEX_ARITHMETIC = frozenset(
    f"llvm.{name}"
    for name in (
        "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "zext", "sext", "trunc", "icmp", "select",
        "getelementptr", "insertelement", "shufflevector",
    )
)  # fmt: skip


def sink_addresses(function: ir.Operation) -> None:
    """Moves the index arithmetic of a lowered function from before loads of tensor memory to after them."""
    for block in function.regions[0].blocks:
        operations = [op.operation for op in block.operations]
        loads = [number for number, op in enumerate(operations) if is_load(op)]
        if loads:
            sink(operations, loads)


def is_load(op: ir.Operation) -> bool:
    """Whether an operation is inline PTX that loads from global memory."""
    return op.name == "llvm.inline_asm" and LOAD in op.attributes["asm_string"].value


def sink(operations: list[ir.Operation], loads: list[int]) -> None:
    """Moves, within a block, each operation before a load whose uses all come after the load; erases unused ones."""
    # Where each operation will be: in front of the one with this number, those of one number in their order.
    places = {op: number for number, op in enumerate(operations)}
    erased: set[int] = set()
    for number in reversed(range(loads[-1])):
        op = operations[number]
        if op.name not in INDEX_ARITHMETIC or not is_index(op.result.type):
            continue
        users = [use.owner.operation for use in op.result.uses]
        if not users:
            del places[op]
            erased.add(number)
            op.erase()
        elif all(user in places for user in users):
            first = min(places[user] for user in users)
            if any(number < load < first for load in loads):
                places[op] = first
    for number, op in enumerate(operations):
        if number not in erased and places[op] != number:
            op.move_before(operations[places[op]])


def is_index(type: ir.Type) -> bool:
    """Whether these are integers or pointers, or vectors of them."""
    element = type.element_type if isinstance(type, ir.VectorType) else type
    return not isinstance(element, ir.FloatType)
