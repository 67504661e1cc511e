"""Transformations that MLIR has in C++: loop-invariant code motion, unrolling, CSE, cloning with a mapping."""

import ctypes
from collections.abc import Callable, Iterable, Mapping, Sequence

from mlir import ir
from mlir.passmanager import PassManager

from ttkit._native import Handle, handle, library, operation_from_pointer, operation_handle, value_from_pointer
from ttkit._signatures import HoistCallback
from ttkit.guards.erased import erasures
from ttkit.inspection import name_array, op_name


def eliminate_common_subexpressions(root: ir.Operation) -> bool:
    """CSE below `root`; whether anything changed."""
    with erasures(root.operation):
        return library().ttkitEliminateCommonSubexpressions(operation_handle(root))


def canonicalize(root: ir.Operation) -> None:
    """The whole of MLIR's canonicalizer, as a pass runs it, on an operation that others are in."""
    manager = PassManager.parse(f"{root.name}(canonicalize)", root.context)
    manager.enable_verifier(False)  # whoever runs the pass that asks verifies what it leaves
    manager.run(root)


def hoist_loop_invariants(
    root: ir.Operation, also: Mapping[type | str, Callable[[ir.Operation, ir.Operation], bool]] | None = None
) -> int:
    """Moves what does not change between iterations out of the loops below `root`, innermost loops first.

    Args:
        root: all kinds of loop below it are considered.
        also: op class or name -> function of (loop, operation) that says whether that operation may leave the loop.
            Its operands are invariant; the function may replace them.  Others leave if they have no effects and may
            be executed speculatively.

    Returns:
        How many operations were moved.

    Raises:
        Exception: whatever a function of `also` raises; nothing of that kind is moved from there on.
    """
    rules = {op_name(op): rule for op, rule in (also or {}).items()}
    failures: list[BaseException] = []

    @HoistCallback
    def may_hoist(loop: Handle, operation: Handle) -> bool:
        """Asks the rule of an operation; false once a rule has raised."""
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
    """Makes one iteration of an scf.for out of `factor`.

    Returns:
        Whether it could be done; and the loop over the iterations that are left, if there may be any.
    """
    epilogue = Handle()
    with erasures(loop.parent.operation):
        done = library().ttkitUnrollLoop(operation_handle(loop), factor, ctypes.byref(epilogue))
    return done, operation_from_pointer(epilogue.pointer) if epilogue.pointer else None


def clone_operations(
    operations: Sequence[ir.Operation], mapping: Iterable[tuple[ir.Value, ir.Value]], at: ir.InsertionPoint
) -> list[ir.Operation]:
    """Clones operations in order, at an insertion point.

    Args:
        operations: each may use results of those before it; the clones then use the clones' results.
        mapping: (old, new) of values that the clones use instead, in their regions too.
        at: where the clones go.

    Returns:
        The clones.
    """
    sources = (Handle * len(operations))(*(operation_handle(op.operation) for op in operations))
    return [operation_from_pointer(clone.pointer) for clone in clone_all(sources, list(mapping), at)]


def clone_all(
    sources: "ctypes.Array[Handle]", pairs: Sequence[tuple[ir.Value, ir.Value]], at: ir.InsertionPoint
) -> "ctypes.Array[Handle]":
    """`clone_operations` of handles."""
    old = (Handle * len(pairs))(*(handle(value, "Value") for value, _ in pairs))
    new = (Handle * len(pairs))(*(handle(value, "Value") for _, value in pairs))
    clones = (Handle * len(sources))()
    before = operation_handle(at.ref_operation) if at.ref_operation is not None else Handle()
    block = handle(at.block, "Block")
    library().ttkitCloneOperations(sources, len(sources), old, new, len(pairs), block, before, clones)
    return clones


def fold(op: ir.Operation | ir.OpView) -> list[ir.Value] | None:
    """Values to which the results of `op` fold: existing ones, or constants made in front of it; None if it does not.

    The operation stays; where it is changed in place instead, None is given as if it did not fold.
    """
    results = (Handle * len(op.results))()
    if not library().ttkitFold(operation_handle(op.operation), results):
        return None
    return [value_from_pointer(result.pointer) for result in results]


def fold_each(ops: Iterable[ir.Operation]) -> None:
    """Folds operations, each as it is before any of the others was folded, and erases those that values replace."""
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
    """An operation like `op`, in front of it, with results of other types; its regions are empty.

    Args:
        operands, attributes: those of `op` if None.
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
    """Has others use values in place of the results of `op`, of which there may be less, and erases it."""
    replace_each(op.operation.results, values)
    op.operation.erase()


def replace_each(values: Iterable[ir.Value], others: Iterable[ir.Value]) -> None:
    """Has those that use values use others in their place, each in that of one, while there are both."""
    for value, other in zip(list(values), list(others)):
        value.replace_all_uses_with(other)


def replace_uses(old: ir.Value, new: ir.Value, where: Callable[[ir.Operation], object]) -> None:
    """Has those of a value's users that `where` chooses use another in its place."""
    for use in list(old.uses):
        if where(use.owner.operation):
            replace_use(use, new)


def replace_use(use: ir.OpOperand, new: ir.Value) -> None:
    """Has one use of a value use another."""
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


def replace_operand(op: ir.Operation, old: ir.Value, new: ir.Value) -> None:
    """Has an operation use another value in place of `old`, wherever it does."""
    set_operands(op, [new if operand == old else operand for operand in op.operands])


def set_operands(op: ir.Operation | ir.OpView, operands: Sequence[ir.Value]) -> None:
    """Gives `op` other operands, more or fewer too.  An `operandSegmentSizes` is the caller's to set."""
    values = (Handle * len(operands))(*(handle(value, "Value") for value in operands))
    library().ttkitSetOperands(operation_handle(op.operation), values, len(operands))
