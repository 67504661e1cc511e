"""The GPU that a pass compiles for."""

from __future__ import annotations

from mlir import ir

from ttkit.inspection import collect, module_with
from ttkit.module_attributes import TARGET, module_target
from ttkit.passes.infra.base import PassError
from ttkit.target import FIRST_PTX, Target


def modules_with_target(module: ir.Operation) -> list[ir.Operation]:
    """The modules with a target, each compiled for it: `module` itself, or modules in it.

    If there is none, it is `module`, so that the caller reports the missing target.
    """
    if TARGET in module.attributes:
        return [module]
    return [inner for inner in collect(module, ["builtin.module"]) if TARGET in inner.attributes] or [module]


def target_of(module: ir.Operation, capability: int = 0, ptx_version: int = 0, default: int = 0) -> Target:
    """The target of the options; without one there, that of the innermost module with a ttg.target.

    Args:
        module: the module, or an operation in it.
        capability: such as 90 for compute capability 9.0; 0 takes that of the module.
        ptx_version: such as 87 for PTX 8.7; raised to the first version that supports the GPU.
        default: the capability if neither has one.

    Raises:
        PassError: no GPU is named, or one that is unknown or not NVIDIA's.
        BadModuleAttribute: the module's ttg.target is not a string.
    """
    module = module if capability else module_with(module, TARGET)
    name = "" if capability else module_target(module)
    if not capability and not name:
        capability = default
    if not capability:
        vendor, _, number = name.partition(":")
        if vendor != "cuda" or not number.isdecimal():
            raise PassError(module, f"the module's ttg.target is '{name}'; it must name a GPU, such as \"cuda:90\"")
        capability = int(number)
    try:
        return Target(capability, ptx_version and max(ptx_version, FIRST_PTX.get(capability, 0)))
    except ValueError as error:
        raise PassError(module, str(error)) from None
