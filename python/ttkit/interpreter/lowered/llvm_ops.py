"""Operations of the llvm dialect.

Those of numbers mean what arith's and math's do: SAME says which.  A vector is an array [P, length], a pointer an
int64: to shared memory its byte, to a thread's stack or a constant a number that nothing else has.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import AssertionFailed, InterpreterError, NotInterpretable
from ttkit.interpreter.lowered.memory_spaces import STACK, STACK_SHIFT, load_bytes, store_bytes, update
from ttkit.interpreter.lowered.number_types import bytes_of
from ttkit.interpreter.lowered.threads import Struct, Threads
from ttkit.interpreter.lowered.type_sizes import dynamic, offset_of, size_of
from ttkit.interpreter.numerics import library_functions
from ttkit.interpreter.ops import arith, math
from ttkit.interpreter.ops.atomic import COMBINE
from ttkit.interpreter.ops.registry import HANDLERS, interprets

Array = np.ndarray

SAME = {
    "llvm.mlir.constant": "arith.constant",
    **{f"llvm.{name}": f"arith.{name}i" for name in ("add", "sub", "mul", "and", "or", "xor", "shl")},
    **{f"llvm.f{name}": f"arith.{name}f" for name in ("add", "sub", "mul", "div", "rem", "neg")},
    **{f"llvm.{sign}{name}": f"arith.{name}{sign}i" for name in ("div", "rem") for sign in "su"},
    **{f"llvm.intr.{sign}{name}": f"arith.{name}{sign}i" for name in ("max", "min") for sign in "su"},
    **{f"llvm.intr.{name}": f"arith.{name}f" for name in ("maxnum", "minnum", "maximum", "minimum")},
    **{f"llvm.{name}": f"arith.{name}" for name in ("select", "sitofp", "uitofp", "fptosi", "fptoui")},
    "llvm.lshr": "arith.shrui",
    "llvm.ashr": "arith.shrsi",
    "llvm.icmp": "arith.cmpi",
    "llvm.fcmp": "arith.cmpf",
    "llvm.sext": "arith.extsi",
    "llvm.zext": "arith.extui",
    "llvm.trunc": "arith.trunci",
    "llvm.fpext": "arith.extf",
    "llvm.fptrunc": "arith.truncf",
    **{
        f"llvm.intr.{name}": f"math.{name}"
        for name in """ceil copysign cos ctlz ctpop cttz exp exp2 floor fma log log10
        log2 round roundeven sin sqrt trunc""".split()
    },
    "llvm.intr.abs": "math.absi",
    "llvm.intr.fabs": "math.absf",
    "llvm.intr.fmuladd": "math.fma",
    "llvm.intr.pow": "math.powf",
    "llvm.intr.rint": "math.roundeven",
}
"""Operations that mean what others do."""

assert arith and math, "their meanings are in the table"


def under_another_name(name: str) -> Callable[..., Any]:
    """The meaning of an operation that is that of `name`."""
    handler = HANDLERS[name]

    def meaning(threads: Threads, op: Instruction, *operands: Array) -> Any:
        """Calls the other's handler with an instruction of its name, made once."""
        alias = op.attributes.get("\0alias")
        if alias is None:
            alias = op.attributes["\0alias"] = dataclasses.replace(op, name=name, attributes=dict(op.attributes))
        return handler(threads, alias, *operands)

    meaning.__doc__ = f"As {name}."
    return meaning


for ours, theirs in SAME.items():
    interprets(ours)(under_another_name(theirs))


# --- values -----------------------------------------------------------------------------------------------------------
@interprets("llvm.mlir.undef", "llvm.mlir.poison", "llvm.mlir.zero", "llvm.freeze", "llvm.intr.launder.invariant.group")
def anything(threads: Threads, op: Instruction, *given: Array) -> Any:
    """Zero, which may stand for any value; what LLVM may not look through keeps what it is given."""
    if given:
        return given[0]
    kind = op.result_types[0]
    return Struct([]) if kind.element is None else np.zeros((1, *kind.shape), kind.element)


@interprets("llvm.extractvalue")
def extract_value(threads: Threads, op: Instruction, struct: Struct) -> Any:
    """A field of a struct, read as its type."""
    value = struct.fields[op.attributes["position"][0]]
    kind = op.result_types[0]
    if not isinstance(value, np.ndarray) or value.dtype == kind.element or kind.element is None:
        return value
    return np.ascontiguousarray(value).view(kind.element).reshape(len(value), *kind.shape)


@interprets("llvm.insertvalue")
def insert_value(threads: Threads, op: Instruction, struct: Struct, value: Any) -> Struct:
    """The struct with another value in a field."""
    position = op.attributes["position"][0]
    fields = [*struct.fields, *[None] * (position + 1 - len(struct.fields))]
    fields[position] = value
    return Struct(fields)


@interprets("llvm.extractelement")
def extract_element(threads: Threads, op: Instruction, vector: Array, index: Array) -> Array:
    """vector[index]"""
    _check_index(index, vector, op)
    if index.shape[0] == 1:
        return vector[:, int(index[0])]
    return threads.full(vector)[np.arange(threads.count), threads.full(index)]


@interprets("llvm.insertelement")
def insert_element(threads: Threads, op: Instruction, vector: Array, value: Array, index: Array) -> Array:
    """The vector with another value at an index."""
    _check_index(index, vector, op)
    rows = max(vector.shape[0], value.shape[0], index.shape[0])
    result = np.array(np.broadcast_to(vector, (rows, *vector.shape[1:])))
    result[np.arange(rows), np.broadcast_to(index, (rows,))] = value
    return result


def _check_index(index: Array, vector: Array, op: Instruction) -> None:
    outside = (index < 0) | (index >= vector.shape[1])
    if outside.any():
        raise InterpreterError(f"element {index[outside][0]} of a vector of {vector.shape[1]} is undefined", op)


@interprets("llvm.shufflevector")
def shuffle_vector(threads: Threads, op: Instruction, a: Array, b: Array) -> Array:
    """The elements of both vectors that the mask names."""
    mask = list(op.attributes["mask"])
    if max(mask) < a.shape[1]:
        return a[:, mask]
    rows = max(a.shape[0], b.shape[0])
    both = np.concatenate([np.broadcast_to(one, (rows, *one.shape[1:])) for one in (a, b)], 1)
    return both[:, mask]


@interprets("llvm.bitcast")
def bitcast(threads: Threads, op: Instruction, value: Array) -> Array:
    """The same bits."""
    kind = op.result_types[0]
    before, after = (
        type.size * (1 if type.element == np.bool_ else 8 * type.element.itemsize)
        for type in (op.operand_types[0], kind)
    )
    if before != after:
        raise InterpreterError(f"{op.operand_types[0].text} has {before} bits, and {kind.text} has {after}")
    if value.dtype == np.bool_ or kind.element == np.bool_:
        return bitcast_bits(value, kind.element, kind.shape)
    return np.ascontiguousarray(value).view(kind.element).reshape(len(value), *kind.shape)


def bitcast_bits(value: Array, element: np.dtype, shape: tuple[int, ...]) -> Array:
    """From or to i1, of which eight are a byte: the first is the lowest bit."""
    rows = value.reshape(len(value), -1)
    if value.dtype == np.bool_:
        packed = np.packbits(rows, axis=1, bitorder="little")
        return packed.astype(element).reshape(-1) if not shape else packed.view(element).reshape(len(value), *shape)
    bits = np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1, bitorder="little")
    return bits[:, : int(np.prod(shape, dtype=int))].astype(np.bool_).reshape(len(value), *shape)


# --- memory -----------------------------------------------------------------------------------------------------------
@interprets("llvm.ptrtoint", "llvm.inttoptr", "llvm.addrspacecast")
def cast_pointer(threads: Threads, op: Instruction, value: Array) -> Array:
    """The same number: addresses of all spaces are distinct.  An integer that is narrower has the low bits."""
    if op.name == "llvm.inttoptr":
        return arith.as_unsigned(value).astype(np.int64)
    return value.astype(op.result_types[0].element)


@interprets("llvm.mlir.addressof")
def address_of(threads: Threads, op: Instruction) -> Array:
    """The address of a global: 0, the first byte, for what is in shared memory."""
    return np.array([threads.batch.module.global_addresses[op.attributes["global_name"]]], np.int64)


@interprets("llvm.getelementptr")
def element_pointer(threads: Threads, op: Instruction, base: Array, *indices: Array) -> Array:
    """base + index * size of an element; further indices choose fields."""
    given = iter(indices)
    chosen = [next(given) if dynamic(index) else index for index in op.attributes["rawConstantIndices"]]
    return base + offset_of(op, op.attributes["elem_type"], chosen)


@interprets("llvm.alloca")
def allocate(threads: Threads, op: Instruction, count: Array) -> Array:
    """Memory of each thread."""
    batch = threads.batch
    size = size_of(op, op.attributes["elem_type"]) * int(count[0])
    batch.stacks.append(np.zeros((batch.threads, size), np.uint8))
    return np.array([STACK + (len(batch.stacks) - 1 << STACK_SHIFT)], np.int64)


@interprets("llvm.load")
def load(threads: Threads, op: Instruction, pointer: Array) -> Any:
    """Memory at a pointer."""
    kind = op.result_types[0]
    if kind.element is None:
        words = wide_words(op, kind.text)
        found = load_bytes(threads, op, pointer, 8 * words)
        return Struct([np.ascontiguousarray(found[:, 8 * i : 8 * i + 8]).view(np.int64)[:, 0] for i in range(words)])
    found = load_bytes(threads, op, pointer, kind.size * kind.element.itemsize)
    return found.view(kind.element).reshape(len(found), *kind.shape)


def wide_words(op: Instruction, text: str) -> int:
    """The 64-bit words of an integer type that numpy does not have.

    Raises:
        NotInterpretable: it is no such type.
    """
    found = re.fullmatch(r"i(\d+)", text)
    if found is None or int(found[1]) % 64:
        raise NotInterpretable(f"a value of type {text}", op)
    return int(found[1]) // 64


@interprets("llvm.store")
def store(threads: Threads, op: Instruction, value: Array, pointer: Array) -> tuple:
    """Writes memory at a pointer."""
    store_bytes(threads, op, pointer, bytes_of(value))
    return ()


# By the number of LLVM's AtomicBinOp.
ATOMIC = {
    **dict(enumerate("exch add sub and".split())),
    **dict(enumerate("or xor max min umax umin add sub fmax fmin".split(), 5)),
}


@interprets("llvm.atomicrmw")
def atomic_rmw(threads: Threads, op: Instruction, pointer: Array, value: Array) -> Array:
    """result = *pointer; *pointer = f(*pointer, value), thread by thread."""
    combine = COMBINE.get(ATOMIC.get(op.attributes["bin_op"], ""))
    if combine is None:
        raise NotInterpretable(f"no atomic operation {op.attributes['bin_op']}", op)
    full = threads.full(value)
    if full.ndim > 1:  # two halves that are updated together
        places = [pointer + full.dtype.itemsize * i for i in range(full.shape[1])]
        parts = zip(places, full.T)
        return np.stack([update(threads, op, place, _everybody(threads), combine, part) for place, part in parts], 1)
    return update(threads, op, pointer, _everybody(threads), combine, full)


@interprets("nvg.ld_acquire")
def load_in_order(threads: Threads, op: Instruction, pointer: Array, mask: Array | None = None) -> Array:
    """*pointer where the mask holds, else 0; like an atomic update, it does not race with those of other programs."""
    kind = op.result_types[0].element
    chosen = _everybody(threads) if mask is None else threads.full(mask)
    return update(threads, op, pointer, chosen, COMBINE["or"], np.zeros(threads.count, f"u{kind.itemsize}")).view(kind)


@interprets("llvm.cmpxchg")
def compare_exchange(threads: Threads, op: Instruction, pointer: Array, expected: Array, value: Array) -> Struct:
    """old = *pointer; if it is what is expected, *pointer = value; gives old, and whether it was."""
    expected, value = threads.full(expected), threads.full(value)
    found = update(threads, op, pointer, _everybody(threads), COMBINE["cas"], expected, value)
    return Struct([found, found == expected])


def _everybody(threads: Threads) -> Array:
    return np.ones(threads.count, np.bool_)


@interprets("llvm.fence")
def fence(threads: Threads, op: Instruction) -> tuple:
    """The order of accesses: they are in order here."""
    return ()


# --- calls ------------------------------------------------------------------------------------------------------------
@interprets("llvm.call")
def call(threads: Threads, op: Instruction, *operands: Any) -> Any:
    """A function that the module only declares: printf, a failing assertion, a function of a device library."""
    name = op.attributes.get("callee", "")
    if name == "vprintf":
        return print_line(threads, op, *operands)
    if name == "__assertfail":
        text = threads.batch.module.constant_text(int(operands[0].flat[0]))
        raise AssertionFailed(text, op, threads.coordinates(int(threads.programs[0])))
    function = library_functions.find(name)
    kind = op.result_types[0] if op.result_types else None
    if function is None or kind is None:
        raise NotInterpretable(f"no meaning is known of the function '{name}'", op)
    result = function(kind.element, *operands)
    if result is None:
        raise NotInterpretable(f"'{name}' is not defined on operands of these types", op)
    return result


def print_line(threads: Threads, op: Instruction, format: Array, arguments: Array) -> Array:
    """The text that vprintf writes for each thread."""
    text = threads.batch.module.constant_text(int(format.flat[0]))
    conversions = re.findall(r"%[-0-9]*(?:ll)?([a-z])", text)
    wide = ["ll" in one or one[-1] in "fp" for one in re.findall(r"%[-0-9]*(?:ll)?[a-z]", text)]
    place, columns = 0, []
    for kind, is_wide in zip(conversions, wide):
        size = 8 if is_wide else 4
        place = -(-place // size) * size
        dtype = np.float64 if kind == "f" else np.dtype(f"{'i' if kind in 'di' else 'u'}{size}")
        raw = load_bytes(threads, op, arguments + place, size)
        columns.append(np.ascontiguousarray(threads.full(raw)).view(dtype)[:, 0])
        place += size
    pattern = re.sub(r"(%[-0-9]*)ll", r"\1", text).replace("%p", "0x%x")
    for row in range(threads.count):
        print(pattern % tuple(column[row] for column in columns), end="")
    return np.zeros(1, np.int32)
