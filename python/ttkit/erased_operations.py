"""Operations that passes have erased: what Python still holds of them says so, and never reads memory that is gone.

The bindings' objects are addresses.  In contexts that users work in, libttkit keeps what is erased in memory
(dialects/capi/ErasedOperations.cpp), so that such an address is no other operation's; and once there are any, the
accessors of the bindings' classes ask for it.  Until then nothing costs anything.
"""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit._native import Handle, handle, library, operation_address

_OPERATION = ir.Operation.__mro__[1]
_GUARDED: dict[type, str] = {
    _OPERATION: "attributes name operands regions results result location parent print write_bytecode get_asm verify "
    "move_after move_before is_before_in_block clone detach_from_parent attached walk __str__",
    ir.Operation: "block successors replace_uses_of_with opview",
    ir.OpView: "successors __str__",
    ir.Value: "type uses owner location get_name replace_all_uses_with replace_all_uses_except set_type __str__ "
    "__repr__",
    ir.OpResult: "owner result_number __str__ __repr__",
    ir.BlockArgument: "owner arg_number set_type set_location __str__ __repr__",
    ir.Block: "region arguments operations append add_argument erase_argument successors predecessors __str__",
    ir.Region: "blocks",
}
_OWNER_OF = {cls: cls.__dict__["owner"].__get__ for cls in (ir.Value, ir.Block, ir.Region)}
_name = _OPERATION.__dict__["name"].__get__


class _Erased:
    """Addresses of erased operations, and the contexts that are watched, by id with their number of them."""

    def __init__(self) -> None:
        self.addresses: set[int] = set()
        self.of_context: dict[int, set[int]] = {}
        self.is_guarded = False


_ERASED = _Erased()


def watch(context: ir.Context) -> None:
    """Keeps what is erased in a context from here on, until `release`."""
    if id(context) in _ERASED.of_context:
        return
    if not _ERASED.of_context:
        _notice_erase()
    _ERASED.of_context[id(context)] = set()
    library().ttkitKeepErased(handle(context, "Context"))


def release(context: ir.Context) -> None:
    """Frees what was erased in a context of which nothing is in use any more."""
    addresses = _ERASED.of_context.pop(id(context), None)
    if addresses is not None:
        _ERASED.addresses -= addresses
        library().ttkitFreeErased(handle(context, "Context"))


def notice(context: ir.Context) -> None:
    """Looks for operations of a watched context that were erased, from here on with an error for who uses them."""
    known = _ERASED.of_context.get(id(context))
    if known is None:
        return
    where, erased = handle(context, "Context"), library().ttkitErasedOperations
    count = erased(where, None, 0)
    if count == len(known):
        return
    found = (Handle * count)()
    erased(where, found, count)
    known.update(item.pointer for item in found)
    _ERASED.addresses |= known
    if not _ERASED.is_guarded:
        _ERASED.is_guarded = True
        for cls, names in _GUARDED.items():
            for name in names.split():
                if name in cls.__dict__:
                    setattr(cls, name, _guarded(cls, cls.__dict__[name]))


def _notice_erase() -> None:
    """Has `operation.erase()` told of, once."""
    if hasattr(_OPERATION.__dict__["erase"], "__wrapped__"):
        return
    original = _OPERATION.__dict__["erase"]

    def erase(self: Any) -> None:
        context = self.context
        _check_operation(self)
        original(self)
        notice(context)

    erase.__doc__, erase.__wrapped__ = original.__doc__, original
    _OPERATION.erase = erase


def _guarded(cls: type, member: Any) -> Any:
    """An accessor, or a method, that asks first."""
    check = _CHECKS[next(base for base in cls.__mro__ if base in _CHECKS)]
    if isinstance(member, property):
        read, write = member.fget, member.fset
        assert read is not None

        def get(self: Any) -> Any:
            check(self)
            return read(self)

        def put(self: Any, value: Any) -> None:
            check(self)
            write(self, value)  # type: ignore[misc]

        return property(get, put if write else None, member.fdel, member.__doc__)

    def call(self: Any, *args: Any, **kwargs: Any) -> Any:
        check(self)
        return member(self, *args, **kwargs)

    call.__name__, call.__doc__ = getattr(member, "__name__", "method"), member.__doc__
    return call


_GONE = "is gone: a pass, or erase(), has removed it; take it from its module anew"


def _check_operation(operation: Any) -> None:
    """Raises ReferenceError for an operation that was erased."""
    try:
        is_erased = operation_address(operation) in _ERASED.addresses
    except RuntimeError:  # of the bindings, for the object that `erase` was called of
        raise ReferenceError(f"this operation {_GONE}") from None
    if is_erased:
        raise ReferenceError(f"this {_name(operation)} {_GONE}")


def _check_owned(thing: Any) -> None:
    """The same for a value, a block or a region of one."""
    while not isinstance(thing, _OPERATION):
        kind = next(cls for cls in _OWNER_OF if isinstance(thing, cls))
        try:
            thing = _OWNER_OF[kind](thing, type(thing))
        except RuntimeError:  # likewise
            raise ReferenceError(f"its operation {_GONE}") from None
        if thing is None:
            return
    _check_operation(thing)


_CHECKS = {_OPERATION: _check_operation, ir.Value: _check_owned, ir.Block: _check_owned, ir.Region: _check_owned}
