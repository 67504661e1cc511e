"""How each kernel is launched: grid, arguments, and what may differ between two compilers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import corpus  # first: it finds the others
import interpreter_kernels
import interpreter_kernels_memory  # noqa: F401, declares more
import interpreter_kernels_structure  # noqa: F401
import ml_dtypes
import numpy as np

from ttkit.interpreter import TensorDescriptor

MARGIN = 256
"""Elements before and after an array of a kernel of test/data/language: it reads a little beyond."""
SIZE = 8192
SEED = 20

DTYPES = {
    "i1": np.dtype(np.bool_),
    "u1": np.dtype(np.bool_),
    **{f"i{bits}": np.dtype(f"int{bits}") for bits in (8, 16, 32, 64)},
    **{f"u{bits}": np.dtype(f"uint{bits}") for bits in (8, 16, 32, 64)},
    "fp16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "fp32": np.dtype(np.float32),
    "fp64": np.dtype(np.float64),
    "fp8e5": np.dtype(ml_dtypes.float8_e5m2),
    "fp8e4nv": np.dtype(ml_dtypes.float8_e4m3fn),
}
SCALARS = {"n": 5, "m": 7, "flag": True}
RANGES = {"i": (2, 100), "u": (2, 100), "f": (-8.0, 8.0)}

# Sums in another order, and products by other instructions.
SUM, PRODUCT = 1e-5, 2e-2


class Unlaunchable(Exception):
    """A kernel that is not run, and why."""


@dataclass
class Array:
    """An array that is passed for a pointer.

    margin: elements on each side that the kernel gets no pointer to.
    """

    data: np.ndarray
    margin: int = 0


@dataclass
class Described:
    """An array that is passed as a tensor descriptor."""

    data: np.ndarray
    block: tuple[int, ...]


@dataclass
class Launch:
    """One launch of a kernel.

    arguments: one for each parameter that is no constant: Array, Described, number, or a tuple of them.
    tolerance: of floats, relative and absolute; 0 means bit by bit.
    """

    grid: tuple[int, ...]
    arguments: list[Any]
    tolerance: float = 0.0


@dataclass
class Plan:
    """How a kernel of test/data/language is launched where the defaults don't do.

    values: of scalar parameters.
    arrays: of the elements of an array parameter: (random generator, size, dtype) -> array; "" for all others.
    """

    values: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, Callable[[np.random.Generator, int, np.dtype], np.ndarray]] = field(default_factory=dict)
    grid: tuple[int, ...] = (1,)
    tolerance: float = 0.0
    why_not: str = ""


def between(low: float, high: float) -> Callable[[np.random.Generator, int, np.dtype], np.ndarray]:
    def make(rng: np.random.Generator, size: int, dtype: np.dtype) -> np.ndarray:
        if dtype.kind in "iu":
            return rng.integers(int(low), int(high), size).astype(dtype)
        if dtype.kind == "b":
            return rng.integers(0, 2, size).astype(bool)
        return rng.uniform(low, high, size).astype(np.float64).astype(dtype)

    return make


positive, small = between(0.5, 9.0), between(0.0, 8.0)
signed = between(-100, 100)

PLANS: dict[str, Plan] = {
    "vector_add": Plan({"n": 1008}),
    "named": Plan({"n_elements": 112}),
    "loop_types": Plan({"n64": 5, "u32": 9, "i8": 90}),
    "hinted_index": Plan({"n": 150}),
    "computed_bounds": Plan({"n": 200}, {"x": positive}),
    "whiles": Plan(arrays={"x": positive}),
    "to_all": Plan(arrays={"x": between(0.0, 100.0)}),
    "same_bits": Plan(arrays={"x": positive, "y": positive}),
    "two_types": Plan(arrays={"x": signed, "y": signed}),
    "with_numbers": Plan(arrays={"x": signed}),
    "unsanitized": Plan(arrays={"x": signed}),
    "integer_reductions": Plan(arrays={"x": between(0, 16)}),
    "tuple_arguments": Plan({"scale": 1.5}),
    "methods": Plan(arrays={"x": positive}, tolerance=SUM),
    "block_pointers": Plan({"m": 40, "n": 64, "stride": 64}),
    "block_pointer_of_bools": Plan({"n": 20}),
    "descriptors": Plan({"m": 32, "n": 64}),
    "descriptor_updates": Plan({"m": 32, "n": 64}),
    "descriptor_rows": Plan({"m": 64, "n": 64}, {"rows": between(0, 64)}),
    "given_descriptors": Plan({"n": 64}),
    "descriptor_choice": Plan({"m": 32, "n": 64, "flag": True}),
    "hints": Plan(why_not="its hints are false for these pointers, which lets a compiler do anything"),
    "debugging": Plan({"n": 50}, {"x": positive}),
    "bits": Plan(arrays={"x": between(1, 100), "y": small}),
    "scalars": Plan({"i8": -3, "i64": 1 << 40, "u32": (1 << 31) + 5, "f16": 1.5, "f64": -2.25, "b": True}),
    "quotients": Plan(arrays={"x": between(1, 100), "y": between(1, 40)}),
    "integer_quotients": Plan(arrays={"x": between(1, 100), "y": between(1, 40)}),
    "custom_reductions": Plan(arrays={"x": between(0.5, 1.5)}, tolerance=SUM),
    "reductions": Plan(tolerance=SUM),
    "softmaxes": Plan(tolerance=SUM),
    "mathematics": Plan(arrays={"x": positive, "y": positive}),
    "precise": Plan(arrays={"x": positive, "y": positive}),
    "library": Plan(arrays={"x": positive, "y": positive}),
    "random_numbers": Plan({"seed": 1234, "offset": 0}),
    "dots": Plan(tolerance=PRODUCT),
    "batched_dots": Plan(tolerance=PRODUCT),
    "scaled_dots": Plan(arrays={"sx": between(124, 130), "sy": between(124, 130)}, tolerance=PRODUCT),
    "assembly": Plan(why_not="it reads the clock and the multiprocessor that it runs on"),
    "augmented": Plan(arrays={"x": between(5, 15)}),
}

_SAME_PLACES = "it stores different values to one place, in no order"
_ORDER = "sums of 16-bit floats are rounded after each addition, so their order shows"
_TIES = "one of equal elements is free to be the index"
_LAST_PLACE = "functions of two versions of libdevice, and products fused or not, differ in the last place"
_PRODUCTS = "no tensor cores yet: sums in another order, and all of their bits"
KNOWN_DIFFERENCES = {
    **dict.fromkeys([f"language/load_options_{kind}" for kind in ("bf16", "fp16", "fp32", "i1", "i8")], _SAME_PLACES),
    **dict.fromkeys(["language/reductions_bf16", "language/reductions_fp16"], _ORDER),
    **dict.fromkeys([f"language/reductions_{kind}" for kind in ("i8", "u16", "i64")], _TIES),
    **dict.fromkeys(["language/library", "language/random_numbers", "language/random_numbers_wide"], _LAST_PLACE),
    **dict.fromkeys([f"kernels/matmul_{kind}" for kind in ("f8_e4m3", "f8_e5m2", "f16_out_f16")], _PRODUCTS),
    "kernels/scaled_matmul": _PRODUCTS,
    "language/dots_fp32": "Triton's are of tf32",
    "kernels/scaled_matmul_bf16": "Triton's differ from numpy's and from those of ttkit",
    "kernels/specialized_attention": "Triton's are NaN",
}
"""Why the results of a case may not be Triton's."""


def flat(values: Any) -> Iterator[Any]:
    """All items of nested tuples, in order."""
    for value in values:
        if isinstance(value, tuple):
            yield from flat(value)
        else:
            yield value


def launch_of(name: str, case: Any) -> Launch:
    """The launch of a case: the same arguments each time.

    Args:
        name: with the folder, `language/vector_add`.

    Raises:
        Unlaunchable: there is none, and why.
    """
    folder, _, short = name.partition("/")
    return _from_interpreter(short, case) if folder == "kernels" else _generated(short, case)


def _from_interpreter(name: str, case: Any) -> Launch:
    if name not in interpreter_kernels.CASES:
        raise Unlaunchable("no arguments are known for it")
    known = interpreter_kernels.CASES[name](np.random.default_rng(SEED), name)
    spelled = [kind for kind in case.signature.values() if kind != "constexpr"]
    arguments = [_known_argument(value, kind) for value, kind in zip(known.args, spelled, strict=True)]
    grid = known.grid if isinstance(known.grid, tuple) else (known.grid,)
    return Launch(grid, arguments, known.tolerance)


def _known_argument(value: Any, kind: Any) -> Any:
    if isinstance(kind, tuple):
        return tuple(_known_argument(item, part) for item, part in zip(value, kind, strict=True))
    if isinstance(kind, str) and kind.startswith("tensordesc"):
        data = value.data if isinstance(value, TensorDescriptor) else value
        return Described(np.array(data), block_of(kind))
    if isinstance(value, np.ndarray):
        return Array(value)
    return value.item() if isinstance(value, np.generic) else value


def block_of(kind: str) -> tuple[int, ...]:
    """(16, 64) of `tensordesc<fp16[16,64]>`."""
    return tuple(int(size) for size in kind.partition("[")[2].rstrip("]>").split(","))


def _generated(name: str, case: Any) -> Launch:
    kernel = case.kernel.__name__
    plan = PLANS.get(kernel, Plan())
    if plan.why_not:
        raise Unlaunchable(plan.why_not)
    rng = np.random.default_rng(SEED)
    arguments = []
    for parameter, kind in case.signature.items():
        if kind != "constexpr":
            arguments.append(_argument(kernel, parameter, kind, plan, rng))
    return Launch(plan.grid, arguments, plan.tolerance)


def _argument(kernel: str, parameter: str, kind: Any, plan: Plan, rng: np.random.Generator) -> Any:
    if isinstance(kind, tuple):
        return tuple(_argument(kernel, parameter, part, plan, rng) for part in kind if part != "constexpr")
    if kind.startswith("tensordesc"):
        element = kind.partition("<")[2].partition("[")[0]
        return Described(_elements(parameter, DTYPES[element], plan, rng, 64 * 256).reshape(64, 256), block_of(kind))
    if kind.startswith("*"):
        dtype = DTYPES[kind.removeprefix("*").removeprefix("k")]
        if parameter in corpus.STORED_TO_OTHERS.get(kernel, corpus.STORED_TO):
            return Array(np.zeros(_most_places() * corpus.PLACE, dtype), MARGIN)
        return Array(_elements(parameter, dtype, plan, rng, SIZE), MARGIN)
    value = plan.values.get(parameter, SCALARS.get(parameter))
    if value is None:
        raise Unlaunchable(f"no value is known for its parameter {parameter}")
    return bool(value) if kind in ("i1", "u1") else value


def _elements(parameter: str, dtype: np.dtype, plan: Plan, rng: np.random.Generator, size: int) -> np.ndarray:
    make = plan.arrays.get(parameter) or between(*RANGES.get(dtype.kind, RANGES["f"]))
    return make(rng, size, dtype)


@cache
def _most_places() -> int:
    return max(corpus.places(Path(path)) for path in (corpus.DATA / "language").glob("*.py"))
