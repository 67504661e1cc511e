"""Facts about a kernel for code generation, computed once.

The pass convert-triton-gpu-to-llvm computes them from ttg and stores them on its module.  They are passed on as names:

    llvm dialect    module attributes {ttkit.facts = ["dots", "wgmma"]}
    LLVM IR         !ttkit.facts = !{!0}    !0 = !{!"dots", !"wgmma"}
    metadata        {"facts": ["dots", "wgmma"]}

So they survive as text, in files and between processes.  Code without them, such as LLVM IR from Triton, is compiled as
if all facts were False.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from mlir import ir

from ttkit.dialects._layouts import layout_of
from ttkit.inspection import collect, contains_any
from ttkit.layout.encodings import NvidiaMma
from ttkit.operation_sets import ALL_DOTS, COPIES_TO_SHARED, DOTS, TCGEN5_MMAS, WGMMA
from ttkit.records import dataclass

FACTS = "ttkit.facts"
"""The module attribute, and the named metadata of LLVM IR."""


@dataclass(frozen=True)
class KernelFacts:
    """Facts about a kernel; all are False if nothing is known.

    dots: whether it has dot operations, for any instruction.
    wgmma, mma_sync, tcgen5: whether this instruction computes some of them.
    copies: whether it has asynchronous copies from global to shared memory.
    wide: whether a thread holds very many elements of a tensor (`tuning.llvm.MANY_ELEMENTS`); only the lowering knows.
    narrow: whether a thread holds at most a few elements of each tensor (`tuning.llvm.FEW_ELEMENTS`); only the lowering
        knows.
    """

    dots: bool = False
    wgmma: bool = False
    mma_sync: bool = False
    tcgen5: bool = False
    copies: bool = False
    wide: bool = False
    narrow: bool = False

    @classmethod
    def of_ttg(cls, module: ir.Operation) -> KernelFacts:
        """The facts of a module in ttg; `wide` and `narrow` are not set."""
        if not contains_any(module, ALL_DOTS):
            return cls(copies=contains_any(module, COPIES_TO_SHARED))
        return cls(
            dots=True,
            wgmma=contains_any(module, (WGMMA,)),
            mma_sync=any(isinstance(layout_of(dot.result), NvidiaMma) for dot in collect(module, DOTS)),
            tcgen5=contains_any(module, TCGEN5_MMAS),
            copies=contains_any(module, COPIES_TO_SHARED),
        )

    @classmethod
    def of_lowered(cls, module: ir.Operation) -> KernelFacts:
        """The facts stored on a module in the llvm dialect; all False without the attribute."""
        noted = module.attributes.get(FACTS)
        texts = noted if isinstance(noted, ir.ArrayAttr) else ()
        return cls.named(text.value for text in texts if isinstance(text, ir.StringAttr))

    @classmethod
    def named(cls, names: Iterable[str]) -> KernelFacts:
        """The facts of these names; unknown names, perhaps from another version of ttkit, are ignored."""
        known = {field.name for field in fields(cls)}
        return cls(**{name: True for name in names if name in known})

    def names(self) -> list[str]:
        """The names of the true facts."""
        return [field.name for field in fields(self) if getattr(self, field.name)]

    def note(self, module: ir.Operation) -> None:
        """Stores the facts on a module."""
        texts = [ir.StringAttr.get(name, module.context) for name in self.names()]
        module.attributes[FACTS] = ir.ArrayAttr.get(texts, module.context)

    @property
    def register_mmas(self) -> bool:
        """Whether tensor cores write accumulators in registers: wgmma or mma.sync."""
        return self.wgmma or self.mma_sync
