"""Errors in kernels, with the place in the kernel's source."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable
from importlib import import_module
from typing import Any

from ttkit.kernel_errors import TritonError
from ttkit.language.errors import TemplateError
from ttkit.suggestions import suggestion


class CompilationError(TritonError):
    """An error in a kernel.

    The text names line and column within the function, shows its source up to there with a caret, and says what was
    found and what to do.  An error inside a called function is the `__cause__` of an error at the call, whose text
    ends with its own: the outermost error shows the whole chain of calls.

    Attributes:
        src: source of the jitted function.
        node: the syntax node.
        error_message: what was found and what to do; None for an error in a called function.
        where: "file:line, in function", if known.
        advice: what to do, a line before the message; that of the cause if there is none.
        source_line_count_max_in_message: lines of source that are shown.
    """

    source_line_count_max_in_message = 12

    def __init__(
        self, src: str | None, node: Any, error_message: str | None = None, where: str | None = None, advice: str = ""
    ) -> None:
        super().__init__(src, node, error_message, where)
        self.src = src
        self.node = node
        self.error_message = error_message
        self.where = where
        self.advice = advice

    @property
    def message(self) -> str:
        """The place of the error, with the source line and a caret; then what is wrong."""
        text = self._place()
        if self.where:
            text += f"\n({self.where})"
        cause = self.__cause__
        if advice := self.advice or ("" if isinstance(cause, CompilationError) else getattr(cause, "advice", "")):
            text += "\n" + advice
        if self.error_message:  # last: programs look for it in the last line, where Triton has it
            text += "\n" + self.error_message
        if self.error_message is None and isinstance(cause, CompilationError):
            text += f"\nin this call:\n{cause}"
        return text

    def __str__(self) -> str:
        return self.message

    def _place(self) -> str:
        if not hasattr(self.node, "lineno"):
            return " <source unavailable>" if self.src is None else self.src
        if self.src is None:
            return f"at {self.node.lineno}:{self.node.col_offset}:\n <source unavailable>"
        lines = self.src.split("\n")[: self.node.lineno][-self.source_line_count_max_in_message :]
        shown = "\n".join([*lines, " " * self.node.col_offset + "^"]) if lines else " <source empty>"
        return f"at {self.node.lineno}:{self.node.col_offset}:\n{shown}"

    def __reduce__(self) -> Any:
        return type(self), (self.src, self.node, self.error_message, self.where, self.advice)


class CompileTimeAssertionFailure(CompilationError):
    """A `tl.static_assert` that does not hold."""


class UnsupportedLanguageConstruct(CompilationError):
    """Python that kernels cannot use."""


class InvalidModule(CompilationError, RuntimeError):
    """The operations that were built are not valid: MLIR's verifier says why.  A RuntimeError, as Triton's."""


class UnsupportedReference(CompilationError, RuntimeError):
    """A kernel refers to a function that it cannot call.  A RuntimeError, as Triton's."""


class KernelMistake(TemplateError):
    """An error that the front end finds, before its place is added."""


class UndefinedName(KernelMistake, NameError):
    template = "{name} is not defined"


def about_name(name: str, known: Iterable[str], function: ast.FunctionDef) -> str:
    """Advice about a name that is not defined; empty if there is none.

    Args:
        known: names that are.
        function: where the name is used; its own name is never meant.
    """
    if name in ("breakpoint", "input"):
        return f"{name}() needs a kernel that the interpreter runs: TRITON_INTERPRET=1"
    if any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for node in ast.walk(function)
    ):
        return f"{name} is assigned later, or only in a loop or branch: assign it before them"
    near = suggestion(name, [one for one in known if not one.startswith("__") and one != function.name]).removeprefix(
        "; "
    )
    if near or not hasattr(builtins, name):
        return near
    by_tl = f"use tl.{name}" if hasattr(import_module("ttkit.language"), name) else "a kernel can't call it"
    return f"{name} is a function of Python: {by_tl}"


class NoAttribute(KernelMistake, AttributeError):
    template = "'{kind}' object has no attribute '{attribute}'"
    hint = "found {value}"


class NoItem(KernelMistake, IndexError):
    template = "{value} has no item {index}"


class NonConstexprGlobal(KernelMistake, NameError):
    template = (
        "Cannot access global variable {name} from within @jit'ed function. Triton kernels can only access global "
        "variables that are instanstiated as constexpr (`x = triton.language.constexpr(42)`). Note that this is "
        "different from annotating a variable as constexpr (`x: triton.language.constexpr = 42`), which is not "
        "supported.  Alternatively, set the envvar TRITON_ALLOW_NON_CONSTEXPR_GLOBALS=1, but we do not promise to "
        "support this forever."
    )


class ConstexprReassigned(KernelMistake, ValueError):
    template = "{name} is already defined. constexpr cannot be reassigned."


class ItemAssigned(KernelMistake, NotImplementedError):
    template = "__setitem__ is not supported in triton"
    hint = "tensors are immutable; use tl.where, or store to memory"


class AttributeAssigned(KernelMistake, NotImplementedError):
    template = "Attribute assignment is not supported in triton"


class InconsistentReturn(KernelMistake, TypeError):
    template = "Inconsistent return types: {first} and {second}"
    hint = "all `return` statements of a function must return the same type"


class BranchTypes(KernelMistake, AssertionError):
    template = "Mismatched type for {name} between then block ({then}) and else block ({other})"
    hint = "cast one of them"


class BranchRedefines(KernelMistake, AssertionError):
    template = "initial value for `{name}` is of type {initial}, but the {branch} block redefines it as {found}"
    hint = "cast it, or use another name"


class LoopCarriedType(KernelMistake, AssertionError):
    template = (
        "Loop-carried variable {name} has initial type {initial} but is re-assigned to {found} in loop! "
        "Please make sure that the type stays consistent."
    )


class LoopCarriedConstexpr(KernelMistake, AssertionError):
    template = "Loop carried variable {name} is not a triton value"
    hint = "{found}, a constexpr, cannot be reassigned in the loop; use tl.static_range, or another name"


class LoopElse(KernelMistake, AssertionError):
    template = "Don't know what to do with else after for"
    hint = "`else` of a loop is not supported"


class EndlessLoop(KernelMistake, TypeError):
    template = "the loop never ends: its condition is {condition} while compiling, and a loop has no `break`"
    hint = "write a condition that the loop changes"


class LoopBoundOfTensor(KernelMistake, TypeError):
    template = "For {bound} must be a scalar, got {type}"


class StepOfZero(KernelMistake, ValueError):
    template = "the step of a loop must not be zero"


class RangeWithoutBounds(KernelMistake, TypeError):
    template = "range takes one to three arguments without names, found none"


class LoopBounds(KernelMistake, TypeError):
    template = "For loop bounds and step must all be ints, are ({lower}, {upper}, {step})"


class TooManyOperations(KernelMistake, OverflowError):
    template = "the kernel exceeds the limit of {most} operations here"
    hint = "use loops instead of repeated statements; each level of nested loops doubles the count"


class OutOfRange(KernelMistake, OverflowError):
    template = "{what} is {value}, which does not fit into a signed integer of {bits} bits"


class SelectTypes(KernelMistake, AssertionError):
    template = "Ternary expression with dynamic condition has inconsistent types {then} and {other}"
    hint = "cast one of them"


class NotIterable(KernelMistake, RuntimeError):
    template = "Only `range` and `static_range` iterators are currently supported"
    hint = "found {found}"


class CannotUnpack(KernelMistake, ValueError):
    template = "cannot unpack {found} into {count} names"


class RecursiveCall(KernelMistake, RecursionError):
    template = "{name} calls itself: recursion is not supported in kernels"


def ran_out_of_stack(error: Exception) -> bool:
    """Whether Python ran out of its stack.  Such an error passes unchanged: each level would add text to it."""
    return type(error) is RecursionError


class BadCall(KernelMistake, TypeError):
    template = "{name}() {reason}"


class NotCallable(KernelMistake, TypeError):
    template = "'{kind}' object is not callable"
    hint = "an operator or a comma may be missing before the parenthesis"


class StaticAssertCondition(KernelMistake, NotImplementedError):
    template = (
        "Assertion condition could not be determined at compile-time. Make sure that it depends only on `constexpr` "
        "values"
    )
    hint = "found {found}"


def caret_node(line: int, column: int) -> ast.AST:
    """A node at that place, for errors about operations."""
    node = ast.Pass()
    node.lineno, node.col_offset = line, column
    return node
