"""IR by the methods that Triton's own bindings have, `triton._C.libtriton.ir`, for who looks at a kernel's tt: torch
finds out so which arguments of a kernel are written to.  And for stages that scripts put in the place of Triton's.

Only looking, and attributes: IR is built and changed with the package `mlir`, and `ttkit.run_passes`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mlir import ir

from ttkit.compat.pass_bindings import pass_manager as pass_manager
from ttkit.compiler.module_metadata import of_kernel
from ttkit.context import Context, parse_file
from ttkit.dialects._tt_types import PointerType
from ttkit.inspection import is_public


class context(Context):
    """A context whose modules, from `ASTSource.make_ir`, have these methods."""

    def present(self, made: ir.Module) -> module:
        """The module by Triton's class."""
        return module(made)


def load_dialects(ctx: Any) -> None:
    """Nothing: every context has all dialects."""


class value:
    """A result of an operation, or an argument of a block."""

    def __init__(self, made: ir.Value) -> None:
        self.value = made

    def id(self) -> int:
        """A number that no other value has while the module lives."""
        return hash(self.value)

    def get_type(self) -> ir.Type:
        """Its type."""
        return self.value.type


class region:
    """A region of an operation."""

    def __init__(self, owner: ir.Operation, index: int) -> None:
        self.owner, self.index = owner, index

    def id(self) -> int:
        """A number that no other region has while the module lives."""
        return hash((self.owner, self.index))

    def size(self) -> int:
        """The number of blocks."""
        return len(self.owner.regions[self.index].blocks)


class block:
    """A block of a region."""

    def __init__(self, made: ir.Block) -> None:
        self.block = made

    def id(self) -> int:
        """A number that no other block has while the module lives."""
        return hash(self.block)

    def get_num_arguments(self) -> int:
        """The number of its arguments."""
        return len(self.block.arguments)

    def get_argument(self, index: int) -> value:
        """An argument by its number."""
        return value(self.block.arguments[index])

    def get_parent(self) -> region | None:
        """The region that it is in."""
        owner = self.block.owner.operation
        for index, each in enumerate(owner.regions):
            if each == self.block.region:
                return region(owner, index)
        return None


class operation:
    """An operation."""

    def __init__(self, made: ir.Operation) -> None:
        self.operation = made

    def get_name(self) -> str:
        """Its name, with the dialect."""
        return self.operation.name

    def get_num_operands(self) -> int:
        """The number of its operands."""
        return len(self.operation.operands)

    def get_operand(self, index: int) -> value:
        """An operand by its number."""
        return value(self.operation.operands[index])

    def get_num_results(self) -> int:
        """The number of its results."""
        return len(self.operation.results)

    def get_result(self, index: int) -> value:
        """A result by its number."""
        return value(self.operation.results[index])

    def get_num_regions(self) -> int:
        """The number of its regions."""
        return len(self.operation.regions)

    def get_region(self, index: int) -> region:
        """A region by its number."""
        return region(self.operation, index)

    def get_block(self) -> block | None:
        """The block that it is in; None for a module."""
        found = None if self.operation.parent is None else self.operation.block
        return None if found is None else block(found)

    def has_attr(self, name: str) -> bool:
        """Whether it has an attribute of that name."""
        return name in self.operation.attributes

    def get_str_attr(self, name: str) -> str | None:
        """A text; None where there is none of that name."""
        return self._attribute(name)

    def get_bool_attr(self, name: str) -> bool | None:
        """A truth value; None where there is none of that name."""
        return self._attribute(name)

    def get_int_attr(self, name: str) -> int | None:
        """A number; None where there is none of that name."""
        return self._attribute(name)

    def get_flat_symbol_ref_attr(self, name: str) -> str | None:
        """The name of a function; None where there is none of that name."""
        return self._attribute(name)

    def set_attr(self, name: str, attr: ir.Attribute) -> None:
        """Gives it an attribute, such as one that a `builder` has made."""
        self.operation.attributes[name] = attr

    def _attribute(self, name: str) -> Any:
        attributes = self.operation.attributes
        return attributes[name].value if name in attributes else None

    def __str__(self) -> str:
        return str(self.operation)


class module(operation):
    """A module.

    context: the one that it is in.
    """

    def __init__(self, made: ir.Module) -> None:
        super().__init__(made.operation)
        self.module = made
        self.context = made.context

    def verify(self) -> bool:
        """Whether it is valid."""
        try:
            return bool(self.operation.verify())
        except ir.MLIRError:
            return False

    def walk(self, fn: Callable[[operation], Any]) -> None:
        """Calls a function for every operation: those inside of one before itself."""

        def visit(found: ir.Operation) -> ir.WalkResult:
            """Calls `fn` with Triton's kind of operation."""
            fn(operation(found))
            return ir.WalkResult.ADVANCE

        self.operation.walk(visit, ir.WalkOrder.POST_ORDER)

    def str_nodebug(self) -> str:
        """The text without locations."""
        return str(self.operation)

    def dump(self) -> None:
        """Prints the text to standard error."""
        self.operation.print(large_elements_limit=16, file=None)

    def get_entry_func_name(self) -> str:
        """The name of the kernel: its first public function; empty without one."""
        for each in self.operation.regions[0].blocks[0].operations:
            if each.operation.name == "tt.func" and is_public(each.operation):
                return each.operation.attributes["sym_name"].value
        return ""

    def has_function(self, name: str) -> bool:
        """Whether it has a function of that name."""
        return name in ir.SymbolTable(self.operation)

    def get_function(self, name: str) -> operation:
        """The function of that name.

        Raises:
            KeyError: there is none.
        """
        return operation(ir.SymbolTable(self.operation)[name].operation)

    def get_function_signature(self, fn: operation) -> list[str]:
        """The types of a function's parameters as Triton's signatures spell them: `*f32`, `i1`, or as tt does."""
        attributes = fn.operation.attributes
        kinds = attributes["function_type"].value.inputs
        given = attributes.get("arg_attrs", [{}] * len(kinds))
        return [
            "nvTmaDesc" if "tt.nv_tma_desc" in its and its["tt.nv_tma_desc"].value == 1 else _spelled(kind)
            for kind, its in zip(kinds, given, strict=True)
        ]

    def get_tensordesc_metadata(self) -> list[dict[str, Any]]:
        """The fields that a tensor map needs, of each descriptor that the kernel is given."""
        found: list[dict[str, Any]] = of_kernel(self.module)["tensordesc_meta"]
        return found


def _spelled(kind: ir.Type) -> str:
    """The text of a type, of a pointer `*` and what it points to."""
    return f"*{kind.pointee_type}" if isinstance(kind, PointerType) else str(kind)


_METHODS = (
    "get_bool_attr get_entry_func_name get_flat_symbol_ref_attr get_function get_function_signature get_int_attr "
    "get_str_attr get_tensordesc_metadata has_attr has_function set_attr str_nodebug verify walk"
)


def _give_methods() -> None:
    """Gives modules of MLIR's bindings, which are what stages get, Triton's methods."""
    for name in _METHODS.split():
        setattr(ir.Module, name, lambda made, *given, name=name: getattr(module(made), name)(*given))


_give_methods()


class builder:
    """A maker of attributes."""

    def __init__(self, context: ir.Context) -> None:
        self.context = context

    def get_int32_attr(self, value: int) -> ir.Attribute:
        """A number of 32 bits."""
        return ir.IntegerAttr.get(ir.IntegerType.get_signless(32, self.context), value)

    def get_bool_attr(self, value: bool) -> ir.Attribute:
        """A truth value."""
        return ir.BoolAttr.get(value, self.context)

    def get_string_attr(self, value: str) -> ir.Attribute:
        """A text."""
        return ir.StringAttr.get(value, self.context)

    def get_unit_attr(self) -> ir.Attribute:
        """One that is there or not."""
        return ir.UnitAttr.get(self.context)


def parse_mlir_module(path: str, ctx: Any) -> module:
    """The module in a file.

    Raises:
        ir.MLIRError: with MLIR's diagnostics.
    """
    return module(parse_file(path, ctx))
