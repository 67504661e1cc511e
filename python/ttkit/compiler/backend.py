"""The target's side of `ttkit.compile`: which options there are, and which stages a kernel goes through."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from ttkit import knobs
from ttkit.cache.digests import file_digest
from ttkit.cuda_toolkit import toolkit_file
from ttkit.frontend.source import Language
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget

if TYPE_CHECKING:
    from mlir import ir

    from ttkit.compiler.llvm import Module

LEVELS = ("ttir", "ttgir", "llir", "ptx", "cubin")
Stage: TypeAlias = Callable[[Any, dict[str, Any]], Any]
"""Makes a level from the one before it, and adds what it learns to the metadata."""


class CUDABackend:
    """Compiles for NVIDIA's GPUs.

    Attributes:
        target: the GPU.
        binary_ext: the last level.
    """

    binary_ext = "cubin"

    def __init__(self, target: GPUTarget) -> None:
        self.target = target

    @staticmethod
    def supports_target(target: GPUTarget) -> bool:
        return target.backend == "cuda"

    def parse_options(self, options: dict[str, Any]) -> CompileOptions:
        """The options of a kernel, see `CompileOptions.parse`."""
        return CompileOptions.parse(options, self.target.arch)

    def add_stages(self, stages: dict[str, Stage], options: CompileOptions, language: Any = Language.TRITON) -> None:
        """Fills in {level: the stage that makes it}, in order; `runtime.add_stages_inspection_hook` may change them."""
        capability = options.target.capability
        arch = int(self.target.arch)
        stages["ttir"] = lambda source, metadata: self.make_ttir(source, metadata, options, capability)
        stages["ttgir"] = lambda source, metadata: self.make_ttgir(source, metadata, options, capability)
        stages["llir"] = lambda source, metadata: self.make_llir(source, metadata, options, capability)
        stages["ptx"] = lambda source, metadata: self.make_ptx(source, metadata, options, arch)
        stages["cubin"] = lambda source, metadata: self.make_cubin(source, metadata, options, arch)
        if (hook := knobs.runtime.add_stages_inspection_hook) is not None:
            hook(self, stages, options, language, capability)

    @staticmethod
    def make_ttir(mod: ir.Module, metadata: dict[str, Any], opt: CompileOptions, capability: int) -> ir.Module:
        from ttkit.compiler import levels, module_metadata

        made = levels.make_ttir(mod, opt)
        metadata.update(module_metadata.of_kernel(made))
        return made

    @staticmethod
    def make_ttgir(mod: ir.Module, metadata: dict[str, Any], opt: CompileOptions, capability: int) -> ir.Module:
        from ttkit.compiler import levels, module_metadata

        made = levels.make_ttgir(mod, opt)
        metadata.update(module_metadata.of_kernel(made))
        return made

    def make_llir(self, src: ir.Module, metadata: dict[str, Any], options: CompileOptions, capability: int) -> Module:
        from ttkit.compiler import levels, module_metadata

        lowered = levels.make_llir(src, options)
        metadata.update(module_metadata.of_lowered(src))
        return lowered

    def make_ptx(self, src: Module | str, metadata: dict[str, Any], opt: CompileOptions, capability: int) -> str:
        from ttkit.compiler import levels, module_metadata

        target = opt.target_of(capability)
        if isinstance(src, str):
            with levels.parse_llir(src, opt) as module:
                text = levels.make_ptx(module, target)
        else:
            text = levels.make_ptx(src, target)
        metadata.update(module_metadata.of_ptx(text, opt.warp_size))
        return text

    def make_cubin(self, src: str, metadata: dict[str, Any], opt: CompileOptions, capability: int) -> bytes:
        from ttkit.compiler import levels

        return levels.make_cubin(src, opt.target_of(capability), opt)

    def pack_metadata(self, metadata: Any) -> tuple[int, int, int]:
        """What launchers of Triton look at: number of warps and CTAs, bytes of shared memory."""
        return metadata.num_warps, metadata.num_ctas, metadata.shared

    # What others ask of a backend of Triton; ttkit's front end does without.

    @staticmethod
    def parse_attr(desc: str) -> list[list[Any]]:
        """Attributes of an argument, from the key of its specialization."""
        return [["tt.divisibility", 16]] if "D" in desc else []

    def load_dialects(self, context: ir.Context) -> None:
        """Nothing: a `ttkit.Context` has all dialects."""

    def get_codegen_implementation(self, options: Any) -> dict[str, Any]:
        """What the language leaves to a target: nothing, see `frontend.translation_unit`."""
        return {}

    def get_module_map(self) -> dict[str, Any]:
        """Modules of the language that a target replaces: none, as there is one target."""
        return {}

    def hash(self) -> str:
        """Identifies the program that makes binaries, NVIDIA's library of functions, and the GPU."""
        return f"{ptxas_identity(int(self.target.arch))}-{_libdevice_identity()}-{self.target.arch}"


def ptxas_identity(arch: int) -> str:
    """The version of ptxas, without running it where its digest is known."""
    if (mocked := knobs.nvidia.mock_ptx_version) is not None:
        return mocked
    return file_digest(knobs.nvidia.ptxas_path(arch))


def _libdevice_identity() -> str:
    path = knobs.nvidia.libdevice_path or toolkit_file("nvvm", "libdevice", "libdevice.10.bc")
    return "" if path is None else file_digest(path)


@functools.cache
def make_backend(target: GPUTarget) -> CUDABackend:
    """What compiles for a target.

    Raises:
        RuntimeError: nothing does.
    """
    if not CUDABackend.supports_target(target):
        raise RuntimeError(f"0 compatible backends for target ({target.backend}): ttkit compiles for `cuda` only")
    return CUDABackend(target)
