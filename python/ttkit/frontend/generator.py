"""From the syntax tree of a jitted function to operations.

One `CodeGenerator` builds one function; functions that it calls are built by others of the same `TranslationUnit`, once
for each combination of argument types and constants.  What a node means is in the mixins: `expressions`, `calls`,
`statements`, `branches`, `loops`.

Order and names follow Triton 3.6, so that the IR is the same operation for operation: where an order looks odd (keyword
arguments before others, an argument of `range` computed twice) it is for that reason.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

import ttkit.language as language
from ttkit.frontend.argument_errors import is_internal
from ttkit.frontend.bounded_builder import BoundedBuilder
from ttkit.frontend.branches import Branches
from ttkit.frontend.calls import Calls
from ttkit.frontend.errors import (
    CompilationError,
    InconsistentReturn,
    NonConstexprGlobal,
    UndefinedName,
    UnsupportedLanguageConstruct,
    about_name,
    ran_out_of_stack,
)
from ttkit.frontend.expressions import Expressions
from ttkit.frontend.loops import Loops
from ttkit.frontend.prototype import Prototype, is_named_tuple
from ttkit.frontend.returns import Returns
from ttkit.frontend.statements import Statements
from ttkit.frontend.translation_unit import TranslationUnit
from ttkit.frontend.visitor import flatten
from ttkit.language.base import base_value
from ttkit.language.building import active
from ttkit.language.constexpr import constexpr, unwrap
from ttkit.language.errors import TemplateError, without_addresses
from ttkit.language.jit_function import JITCallable, JITFunction
from ttkit.language.python_extremes import builtin_max, builtin_min
from ttkit.language.record import Block, Operation, Value
from ttkit.language.types import dtype

PYTHON_BUILTINS: dict[str, Any] = {
    **{builtin.__name__: builtin for builtin in (len, list, range, float, int, isinstance, getattr, hasattr)},
    "print": language.device_print,
    "breakpoint": breakpoint,
    "min": builtin_min,
    "max": builtin_max,
}
_ABSENT = object()


class CodeGenerator(Expressions, Calls, Statements, Branches, Loops):
    """Builds one function; `Visitor` has its attributes."""

    _visitors: ClassVar[dict[type, Callable[[Any, Any], Any]]] = {}

    def __init__(
        self,
        unit: TranslationUnit,
        fn: JITFunction,
        name: str,
        prototype: Prototype,
        is_kernel: bool,
        num_warps: int | None = None,
    ) -> None:
        self.num_warps = num_warps
        self.unit = unit
        self.jit_fn = fn
        self.function_name = name
        self.prototype = prototype
        self.is_kernel = is_kernel
        self.builder = BoundedBuilder(unit)
        self.file, first_line = fn.location
        self.lines_before = first_line - 1
        self.captured = fn.captured()
        self.globals = fn.__globals__
        self.scope = {}
        self.defined = {}
        self.loops = []
        self.loop_variables = set()
        self.blocks = []
        self.node = None
        self.unused = None
        self.name_prefix = None
        self.return_type: Any = None
        self.returns = Returns()

    # --- Visiting ----------------------------------------------------------------------------------------------------
    def visit(self, node: Any) -> Any:
        """Evaluates a node and returns its value.  Afterwards the current location is the node's.

        Raises:
            CompilationError: the node has an error, or a node below it.
        """
        if node is None:
            return None
        builder, outer, loc = self.builder, self.node, self.builder.loc
        self.node = node
        line = getattr(node, "lineno", None)
        if line is not None:
            loc = (self.file, self.lines_before + line, node.col_offset)
            if self.name_prefix is not None:
                loc = (self.name_prefix, loc)
            builder.loc = loc
        try:
            visitor = self._visitors.get(type(node)) or self._visitor(type(node))
            result = visitor(self, node)
        except CompilationError:
            raise
        except Exception as error:
            if ran_out_of_stack(error):
                raise
            raise self.failure(node, _text_of(error, node), error) from error
        self.node = outer
        builder.loc = loc
        return result

    def _visitor(self, kind: type) -> Callable[[Any, Any], Any]:
        found = getattr(type(self), f"visit_{kind.__name__}", type(self).visit_unknown)
        self._visitors[kind] = found
        return found

    def visit_unknown(self, node: ast.AST) -> Any:
        """Refuses syntax that no method handles, with its name."""
        advice = ""
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            advice = "import modules outside of the kernel; pdb needs TRITON_INTERPRET=1"
        raise self.unsupported(node, f"unsupported AST node type: {type(node).__name__}", advice)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Refuses functions inside of kernels."""
        raise self.unsupported(node, "nested function definition is not supported.")

    def error(
        self, node: Any, message: str | None, kind: type[CompilationError] = CompilationError, advice: str = ""
    ) -> CompilationError:
        """An error at `node`."""
        line = getattr(node, "lineno", None)
        place = f"{self.file}:{self.lines_before + line}, in {self.jit_fn.__name__}" if line else None
        return kind(self.jit_fn.src, node, message and without_addresses(message), place, advice)

    def failure(self, node: ast.AST, text: str, error: Exception) -> CompilationError:
        """The error at a node for an exception.  If it is about None, it names the parameters of this value."""
        advice = getattr(error, "advice", "")
        return self.error(node, text, advice=self._about_nones(node, advice) if "None" in f"{text}{advice}" else "")

    def _about_nones(self, node: ast.AST, advice: str) -> str:
        """Advice, followed by the parameters in a node whose value is None, and the reason."""
        used = {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
        lines = [advice] if advice else []
        for place, name in enumerate(self.jit_fn.arg_names):
            if name not in used or unwrap(self.scope.get(name, _ABSENT)) is not None:
                continue
            if unwrap(self.prototype.constants.get((place,), _ABSENT)) is None:
                lines.append(f"'{name}' is None: this parameter was passed None")
            elif self.is_kernel and self.prototype.types[place] is None:
                lines.append(f"'{name}' is None: the signature has no type for this parameter")
        return "\n".join(lines)

    def unsupported(self, node: Any, message: str, advice: str = "") -> CompilationError:
        """The error for syntax that kernels can't have, at a node."""
        return self.error(node, message, UnsupportedLanguageConstruct, advice)

    # --- Names -------------------------------------------------------------------------------------------------------
    def lookup(self, name: str) -> Any:
        """The value of a variable: local, global (if kernels may see it) or Python's.

        Raises:
            UndefinedName: there is none.
            NonConstexprGlobal: a global variable that might change.
        """
        value = self.scope.get(name, _ABSENT)
        if value is not _ABSENT:
            return value
        value = self._global_value(name)
        if value is not _ABSENT:
            if not self._may_read(name, value):
                raise NonConstexprGlobal(name=name)
            return value
        value = PYTHON_BUILTINS.get(name, _ABSENT)
        if value is _ABSENT:
            known = {**self.captured, **self.globals, **self.scope}
            raise UndefinedName(name=name, advice=about_name(name, known, self.jit_fn.tree()))
        return value

    def _global_value(self, name: str) -> Any:
        value = self.captured.get(name, _ABSENT)
        return self.globals.get(name, _ABSENT) if value is _ABSENT else value

    def _may_read(self, name: str, value: Any) -> bool:
        if isinstance(value, (ModuleType, JITCallable, constexpr, dtype)) or value is None:
            return True
        return (
            name in PYTHON_BUILTINS
            or getattr(value, "__triton_builtin__", False)
            or getattr(value, "__triton_aggregate__", False)
            or getattr(value, "__module__", "").startswith(("ttkit.language", "ttkit.layout.gluon"))
            or is_named_tuple(value)
            or self.unit.options.allow_non_constexpr_globals
        )

    def define(self, name: str, value: Any) -> None:
        """Gives a name a value, in the scope and among what this region defines."""
        self.scope[name] = value
        self.defined[name] = value

    def name_value(self, value: Any, name: str) -> None:
        """Puts the variable's name into the locations of what the value consists of."""
        if isinstance(value, Value):
            value.add_name(name)
        elif isinstance(value, base_value):
            for handle in flatten([value]):
                handle.add_name(name)

    # --- The function ------------------------------------------------------------------------------------------------
    def build(self) -> Any:
        """Adds the function to the module.

        Returns:
            The type it returns; `void` if nothing.

        Raises:
            CompilationError: the function has an error.
        """
        outer_builder, outer_generator = active.builder, active.generator
        active.builder, active.generator = self.builder, self
        try:
            tree = self.jit_fn.tree()
            try:
                self._build(tree)
            except CompilationError:
                raise
            except Exception as error:
                if ran_out_of_stack(error):
                    raise
                raise self.error(self.node or tree, _text_of(error, self.node or tree)) from error
        finally:
            active.builder, active.generator = outer_builder, outer_generator
        return self.return_type

    def _build(self, tree: ast.FunctionDef) -> None:
        builder = self.builder
        builder.loc = (self.file, self.lines_before + tree.lineno, tree.col_offset)
        self.node = tree
        for argument, param in zip(tree.args.args, self.jit_fn.params):
            if param.is_constexpr and (param.do_not_specialize or param.do_not_specialize_on_alignment):
                message = (
                    f"{argument.arg} marked as constexpr and listed in "
                    "do_not_specialize/do_not_specialize_on_alignment. Remove constexpr designation "
                    "to skip specialization."
                )
                raise self.error(argument, message)
        entry = Block(self.prototype.argument_types(), builder.loc)
        function = Operation("tt.func", (), (), {}, builder.loc, [self.blocks])
        self.unit.functions[self.function_name] = function
        self.add_block(entry, function)
        for name, value in zip(self.jit_fn.arg_names, self.prototype.arguments(entry.arguments)):
            self.name_value(value, name)
            self.define(name, value)
        builder.block = entry
        self.visit_statements(tree.body)
        results: list[str] = []
        if self.unit.version >= (3, 7):
            self.return_type = self.returns.finish(builder)
        if self.return_type is None or self.return_type == language.void:
            self.return_type = language.void
        else:
            self.return_type._flatten_ir_types(results)
        builder.emit_op("tt.return", [builder.emit("ub.poison", (), type) for type in results])
        function.attributes = self.prototype.function_attributes(
            self.function_name, results, self.is_kernel, bool(self.jit_fn.noinline)
        )
        if self.num_warps is not None:
            function.attributes["ttg.num-warps"] = f"{self.num_warps} : i32"

    def add_block(self, block: Block | None = None, parent: Operation | None = None) -> Block:
        """A block at the end of the function."""
        block = Block() if block is None else block
        block.parent = parent or self.blocks[0].parent
        self.blocks.append(block)
        return block

    def returned(self, type: Any) -> None:
        """Notes what a `return` gives.

        Raises:
            InconsistentReturn: another gave something else.
        """
        if self.return_type is None:
            self.return_type = type
        elif self.return_type != type:
            raise InconsistentReturn(first=self.return_type, second=type)


def _text_of(error: Exception, node: ast.AST) -> str:
    if isinstance(error, TemplateError):  # as Triton writes it: programs compare it
        python_class = next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
        return f"{error.triton_name or python_class.__name__}({str(error)!r})"
    named = str(getattr(error, "name", None) or (error.args[0] if error.args else ""))
    text = ast.unparse(node) if isinstance(node, ast.expr | ast.stmt) else ""
    if isinstance(error, AttributeError | LookupError | AssertionError) and is_internal(error) and named not in text:
        return f"`{text.partition(chr(10))[0]}` is not allowed here"  # what Python says is about our own code
    return repr(error)
