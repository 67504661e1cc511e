"""Names that tests of Triton kernels import from `triton._internal_testing`: the GPU, random inputs, conversions."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable
from typing import Any

import numpy as np

import ttkit.knobs as knobs
import ttkit.language as language
from ttkit.compat.type_names import type_canonicalisation_dict
from ttkit.cuda.libcuda import DriverMissing
from ttkit.knobs.variables import Group
from ttkit.language.interpret_mode import is_interpreting
from ttkit.runtime.driver import driver
from ttkit.runtime.mock_tensors import TensorWrapper, reinterpret

int_dtypes = ["int8", "int16", "int32", "int64"]
uint_dtypes = ["uint8", "uint16", "uint32", "uint64"]
integral_dtypes = [*int_dtypes, *uint_dtypes]
float_dtypes = ["float16", "float32", "float64"]
float_dtypes_with_bfloat16 = [*float_dtypes, "bfloat16"]
dtypes = [*integral_dtypes, *float_dtypes]
dtypes_with_bfloat16 = [*dtypes, "bfloat16"]
torch_float8_dtypes = ["float8_e4m3fn", "float8_e5m2"]
torch_dtypes = ["bool", *int_dtypes, "uint8", *float_dtypes, "bfloat16"]
tma_dtypes = sorted(set(dtypes_with_bfloat16) - {"int64", "uint64", "float64"})

_SEED = 17


def is_interpreter() -> bool:
    """Whether kernels run as Python on the CPU."""
    return is_interpreting()


def get_current_target() -> Any:
    """The target that kernels are compiled for; None in the interpreter, and where there is no GPU."""
    if is_interpreter():
        return None
    try:
        return driver.active.get_current_target()
    except DriverMissing:
        return None


def _capability() -> int:
    """90 for sm_90; 0 without a GPU of NVIDIA."""
    target = get_current_target()
    return target.arch if target is not None and target.backend == "cuda" else 0


def is_cuda() -> bool:
    """Whether there is a GPU of NVIDIA."""
    return _capability() > 0


def is_ampere_or_newer() -> bool:
    """Whether the GPU is sm_80 or later."""
    return _capability() >= 80


def is_hopper() -> bool:
    """Whether the GPU is sm_90."""
    return _capability() // 10 == 9


def is_hopper_or_newer() -> bool:
    """Whether the GPU is sm_90 or later."""
    return _capability() >= 90


def is_blackwell() -> bool:
    """Whether the GPU is sm_100 or sm_103."""
    return _capability() // 10 == 10


def is_blackwell_ultra() -> bool:
    """Whether the GPU is sm_103."""
    return _capability() == 103


def is_rubin() -> bool:
    """Whether the GPU is sm_107."""
    return _capability() == 107


def is_sm12x() -> bool:
    """Whether the GPU is sm_120 or sm_121."""
    return _capability() // 10 == 12


def is_hip() -> bool:
    """Whether there is a GPU of AMD that ttkit can use: never."""
    return False


is_hip_cdna = is_hip_cdna2 = is_hip_cdna3 = is_hip_cdna4 = is_hip_gfx11 = is_hip_gfx12 = is_hip_gfx1250 = is_hip
is_hip_cdna3_or_newer = is_hip_rdna = is_hip_rdna3 = is_hip_rdna4 = is_hip_rdna4m = is_xpu = is_hip


def is_compile_warmup() -> bool:
    """Whether Triton's own test runner compiles ahead of its tests: never."""
    return False


def supports_clc() -> bool:
    """Whether kernels may have the option `clc` on the target."""
    return _capability() >= 100


def get_arch() -> str:
    """The target's architecture as text; empty without one."""
    target = get_current_target()
    return "" if target is None else str(target.arch)


def supports_tma(byval_only: bool = False) -> bool:
    """Whether there are tensor descriptors, or warp specialization: on Hopper and later, and in the interpreter."""
    return is_interpreter() or is_hopper_or_newer()


supports_ws = supports_tma


def tma_skip_msg(byval_only: bool = False) -> str:
    """Why a test is skipped where `supports_tma` does not hold."""
    return "needs tensor descriptors: a GPU of NVIDIA from Hopper on"


def random_int(low: int, high: int, *, warmup_value: int | None = None, **kwargs: Any) -> int:
    """An integer of torch's generator, from `low` to below `high`; `warmup_value` is that of `is_compile_warmup`."""
    import torch

    return int(torch.randint(low, high, size=(), **kwargs).item())


def random_float(*, warmup_value: float = 0.5, **kwargs: Any) -> float:
    """A number of torch's generator, from 0 to below 1; `warmup_value` is that of `is_compile_warmup`."""
    import torch

    return float(torch.rand((), **kwargs).item())


def numpy_random(shape: Any, dtype_str: str, rs: Any = None, low: int | None = None, high: int | None = None) -> Any:
    """An array of random numbers: integers without 0, floats normally distributed.

    Args:
        shape: a size or several.
        dtype_str: such as "int8"; of bfloat16 an array of float32 with its values, of float8 one of its codes.
        rs: numpy's RandomState, by default one that starts anew at each call.
        low, high: of integers; `high` itself does not occur.

    Raises:
        ValueError: there is no such type.
    """
    shape = (shape,) if isinstance(shape, int) else shape
    rs = np.random.RandomState(seed=_SEED) if rs is None else rs
    if dtype_str in integral_dtypes:
        limits = np.iinfo(dtype_str)
        first = limits.min if low is None else max(low, limits.min)
        end = limits.max if high is None else min(high, limits.max)
        drawn = rs.randint(first, end, shape, dtype=dtype_str)
        drawn[drawn == 0] = 1  # for divisions
        return drawn
    if "float8" in dtype_str:
        return rs.randint(20, 40, shape, dtype=np.int8)
    if dtype_str in float_dtypes:
        return rs.normal(0, 1, shape).astype(dtype_str)
    if dtype_str == "bfloat16":
        return (rs.normal(0, 1, shape).astype(np.float32).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)
    if dtype_str in ("bool", "int1", "bool_"):
        return rs.normal(0, 1, shape) > 0
    raise ValueError(f"unknown dtype {dtype_str}")


def to_triton(x: Any, device: Any, dst_type: str | None = None) -> Any:
    """A tensor of torch with an array's values; wrapped where torch calls the type otherwise.

    Args:
        dst_type: the type to be, if not the array's: "bfloat16", or one of float8, whose codes the array has.
    """
    import torch  # type: ignore[import-not-found, unused-ignore]

    name = x.dtype.name
    if name in uint_dtypes:
        return reinterpret(torch.tensor(x.view(name[1:]), device=device), getattr(language, name))
    tensor = torch.tensor(x, device=device)
    if dst_type is not None and "float8" in dst_type:
        return reinterpret(tensor, getattr(language, dst_type))
    return tensor.bfloat16() if name == "float32" and dst_type == "bfloat16" else tensor


def to_numpy(x: Any) -> Any:
    """The values of a tensor of torch, or of what `to_triton` made; bfloat16 as float32.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(x, TensorWrapper):
        return x.base.cpu().numpy().view(getattr(np, torch_dtype_name(x.dtype)))
    if not hasattr(x, "cpu"):
        raise ValueError(f"Not a triton-compatible tensor: {x}")
    return (x.cpu().float() if torch_dtype_name(x.dtype) == "bfloat16" else x.cpu()).numpy()


def torch_dtype_name(dtype: Any) -> str:
    """`float16` for torch's and for the language's.

    Raises:
        TypeError: neither.
    """
    if isinstance(dtype, language.dtype):
        return str(dtype.name)
    if found := re.fullmatch(r"torch\.(\w+)", str(dtype)):
        return found[1]
    raise TypeError(f"not a triton or torch dtype: {type(dtype)}")


def str_to_triton_dtype(x: str) -> Any:
    """The language's type of that name: `float32`, `fp32` and the other names that types have.

    Raises:
        KeyError: kernels have no such type.
    """
    return language.str_to_ty(type_canonicalisation_dict[x], None)


def default_alloc_fn(size: int, align: int, _: Any) -> Any:
    """An allocator for `triton.set_allocator`: memory of torch."""
    import torch

    return torch.empty(size, dtype=torch.int8, device="cuda")


def _fresh_knobs_impl(skipped_attr: set[str] | None = None) -> tuple[Callable[[], Any], Callable[[], None]]:
    """For fixtures: a function that has all knobs say their defaults, whatever the environment says, and returns
    `knobs`; and one that makes them as they were before.

    Args:
        skipped_attr: names of groups that stay as they are.
    """
    before = contextlib.ExitStack()

    def fresh() -> Any:
        """Defaults everywhere; `reset` goes back."""
        before.callback(setattr, knobs, "propagate_env", knobs.propagate_env)
        for name, group in list(vars(knobs).items()):
            if isinstance(group, Group) and name not in (skipped_attr or ()):
                before.enter_context(group.scope())
                for knob in group.reset().knob_descriptors.values():
                    os.environ.pop(knob.key, None)
        knobs.propagate_env = True
        return knobs

    return fresh, before.close


def unwrap_tensor(t: Any) -> Any:
    """The tensor of torch, without a wrapper."""
    return t.base if isinstance(t, TensorWrapper) else t
