"""LLVM modules by the functions of Triton's bindings, `triton._C.libtriton.llvm`, for who reads or makes LLVM IR."""

from __future__ import annotations

from typing import Any

from ttkit.compiler.llvm import Module
from ttkit.options import CompileOptions

OPTIMIZE_O0, OPTIMIZE_O1, OPTIMIZE_O2, OPTIMIZE_O3, OPTIMIZE_Os, OPTIMIZE_Oz = "O0 O1 O2 O3 Os Oz".split()


class context:
    """A context: each module has one of its own, this is none of them."""


def init_targets() -> None:
    """Nothing: NVIDIA's target is there from the beginning."""


def to_module(mod: Any, ctx: Any = None) -> Module:
    """The LLVM module of a module in the llvm dialect.

    Raises:
        LLVMError: LLVM refuses it.
    """
    return Module.from_mlir(getattr(mod, "module", mod).operation)


def attach_datalayout(mod: Module, triple: str, proc: str, features: str) -> None:
    """Gives a module what NVIDIA's target needs.

    Args:
        proc: such as "sm_90a".
    """
    mod.prepare(_target(proc), flush_denormals=False)


def set_short_ptr() -> None:
    """Nothing: pointers into shared memory have 32 bits in the data layout that modules are given."""


def set_nvvm_reflect_ftz(mod: Module) -> None:
    """Has libdevice flush denormal f32 to zero."""
    mod.flush_denormals()


def has_extern_deps(mod: Module) -> bool:
    """Whether functions are declared that libraries must define."""
    return any(declared and not name.startswith("llvm.") for name, _, declared in mod.functions())


def link_extern_libs(mod: Module, paths: list[str]) -> None:
    """Links bitcode.

    Raises:
        LLVMError: a file can't be read.
    """
    for path in paths:
        mod.link_library(path)


def optimize_module(mod: Module, level: str, arch: str = "sm_90a", features: str = "", flags: Any = ()) -> None:
    """Optimizes a module as kernels are."""
    mod.optimize(_target(arch or "sm_90a"))


def _target(arch: str) -> Any:
    capability = int("".join(filter(str.isdigit, arch)))
    return CompileOptions.for_capability(capability).target


def translate_to_asm(
    src: str, triple: str, proc: str, features: str, flags: Any, enable_fp_fusion: bool, is_object: bool = False
) -> str:
    """The PTX of LLVM IR.

    Raises:
        LLVMError: it is none, or has no PTX.
    """
    target = _target(proc)
    with Module.parse(src) as module:
        if enable_fp_fusion:
            module.allow_contraction()
        module.prepare(target, flush_denormals=False)
        return module.ptx(target)
