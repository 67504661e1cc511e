"""Prints and assertions."""

from __future__ import annotations

import bdb
import math

import numpy as np

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import AssertionFailed, InterpreterError
from ttkit.interpreter.machine import Machine
from ttkit.interpreter.numerics.rounding import as_unsigned
from ttkit.interpreter.ops.registry import interprets
from ttkit.interpreter.values import ValueType
from ttkit.kernel_breakpoints import Breakpoint

Array = np.ndarray


@interprets("tt.print")
def print_values(machine: Machine, op: Instruction, *args: Array) -> tuple:
    """Writes to standard output, a line for each element of each argument of each program:

    pid (X, Y, Z) idx (I, J, ...)PREFIX(operand N) ELEMENT

    Indices are as wide as the largest; "(operand N) " is there only if there are several.  Hexadecimal has all digits
    of the type.  Without arguments: pid (X, Y, Z)PREFIX.
    """
    prefix, hexadecimal = op.attributes["prefix"], op.attributes["hex"]
    if (place := Breakpoint.of_prefix(prefix)) is not None:
        return _stop(machine, op, place, args)
    for lane, program in enumerate(machine.programs):
        start = "pid ({}, {}, {})".format(*machine.coordinates(int(program)))
        if not args:
            print(start + prefix)
        for number, (value, kind) in enumerate(zip(args, op.operand_types)):
            text = text_of(kind, hexadecimal, bool(op.attributes["isSigned"][number]))
            operand = f"(operand {number}) " if len(args) > 1 else ""
            widths = [math.ceil(math.log10(size)) for size in kind.shape]
            row = value[lane % value.shape[0]]
            for index in np.ndindex(kind.shape):
                where = ", ".join(f"{i:{width}d}" if width else str(i) for i, width in zip(index, widths))
                print(f"{start} idx ({where}){prefix}{operand}{text(row[index])}")
    return ()


def _stop(machine: Machine, op: Instruction, place: Breakpoint, args: tuple[Array, ...]) -> tuple:
    """Opens the debugger in each program.

    Raises:
        InterpreterError: the user ended it.
    """
    for lane, program in enumerate(machine.programs):
        rows = [value[lane % value.shape[0]] for value in args]
        try:
            place.stop(machine.coordinates(int(program)), [row if row.ndim else row[()] for row in rows])
        except bdb.BdbQuit:
            raise InterpreterError("the debugger was ended", op) from None
    return ()


def text_of(kind: ValueType, hexadecimal: bool, signed: bool):
    """The function that writes an element."""
    dtype = kind.element
    if kind.pointee is not None:
        return lambda x: f"{int(x):#x}"

    def bits(x) -> int:
        """The bits of an element, as an unsigned number."""
        return int(as_unsigned(np.array([x], dtype))[0])

    if hexadecimal:
        return lambda x: f"0x{bits(x):0{max(1, 2 * dtype.itemsize)}x}"
    if kind.is_float:
        return lambda x: f"{float(x):f}"
    return (lambda x: str(int(x))) if signed else (lambda x: str(bits(x)))


@interprets("tt.assert")
def check(machine: Machine, op: Instruction, condition: Array) -> tuple:
    """Nothing if all elements are true.

    Raises:
        AssertionFailed: names the message, the program and the element of the first that is false.
    """
    _require(machine, op, condition, op.attributes["message"] or "the condition is false")
    return ()


@interprets("cf.assert")
def assert_scalar(machine: Machine, op: Instruction, condition: Array) -> tuple:
    """Nothing if the condition is true.

    Raises:
        AssertionFailed: names the message and the program.
    """
    _require(machine, op, condition, op.attributes["msg"])
    return ()


@interprets("llvm.intr.assume")
def assume(machine: Machine, op: Instruction, condition: Array) -> tuple:
    """Checks a condition that tl.assume promises to the compiler.

    Raises:
        AssertionFailed: it is not so.
    """
    _require(machine, op, condition, "the assumption is false")
    return ()


def _require(machine: Machine, op: Instruction, condition: Array, message: str) -> None:
    if condition.all():
        return
    lane, *coordinates = (int(i) for i in np.unravel_index(int(np.argmin(condition)), condition.shape))
    program = machine.coordinates(int(machine.programs[lane]))
    raise AssertionFailed(message, op, program, tuple(coordinates))
