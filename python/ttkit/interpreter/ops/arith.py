"""arith: integers wrap, floats are IEEE in their own type, rounded once to nearest even.

Where LLVM has undefined behaviour or poison, a result is chosen, since lanes whose results nobody uses compute too:

    x / 0                     all bits set            x % 0      x
    INT_MIN / -1              INT_MIN                 x % -1     0
    shift by width or more    0; arithmetic: the sign
    float out of range to int the nearest integer of the type; of NaN 0

Fast-math flags and nsw, nuw, exact change nothing: they allow results, and these are among the allowed.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from mlir import ir

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.numerics.elementary import (
    high_half,
    nan_max,
    nan_min,
    numeric_max,
    numeric_min,
    signed_high_half,
)
from ttkit.interpreter.numerics.rounding import (
    BOOL,
    F32,
    NEAREST,
    TOWARD_ZERO,
    as_signed,
    as_unsigned,
    fitted,
    float_to_integer,
    integer_to_float,
    rounded,
    widened,
    width,
)
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import align_rank, put, take

Array = np.ndarray
Reader = Callable[[Array], Array]


# --- constants --------------------------------------------------------------------------------------------------------


@interprets("arith.constant")
def constant(machine: Machine, op: Instruction) -> Array:
    """The value of the attribute, the same in all programs.  Kept on the instruction."""
    if "\0array" not in op.attributes:
        op.attributes["\0array"] = constant_array(op)
    return op.attributes["\0array"]


def constant_array(op: Instruction) -> Array:
    """The value of arith.constant, with a leading dimension of size 1 for the programs."""
    value, kind = op.attributes["value"], op.result_types[0]
    if isinstance(value, ir.DenseElementsAttr):
        if value.is_splat:
            element = value.get_splat_value()
            return np.broadcast_to(np.array(element.value).astype(kind.element), (1, *kind.shape))
        return dense_elements(value, kind.element).reshape(1, *kind.shape)
    return np.array([value]).astype(kind.element)


def dense_elements(value: ir.DenseElementsAttr, dtype: np.dtype) -> Array:
    """The elements of a dense constant in row-major order.  The bindings read no f16, bf16, fp8: those come from
    the text, where infinities and NaNs are bit patterns, and long constants one hexadecimal string."""
    if dtype.kind in "biu" or dtype in (np.float32, np.float64):
        return np.array(list(value)).astype(dtype)
    text = str(value)
    body = text[len("dense<") : text.index("> : ")]
    if body.startswith('"0x'):
        return np.frombuffer(bytes.fromhex(body[3:-1]), dtype)
    numbers = re.findall(r"[^\[\],\s]+", body)
    bits = np.array([int(number, 16) if number.startswith("0x") else 0 for number in numbers])
    values = np.array([0.0 if number.startswith("0x") else float(number) for number in numbers]).astype(dtype)
    patterns = bits.astype(f"u{dtype.itemsize}").view(dtype)
    return np.where([number.startswith("0x") for number in numbers], patterns, values)


@interprets("ub.poison")
def poison(machine: Machine, op: Instruction) -> Array | None:
    """Any value may stand for poison: zero does.  Nothing stands for what is not an array."""
    kind = op.result_types[0]
    return None if not kind.has_arrays else np.broadcast_to(np.zeros(1, kind.element), (1, *kind.shape))


# --- integers ---------------------------------------------------------------------------------------------------------


def divide(a: Array, b: Array) -> Array:
    """a / b toward zero."""
    quotient = a // b
    if a.dtype.kind == "i":
        quotient += ((a < 0) != (b < 0)) & (a - quotient * b != 0)
    return _by_zero(quotient, b, -1)


def divide_up(a: Array, b: Array) -> Array:
    """a / b rounded up; -1 where b is 0."""
    quotient = a // b
    return _by_zero(quotient + (a - quotient * b != 0).astype(a.dtype), b, -1)


def divide_down(a: Array, b: Array) -> Array:
    """a / b rounded down; -1 where b is 0."""
    return _by_zero(a // b, b, -1)


def remainder(a: Array, b: Array) -> Array:
    """a - b * (a / b): the sign of a."""
    return _by_zero(np.fmod(a, b), b, a)


def _by_zero(result: Array, divisor: Array, instead: Array | int) -> Array:
    zero = divisor == 0
    return np.where(zero, np.asarray(instead).astype(result.dtype), result) if zero.any() else result


# Names to (how operands are read, function).  numpy's shifts by the width or more give 0 or the sign.
INTEGER: dict[str, tuple[Reader, Callable[[Array, Array], Array]]] = {
    "arith.addi": (as_signed, np.add),
    "arith.subi": (as_signed, np.subtract),
    "arith.muli": (as_signed, np.multiply),
    "arith.andi": (as_signed, np.bitwise_and),
    "arith.ori": (as_signed, np.bitwise_or),
    "arith.xori": (as_signed, np.bitwise_xor),
    "arith.maxsi": (as_signed, np.maximum),
    "arith.minsi": (as_signed, np.minimum),
    "arith.maxui": (as_unsigned, np.maximum),
    "arith.minui": (as_unsigned, np.minimum),
    "arith.divsi": (as_signed, divide),
    "arith.divui": (as_unsigned, divide),
    "arith.remsi": (as_signed, remainder),
    "arith.remui": (as_unsigned, remainder),
    "arith.ceildivsi": (as_signed, divide_up),
    "arith.ceildivui": (as_unsigned, divide_up),
    "arith.floordivsi": (as_signed, divide_down),
    "arith.shli": (as_unsigned, np.left_shift),
    "arith.shrui": (as_unsigned, np.right_shift),
}


@interprets(*INTEGER)
def integer(machine: Machine, op: Instruction, a: Array, b: Array) -> Array:
    """The row of INTEGER, modulo 2^width."""
    read, function = INTEGER[op.name]
    return fitted(function(read(a), read(b)), a.dtype)


@interprets("arith.shrsi")
def shrsi(machine: Machine, op: Instruction, a: Array, b: Array) -> Array:
    """a / 2^b, rounded down: the amount is unsigned, the shifted value signed."""
    amount = np.minimum(as_unsigned(b), width(a.dtype) - 1)
    a = as_signed(a)
    return fitted(a >> amount.view(a.dtype), b.dtype)


@interprets("arith.mulsi_extended", "arith.mului_extended")
def multiply_extended(machine: Machine, op: Instruction, a: Array, b: Array) -> tuple[Array, Array]:
    """(low, high) halves of the product."""
    read = as_signed if op.name == "arith.mulsi_extended" else as_unsigned
    bits, x, y = width(a.dtype), read(a), read(b)
    if bits < 64:
        product = x.astype(np.int64) * y.astype(np.int64)
        return fitted(product, a.dtype), fitted(product >> bits, a.dtype)
    high = signed_high_half(x, y) if x.dtype.kind == "i" else high_half(x, y)
    return fitted(x * y, a.dtype), fitted(high, a.dtype)


@interprets("arith.addui_extended")
def addui_extended(machine: Machine, op: Instruction, a: Array, b: Array) -> tuple[Array, Array]:
    """(sum, whether it wrapped)."""
    total = fitted(as_unsigned(a) + as_unsigned(b), a.dtype)
    return total, as_unsigned(total) < as_unsigned(a)


COMPARE = (
    np.equal, np.not_equal,
    np.less, np.less_equal, np.greater, np.greater_equal,
    np.less, np.less_equal, np.greater, np.greater_equal,
)  # fmt: skip


@interprets("arith.cmpi")
def cmpi(machine: Machine, op: Instruction, a: Array, b: Array) -> Array:
    """eq ne slt sle sgt sge ult ule ugt uge."""
    predicate = op.attributes["predicate"]
    read = as_unsigned if predicate >= 6 else as_signed
    return COMPARE[predicate](read(a), read(b))


# --- floats -----------------------------------------------------------------------------------------------------------


FLOAT: dict[str, Callable[[Array, Array], Array]] = {
    "arith.addf": np.add,
    "arith.subf": np.subtract,
    "arith.mulf": np.multiply,
    "arith.divf": np.divide,
    "arith.remf": np.fmod,
    "arith.maximumf": nan_max,
    "arith.minimumf": nan_min,
    "arith.maxnumf": numeric_max,
    "arith.minnumf": numeric_min,
}


@interprets(*FLOAT)
def floating(machine: Machine, op: Instruction, a: Array, b: Array) -> Array:
    """The row of FLOAT.  f16, bf16 and fp8 are computed in f32 and rounded: f32 has more than twice their bits, so the
    second rounding never meets a tie that the first one made."""
    return FLOAT[op.name](a, b)


@interprets("arith.negf")
def negf(machine: Machine, op: Instruction, a: Array) -> Array:
    """-a: the sign bit flipped."""
    return np.negative(a)


def _or_unordered(function: Callable[[Array, Array], Array]) -> Callable[[Array, Array], Array]:
    return lambda a, b: function(a, b) | np.isnan(a) | np.isnan(b)


def ordered(a: Array, b: Array) -> Array:
    """True where neither is nan."""
    return ~(np.isnan(a) | np.isnan(b))


FLOAT_COMPARE: tuple[Callable[[Array, Array], Array], ...] = (
    lambda a, b: np.zeros(np.broadcast_shapes(a.shape, b.shape), BOOL),
    np.equal, np.greater, np.greater_equal, np.less, np.less_equal,
    lambda a, b: np.not_equal(a, b) & ordered(a, b), ordered,
    *map(_or_unordered, (np.equal, np.greater, np.greater_equal, np.less, np.less_equal, np.not_equal)),
    lambda a, b: ~ordered(a, b),
    lambda a, b: np.ones(np.broadcast_shapes(a.shape, b.shape), BOOL),
)  # fmt: skip


@interprets("arith.cmpf")
def cmpf(machine: Machine, op: Instruction, a: Array, b: Array) -> Array:
    """false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true; u... is true if one is NaN, o... is false."""
    return FLOAT_COMPARE[op.attributes["predicate"]](a, b)


@interprets("arith.select")
def select(machine: Machine, op: Instruction, condition: Array, a: Array, b: Array) -> Array:
    """condition ? a : b, for each element, or for all where the condition is one i1."""
    if not isinstance(a, np.ndarray) or not isinstance(b, np.ndarray):
        truth = machine.truth(condition)
        if isinstance(truth, bool):
            return a if truth else b
        selected = None
        for lanes, value in ((np.flatnonzero(truth), a), (np.flatnonzero(~truth), b)):
            selected = put(selected, take(value, lanes), lanes, truth.size)
        return selected
    if condition.ndim < a.ndim:
        condition = align_rank(condition, a.ndim - 1)
    return np.where(condition, a, b)


# --- conversions ------------------------------------------------------------------------------------------------------


@interprets("arith.extsi", "arith.index_cast", "arith.trunci")
def resize_signed(machine: Machine, op: Instruction, a: Array) -> Array:
    """The integer in another width: high bits repeat the sign, or are cut."""
    return fitted(as_signed(a), op.result_types[0].element)


@interprets("arith.extui", "arith.index_castui")
def resize_unsigned(machine: Machine, op: Instruction, a: Array) -> Array:
    """The integer in another width: high bits are zero, or are cut."""
    return fitted(as_unsigned(a), op.result_types[0].element)


@interprets("arith.extf")
def extf(machine: Machine, op: Instruction, a: Array) -> Array:
    """Exact."""
    return a.astype(op.result_types[0].element)


@interprets("arith.truncf")
def truncf(machine: Machine, op: Instruction, a: Array) -> Array:
    """Rounded to nearest even, or as roundingmode says (to_nearest_even, downward, upward, toward_zero)."""
    mode = op.attributes.get("roundingmode", 0)
    directions = (NEAREST, "rd", "ru", TOWARD_ZERO)
    if mode >= len(directions):
        raise NotInterpretable("rounding to nearest, ties away from zero", op)
    if a.dtype == F32 and mode == 0:
        return a.astype(op.result_types[0].element)
    return rounded(widened(a), op.result_types[0].element, directions[mode])


@interprets("arith.sitofp")
def sitofp(machine: Machine, op: Instruction, a: Array) -> Array:
    """Rounded to nearest even; i1 true is -1."""
    return integer_to_float(as_signed(a), op.result_types[0].element)


@interprets("arith.uitofp")
def uitofp(machine: Machine, op: Instruction, a: Array) -> Array:
    """Rounded to nearest even."""
    return integer_to_float(as_unsigned(a), op.result_types[0].element)


@interprets("arith.fptosi")
def fptosi(machine: Machine, op: Instruction, a: Array) -> Array:
    """Rounded toward zero; poison out of range: the nearest integer that fits."""
    return float_to_integer(a, op.result_types[0].element, signed=True)


@interprets("arith.fptoui")
def fptoui(machine: Machine, op: Instruction, a: Array) -> Array:
    """Rounded toward zero; poison out of range: the nearest integer that fits."""
    return float_to_integer(a, op.result_types[0].element, signed=False)


@interprets("arith.bitcast")
def bitcast(machine: Machine, op: Instruction, a: Array) -> Array:
    """The same bits."""
    return a.view(op.result_types[0].element)
