"""Transformations that MLIR has in C++: loop-invariant code motion, unrolling, CSE, cloning with a mapping."""

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from mlir import ir
from mlir.passmanager import PassManager

from ttkit._native import (
    Handle,
    addresses_of,
    array_type,
    handle,
    library,
    operation_from_pointer,
    operation_handle,
    value_address,
    value_from_pointer,
)
from ttkit._signatures import HoistCallback
from ttkit.guards.erased import erasures
from ttkit.inspection import name_array, op_name


def eliminate_common_subexpressions(root: ir.Operation) -> bool:
    """CSE below `root`; whether anything changed."""
    with erasures(root.operation):
        return library().ttkitEliminateCommonSubexpressions(operation_handle(root))


def canonicalize(root: ir.Operation) -> None:
    """Runs MLIR's canonicalizer as a pass on an operation with regions."""
    manager = PassManager.parse(f"{root.name}(canonicalize)", root.context)
    manager.enable_verifier(False)  # the caller's pass manager verifies the result
    manager.run(root)


def hoist_loop_invariants(
    root: ir.Operation, also: Mapping[type | str, Callable[[ir.Operation, ir.Operation], bool]] | None = None
) -> int:
    """Moves loop-invariant operations out of the loops below `root`, innermost loops first.

    Args:
        root: the operation around the loops, which may be of any kind.
        also: op class or name -> function of (loop, operation) that returns whether that operation may leave the loop.
            Its operands are invariant; the function may replace them.  Other operations leave if they have no effects
            and may be executed speculatively.

    Returns:
        The number of moved operations.

    Raises:
        Exception: an exception of a function of `also`; no operations with a rule are moved after it.
    """
    rules = {op_name(op): rule for op, rule in (also or {}).items()}
    failures: list[BaseException] = []

    @HoistCallback
    def may_hoist(loop: Handle, operation: Handle) -> bool:
        """Calls the rule of an operation; false after a rule has raised."""
        if failures:
            return False
        try:
            moved = operation_from_pointer(operation.pointer)
            return rules[moved.name](operation_from_pointer(loop.pointer), moved)
        except BaseException as error:  # must not cross the C++ above
            failures.append(error)
            return False

    count = library().ttkitHoistLoopInvariants(operation_handle(root), *name_array(rules), may_hoist)
    if failures:
        raise failures[0]
    return count


def unroll_loop(loop: ir.Operation, factor: int) -> tuple[bool, ir.Operation | None]:
    """Unrolls an scf.for by `factor`.

    Returns:
        Whether it was unrolled; and the loop over the remaining iterations, if there may be any.
    """
    epilogue = ctypes.c_void_p()
    with erasures(loop.parent.operation):
        done = library().ttkitUnrollLoop(operation_handle(loop), factor, ctypes.byref(epilogue))
    return done, operation_from_pointer(epilogue.value) if epilogue.value else None


def clone_operations(
    operations: Sequence[ir.Operation], mapping: Iterable[tuple[ir.Value, ir.Value]], at: ir.InsertionPoint
) -> list[ir.Operation]:
    """Clones operations in order, at an insertion point.

    Args:
        operations: each may use results of earlier ones; its clone then uses the results of their clones.
        mapping: (old, new) values; the clones and their regions use the new ones.
        at: the insertion point of the clones.

    Returns:
        The clones.
    """
    sources = addresses_of([op.operation for op in operations])
    return [operation_from_pointer(clone) for clone in clone_all(sources, list(mapping), at)]


def clone_all(
    sources: "ctypes.Array[Any]", pairs: Sequence[tuple[ir.Value, ir.Value]], at: ir.InsertionPoint
) -> "ctypes.Array[Any]":
    """`clone_operations` of addresses."""
    old = array_type(ctypes.c_void_p, len(pairs))(*(value_address(value) for value, _ in pairs))
    new = array_type(ctypes.c_void_p, len(pairs))(*(value_address(value) for _, value in pairs))
    clones = array_type(ctypes.c_void_p, len(sources))()
    before = operation_handle(at.ref_operation) if at.ref_operation is not None else Handle()
    block = handle(at.block, "Block")
    library().ttkitCloneOperations(sources, len(sources), old, new, len(pairs), block, before, clones)
    return clones


def fold(op: ir.Operation | ir.OpView) -> list[ir.Value] | None:
    """The values to which `op` folds: existing ones, or new constants in front of it; None if it does not fold.

    The operation stays.  If folding changes it in place instead, the result is None too.
    """
    results = array_type(ctypes.c_void_p, len(op.results))()
    if not library().ttkitFold(operation_handle(op.operation), results):
        return None
    return [value_from_pointer(result) for result in results]


def fold_each(ops: Iterable[ir.Operation]) -> None:
    """Folds operations, each in its state before the others were folded, and erases the folded ones."""
    folded = [(op, values) for op in ops if (values := fold(op)) is not None]
    replaced: dict[ir.Value, ir.Value] = {}
    for op, values in folded:
        for result, value in zip(op.results, values):
            while value in replaced:
                value = replaced[value]
            replaced[result] = value
            result.replace_all_uses_with(value)
    for op, _ in folded:
        op.erase()


def recreate(
    op: ir.Operation,
    types: Sequence[ir.Type],
    operands: Sequence[ir.Value] | None = None,
    attributes: Mapping[str, ir.Attribute] | None = None,
) -> ir.Operation:
    """Builds an operation like `op` in front of it, with other result types and empty regions.

    Args:
        operands, attributes: by default those of `op`.
    """
    return ir.Operation.create(
        op.name,
        results=types,
        operands=list(op.operands) if operands is None else operands,
        attributes=dict(op.attributes) if attributes is None else attributes,
        regions=len(op.regions),
        loc=op.location,
        ip=ir.InsertionPoint(op),
    )


def replace_by(op: ir.Operation | ir.OpView, values: Iterable[ir.Value]) -> None:
    """Replaces the results of `op` by values, perhaps only the first ones, and erases it."""
    replace_each(op.operation.results, values)
    op.operation.erase()


def replace_each(values: Iterable[ir.Value], others: Iterable[ir.Value]) -> None:
    """Replaces all uses of each value by its counterpart, up to the end of the shorter sequence."""
    for value, other in zip(list(values), list(others)):
        value.replace_all_uses_with(other)


def replace_uses(old: ir.Value, new: ir.Value, where: Callable[[ir.Operation], object]) -> None:
    """Replaces a value in its users for which `where` is true."""
    for use in list(old.uses):
        if where(use.owner.operation):
            replace_use(use, new)


def replace_use(use: ir.OpOperand, new: ir.Value) -> None:
    """Replaces the value of one use."""
    use.owner.operation.operands[use.operand_number] = new


def update_operands(op: ir.Operation | ir.OpView, operands: Iterable[ir.Value]) -> None:
    """Sets the operands of an operation that differ, one by one: the order of all other uses of values stays.

    Args:
        operands: one for each operand of `op`; if there are fewer, the last operands stay.
    """
    operation = op.operation
    for number, (old, new) in enumerate(zip(list(operation.operands), operands)):
        if new != old:
            operation.operands[number] = new


def set_operands(op: ir.Operation | ir.OpView, operands: Sequence[ir.Value]) -> None:
    """Sets the operands of `op`, of any number.  The caller sets `operandSegmentSizes` if there is one."""
    values = array_type(ctypes.c_void_p, len(operands))(*map(value_address, operands))
    library().ttkitSetOperands(operation_handle(op.operation), values, len(operands))
