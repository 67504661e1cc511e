"""Kernels from text to something that can be launched."""

import re
from pathlib import Path

from ttkit.compiler.options import CompileOptions
from ttkit.compiler.stages import compile_ir
from ttkit.runtime import Kernel

IR = Path(__file__).parents[1] / "data" / "ir"
ADD = (Path(__file__).parents[1] / "lit" / "driver" / "Inputs" / "add.ttir").read_text()


def compile_kernel(text, capability, check=False, **options):
    options = CompileOptions.for_capability(capability, **options)
    return Kernel.from_compiled(compile_ir(text, "ttir", options, capability), check)


def source_of(name):
    """tt of a kernel of test/data/kernels, the one for the latest GPU up to Hopper, and the warps that it is for."""
    paths = [path for arch in (90, 80) if (path := IR / f"{name}.{arch}.ttir").exists()]
    if not paths:
        return None, 4
    ttgir = paths[0].with_suffix(".ttgir")
    warps = re.search(r'"ttg.num-warps" = (\d+)', ttgir.read_text()) if ttgir.exists() else None
    return paths[0].read_text(), int(warps[1]) if warps else 4
