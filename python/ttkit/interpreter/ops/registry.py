"""From the name of an operation to the function that gives its meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ttkit.declarations import declares

Handler = Callable[..., Any]
"""Takes (machine, op, *operands) and returns the result: an array, or a tuple of them where there are several.

Raises InterpreterError for what has no defined result, NotInterpretable for a form that has no meaning here.
"""

HANDLERS: dict[str, Handler] = {}


def interprets(*names: str) -> Callable[[Handler], Handler]:
    """Declares a function to be the meaning of operations."""
    return declares(HANDLERS, names)


WITHOUT_MEANING = {
    **dict.fromkeys(
        ("arith.scaling_extf", "arith.scaling_truncf"), "block scales of MLIR's own kind: kernels have tt.dot_scaled"
    ),
    **dict.fromkeys(
        "scf.forall scf.forall.in_parallel scf.parallel scf.reduce scf.reduce.return".split(),
        "loops over memrefs and tensors in parallel: nothing makes them in kernels",
    ),
    "ttg.inline_asm": "assembly of whole threads: lower the module and run that",
    **dict.fromkeys(
        ("tt.func", "ttg.warp_specialize.partitions"), "holds regions for the operation around it, or the module"
    ),
    **dict.fromkeys(
        """
        scf.condition scf.yield tt.map_elementwise.return tt.reduce.return tt.scan.return ttg.mask.return
        ttg.warp_return ttg.warp_yield
        """.split(),
        "ends a region: its operands are what the operation around it works with",
    ),
}
"""Operations of the dialects that kernels are written in which have no handler, and why."""

BRANCHES = {
    "cf.br": "goes on with the block, for all programs",
    "cf.cond_br": "goes on with the first block where the condition is true, with the second elsewhere",
    "cf.switch": "goes on with the block of the case that the flag has; without one, with the first",
    "llvm.br": "as cf.br",
    "llvm.cond_br": "as cf.cond_br",
    "llvm.switch": "as cf.switch",
}
"""Operations that end a block (machine.py), and where programs go."""


def load_handlers(lowered: bool = False) -> None:
    """Imports the families of operations, which declare their meanings; those of lowered code only if asked."""
    from importlib import import_module

    for family in FAMILIES:
        import_module(f"ttkit.interpreter.ops.{family}")
    for family in LOWERED_FAMILIES if lowered else ():
        import_module(f"ttkit.interpreter.lowered.{family}")


FAMILIES = tuple(
    """
    arith async atomic block_pointer clc control_flow debug descriptor dot extern index math mbarrier packed memory
    named_barrier pipeline program proton reduce shared_memory tcgen5 tensor_memory tma type_conversion view
    warp_specialize wgmma
    """.split()
)
LOWERED_FAMILIES = tuple(
    """
    llvm_ops nvvm_ops ptx ptx_arithmetic barriers copies tensor_maps matrices mma wgmma cta_tensor_memory tcgen5
    """.split()
)
