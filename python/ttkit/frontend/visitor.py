"""Base class of the mixins of `CodeGenerator`: the members that they share."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ttkit.frontend.translation_unit import TranslationUnit
from ttkit.language.jit_function import JITFunction
from ttkit.language.record import Block, Value


def flatten(values: Iterable[Any]) -> list[Value]:
    """The IR values that these consist of."""
    handles: list[Value] = []
    for value in values:
        value._flatten_ir(handles)
    return handles


def unflatten(handles: Sequence[Value], types: Iterable[Any]) -> Iterator[Any]:
    """The values of `types` that consist of these IR values."""
    cursor = 0
    for type in types:
        value, cursor = type._unflatten_ir(handles, cursor)
        yield value


class Visitor:
    """The state of one function that is being built, and the methods by which the mixins use each other.

    A method raises CompilationError, at the node, for an error in the kernel.  For syntax that kernels can't have it
    raises UnsupportedLanguageConstruct.  For arguments that an operation can't take it raises a LanguageError, which
    `visit` turns into a CompilationError.

    Attributes:
        file, lines_before: of the function, for locations and warnings.
        scope: the local variables, by name.
        defined: those assigned in the block that is being built (a branch, a loop body).
        loops: the loops around the current statement.
        loop_variables: the names of variables of loops that have ended.
        blocks: of the function.
        node: what is being visited.
        unused: the expression whose value the current statement drops.
        num_warps: warps of the partition that the function is compiled for; None outside of `warp_specialize`.
        name_prefix: the variable for which the current expression is computed, which its locations name.
    """

    unit: TranslationUnit
    jit_fn: JITFunction
    builder: Any
    file: str
    lines_before: int
    scope: dict[str, Any]
    defined: dict[str, Any]
    loops: list[ast.AST]
    loop_variables: set[str]
    blocks: list[Block]
    node: Any
    unused: Any
    num_warps: int | None
    name_prefix: str | None

    visit: Any
    visit_statements: Any
    lookup: Any
    define: Any
    assign_value: Any
    name_value: Any
    call: Any
    returned: Any
    returns: Any
    add_block: Any
    sub_region: Any
    error: Any
    failure: Any
    unsupported: Any
