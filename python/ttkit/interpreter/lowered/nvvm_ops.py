"""Operations of the nvvm dialect, and NVVM's intrinsics by name: special registers, shuffles, votes, conversions.

Functions that GPUs approximate are computed exactly and rounded once.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import NotInterpretable, OutOfBounds
from ttkit.interpreter.lowered.cta_shared_memory import CTA_SHIFT
from ttkit.interpreter.lowered.number_types import NUMBERS
from ttkit.interpreter.lowered.threads import WARP, Struct, Threads
from ttkit.interpreter.numerics.elementary import high_half, signed_high_half
from ttkit.interpreter.numerics.library_functions import FLOAT
from ttkit.interpreter.numerics.rounding import TOWARD_ZERO, as_unsigned, flushed, narrowed, rounded, saturated, widened
from ttkit.interpreter.ops.program import MULTIPROCESSORS
from ttkit.interpreter.ops.registry import interprets

Array = np.ndarray
INTRINSICS: list[tuple[re.Pattern[str], Callable[..., Any]]] = []
"""Patterns of names, and what they mean: (threads, op, *operands) -> results."""


def intrinsic(*patterns: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declares a function to be the meaning of the intrinsics whose whole name is of one of the patterns."""

    def declare(function: Callable[..., Any]) -> Callable[..., Any]:
        """Adds the function to the table, under each pattern."""
        INTRINSICS.extend((re.compile(pattern), function) for pattern in patterns)
        return function

    return declare


@interprets("llvm.call_intrinsic")
def call_intrinsic(threads: Threads, op: Instruction, *operands: Any) -> Any:
    """The intrinsic of that name.

    Raises:
        NotInterpretable: it has no meaning here.
    """
    function = op.attributes.get("\0meaning")
    if function is None:
        name = op.attributes["intrin"]
        function = next((found for pattern, found in INTRINSICS if pattern.fullmatch(name)), None)
        if function is None:
            raise NotInterpretable(f"the intrinsic {name} has no meaning here", op)
        op.attributes["\0meaning"] = function
    return function(threads, op, *operands)


# --- special registers ------------------------------------------------------------------------------------------------
def special_register(threads: Threads, op: Instruction, name: str) -> Array:
    """The value of a special register by PTX's name, `ctaid.x`: int32.

    Raises:
        NotInterpretable: it is not known here.
    """
    batch, (base, _, axis) = threads.batch, name.rpartition(".")
    if name in ("clock", "clock64", "globaltimer"):
        batch.clock += 1
        return np.array([batch.clock], np.int32 if name == "clock" else np.int64)
    number = "xyz".find(axis)
    per_program = batch.ctas_of_program
    if name == "tid.x":
        return threads.thread.astype(np.int32)
    if name in ("cluster.ctarank", "cluster_ctarank", "cluster.ctaid.x", "cluster_ctaid.x"):
        return (threads.cta % per_program).astype(np.int32)
    if name in ("laneid", "warpid"):
        return (threads.thread % WARP if name == "laneid" else threads.thread // WARP).astype(np.int32)
    if base in ("ctaid", "clusterid") and number >= 0:
        position = threads.coordinates(threads.programs)[number]
        if base == "ctaid" and number == 0:
            position = position * per_program + threads.cta % per_program
        return position.astype(np.int32)
    sizes = {
        "ntid.x": batch.threads_of_cta,
        "warpsize": WARP,
        "cluster.nctarank": per_program,
        **{f"nclusterid.{axis}": size for axis, size in zip("xyz", batch.grid)},
        **{f"nctaid.{axis}": size for axis, size in zip("xyz", (batch.grid[0] * per_program, *batch.grid[1:]))},
        **{f"ntid.{axis}": 1 for axis in "yz"},
        **{f"tid.{axis}": 0 for axis in "yz"},
        "smid": 0,
        "nsmid": MULTIPROCESSORS,
    }
    if name not in sizes:
        raise NotInterpretable(f"the register %{name} has no value here", op)
    return np.array([sizes[name]], np.int32)


REGISTERS = [
    f"nvvm.read.ptx.sreg.{name}"
    for name in (
        *(f"{base}.{axis}" for base in ("tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid") for axis in "xyz"),
        "laneid", "warpid", "warpsize", "smid", "clock", "clock64", "globaltimer",
        "cluster.ctarank", "cluster.nctarank", "cluster.ctaid.x",
    )
]  # fmt: skip


@intrinsic(r"llvm\.nvvm\.read\.ptx\.sreg\..*")
@interprets(*REGISTERS)
def read_register(threads: Threads, op: Instruction) -> Array:
    """A special register."""
    return special_register(threads, op, op.attributes.get("intrin", op.name).rpartition(".sreg.")[2])


@interprets("nvg.warp_id", "nvg.cluster_id")
def number(threads: Threads, op: Instruction) -> Array:
    """The warp in its CTA, or the CTA in its cluster.  Code is without partitions of warps here."""
    return special_register(threads, op, "warpid" if op.name == "nvg.warp_id" else "cluster.ctarank")


@interprets("nvvm.setmaxregister", "nvvm.cp.async.bulk.commit.group.read")
def without_effect(threads: Threads, op: Instruction, *operands: Array) -> tuple:
    """The number of registers changes nothing."""
    return ()


@interprets("nvvm.mapa")
def mapa(threads: Threads, op: Instruction, pointer: Array, cta: Array) -> Array:
    """The same place in the shared memory of another CTA of the cluster."""
    if (cta >= threads.batch.ctas_of_program).any() or (cta < 0).any():
        raise OutOfBounds(f"the cluster has {threads.batch.ctas_of_program} CTAs, found number {int(cta.max())}")
    return pointer + (cta.astype(np.int64) + 1 << CTA_SHIFT)


# --- what lanes of a warp do together ---------------------------------------------------------------------------------
@interprets("nvvm.elect.sync")
def elect(threads: Threads, op: Instruction, *mask: Array) -> Array:
    """Whether this is the first lane of its warp."""
    threads.whole(WARP)
    return threads.thread % WARP == 0


@interprets("nvvm.shfl.sync")
def shuffle(threads: Threads, op: Instruction, mask: Array, value: Array, argument: Array, clamp: Array) -> Array:
    """The value of another lane: index, xor with its number, so many above or below; its own where there is none.

    Only the lower five bits of the lane's number count.
    """
    threads.whole(WARP)
    threads.check_mask(mask)
    kind = re.sub(r".*shfl_kind (\w+).*", r"\1", str(op.attributes["kind"]))
    lane, argument, clamp = threads.thread % WARP, threads.full(argument) % WARP, threads.full(clamp)
    segment = clamp >> 8 & 31
    lowest = lane & segment
    highest = lowest | clamp & 31 & ~segment
    if kind == "up":
        source, inside = lane - argument, lane - argument >= highest
    elif kind == "down":
        source, inside = lane + argument, lane + argument <= highest
    elif kind == "bfly":
        source, inside = lane ^ argument, (lane ^ argument) <= highest
    else:
        source = lowest | argument & ~segment & 31
        inside = source <= highest
    source = np.where(inside, source, lane)
    rows = np.arange(threads.count)
    found = threads.full(value)[rows - lane + source]
    return Struct([found, inside]) if op.result_types[0].element is None else found


@interprets("nvvm.vote.ballot.sync", "nvvm.vote.sync")
def vote(threads: Threads, op: Instruction, mask: Array, flag: Array) -> Array:
    """A bit for each lane, or whether any or all lanes have it."""
    warps = threads.whole(WARP)
    threads.check_mask(mask)
    flags = threads.full(flag).reshape(warps, WARP)
    kind = re.sub(r".*kind<(\w+)>.*", r"\1", str(op.attributes.get("kind", "ballot")))
    if kind in ("any", "all"):
        return np.repeat(flags.any(1) if kind == "any" else flags.all(1), WARP)
    bits = (flags.astype(np.uint32) << np.arange(WARP, dtype=np.uint32)).sum(1, dtype=np.uint32)
    return np.repeat(bits, WARP).view(np.int32)


REDUCE: dict[str, tuple[Any, type]] = {
    "add": (np.add, np.int32),
    "and": (np.bitwise_and, np.int32),
    "or": (np.bitwise_or, np.int32),
    "xor": (np.bitwise_xor, np.int32),
    "max": (np.maximum, np.int32),
    "min": (np.minimum, np.int32),
    "umax": (np.maximum, np.uint32),
    "umin": (np.minimum, np.uint32),
    "fmax": (np.fmax, np.float32),
    "fmin": (np.fmin, np.float32),
}


@intrinsic(r"llvm\.nvvm\.redux\.sync\.\w+")
def reduce_warp(threads: Threads, op: Instruction, value: Array, mask: Array) -> Array:
    """The values of all lanes of a warp, combined."""
    warps = threads.whole(WARP)
    threads.check_mask(mask)
    function, dtype = REDUCE[op.attributes["intrin"].rpartition(".")[2]]
    values: Array = np.ascontiguousarray(threads.full(value)).view(dtype).reshape(warps, WARP)
    return np.repeat(function.reduce(values, axis=1, dtype=dtype), WARP).astype(dtype).view(value.dtype)


# --- numbers ----------------------------------------------------------------------------------------------------------
FUNCTIONS: dict[str, Callable[..., Array]] = {
    **{name: FLOAT[name] for name in "sin cos tanh sqrt rsqrt div fmax fmin fabs floor ceil trunc".split()},
    "ex2": np.exp2,
    "lg2": np.log2,
    "rcp": lambda x: 1 / x,
}


@intrinsic(rf"llvm\.nvvm\.(?:{'|'.join(FUNCTIONS)})(?:\.(?:approx|full|rn))?(?:\.ftz)?(?:\.[fd])?")
def function(threads: Threads, op: Instruction, *operands: Array) -> Array:
    """A function of numbers, rounded once; with ftz, of and to numbers whose subnormal ones are zero."""
    words = op.attributes["intrin"].split(".")
    given = [widened(operand) for operand in operands]
    if "ftz" in words:
        given = [flushed(one) for one in given]
    result = FUNCTIONS[words[2]](*given)
    return narrowed(flushed(result) if "ftz" in words else result, op.result_types[0].element)


@intrinsic(r"llvm\.nvvm\.mulhi\.(?:i|ui|ll|ull)")
def multiply_high(threads: Threads, op: Instruction, a: Array, b: Array) -> Array:
    """The high half of a product."""
    if "u" in op.attributes["intrin"].rpartition(".")[2]:
        return high_half(as_unsigned(a), as_unsigned(b)).view(a.dtype)
    return signed_high_half(a, b)


@intrinsic(r"llvm\.nvvm\.d2f\.rz")
def narrow_double(threads: Threads, op: Instruction, x: Array) -> Array:
    """f64 rounded toward zero to f32."""
    return rounded(x, np.dtype(np.float32), TOWARD_ZERO)


@intrinsic(r"llvm\.nvvm\.ff2b?f16x2\.r[nz]")
def narrow_pair(threads: Threads, op: Instruction, upper: Array, lower: Array) -> Array:
    """Two f32 rounded to a narrower type: (lower, upper)."""
    kind, direction = re.fullmatch(r"llvm\.nvvm\.ff2(b?f16)x2\.(r[nz])", op.attributes["intrin"]).groups()
    pair = np.stack(np.broadcast_arrays(lower, upper), 1)
    return rounded(widened(pair), NUMBERS[kind], direction)


@intrinsic(r"llvm\.nvvm\.e\dm\dx2\.to\.f16x2\.rn")
def widen_pair(threads: Threads, op: Instruction, pair: Array) -> Array:
    """Two fp8 numbers in 16 bits as a vector of two f16."""
    kind = NUMBERS[op.attributes["intrin"].split(".")[2][:4]]
    return np.ascontiguousarray(pair).view(kind).astype(np.float16).reshape(-1, 2)


@intrinsic(r"llvm\.nvvm\.(?:ff|f16x2)\.to\.e\dm\dx2\.rn")
def pair_to_float8(threads: Threads, op: Instruction, *given: Array) -> Array:
    """Two f32, the upper first, or a pair of f16 as two fp8 numbers in 16 bits, the lower in the low byte; too large
    ones become the largest."""
    pair = given[0] if len(given) == 1 else np.stack(np.broadcast_arrays(*reversed(given)), 1)
    kind = NUMBERS[op.attributes["intrin"].split(".")[4][:4]]
    found = narrowed(saturated(widened(pair), kind), kind)
    return np.ascontiguousarray(found).view(np.int16)[:, 0]


# --- cluster launch control -------------------------------------------------------------------------------------------
@intrinsic(r"llvm\.nvvm\.clusterlaunchcontrol\.query_cancel\.is_canceled")
def is_canceled(threads: Threads, op: Instruction, answer: Struct) -> Array:
    """Whether the request got a program."""
    return answer.fields[0] != 0


@intrinsic(r"llvm\.nvvm\.clusterlaunchcontrol\.query_cancel\.get_first_ctaid\.[xyz]")
def first_cta(threads: Threads, op: Instruction, answer: Struct) -> Array:
    """The first CTA of the program that the request got."""
    axis = "xyz".index(op.attributes["intrin"][-1])
    program = threads.coordinates(answer.fields[1])[axis]
    return (program * threads.batch.ctas_of_program if axis == 0 else program).astype(np.int32)
