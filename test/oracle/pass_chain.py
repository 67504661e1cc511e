"""Triton's passes from tt to what is lowered to LLVM, in its order, each with its options."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass

import compare

CAPABILITIES = (75, 80, 86, 89, 90, 90, 100, 100, 120)
WARPS = (1, 2, 4, 4, 4, 4, 8, 8, 16)
MEMBAR: compare.Pass = ("test-print-membar", {})
# What is compared in the place of a pass that Triton's library does not run by itself: what it is a part of, or what
# shows its analysis.  Modules for other such passes are left out.
STAND_INS = {
    "nvgpu-test-taskid-propagate": "nvgpu-warp-specialization",
    "nvgpu-test-ws-code-partition": "nvgpu-warp-specialization",
    "nvgpu-test-ws-data-partition": "nvgpu-warp-specialization",
    "nvgpu-test-ws-task-partition": "nvgpu-warp-specialization",
    "nvws-insert-aref": "tritongpu-automatic-warp-specialization",
    "test-print-alias": MEMBAR[0],
    "test-print-alignment": "tritongpu-coalesce",
    "test-print-allocation": "allocate-shared-memory",
    "triton-test-loop-peeling": "tritongpu-pipeline",
    "tritongpu-partition-loops": "tritongpu-automatic-warp-specialization",
    "tritongpu-partition-scheduling": "tritongpu-automatic-warp-specialization",
    "tritongpu-test-pipeline-lower-loop": "tritongpu-pipeline",
}
SPECIALIZATION = "tritongpu-automatic-warp-specialization"
# Its steps, those of ttkit alone first in each row, then one that is compared on what they made.
STEPS_OF_SPECIALIZATION = (
    ("tritongpu-partition-scheduling,nvws-insert-aref", "nvws-insert-tmem-aref"),
    ("sccp,cse", "nvws-assign-stage-phase"),
    ("", "nvws-lower-aref"),
    ("tritongpu-partition-loops", "nvws-lower-warp-group"),
)
# Triton's passes from Gluon's tt to ttg.
OF_GLUON = (
    *("gluon-inline", "gluon-infer-coalesced-encodings", "gluon-resolve-auto-encodings", "triton-nvidia-tma-lowering"),
    *("gluon-canonicalize", "sccp", "triton-loop-aware-cse", "gluon-canonicalize"),
    "tritongpu-combine-tensor-select-and-if",
)
LEFT_OUT = (
    *("convert-nv-gpu", "convert-triton-gpu", "convert-warp", "enable-line", "extract-var"),
    *("gluon-slimplify", "proton", "relayout", "ttkit-"),
)


@dataclass(frozen=True)
class Machine:
    """What a module is compiled for."""

    capability: int
    num_warps: int
    num_ctas: int
    num_stages: int

    @classmethod
    def drawn(
        cls, rng: random.Random, name: str, options: dict[str, int], text: str, targets: Sequence[int]
    ) -> Machine:
        """The one that a module names, in its text, its file's name or its options, or any of these targets."""
        named = re.search(r'"cuda:(\d+)"', text) or re.search(r"\.(\d+)$", name)
        capability = rng.choice(targets)
        if named and ("cuda:" in named[0] or (len(targets) > 1 and rng.random() < 0.3)):
            capability = int(named[1])
        warps, ctas = options.get("num_warps", 4), options.get("num_ctas", 1)
        if rng.random() < 0.6:
            warps = rng.choice(WARPS)
        if capability >= 90 and rng.random() < 0.12:
            ctas = rng.choice((2, 2, 4))
        stages = options.get("num_stages", 3) if rng.random() < 0.5 else rng.choice((1, 2, 3, 4, 5))
        return cls(capability, warps, ctas if capability >= 90 else 1, stages)

    @property
    def options(self) -> dict[str, str]:
        """As options of ttkit's stages."""
        return {
            "capability": str(self.capability),
            "num-warps": str(self.num_warps),
            "num-ctas": str(self.num_ctas),
            "num-stages": str(self.num_stages),
        }


def stage(name: str, machine: Machine) -> compare.Pass:
    """A whole stage of ttkit's, as a pass."""
    keep = ("capability", "num-stages") if name == "ttkit-llir" else tuple(machine.options)
    return name, {key: value for key, value in machine.options.items() if key in keep}


def chain(machine: Machine, place: str) -> list[compare.Pass]:
    """The passes up to the conversion to LLVM; for modules written for a pass of Gluon its own, up to ttg."""
    if place.startswith("gluon-"):
        return [(name, {}) for name in OF_GLUON]
    steps: list[compare.Pass] = []
    for name in ("ttkit-ttir", "ttkit-ttgir", "ttkit-llir"):
        for step, options in compare.single_passes([stage(name, machine)]):
            if step.startswith("ttkit-"):
                continue
            if step.startswith("convert-") and "llvm" in step:
                return steps
            if "proton" not in step:
                steps.append((step, options))
    return steps


def compared_place(name: str) -> str | None:
    """The pass that a module written for pass `name` is compared under; None if there is none."""
    name = STAND_INS.get(name, name)
    known = not name.startswith(LEFT_OUT) and "proton" not in name
    return name if known else None


def place_of(steps: list[compare.Pass], name: str) -> int | None:
    """Where a pass stands first; None if it is no part of the chain."""
    return next((number for number, (step, _) in enumerate(steps) if step == name), None)
