"""What other levels have little of: tensor memory, TMA, warps with tasks of their own, Proton, IR of newer Triton."""

from __future__ import annotations

import random
import re

from fuzz.damage import Material
from fuzz.levels.ir import MLIR_PASSES, TEST_DIR, Passes, Pipelines, kernels_of, sound_forms
from ttkit.passes.registry import PASSES

OPS = re.compile(r"nvws\.|proton|tc_gen5|tmem|tensor_memory|warp_specialize|async_tma|\.clc_|cluster")
NEWEST = ("nvws-", "proton", "allocate-proton", "convert-proton", "tritongpu-promote", "tritongpu-hoist-tmem",
          "tritongpu-automatic", "tritongpu-partition", "tritongpu-optimize-partition", "triton-nvidia", "convert-warp",
          "nvgpu-", "triton-tensor-memory")  # fmt: skip
LARGEST = 16_000
"""Bytes of a seed: twice as much as elsewhere, where most of these have no place."""


class Newest(Pipelines):
    """Functions that use the newest operations, through one pass or whole pipelines.

    Seeds are functions of the lit tests, one by one, and test/fuzz/seeds: what Triton 3.9 makes of kernels of
    test/data.
    """

    name = "newest"

    def prepare(self) -> None:
        newer = [path.read_text() for path in sorted((TEST_DIR / "fuzz" / "seeds").iterdir())]
        texts = []
        for path in sorted((TEST_DIR / "lit").rglob("*.mlir")):
            for text in re.sub(r"^\s*//(?! -----).*\n", "", path.read_text(), flags=re.MULTILINE).split("// -----"):
                for sound in sound_forms([text], False, 4 * LARGEST) if OPS.search(text) else ():
                    texts += kernels_of(sound)
        self.seeds = newer + [text for text in texts if OPS.search(text) and len(text) <= LARGEST]
        self.material = Material.gather(self.seeds)
        self.passes = [*MLIR_PASSES, *PASSES] + 3 * [name for name in PASSES if name.startswith(NEWEST)]

    def pipeline(self, rng: random.Random) -> str:
        return rng.choice(self.passes) if rng.random() < 0.6 else super().pipeline(rng)

    def check(self, text: str) -> str:
        is_pipeline = re.match(r"// passes: \d", text)
        return super().check(text) if is_pipeline else Passes.check(self, text)
