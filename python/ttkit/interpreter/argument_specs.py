"""Arguments of a kernel as text, for command lines: `x=rand:f32:65536`, `y=@y.npy`, `n=65536`, `0=zeros:f16:64x32`.

    [NAME=]VALUE       for the argument of that name or position; without, for the next in order
    VALUE              a number, true or false; @FILE.npy; or a generator:
    rand               uniform in [0, 1); integers: any value
    randn              normal, mean 0, deviation 1
    randint:LO:HI      LO <= x < HI
    arange             0, 1, 2...
    zeros, ones        constant
    full=NUMBER        constant
    empty              nothing written yet: reading it is an error

A generator goes on with `:TYPE:SHAPE`: f32, bf16, i8... (left out: what the pointer points to), and sizes as 64x32.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from ttkit.interpreter.decode import Function
from ttkit.interpreter.memory.global_memory import Buffer
from ttkit.interpreter.ops.descriptor import TensorDescriptor, companion_arguments, is_descriptor
from ttkit.interpreter.values import DTYPES, UNSIGNED, ValueType

GENERATORS = ("rand", "randn", "randint", "arange", "zeros", "ones", "full", "empty")
_SHAPE = re.compile(r"\d+(x\d+)*")
_ALIASES = {"fp16": "f16", "fp32": "f32", "fp64": "f64"}


class ArgumentError(ValueError):
    """An argument that can't be understood, or that does not fit the function."""


@dataclass
class Argument:
    """One argument of a run.

    value: what `interpret` takes: an array, a Buffer that nothing has written, or a number.
    array: the elements of a pointer's buffer, also after the run; None for numbers.
    """

    value: Any
    array: Any = None


def read_arguments(function: Function, texts: list[str], rng: np.random.Generator) -> dict[str, Argument]:
    """The arguments that the texts give, by name; those of the function that no text gives are left out.

    Raises:
        ArgumentError: a text has no meaning, names no argument or one that another text gives.
        OSError: a file can't be read.
    """
    given: dict[str, Argument] = {}
    names, position = function.argument_names, 0
    # The sizes and strides of a descriptor come with it.
    implied = companion_arguments(function)
    for text in texts:
        name, value = split_name(text)
        if name is None:
            while position in implied:
                position += 1
            if position >= len(names):
                raise ArgumentError(f"'{text}': @{function.name} takes only {len(names)} arguments")
            name = names[position]
        name = argument_name(function, name)
        position = names.index(name) + 1
        if name in given:
            raise ArgumentError(f"argument '{name}' is given twice")
        given[name] = read_value(name, function.argument_types[names.index(name)], value, rng)
    return given


def split_name(text: str) -> tuple[str | None, str]:
    """`x=...` as name and value.  In `full=1:f32:8` there is no name."""
    name, equals, value = text.partition("=")
    return (name, value) if equals and name != "full" and re.fullmatch(r"\w+", name) else (None, text)


def argument_name(function: Function, text: str) -> str:
    """The name of an argument that is given by name or by position.

    Raises:
        ArgumentError: there is none.
    """
    names = function.argument_names
    if text in names:
        return text
    if text.isdigit() and int(text) < len(names):
        return names[int(text)]
    raise ArgumentError(f"@{function.name} has no argument '{text}'; it takes {', '.join(names) or 'none'}")


def read_value(name: str, kind: ValueType, text: str, rng: np.random.Generator) -> Argument:
    """The value that a text means for an argument of a type.

    Raises:
        ArgumentError, OSError
    """
    is_scalar = kind.pointee is None and kind.rank == 0 and kind.element is not None
    if text.startswith("@"):
        value = read_file(name, kind, text[1:])
    elif re.split("[:=]", text)[0] in GENERATORS:
        value = generate(name, kind, text, rng)
    elif is_scalar:
        return Argument(read_number(name, kind, text))
    else:
        generators = f"{', '.join(GENERATORS[:-1])} or {GENERATORS[-1]}"
        raise ArgumentError(
            f"argument '{name}' is a {kind.text}: use @FILE.npy or a generator ({generators}), found '{text}'"
        )
    if not is_scalar:
        return value
    if value.array is None or value.array.size != 1 or isinstance(value.value, Buffer):
        raise ArgumentError(f"argument '{name}' is a {kind.text}: expected one number, found '{text}'")
    return Argument(value.array.reshape(-1)[0])


def read_number(name: str, kind: ValueType, text: str) -> int | float | bool:
    """A number that fits a scalar type; integers may be written signed or unsigned.

    Raises:
        ArgumentError: it is no number, or does not fit.
    """
    try:
        if kind.is_float:
            return float(text)
        value = {"true": 1, "false": 0}[text] if text in ("true", "false") else int(text, 0)
    except ValueError:
        raise ArgumentError(f"argument '{name}' is a {kind.text}, found '{text}'") from None
    bits = 1 if kind.text == "i1" else 64 if kind.text == "index" else int(kind.text.lstrip("siu"))
    if not -(1 << (bits - 1)) <= value < 1 << bits:
        raise ArgumentError(f"argument '{name}' is a {kind.text}, which can't hold {value}")
    if bits == 1:
        return bool(value)
    return value - (1 << bits) if value >= 1 << (bits - 1) else value


def read_file(name: str, kind: ValueType, path: str) -> Argument:
    """An array from a .npy file, with elements as wide as those that the pointer points to.

    Raises:
        ArgumentError: it is not a file of numbers.
    """
    try:
        array = np.ascontiguousarray(np.load(path, allow_pickle=False))
    except (ValueError, EOFError):
        raise ArgumentError(f"argument '{name}': {path} is not a .npy file of numbers") from None
    element = element_type(kind)
    # numpy saves the types that it does not know, such as bf16, as plain bytes.
    if element is not None and array.dtype.kind == "V" and array.dtype.itemsize == element.itemsize:
        array = array.view(element)
    return pointer_argument(name, kind, array)


def generate(name: str, kind: ValueType, text: str, rng: np.random.Generator) -> Argument:
    """Generates the argument that `rand:f32:64x32`, or another generator, describes.

    Raises:
        ArgumentError: there is no such generator, or its type, shape or limits are wrong.
    """
    head, *parts = text.split(":")
    generator, _, constant = head.partition("=")
    count = 2 if generator == "randint" else 0
    limits, parts = parts[:count], parts[count:]
    dtype = element_type(kind)
    if parts and not _SHAPE.fullmatch(parts[0]):
        dtype = _named_dtype(name, parts.pop(0))
    shape_text = parts.pop(0) if parts else "1"
    if parts or not _SHAPE.fullmatch(shape_text) or dtype is None or len(limits) < count:
        pattern = "randint:LO:HI" if count else "full=NUMBER" if generator == "full" else generator
        raise ArgumentError(f"argument '{name}': expected {pattern}:TYPE:SHAPE, found '{text}'")
    shape = tuple(map(int, shape_text.split("x")))
    if generator == "empty":
        buffer = Buffer(name, size=int(np.prod(shape)) * dtype.itemsize)
        array = buffer.bytes.view(dtype).reshape(shape)
        return Argument(TensorDescriptor(buffer, shape) if is_descriptor(kind) else buffer, array)
    try:
        array = elements(generator, dtype, shape, [float(limit) for limit in (*limits, constant or "0")], rng)
    except (ValueError, OverflowError) as error:
        raise ArgumentError(f"argument '{name}': '{text}': {error}") from None
    return pointer_argument(name, kind, np.ascontiguousarray(array.reshape(shape)))


def elements(
    generator: str, dtype: np.dtype, shape: tuple[int, ...], numbers: list[float], rng: np.random.Generator
) -> np.ndarray:
    """The array of a generator; `numbers` are what its text has besides type and shape.

    Raises:
        ValueError: `randn` of integers.
    """
    is_integer = dtype.kind in "iub" or dtype.name.startswith(("int", "uint"))
    size = int(np.prod(shape))
    if generator == "rand":
        if not is_integer:
            return rng.random(size).astype(dtype)
        return rng.integers(0, 2, size).astype(dtype) if dtype.kind == "b" else _any_bits(rng, size, dtype)
    if generator == "randn":
        if is_integer:
            raise ValueError("randn makes floats; use randint:LO:HI")
        return rng.standard_normal(size).astype(dtype)
    if generator == "randint":
        return rng.integers(int(numbers[0]), int(numbers[1]), size).astype(dtype)
    if generator == "arange":
        return np.arange(size).astype(dtype)
    return np.full(size, {"zeros": 0.0, "ones": 1.0}.get(generator, numbers[-1])).astype(dtype)


def _any_bits(rng: np.random.Generator, size: int, dtype: np.dtype) -> np.ndarray:
    return np.frombuffer(rng.bytes(size * dtype.itemsize), np.uint8).view(dtype).copy()


def element_type(kind: ValueType) -> np.dtype | None:
    """The type of the elements that an argument's array has; None where the type of the argument does not tell."""
    return kind.pointee.element if kind.pointee is not None else kind.element


def _named_dtype(name: str, text: str) -> np.dtype:
    text = _ALIASES.get(text, text)
    if text in DTYPES:
        return DTYPES[text]
    if re.fullmatch(r"u(8|16|32|64)", text):
        return np.dtype(f"uint{text[1:]}")
    raise ArgumentError(
        f"argument '{name}': unknown type '{text}'; use one of {', '.join([*DTYPES, 'u8, u16, u32, u64'])}"
    )


def pointer_argument(name: str, kind: ValueType, array: np.ndarray) -> Argument:
    """Checks that the elements of an array are what the pointer points to.  Raises ArgumentError if they are not."""
    wanted = kind.pointee.element if kind.pointee is not None else None
    if wanted is not None and array.dtype != wanted and UNSIGNED.get(wanted) != array.dtype:
        is_byte = wanted == np.bool_ and array.dtype.itemsize == 1
        if not is_byte:
            raise ArgumentError(f"argument '{name}' is a {kind.text}, found elements of type {array.dtype}")
    return Argument(array, array)
