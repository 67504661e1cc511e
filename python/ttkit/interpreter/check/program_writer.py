"""Writer of random programs: types, values in sight, constants, loads and stores within bounds."""

from __future__ import annotations

import collections
import random
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

WIDTHS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64}
INTEGERS = ("i8", "i16", "i32", "i64")
FLOATS = ("f16", "bf16", "f32", "f64")
MEMORY = (*INTEGERS, *FLOATS)
"""Element types of the buffers; there is one to read and one to write for each."""
BUFFERS = [f"%{kind}_{element}: !tt.ptr<{element}>" for kind in ("in", "out") for element in MEMORY]
"""Parameters of every function."""
SHAPES = ((), (8,), (16,), (128,), (4, 8), (8, 4), (1, 8), (8, 1), (4, 32), (2, 4, 8), (4, 2, 2, 4), (16, 16))
HOW_TO_LOAD = (" cacheModifier = ca", " cacheModifier = cg", " evictionPolicy = evict_first", " {isVolatile = true}")
PROGRAMS = 4
REGION = 8192
"""Elements of each buffer that one program has for itself."""
MAX_DEPTH = 3
MAX_FINAL_STORES = 16
INDENT = "  "


@dataclass(frozen=True)
class Type:
    """A scalar, of shape (), or a tensor."""

    shape: tuple[int, ...]
    element: str

    def __str__(self) -> str:
        return f"tensor<{'x'.join(map(str, self.shape))}x{self.element}>" if self.shape else self.element

    @property
    def is_float(self) -> bool:
        """Whether elements are floats."""
        return self.element in FLOATS

    @property
    def width(self) -> int:
        """Bits of an element."""
        return WIDTHS[self.element]

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    def of(self, element: str) -> Type:
        """The type of the same shape with other elements."""
        return Type(self.shape, element)

    def pointer(self, element: str) -> str:
        """The type of pointers to such elements, in this shape, as text."""
        return str(self.of(f"!tt.ptr<{element}>"))


I1, I32 = Type((), "i1"), Type((), "i32")


@dataclass(frozen=True)
class Value:
    """A value of the program: its name with the %, and its type."""

    name: str
    type: Type


class ProgramWriter:
    """The text of a program as it grows, and the values that its next operation may use.

    Args:
        target: compute capability of the GPU for which programs can be lowered; 0 for all that tt allows.
        ctas: of a cluster that runs a program.
    """

    def __init__(self, choose: random.Random, target: int = 0, ctas: int = 1) -> None:
        self.choose = choose
        self.target = target
        self.ctas = ctas
        self.lines: list[str] = []
        self.functions: list[str] = []
        self.scopes: list[list[Value]] = [[]]
        self.count = 0
        self.used = dict.fromkeys(MEMORY, 0)

    # --- the frame ---------------------------------------------------------------------------------------------------
    def write(self, size: int) -> str:
        """The text of a module with one kernel of so many random steps."""
        self.emit("module {")
        self.emit(f"tt.func public @random({', '.join(BUFFERS)}, %n: i32, %s: f32) {{")
        self.scopes = [[Value("%n", I32), Value("%s", Type((), "f32"))]]
        pid = self.add("tt.get_program_id x : i32", I32)
        region = self.constant(I32, str(REGION))
        self.base = self.add(f"arith.muli {pid.name}, {region.name} : i32", I32)
        for _ in range(size):
            self.step()
        uses = collections.Counter(re.findall(r"%\w+", "\n".join(self.lines)))
        for value in [value for value in self.scopes[0] if uses[value.name] == 1][-MAX_FINAL_STORES:]:
            self.store_value(value)
        self.emit("tt.return")
        self.emit("}")
        self.lines += [*self.functions, "}"]
        return "\n".join(self.lines) + "\n"

    def emit(self, line: str) -> None:
        """Writes a line, indented by the regions around it."""
        self.lines.append(INDENT * (len(self.scopes)) + line)

    def fresh(self) -> str:
        """A name that no value has yet."""
        self.count += 1
        return f"%{self.count}"

    def add(self, text: str, type: Type) -> Value:
        """Writes an operation with one result."""
        value = Value(self.fresh(), type)
        self.emit(f"{value.name} = {text}")
        self.scopes[-1].append(value)
        return value

    def step(self) -> None:
        """Adds an operation or a few; random_steps.py has them."""
        raise NotImplementedError

    def enter(self, arguments: list[Value]) -> None:
        """Begins a region: values made in it are out of scope after it.

        Args:
            arguments: of its block.
        """
        self.scopes.append(list(arguments))

    def leave(self) -> None:
        """Ends the region that was begun last."""
        self.scopes.pop()

    # --- operands ----------------------------------------------------------------------------------------------------
    def visible(self, test: Callable[[Type], bool]) -> list[Value]:
        """The values in sight whose types pass a test."""
        return [value for scope in self.scopes for value in scope if test(value.type)]

    def any(self, test: Callable[[Type], bool], otherwise: Type) -> Value:
        """A value whose type passes a test, rather a late one; a new one of another type if there is none."""
        found = self.visible(test)
        if not found:
            return self.make(otherwise)
        return found[int(len(found) * self.choose.random() ** 0.5)]

    def value(self, type: Type) -> Value:
        """A value of a type: one in sight, or a new one."""
        found = self.visible(lambda t: t == type)
        if found and self.choose.random() < 0.8:
            return self.choose.choice(found)
        return self.make(type)

    def make(self, type: Type) -> Value:
        """A new value: loaded, for i1 compared, or else a splat or a constant."""
        if self.choose.random() < 0.6:
            if type.element in MEMORY:
                return self.load_own(type)
            data = self.load_own(type.of(self.choose.choice(INTEGERS)))
            limit = self.constant(data.type, str(self.choose.randrange(-4, 5)))
            predicate = self.choose.choice(("slt", "uge", "ne"))
            return self.add(f"arith.cmpi {predicate}, {data.name}, {limit.name} : {data.type}", type)
        if type.shape and self.choose.random() < 0.6:
            scalar = self.value(Type((), type.element))
            return self.add(f"tt.splat {scalar.name} : {scalar.type} -> {type}", type)
        return self.constant(type)

    def constant(self, type: Type, text: str | None = None) -> Value:
        """A constant, with a random value where none is given as text."""
        if text is None and type.shape and type.size <= 16 and not self.target and self.choose.random() < 0.4:
            body = f"dense<{nested([self.number(type) for _ in range(type.size)], type.shape)}>"
        else:
            number = text if text is not None else self.number(type)
            body = f"dense<{number}>" if type.shape else number
        suffix = "" if not type.shape and type.element == "i1" else f" : {type}"
        return self.add(f"arith.constant {body}{suffix}", type)

    def number(self, type: Type) -> str:
        """A random number of an element type, as text: edge cases often."""
        if type.is_float:
            return self.choose.choice(("0.0", "-0.0", "1.0", "-1.0", "2.0", "0.5", "-3.5", "7.0"))
        if type.element == "i1":
            return self.choose.choice(("true", "false"))
        top = (1 << (type.width - 1)) - 1
        return str(self.choose.choice((0, 1, -1, 2, 3, 5, -7, 16, 100, top, -top - 1)))

    def random_type(self, elements: tuple[str, ...] = (*MEMORY, "i1")) -> Type:
        """A random shape with one of these elements."""
        return Type(self.choose.choice(SHAPES), self.choose.choice(elements))

    def integer(self) -> Value:
        """Some value of integers, made if none is in sight."""
        return self.any(lambda t: not t.is_float and t.element != "i1", self.random_type(INTEGERS))

    def float(self) -> Value:
        """Some value of floats, made if none is in sight."""
        return self.any(lambda t: t.is_float, self.random_type(FLOATS))

    def binary(self, name: str, a: Value, b: Value) -> Value:
        """The result of an operation on two values of one type."""
        return self.add(f"{name} {a.name}, {b.name} : {a.type}", a.type)

    # --- memory ------------------------------------------------------------------------------------------------------
    def linear_index(self, shape: tuple[int, ...]) -> Value:
        """0, 1, 2... in row-major order."""
        if not shape:
            return self.constant(I32, "0")
        size = int(np.prod(shape))
        flat = Type((size,), "i32")
        index = self.add(f"tt.make_range {{start = 0 : i32, end = {size} : i32}} : {flat}", flat)
        if shape == flat.shape:
            return index
        return self.add(f"tt.reshape {index.name} : {flat} -> {Type(shape, 'i32')}", Type(shape, "i32"))

    def pointers(self, buffer: str, offset: Value) -> str:
        """The name of pointers to the program's own part of a buffer, by one or two additions."""
        element = buffer.split("_")[1]
        base, name, result = self.fresh(), self.fresh(), self.fresh()
        pointer, tensor = f"!tt.ptr<{element}>", offset.type.pointer(element)
        self.emit(f"{base} = tt.addptr {buffer}, {self.base.name} : {pointer}, i32")
        if offset.type.shape:
            self.emit(f"{name} = tt.splat {base} : {pointer} -> {tensor}")
        else:
            name = base
        self.emit(f"{result} = tt.addptr {name}, {offset.name} : {tensor}, {offset.type}")
        return result

    def load_from(self, type: Type, offset: Value, mask: Value | None = None, other: Value | None = None) -> Value:
        """The result of a load from the buffer of that element type."""
        pointer = self.pointers(f"%in_{type.element}", offset)
        operands = [item.name for item in (mask, other) if item is not None]
        how = self.choose.choice(HOW_TO_LOAD) if self.choose.random() < 0.15 else ""
        return self.add(f"tt.load {', '.join([pointer, *operands])}{how} : {type.pointer(type.element)}", type)

    def load_own(self, type: Type) -> Value:
        """Successive elements, from anywhere in the program's part."""
        index = self.linear_index(type.shape)
        start = self.constant(index.type, str(self.choose.randrange(max(1, REGION - max(256, type.size)))))
        return self.load_from(type, self.binary("arith.addi", index, start))

    def store_value(self, value: Value) -> None:
        """To elements that no other store writes."""
        if value.type.element == "i1":
            value = self.add(f"arith.extui {value.name} : {value.type} to {value.type.of('i8')}", value.type.of("i8"))
        element = value.type.element
        if self.used[element] + value.type.size > REGION:
            return
        start = self.constant(value.type.of("i32"), str(self.used[element]))
        self.used[element] += value.type.size
        offset = self.binary("arith.addi", self.linear_index(value.type.shape), start)
        pointer = self.pointers(f"%out_{element}", offset)
        mask = f", {self.value(value.type.of('i1')).name}" if self.choose.random() < 0.3 else ""
        self.emit(f"tt.store {pointer}, {value.name}{mask} : {value.type.pointer(element)}")


def nested(numbers: list[str], shape: tuple[int, ...]) -> str:
    """The elements of a dense constant."""
    if len(shape) == 1:
        return f"[{', '.join(numbers)}]"
    step = len(numbers) // shape[0]
    rows = (nested(numbers[at : at + step], shape[1:]) for at in range(0, len(numbers), step))
    return f"[{', '.join(rows)}]"
