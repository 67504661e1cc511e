"""MLIR contexts that know tt, ttg and ttng."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from functools import partial
from importlib import import_module
from itertools import islice
from operator import getitem
from typing import Any

from mlir import ir
from mlir._mlir_libs import _mlir, get_dialect_registry

import ttkit.dialects.defined as defined
from ttkit._native import handle, library, value_handle
from ttkit.guards.attributes import check_attributes
from ttkit.guards.contexts import check_contexts
from ttkit.guards.erasing import watch_erase
from ttkit.guards.none_comparison import compare_with_none
from ttkit.guards.parser_aborts import abort_in
from ttkit.passes.infra.bridge import register_passes
from ttkit.records import dataclass

# Programs written for Triton catch RuntimeError.
ir.MLIRError.__bases__ = (RuntimeError,)


class Context(_mlir.ir._Context):
    """An MLIR context with every dialect that kernels use loaded, those of packages too, and every pass registered.

    Single-threaded: passes written in Python run one at a time anyway, and threads cost start-up time.
    Use it as the bindings' own: `with ttkit.Context(): module = ttkit.parse(text)`.
    """

    def __init__(self) -> None:
        super().__init__()
        _let_go()
        lib = library()
        self.enable_multithreading(False)
        self.append_dialect_registry(get_dialect_registry())
        lib.ttkitLoadDialects(handle(self, "Context").pointer)
        defined.load_into(self)
        register_passes()
        self.compiled_bytes = 0


@dataclass
class _Kept:
    """A context, with modules that live because something in them may still be in use."""

    context: Any
    modules: list[ir.Module] = field(default_factory=list)

    def is_in_use(self) -> bool:
        """Whether anything but this holds the context, as each operation, value and attribute of it does.

        Attributes are asked for in place, since a local variable would count too, in some versions of Python.
        """
        return sys.getrefcount(self.context) > 2 + len(self.modules) or any(
            sys.getrefcount(self.modules[place]) > 2 for place in range(len(self.modules))
        )


_KEPT: dict[int, _Kept] = {}


def _let_go() -> None:
    """Frees the modules whose context nobody uses any more."""
    for number in [number for number, kept in list(_KEPT.items()) if not kept.is_in_use()]:
        _KEPT.pop(number, None)


def keep_alive(module: ir.Module) -> ir.Module:
    """Lets a module live for as long as anything of its context is in use.

    The bindings' operations don't: with the last reference to its module an operation is memory that is gone.

    Returns: the module.
    """
    context = module.context
    _KEPT.setdefault(id(context), _Kept(context)).modules.append(module)
    return module


_LEFT: list[_Kept] = []
"""Contexts that compilations have left, for others to take."""
_MOST_LEFT = 4
_MOST_BYTES = 1 << 18
"""Text of kernels that is compiled in a context, before it is freed with the types and attributes of all of them."""


def take() -> Context:
    """A context for one compilation: one that was left and of which nothing is in use, or else a new one.

    A new one takes 2 ms, a tenth of a small kernel's time without ptxas (x86-64, 2026-11).
    """
    while _LEFT:
        try:
            kept = _LEFT.pop()
        except IndexError:  # another thread took it
            break
        if kept.is_in_use():
            _KEPT[id(kept.context)] = kept
        elif not kept.context.allow_unregistered_dialects:
            kept.modules.clear()
            defined.load_into(kept.context)  # those that were defined meanwhile
            return kept.context
    return Context()


def leave(context: Context, size: int) -> None:
    """Gives back a context that `take` gave, after a compilation without errors.

    Args:
        size: bytes of the first level of what was compiled, as text.
    """
    context.compiled_bytes += size
    kept = _KEPT.pop(id(context), None) or _Kept(context)
    if context.compiled_bytes <= _MOST_BYTES and len(_LEFT) < _MOST_LEFT:
        _LEFT.append(kept)
    elif kept.modules:
        _KEPT[id(context)] = kept


def _describe_modules() -> None:
    """Lets prompts and notebooks say something of modules and operations: the bindings' have an address."""
    ir.Module.__repr__ = _shown("module_repr")
    ir.Operation.__repr__ = ir.OpView.__repr__ = _shown("operation_repr")
    for cls in (ir.Module, ir.Operation, ir.OpView):
        cls._repr_html_ = _shown("ir_html")


def _shown(name: str) -> Callable[[Any], str]:
    """A function of `ttkit.display`, which is imported when something is shown."""
    return lambda what: getattr(import_module("ttkit.display"), name)(what)


def _iterate_without_exceptions() -> None:
    """Lets the bindings' sequences be iterated up to their length.

    Their own iterators end with an exception in C++, which takes 2 us and more: 0.2 us without (x86-64, 2026-11).
    Blocks and operations keep theirs, since passes add some while they iterate.
    """
    arrays = ir.DenseBoolArrayAttr, ir.DenseI8ArrayAttr, ir.DenseI32ArrayAttr, ir.DenseI64ArrayAttr
    for cls in (ir.RegionSequence, ir.ArrayAttr, ir.DictAttr, *arrays):
        cls.__iter__ = lambda items: map(partial(getitem, items), range(len(items)))
    uses = ir.Value.uses
    ir.Value.uses = property(
        lambda value: islice(uses.fget(value), library().ttkitCountUses(value_handle(value))), doc=uses.__doc__
    )


_describe_modules()
_iterate_without_exceptions()
compare_with_none()
watch_erase()
check_contexts()
check_attributes()


def parse(source: str | bytes, context: ir.Context | None = None) -> ir.Module:
    """Parses and verifies a module, from text or bytecode.

    The module lives for as long as its context, which its operations and values keep alive; a program that parses
    thousands of modules lets each have a context of its own.

    Args:
        source: tt, ttg or any other registered IR.
        context: where to parse; by default the current context, or else a new `Context`.

    Raises:
        TypeError: `source` is not text.
        ValueError: it is the path of a file.
        ir.MLIRError: with MLIR's diagnostics (line, column, reason).
    """
    if isinstance(source, os.PathLike):
        raise TypeError(
            f"ttkit.parse takes the text of a module, not a path: ttkit.parse(open({str(source)!r}).read())"
        )
    if not isinstance(source, (str, bytes)):
        raise TypeError(f"ttkit.parse takes the text of a module, not {type(source).__name__}")
    if context is None:
        context = ir.Context.current or Context()
    try:
        return keep_alive(parse_text(source, context))
    except ir.MLIRError:
        if isinstance(source, str) and _looks_like_a_path(source):
            message = f"ttkit.parse takes the text of a module, not a path: ttkit.parse(open({source!r}).read())"
            raise ValueError(message) from None
        raise


NOT_A_SCRIPT = "found a Python script in place of IR: TRITON_KERNEL_DUMP=1 writes the IR of a script's kernels"


def refuse_aborts(source: str | bytes, context: ir.Context, name: str = "-") -> None:
    """Nothing, unless MLIR would end the process on a text: of a module, a type or an attribute; or it is a script.

    Raises:
        ir.MLIRError: it would, or is, with the place in the file of that name.
    """
    found = abort_in(source, context.allow_unregistered_dialects)
    if name.endswith(".py"):
        found = 1, 0, NOT_A_SCRIPT
    if found:
        line, column, reason = found
        with _gathered_errors(context) as errors:
            ir.Location.file(name, line, column, context).emit_error(reason)
        raise ir.MLIRError("Unable to parse module assembly", errors)


@contextmanager
def _gathered_errors(context: ir.Context) -> Iterator[list[ir.DiagnosticInfo]]:
    """Errors that MLIR tells of in a block of a `with` statement, with their notes; nobody else sees them."""
    errors: list[ir.DiagnosticInfo] = []

    def gather(diagnostic: ir.Diagnostic) -> bool:
        """Keeps an error."""
        if diagnostic.severity != ir.DiagnosticSeverity.ERROR:
            return False
        errors.append(ir.DiagnosticInfo(diagnostic))
        return True

    handler = context.attach_diagnostic_handler(gather)
    try:
        yield errors
    finally:
        handler.detach()


def parse_text(source: str | bytes, context: ir.Context) -> ir.Module:
    """A module, from text or bytecode, that `keep_alive` does not know.  Its locations are places in "-".

    Raises:
        ir.MLIRError: with MLIR's diagnostics.
    """
    refuse_aborts(source, context)
    return _parsed(lambda: ir.Module.parse(source, context), context)


def parse_file(path: str | os.PathLike[str], context: ir.Context) -> ir.Module:
    """A module from a file of text or bytecode, as `parse_text` gives it, but that its locations have the path.

    Raises:
        ir.MLIRError: with MLIR's diagnostics.
        OSError: the file can't be read.
    """
    name = os.fspath(path)
    with open(name, "rb") as file:
        refuse_aborts(file.read(), context, name)
    try:
        return _parsed(lambda: ir.Module.parseFile(name, context), context)
    except ir.MLIRError as error:
        raise ir.MLIRError("Parse MLIR file failed.", error.error_diagnostics) from None  # Triton's words


def _parsed(read: Callable[[], ir.Module], context: ir.Context) -> ir.Module:
    """A module; errors that MLIR tells of are raised, even if it goes on after them.

    It does after a stray dot between definitions of attributes, and the bindings end the process where an error was
    told and none is raised.  So errors are gathered here in place of there.
    """
    told_before, module = context.emit_error_diagnostics, None
    with _gathered_errors(context) as errors:
        context.emit_error_diagnostics = True
        try:
            module = read()
            _refuse_names(module)
        except ir.MLIRError as error:
            if not errors:
                raise
            problem = error.message
        finally:
            context.emit_error_diagnostics = told_before
    if errors or module is None:
        raise ir.MLIRError(problem if module is None else "MLIR found errors in the module", errors)
    return module


def _refuse_names(module: ir.Module) -> None:
    """Tells of symbols that MLIR can have and neither Python nor LLVM."""
    for op in module.body.operations:
        if "sym_name" not in op.attributes:
            continue
        name = op.attributes["sym_name"]
        text = name.value_bytes.decode(errors="replace") if isinstance(name, ir.StringAttr) else ""
        if "\0" in text or "\ufffd" in text:
            op.location.emit_error(f"the name of a symbol is UTF-8 without null bytes, found {text!r}")


def _looks_like_a_path(source: str) -> bool:
    """Whether text that is not a module names a file, or is spelled as if it did."""
    one_word = len(source) < 4096 and source.strip() == source and "\n" not in source and " " not in source
    return one_word and (source.startswith(("/", "./", "../", "~")) or source.endswith((".mlir", ".ttir", ".ttgir")))
