"""Metadata: all that a launcher must know of a kernel, read from its modules and its PTX."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ttkit.analysis.kernel_facts import KernelFacts
from ttkit.analysis.tensor_map_facts import tensor_maps
from ttkit.inspection import collect, is_public
from ttkit.module_attributes import (
    NUM_CTAS,
    NUM_WARPS,
    TOTAL_NUM_WARPS,
    BadModuleAttribute,
    check_module_attributes,
    module_number,
    module_target,
)
from ttkit.target import SPECIFIC, Target

if TYPE_CHECKING:
    from mlir import ir


TRITON_VERSION = "3.6.0"
"""The version whose kernels' metadata this is."""


class CompileError(RuntimeError):
    """A kernel that can't be compiled: what is wrong with it, and what to do."""


# Metadata -> the module's attribute that has it, and what holds where it is missing.
_ATTRIBUTES: dict[str, tuple[str, int | None]] = {
    "num_warps": (TOTAL_NUM_WARPS, None),
    "shared": ("ttg.shared", 0),
    "tmem_size": ("ttg.tensor_memory_size", 0),
    "global_scratch_size": ("ttg.global_scratch_memory_size", 0),
    "global_scratch_align": ("ttg.global_scratch_memory_alignment", 1),
    "profile_scratch_size": ("ttg.profile_scratch_memory_size", 0),
    "profile_scratch_align": ("ttg.profile_scratch_memory_alignment", 1),
}
# What LLVM IR and PTX can't tell, and the file beside them does.
FROM_MODULE = frozenset([*_ATTRIBUTES, "num_ctas", "parameters", "tensordesc_meta", "facts"])
DEFAULTS: dict[str, Any] = {
    "shared": 0,
    "tmem_size": 0,
    "global_scratch_size": 0,
    "global_scratch_align": 1,
    "profile_scratch_size": 0,
    "profile_scratch_align": 1,
    "tensordesc_meta": [],
    "parameters": None,
    "facts": [],
}


def of_kernel(module: ir.Module) -> dict[str, Any]:
    """Name and types of the kernel's parameters, as tt and ttg have them, and in ttg what tensor maps need.

    Raises:
        CompileError: there is no kernel, or more than one, or no launch can be of it.
    """
    found = _public_functions(module)
    if len(found) != 1:
        if not found:
            raise CompileError("a module must have one public function, found none: the kernel is a tt.func public")
        names = ", ".join(f"@{op.attributes['sym_name'].value}" for op in found)
        raise CompileError(f"a module must have one public function, found {names}: make the others private")
    attributes = found[0].attributes
    name, kind = attributes["sym_name"].value, attributes["function_type"].value
    if kind.results:
        returned = ", ".join(map(str, kind.results))
        ends = [op for op in collect(found[0], ["tt.return"]) if op.operands]
        place = str((ends or found)[0].location)[4:-1].replace('"', "")
        message = f"kernel @{name} returns {returned}; kernels return nothing: store what they compute"
        raise CompileError(f"{message}\n(at {place})")
    try:
        maps = tensor_maps(kind.inputs)
    except ValueError as error:
        raise CompileError(f"kernel @{name}: {error}") from error
    return {"name": name, "parameters": [str(each) for each in kind.inputs], "tensordesc_meta": maps}


def kernel_name(module: ir.Module) -> str | None:
    """The name of the kernel in tt or ttg; None if there is not one."""
    found = _public_functions(module)
    return found[0].attributes["sym_name"].value if len(found) == 1 else None


def of_ttg(module: ir.Module, capability: int, *, older: bool = False) -> dict[str, Any]:
    """Facts that ttg was made for, and options can't change any more: the number of warps and CTAs, and the GPU,
    `arch`, where it is another.

    capability: of the GPU that will run it.
    older: it may have been made for an older GPU, whose instructions a newer one has too.

    Raises:
        CompileError: it is not ttg, was made for another GPU, or one of its attributes is not what it must be.
    """
    operation = module.operation
    try:
        check_module_attributes(operation)
    except BadModuleAttribute as error:
        raise CompileError(error.message) from error
    if NUM_WARPS not in operation.attributes:
        raise CompileError("the module has no ttg.num-warps: is it ttg? Name a file of tt .ttir")
    made_for = _made_for(module_target(operation) or f"cuda:{capability}", capability, older)
    names = {"num_warps": NUM_WARPS, "num_ctas": NUM_CTAS}
    ctas = module_number(operation, NUM_CTAS, 1)
    if ctas & (ctas - 1) or (ctas > 1 and not Target(made_for).has_clusters):
        raise CompileError(f"ttg.num-ctas is {ctas}; sm_{made_for} has no such clusters")
    found = {name: module_number(operation, attribute) for name, attribute in names.items()}
    told = {name: number for name, number in found.items() if number is not None}
    return told if made_for == capability else {**told, "arch": f"sm{made_for}"}


def _made_for(named: str, capability: int, older: bool) -> int:
    """The compute capability that a module names.

    Raises:
        CompileError: it names no GPU whose code the one with `capability` runs.  What only one architecture has, such
            as wgmma, no newer one runs.
    """
    number = re.fullmatch(r"cuda:(\d+)", named)
    if number is not None and int(number[1]) == capability:
        return capability
    if number is not None and older and int(number[1]) < capability and int(number[1]) not in SPECIFIC:
        try:
            return Target(int(number[1])).capability
        except ValueError as error:
            raise CompileError(f"the module was made for {named}: {error}") from None
    raise CompileError(f"the module was made for {named}, not sm_{capability}: compile its tt instead")


def of_lowered(module: ir.Module) -> dict[str, Any]:
    """Metadata that the passes of the stage llir wrote; `facts` are the names of `KernelFacts`."""
    attributes = module.operation.attributes
    found: dict[str, Any] = {"facts": KernelFacts.of_lowered(module.operation).names()}
    for name, (attribute, default) in _ATTRIBUTES.items():
        number = module_number(module.operation, attribute)
        if number is not None or default is not None:
            found[name] = default if number is None else number
    if "ttg.proton_scopes" in attributes:  # regions that the kernel times, and the region around each
        found["proton_scopes"] = [text.value for text in attributes["ttg.proton_scopes"]]
        found["proton_parents"] = list(attributes["ttg.proton_parents"])
    return found


def of_ptx(text: str, warp_size: int) -> dict[str, Any]:
    """Name of the kernel and number of its warps.

    Raises:
        CompileError: there is no kernel, or more than one.
    """
    names = re.findall(r"\.visible\s+\.entry\s+([\w$]+)", text)
    if len(names) != 1:
        if not names:
            raise CompileError("PTX must have one kernel, found none: the kernel is a .visible .entry")
        found = ", ".join(names)
        raise CompileError(f"a module must have one kernel, found {found}: make the other functions private")
    threads = re.search(r"\.(?:reqntid|maxntid)\s+(\d+)", text)
    return {"name": names[0], **({"num_warps": int(threads[1]) // warp_size} if threads else {})}


def _public_functions(module: ir.Module) -> list[ir.Operation]:
    operations = (op.operation for op in module.body.operations)
    return [op for op in operations if op.name == "tt.func" and is_public(op)]
