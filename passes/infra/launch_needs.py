"""Numbers of a module that a launch needs for its kernels, such as bytes of shared memory."""

from mlir import ir

from ttkit.module_attributes import module_number
from ttkit.passes.infra.constants import i32_attribute


def note_need(module: ir.Operation, name: str, value: int) -> None:
    """Sets a number to what functions of ttg need; what those need that are lowered already stays.

    Args:
        name: such as `ttg.shared`.
        value: in bytes, columns or warps, as the attribute is.
    """
    if any(is_lowered(op.operation) for op in module.regions[0].blocks[0].operations):
        value = max(value, module_number(module, name, 0))
    module.attributes[name] = i32_attribute(value)


def is_lowered(op: ir.Operation) -> bool:
    """Whether it is a function with code in the llvm dialect."""
    return op.name == "llvm.func" and len(op.regions[0].blocks) > 0
