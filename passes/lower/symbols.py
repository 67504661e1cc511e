"""Symbols that lowering adds to a module: external functions, texts and tables of constants."""

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ttkit.passes.lower.emitter import Emitter
from ttkit.passes.lower.unsupported import Unsupported


class Symbols:
    """Adds each symbol once.

    Args:
        module: gets the symbols.
        emit: builds calls and addresses.
    """

    def __init__(self, module: ir.Operation, emit: Emitter) -> None:
        self.module, self.emit = module, emit
        self._declared: set[str] = set()
        symbols = [op.operation for op in module.regions[0].blocks[0] if "sym_name" in op.attributes]
        self._existing = {op.attributes["sym_name"].value: op for op in symbols}
        self._constants: dict[tuple[str, object], str] = {}

    def call(self, name: str, type: ir.Type, *values: ir.Value, returns: bool = True) -> Any:
        """A call of an external function of scalars, which is declared when it is first called; None if void.

        returns: whether the thread may go on after the call.
        """
        emit = self.emit
        if name not in self._declared:
            self._declared.add(name)
            arguments = ", ".join(str(value.type) for value in values)
            self.add(
                "llvm.func",
                name,
                "external",
                function_type=ir.TypeAttr.get(ir.Type.parse(f"!llvm.func<{type} ({arguments})>", emit.context)),
                CConv=emit.attribute("#llvm.cconv<ccc>"),
                **({} if returns else {"passthrough": emit.attribute('["noreturn"]')}),
            )
        callee = ir.FlatSymbolRefAttr.get(name, emit.context)
        called = emit.call(callee, () if type == emit.void else (type,), values)
        return called.result if called.results else None

    def text(self, text: str, name: str) -> ir.Value:
        """Pointer to a constant string that ends in a zero byte; its symbol begins with `name`."""
        data = text.encode() + b"\0"
        value = ir.StringAttr.get(data, self.emit.context)
        return self._constant_data(name, text, value, f"{len(data)} x i8", 0)

    def table(self, numbers: Sequence[int], type: ir.IntegerType) -> ir.Value:
        """Pointer to constant integers in global memory, each as aligned as it is wide."""
        value = self.emit.attribute(f"dense<{list(numbers)}> : tensor<{len(numbers)}x{type}>")
        return self._constant_data("constant", (type, *numbers), value, f"{len(numbers)} x {type}", 1)

    def _constant_data(self, name: str, key: object, value: ir.Attribute, array: str, space: int) -> ir.Value:
        """Pointer to a constant global, one for equal keys; its symbol begins with `name`."""
        emit = self.emit
        symbol = self._constants.get((name, key))
        if symbol is None:
            symbol = self._constants[name, key] = self._free_name(name)
            self.add(
                "llvm.mlir.global",
                symbol,
                "internal",
                global_type=ir.TypeAttr.get(ir.Type.parse(f"!llvm.array<{array}>", emit.context)),
                value=value,
                constant=ir.UnitAttr.get(emit.context),
                addr_space=emit.integer(space, 32),
            )
        global_name = ir.FlatSymbolRefAttr.get(symbol, emit.context)
        return emit.op("llvm.mlir.addressof", emit.pointers[space], global_name=global_name)

    def _free_name(self, name: str) -> str:
        """A symbol that begins with `name`, and is not there yet."""
        number = sum(kind == name for kind, _ in self._constants)
        while f"{name}_{number}" in self._existing or f"{name}_{number}" in self._constants.values():
            number += 1
        return f"{name}_{number}"

    def add(self, op: str, name: str, linkage: str, **attributes: ir.Attribute) -> None:
        """Puts a function without a body, or a global variable, in front of the module, unless it is there.

        Raises:
            Unsupported: another symbol has the name.
        """
        emit = self.emit
        if (existing := self._existing.get(name)) is not None:
            type = next(key for key in attributes if key.endswith("_type"))
            if existing.name == op and existing.attributes[type] == attributes[type]:
                return
            raise Unsupported(existing, f"the lowering has a symbol @{name} of its own", "rename this one")
        attributes |= {
            "sym_name": ir.StringAttr.get(name, emit.context),
            "linkage": emit.attribute(f"#llvm.linkage<{linkage}>"),
            "visibility_": emit.integer(0),
        }
        begin = ir.InsertionPoint.at_block_begin(self.module.regions[0].blocks[0])
        ir.Operation.create(op, attributes=attributes, regions=1, loc=ir.Location.unknown(emit.context), ip=begin)
