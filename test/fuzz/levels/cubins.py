"""Cubins, damaged, for what reads them: the disassembler, the trace page and the driver's stand-in."""

from __future__ import annotations

import random

import ttkit
from fuzz.level import ACCEPTED, REFUSED, Level
from fuzz.levels.records import MEASURED
from fuzz.levels.settings import kernel
from fuzz.levels.stored import damaged
from ttkit.compat.disasm import get_sass
from ttkit.compiler import disassembly
from ttkit.frontend import ASTSource
from ttkit.runtime.stand_in import registers_of
from ttkit.target import GPUTarget
from ttkit.tracing import ncu
from ttkit.tracing.contents import contents
from ttkit.tracing.records import KernelRecord


class Cubins(Level):
    """`# cubin: CAPABILITY`, then damages as those of the cache."""

    name = "cubins"
    share = 0.5
    seconds = 60.0

    def prepare(self) -> None:
        types = {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}
        sources = {arch: ASTSource(kernel, types, {"BLOCK": 128}) for arch in (80, 90, 100)}
        self.cubins = {
            str(arch): bytes(ttkit.compile(source, GPUTarget("cuda", arch, 32)).asm["cubin"])
            for arch, source in sources.items()
        }
        self.measured = ncu.read(MEASURED)

    def make(self, rng: random.Random) -> str:
        hows = [rng.choice(("cut", "flip", "flip", "insert", "zero")) for _ in range(rng.choice((1, 1, 2, 8)))]
        head = f"# cubin: {rng.choice(sorted(self.cubins))}\n"
        return head + "".join(f"{how} cubin {rng.randrange(1 << (8, 20)[rng.random() < 0.7])}\n" for how in hows)

    def start(self) -> None:
        disassembly.MOST_SECONDS = 5  # nvdisasm goes on for ever with some

    def check(self, text: str) -> str:
        head, *lines = text.splitlines()
        cubin = damaged({"k.cubin": self.cubins[head.removeprefix("# cubin: ")]}, lines)["k.cubin"]
        made = contents([KernelRecord("kernel", [], files={"cubin": cubin})], "t", self.measured)
        try:
            registers_of(cubin)
            get_sass(cubin, "kernel")
        except (ValueError, RuntimeError, KeyError):
            return REFUSED
        return REFUSED if made["kernels"][0]["levels"][0]["problem"] else ACCEPTED
