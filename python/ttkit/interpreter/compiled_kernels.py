"""Runs of compiled kernels without a GPU: their ttg, on the arrays that a launch was given, in place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from mlir import ir

from ttkit.context import parse
from ttkit.interpreter.decode import Function, decode_module
from ttkit.interpreter.launch import check_arguments, run_programs
from ttkit.interpreter.ops.descriptor import Descriptor, flag, is_descriptor
from ttkit.interpreter.ops.image_descriptor import ImageDescriptor
from ttkit.interpreter.python_mode.array_memory import KernelMemory
from ttkit.interpreter.python_mode.host_arrays import host_array
from ttkit.interpreter.run_options import Options
from ttkit.interpreter.values import ADDRESS, ValueType


class CompiledRuns:
    """The launches of one compiled kernel.

    Args:
        module: its module in tt or ttg, or the text of it.
        names: of the arguments, in order.
        types: of the arguments, as a signature has them: "*fp32", "i32", "constexpr", tuples of these.
    """

    def __init__(self, module: str | ir.Module, names: Sequence[str], types: Sequence[Any]) -> None:
        self.module = decode_module(parse(module) if isinstance(module, str) else module)
        self.function: Function = self.module.public_function(None)
        self.names, self.types = names, types

    def run(
        self,
        grid: tuple[int, int, int],
        arguments: Sequence[Any],
        memory: KernelMemory | None = None,
        programs: np.ndarray | None = None,
        options: Options | None = None,
    ) -> None:
        """Runs programs of a grid; arrays on a GPU are copied, and copied back.

        Args:
            arguments: all of the kernel's, constants too.
            memory: that the arguments become; new memory by default.
            programs: linear indices of those to run; all by default.

        Raises:
            InterpreterError: the kernel did something undefined, such as OutOfBounds.
            TypeError: an argument is not an array where the kernel takes a pointer.
            ValueError: the kernel takes what no launch can pass.
        """
        check_arguments(self.function)
        memory, kinds = memory or KernelMemory(), iter(self.function.argument_types)
        taken = taken_values(zip(self.names, self.types, arguments))
        values = [value for one in taken for value in _values(memory, kinds, *one)]
        left = [kind.text for kind in kinds]
        if left:
            raise TypeError(f"kernel {self.function.name} also takes {', '.join(left)}")
        if programs is None:
            programs = np.arange(grid[0] * grid[1] * grid[2], dtype=np.int64)
        for _ in run_programs(self.module, self.function, memory, grid, programs, values, options or Options()):
            pass
        memory.copy_back()


def taken_values(arguments: Iterable[tuple[str, Any, Any]]) -> Iterator[tuple[str, Any]]:
    """The names and values of what a kernel takes, of (name, type, value) of its arguments: constants drop out, and
    tuples are taken apart, whose items are `name[0]` and so on."""
    for name, kind, value in arguments:
        if isinstance(kind, tuple):
            items = enumerate(zip(kind, value))
            yield from taken_values((f"{name}[{index}]", part, item) for index, (part, item) in items)
        elif kind != "constexpr":
            yield name, value


def _values(memory: KernelMemory, kinds: Iterator[ValueType], name: str, value: Any) -> Iterator[Any]:
    """The values that an argument becomes, for the next parameters of the function."""
    kind = next(kinds, None)
    if kind is None:
        raise TypeError(f"the kernel takes no argument for {name}")
    if is_descriptor(kind) or hasattr(value, "block_shape"):
        yield from _descriptor_values(memory, kinds, kind, name, value)
    elif kind.pointee is not None:
        yield np.array([_address(memory, name, value)], ADDRESS)
    else:
        yield _number(kind, value)


def _descriptor_values(
    memory: KernelMemory, kinds: Iterator[ValueType], kind: ValueType, name: str, value: Any
) -> Iterator[Any]:
    """A tensor descriptor; or, where the target has none, its pointer, sizes and strides, and whether it pads with NaN.
    Its sizes and strides follow, in either case."""
    sizes = [int(size) for size in value.shape]
    strides = [int(stride) for stride in value.strides]
    with_nan = str(getattr(value, "padding", "zero") or "zero").lower() == "nan"
    rounds = flag(bool(getattr(value, "round_f32_to_tf32", False)))
    address = np.array([_address(memory, name, value.base)], ADDRESS)
    if is_descriptor(kind):
        shape, steps = (tuple(np.array([number], np.int64) for number in numbers) for numbers in (sizes, strides))
        made = Descriptor(address, shape, steps, kind.pointee, flag(with_nan), rounds)
        yield ImageDescriptor.of(made, value) if getattr(value, "mode", "") == "im2col" else made
        numbers = [*sizes, *strides]
    else:
        yield address
        numbers = [*sizes, *strides, with_nan, *sizes, *strides]
    for number in numbers:
        yield _number(next(kinds), number)


def _address(memory: KernelMemory, name: str, value: Any) -> int:
    """The address of an argument for a pointer.

    Raises:
        TypeError: it is none.
    """
    if value is None:
        return 0
    if isinstance(value, (int, np.integer)):
        return int(value)
    array = host_array(value)
    if array is None:
        raise TypeError(f"argument {name}: a kernel takes an array for a pointer, found {type(value).__name__}")
    return memory.add_array(name, array)


def _number(kind: ValueType, value: Any) -> np.ndarray:
    """A scalar; integers keep the bits that their type has."""
    dtype = np.dtype(kind.element)
    if dtype.kind in "iu":
        wrapped = int(value) & ((1 << 8 * dtype.itemsize) - 1)
        return np.array([wrapped], f"u{dtype.itemsize}").view(dtype)
    return np.array([value]).astype(dtype)
