"""Asking about operations natively: reading them from Python costs 2 us each."""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, SupportsIndex, TypeVar, overload

from mlir import ir

from ttkit._native import (
    Handle,
    addresses_told,
    handle,
    library,
    operation_address,
    operation_from_pointer,
    operation_handle,
    operations_told,
    value_from_pointer,
    value_handle,
)
from ttkit._signatures import EffectCallback
from ttkit.suggestions import suggestion

_Op = TypeVar("_Op", bound=ir.OpView)

if TYPE_CHECKING:

    class OperationOf(ir.Operation, Generic[_Op]):
        """An operation whose class type checkers know, and with it what its `opview` has."""

        @property
        def opview(self) -> _Op:
            """The operation as its class."""

    class Collected(list[ir.Operation], Generic[_Op]):
        """A list of operations of a class, which is also a list of operations: lists of another type would not be."""

        def __iter__(self) -> Iterator[OperationOf[_Op]]: ...
        @overload
        def __getitem__(self, place: SupportsIndex) -> OperationOf[_Op]: ...
        @overload
        def __getitem__(self, place: slice) -> Collected[_Op]: ...
        def __getitem__(self, place: Any) -> Any: ...


_OF_IR = (".mlir", ".ttir", ".ttgir", ".llir", ".ll", "-")  # - is text without a file


def column_of(location: ir.Location) -> int:
    """The column of a place in a file, counted from 1 as editors do: those of Python's syntax trees count from 0."""
    return location.start_col + (not location.filename.endswith(_OF_IR))


def place_text(location: ir.Location) -> str:
    """The place where a location begins in a source, `file:line:column`; as MLIR prints it if that is in no file."""
    inner = location
    while inner.is_a_name() or inner.is_a_callsite():
        inner = inner.child_loc if inner.is_a_name() else inner.callee
    return f"{inner.filename}:{inner.start_line}:{column_of(inner)}" if inner.is_a_file() else str(location)


def op_name(op: type | str) -> str:
    """The name of an operation, given it or its class."""
    return op if isinstance(op, str) else op.OPERATION_NAME


def name_of(op: ir.OpView) -> str:
    """The name of an operation in the IR."""
    # The class knows its name faster than the operation does; operations without a class have no OPERATION_NAME.
    return getattr(op, "OPERATION_NAME", None) or op.operation.name


def address_of(op: ir.Operation) -> int:
    """Address of an operation, its identity while it exists.  (Its hash is not: it follows operands and attributes.)"""
    return operation_address(op)


def defining(value: ir.Value) -> ir.OpView | None:
    """The operation that makes `value`; None for a block argument."""
    owner = value.owner
    return None if isinstance(owner, ir.Block) else owner


def users_of(value: ir.Value) -> list[ir.Operation]:
    """The operations that use a value, once for each use."""
    return operations_told(library().ttkitUsers, value_handle(value))


def addresses_of_users(value: ir.Value) -> list[int]:
    """The addresses of the operations that use a value, once for each use."""
    return addresses_told(library().ttkitUsers, value_handle(value))


def has_uses(value: ir.Value) -> bool:
    """Whether something uses a value."""
    return library().ttkitCountUses(value_handle(value)) > 0


def only_user(value: ir.Value) -> ir.Operation | None:
    """The operation that has the only use of a value; None if there are more or none."""
    users = users_of(value)
    return users[0] if len(users) == 1 else None


def holders(op: ir.Operation) -> Iterator[ir.Operation]:
    """The operations that hold `op`, from the innermost on."""
    while (parent := op.parent) is not None:
        op = parent.operation
        yield op


def enclosing(op: ir.Operation, *names: str) -> ir.Operation | None:
    """The innermost operation of one of these names that holds `op`."""
    return next((holder for holder in holders(op) if holder.name in names), None)


def outermost(op: ir.Operation) -> ir.Operation:
    """The module that `op` is in, or is."""
    return [op, *holders(op)][-1]


def module_with(op: ir.Operation, attribute: str) -> ir.Operation:
    """The innermost operation around `op`, or `op`, that has an attribute; the outermost one if none has it."""
    around = [op, *holders(op)]
    return next((holder for holder in around if attribute in holder.attributes), around[-1])


def is_public(function: ir.Operation) -> bool:
    """Whether a function is one to launch: in tt and ttg all are that are not private."""
    return "sym_visibility" not in function.attributes or function.attributes["sym_visibility"].value == "public"


def element_bits(element: ir.Type) -> int:
    """Bits of an element in memory: 64 of a pointer."""
    return element.width if isinstance(element, (ir.IntegerType, ir.FloatType)) else 64


def stored_bits(element: ir.Type) -> int:
    """Bits of an element in shared memory, where a predicate takes a byte: at least 8, 64 for a pointer."""
    return max(8, element_bits(element))


def name_array(ops: Iterable[type | str]) -> Any:
    """Names for C: an array and its length."""
    return _name_array(tuple(ops))


@functools.lru_cache(maxsize=1024)
def _name_array(ops: tuple[type | str, ...]) -> Any:
    """The array of the names of one tuple of operations, made once: nearly all are constants of passes."""
    encoded = [op_name(op).encode() for op in ops]
    return (ctypes.c_char_p * len(encoded))(*encoded), len(encoded)


def contains_any(root: ir.Operation, ops: Iterable[type | str]) -> bool:
    """Whether any operation under `root` is one of `ops` (op classes or names)."""
    return library().ttkitContainsAny(operation_handle(root), *name_array(ops))


@overload
def collect(root: ir.Operation, ops: Iterable[type[_Op]]) -> Collected[_Op]:
    """Those of classes, which type checkers then know."""


@overload
def collect(root: ir.Operation, ops: Iterable[type | str]) -> list[ir.Operation]:
    """Those of names."""


def collect(root: ir.Operation, ops: Iterable[type | str]) -> Any:
    """The operations under `root` that are one of `ops` (op classes or names), in the order of the text.

    Raises:
        ValueError: nothing is found, and a loaded dialect has no operation of one of the names.
    """
    ops = tuple(ops)
    found = _collect(library().ttkitCollect, root, ops)
    if not found:
        _refuse_unknown(root.context, ops)
    return found


_REGISTERED: set[tuple[type | str, ...]] = set()
"""Names that a context has registered: a misspelt one is registered in none."""


def _refuse_unknown(context: ir.Context, ops: tuple[type | str, ...]) -> None:
    """Raises ValueError for a name that its dialect does not register, if the context has loaded the dialect."""
    if ops in _REGISTERED:
        return
    unknown = [op for op in ops if isinstance(op, str) and not context.is_registered_operation(op)]
    for name in unknown:
        module = sys.modules.get(f"ttkit.dialects.{name.partition('.')[0]}")
        classes = (getattr(one, "OPERATION_NAME", None) for one in map(functools.partial(getattr, module), dir(module)))
        known = [one for one in classes if isinstance(one, str)] if module else []
        if name not in known and any(map(context.is_registered_operation, known)):
            raise ValueError(f"no operation is called '{name}'{suggestion(name, known)}")
    if not unknown:
        _REGISTERED.add(ops)


def count(root: ir.Operation, ops: Iterable[type | str]) -> int:
    """The number of operations under `root` that are one of `ops` (op classes or names)."""
    return library().ttkitCollect(operation_handle(root), *name_array(ops), None, 0)


def collect_elementwise(root: ir.Operation, ops: Iterable[type | str]) -> list[ir.Operation]:
    """Elementwise operations under `root` whose operands are all made by one of `ops`, in the order of the text."""
    return _collect(library().ttkitCollectElementwise, root, ops)


def _collect(function: Any, root: ir.Operation, ops: Iterable[type | str]) -> list[ir.Operation]:
    return operations_told(function, operation_handle(root), *name_array(ops))


@functools.cache
def _terminator_function() -> Any:
    function = library().mlirBlockGetTerminator
    function.restype, function.argtypes = Handle, [Handle]
    return function


def terminator(block: ir.Block) -> Any:
    """The last operation of a block, as its class.  (`block.operations[-1]` walks the whole block.)"""
    pointer = _terminator_function()(handle(block, "Block")).pointer
    if not pointer:  # nobody knows whether it ends a block
        return block.operations[len(block.operations) - 1]
    return operation_from_pointer(pointer).opview


@functools.cache
def _next_function() -> Any:
    function = library().mlirOperationGetNextInBlock
    function.restype, function.argtypes = Handle, [Handle]
    return function


def next_operation(op: ir.Operation) -> ir.Operation | None:
    """The operation after `op` in its block; None after the last."""
    pointer = _next_function()(operation_handle(op)).pointer
    return operation_from_pointer(pointer) if pointer else None


def memory_effects(op: ir.Operation) -> list[tuple[str, str, ir.Value | None]] | None:
    """Memory effects of an operation itself: "read", "write", "allocate" or "free", the resource, and the value that
    holds the address, if it is one.  None if nobody knows."""
    effects: list[tuple[str, str, ir.Value | None]] = []

    @EffectCallback
    def add(kind: bytes, resource: bytes, pointer: Handle) -> None:
        """Notes an effect, and its value if it is on one."""
        value = value_from_pointer(pointer.pointer) if pointer.pointer else None
        effects.append((kind.decode(), resource.decode(), value))

    return effects if library().ttkitMemoryEffects(operation_handle(op), add) else None
