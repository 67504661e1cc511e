"""Attributes in which modules of ttg say what they are for: warps, CTAs, GPU, memory.

All are read here.  Files may say anything: an attribute of another kind is named, with the value that it may have.
"""

from __future__ import annotations

from typing import overload

from mlir import ir

TARGET = "ttg.target"
NUM_WARPS, TOTAL_NUM_WARPS = "ttg.num-warps", "ttg.total-num-warps"
"""Warps of a CTA: the kernel's own, and with those of partitions."""
THREADS_PER_WARP, NUM_CTAS, MAXNREG = "ttg.threads-per-warp", "ttg.num-ctas", "ttg.maxnreg"
WARPS_OF_GROUPS = "ttkit.group-warps"
"""The warps of a group of a module whose code groups divide among themselves; not those of the whole CTA."""
LEAST = {
    NUM_WARPS: 1,
    TOTAL_NUM_WARPS: 1,
    WARPS_OF_GROUPS: 1,
    THREADS_PER_WARP: 1,
    NUM_CTAS: 1,
    MAXNREG: 1,
    "ttg.shared": 0,
    "ttg.tensor_memory_size": 0,
    "ttg.global_scratch_memory_size": 0,
    "ttg.global_scratch_memory_alignment": 1,
    "ttg.profile_scratch_memory_size": 0,
    "ttg.profile_scratch_memory_alignment": 1,
}
"""The least value of each number."""
MOST_WARPS = 1024
MOST = dict.fromkeys((NUM_WARPS, TOTAL_NUM_WARPS, WARPS_OF_GROUPS), (MOST_WARPS, str(MOST_WARPS)))
"""The most of those for which less than an i32 is enough, as number and as text: code is written for each warp."""
USES_TWO_CTAS = "ttng.two-ctas"
FLAGS = (USES_TWO_CTAS,)


class BadModuleAttribute(ValueError):
    """An attribute of a module that is not of its kind, or out of range.

    Args:
        operation: the module.
        message: what was found, and what it must be.
    """

    def __init__(self, operation: ir.Operation | ir.OpView, message: str) -> None:
        super().__init__(message)
        self.operation = operation.operation
        self.message = message


@overload
def module_number(module: ir.Operation, name: str, default: int) -> int:
    """The number, or the default."""


@overload
def module_number(module: ir.Operation, name: str, default: None = None) -> int | None:
    """The number, or None."""


def module_number(module: ir.Operation, name: str, default: int | None = None) -> int | None:
    """The number that a module's attribute states, one of LEAST; the default where the module has no such attribute.

    Raises:
        BadModuleAttribute: it is no integer, or out of range.
    """
    attributes = module.attributes
    if name not in attributes:
        return default
    found, least = attributes[name], LEAST[name]
    most, text = MOST.get(name, (2**31 - 1, "2^31 - 1"))
    if not isinstance(found, ir.IntegerAttr) or not least <= found.value <= most:
        must_be = f"an integer from {least} to {text}, such as 4 : i32"
        raise BadModuleAttribute(module, f"the module's {name} is {found}; it must be {must_be}")
    if name == TOTAL_NUM_WARPS and found.value < (own := module_number(module, NUM_WARPS, 1)):
        must_be = f"at least its {NUM_WARPS}, which is {own}"
        raise BadModuleAttribute(module, f"the module's {name} is {found}; it must be {must_be}")
    return found.value


def module_flag(module: ir.Operation, name: str) -> bool:
    """Whether a module's attribute is true; false where the module has no such attribute.

    Raises:
        BadModuleAttribute: it is neither true nor false.
    """
    attributes = module.attributes
    if name not in attributes:
        return False
    found = attributes[name]
    if isinstance(found, ir.UnitAttr):
        return True
    if not isinstance(found, ir.BoolAttr):
        raise BadModuleAttribute(module, f"the module's {name} is {found}; it must be true or false")
    return bool(found.value)


def module_target(module: ir.Operation) -> str:
    """The module's ttg.target, such as "cuda:90"; empty where it has none.

    Raises:
        BadModuleAttribute: it is not a string.
    """
    attributes = module.attributes
    if TARGET not in attributes:
        return ""
    found = attributes[TARGET]
    if not isinstance(found, ir.StringAttr):
        raise BadModuleAttribute(module, f'the module\'s {TARGET} is {found}; it must name a GPU, such as "cuda:90"')
    return found.value


def check_module_attributes(module: ir.Operation) -> None:
    """Reads all of a module's attributes.

    Raises:
        BadModuleAttribute: one of them is not what it must be; the first.
    """
    for name in LEAST:
        module_number(module, name)
    for name in FLAGS:
        module_flag(module, name)
    module_target(module)
