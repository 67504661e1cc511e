"""The target's side of `ttkit.compile`: which options there are, and which stages a kernel goes through."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import ttkit.knobs as knobs
from ttkit.cache.digests import file_digest
from ttkit.cuda_toolkit import toolkit_file
from ttkit.frontend.source import Language
from ttkit.options import CompileOptions
from ttkit.passes.changes import with_changes
from ttkit.target import GPUTarget

if TYPE_CHECKING:
    from mlir import ir

LEVELS = ("ttir", "ttgir", "llir", "ptx", "cubin")
Stage: TypeAlias = Callable[[Any, dict[str, Any]], Any]
"""Makes a level from the one before it, and adds what it learns to the metadata."""


class Level:
    """A function of `levels` as a method, imported when it is first asked for: before there is anything to compile,
    nobody needs MLIR."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, backend: Any, owner: type) -> Any:
        from ttkit.compiler import levels

        return getattr(levels, self._name)


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
        """Whether the target is a GPU of NVIDIA."""
        return target.backend == "cuda"

    def parse_options(self, opts: Mapping[str, Any], kernel: str | None = None) -> CompileOptions:
        """The options of a kernel, see `CompileOptions.parse`.

        Args:
            kernel: its name: the changes of the stages that are in force for it are among the options.  None for none.
        """
        parsed = CompileOptions.parse(opts, self.target.arch)
        return parsed if kernel is None else with_changes(parsed, kernel)

    def add_stages(self, stages: dict[str, Stage], options: CompileOptions, language: Any = Language.TRITON) -> None:
        """Fills in {level: the stage that makes it}, in order; `runtime.add_stages_inspection_hook` may change them."""
        capability = options.target.capability
        for level in LEVELS:
            if level == "ttir" and language == Language.GLUON:
                continue
            of = capability if level in ("ttir", "ttgir", "llir") else int(self.target.arch)
            make = (
                self.gluon_to_ttgir
                if (level, language) == ("ttgir", Language.GLUON)
                else getattr(self, f"make_{level}")
            )
            stages[level] = functools.partial(make, options=options, capability=of)
        if (hook := knobs.runtime.add_stages_inspection_hook) is not None:
            hook(self, stages, options, language, capability)

    make_ttir, make_ttgir, make_llir, make_ptx, make_cubin = (Level() for _ in LEVELS)
    gluon_to_ttgir = Level()

    def pack_metadata(self, metadata: Any) -> tuple[int, int, int]:
        """Fields that launchers of Triton look at: number of warps and CTAs, bytes of shared memory."""
        return metadata.num_warps, metadata.num_ctas, metadata.shared

    # What others ask of a backend of Triton; ttkit's front end does without.

    supports_native_tensor_specialization = True
    instrumentation = None

    def get_target_name(self, options: CompileOptions) -> str:
        """`cuda:90`, as `ttg.target` has it."""
        return f"cuda:{options.target.capability}"

    @staticmethod
    def get_int_specialization(arg: int, **kwargs: Any) -> str:
        """The key of an integer: "D" if it is divisible by 16 and `align` is set."""
        return "D" if arg % 16 == 0 and kwargs.get("align", False) else ""

    @staticmethod
    def get_tensor_specialization(arg: Any, **kwargs: Any) -> str:
        """The key of a tensor: "D" if its address is divisible by 16 and `align` is set."""
        return "D" if arg.data_ptr() % 16 == 0 and kwargs.get("align", False) else ""

    @staticmethod
    def parse_attr(desc: str) -> list[list[Any]]:
        """Attributes of an argument, from the key of its specialization."""
        return [["tt.divisibility", 16]] if "D" in desc else []

    def load_dialects(self, ctx: ir.Context) -> None:
        """Nothing: a `ttkit.Context` has all dialects."""

    def get_codegen_implementation(self, options: Any) -> dict[str, Any]:
        """Functions that the language leaves to a target: none, see `frontend.translation_unit`."""
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
    try:
        return "" if path is None else file_digest(path)
    except OSError as error:
        raise FileNotFoundError(f"TRITON_LIBDEVICE_PATH: cannot read {path}: {error.strerror}") from None


@functools.cache
def make_backend(target: GPUTarget) -> CUDABackend:
    """The backend that compiles for a target.

    Raises:
        RuntimeError: nothing does.
    """
    if not CUDABackend.supports_target(target):
        raise RuntimeError(
            f"0 compatible backends for target ({target.backend}) ([]): ttkit compiles for `cuda` only; of AMD's GPUs "
            "`triton.backends.amd` knows options and specialization, and makes ttir"
        )
    return CUDABackend(target)
