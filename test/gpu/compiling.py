"""Kernels from text to something that can be launched."""

import re
from pathlib import Path

from ttkit.compiler.compilation import Compilation
from ttkit.compiler.sources import IRSource
from ttkit.options import CompileOptions
from ttkit.runtime import CompiledKernel
from ttkit.target import GPUTarget

IR = Path(__file__).parents[1] / "data" / "ir"
ADD = (Path(__file__).parents[1] / "lit" / "driver" / "Inputs" / "add.ttir").read_text()


# Which tt of a kernel is taken, the first that there is; as the front end wrote it, tt suits every GPU.
TTIR = ("90.ttir", "80.ttir", "100.source.ttir")


def compile_kernel(text, capability, level="ttir", check=False, **options):
    source = IRSource(f"kernel.{level}", capability, text)
    chosen = CompileOptions.for_capability(capability, **{**options, **source.parse_options()})
    kernel = CompiledKernel.from_compilation(Compilation(source, GPUTarget("cuda", capability, 32), chosen).run())
    kernel.check = check
    return kernel


def source_of(name, level="ttir"):
    """A kernel of test/data/kernels in tt, or in ttg for Hopper: its text, and the warps that it is for.  None if there
    is no such IR."""
    suffixes = TTIR if level == "ttir" else ("90.ttgir",)
    path = next((path for suffix in suffixes if (path := IR / f"{name}.{suffix}").exists()), None)
    if path is None:
        return None, 4
    beside = IR / path.name.replace(".source", "").replace(".ttir", ".ttgir")
    warps = re.search(r'"ttg.num-warps" = (\d+)', beside.read_text()) if beside.exists() else None
    return path.read_text(), int(warps[1]) if warps else 4
