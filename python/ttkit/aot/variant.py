"""One variant of a kernel: a signature and options, compiled for one or several targets."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ttkit.aot.fatbin import fat_binary
from ttkit.aot.signature import Signature, SignatureError
from ttkit.frontend.source import ASTSource
from ttkit.language.jit_function import JITFunction
from ttkit.runtime.compile import compile
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.target import SPECIFIC, GPUTarget


@dataclass(frozen=True)
class Image:
    """The launch of the code for one target.

    capability: of the target; is_exact: the code runs on no other.
    descriptors: for each tensor descriptor what its tensor map needs; empty where the kernel takes pointers.
    scratch: bytes of global memory for each CTA.
    """

    capability: int
    is_exact: bool
    threads: int
    shared: int
    num_ctas: int
    scratch: int
    descriptors: tuple[Any, ...]
    is_dependent: bool
    is_cooperative: bool


@dataclass(frozen=True)
class Variant:
    """A compiled variant.

    name: of the C function.
    base: what the variants of a kernel have in common in their names.
    algorithm: identifies the constants and options, as Triton's linker groups variants by them.
    symbol: the kernel's name in the code.
    code: a cubin, or a fat binary of several.
    images: one for each target, those first that a device prefers.
    grid: three expressions in C.
    """

    name: str
    base: str
    algorithm: str
    symbol: str
    signature: Signature
    code: bytes
    images: tuple[Image, ...]
    grid: tuple[str, str, str]
    options: Mapping[str, Any]


def compile_variant(
    function: JITFunction,
    signature: Signature,
    targets: Sequence[GPUTarget],
    grid: Sequence[str],
    base: str,
    options: Mapping[str, Any],
    *,
    joins_ones: bool = False,
) -> Variant:
    """Compiles a kernel for one signature.  Needs no GPU and no driver.

    Args:
        grid: one to three expressions in C, which `check_grid` has accepted.
        base: the name that the C functions begin with.
        options: of the compilation, with num_warps and num_stages.
        joins_ones: whether a variant for the integer 1 is an alternative of those for any; Triton's tools make it an
        algorithm of its own.

    Raises:
        SignatureError: the name can't be written in C; the kernel asks for what a C program can't give.
        Exception: as `ttkit.compile`.
    """
    if not re.fullmatch(r"[A-Za-z_]\w*", base, re.ASCII):
        raise SignatureError(f"'{base}' is not a name in C: choose one by --out-name")
    kernels = []
    for target in sorted(targets, key=lambda one: -one.arch):
        source = ASTSource(function, signature.types, signature.constants, signature.attributes)
        kernels.append(compile(source, target, options))
    num_warps, num_stages = options["num_warps"], options["num_stages"]
    digest = signature.digest(num_warps, num_stages)
    ones = {one.name for one in signature.parameters if one.hint == 1}
    constants = [str(value) for name, value in signature.constants.items() if not (joins_ones and name in ones)]
    cubins = {int(kernel.metadata.target.arch): kernel.kernel for kernel in kernels}
    return Variant(
        name=f"{base}_{digest}_{signature.suffix}",
        base=base,
        algorithm=identifier(f"{'x'.join(constants)}_warps{num_warps}xstages{num_stages}"),
        symbol=kernels[0].metadata.name,
        signature=signature,
        code=fat_binary(cubins) if len(cubins) > 1 else kernels[0].kernel,
        images=tuple(_image(kernel) for kernel in kernels),
        grid=(*grid, "1", "1")[:3],  # type: ignore[arg-type]
        options=options,
    )


def identifier(text: str) -> str:
    """A text as part of a name in C: letters, digits and underlines."""
    return re.sub(r"\W", lambda found: {"-": "m", ".": "p"}.get(found[0], "_"), text, flags=re.ASCII)


def _image(kernel: CompiledKernel) -> Image:
    metadata = kernel.metadata
    if metadata.profile_scratch_size:
        raise SignatureError(f"kernel {metadata.name} measures itself, for which a C program has no memory")
    capability = int(metadata.target.arch)
    return Image(
        capability,
        capability in SPECIFIC,
        kernel.threads,
        metadata.shared,
        metadata.num_ctas,
        metadata.global_scratch_size,
        tuple(metadata.tensordesc_meta or ()),
        bool(getattr(metadata, "launch_pdl", False)),
        bool(getattr(metadata, "launch_cooperative_grid", False)),
    )
