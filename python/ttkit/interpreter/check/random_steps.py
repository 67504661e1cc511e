"""The steps that random programs are made of.

Every step adds an operation (or an idiom of a few) whose operands are chosen among the values in sight.  Nothing made
is undefined: divisors are positive, shifts are narrower than the type, addresses are masked, each store has memory of
its own.  Inputs are small integers, in floats too, so that sums of their products are exact in any order.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ttkit.interpreter.check.program_writer import (
    I1,
    I32,
    INDENT,
    INTEGERS,
    MAX_DEPTH,
    MEMORY,
    REGION,
    SHAPES,
    Type,
    Value,
)
from ttkit.interpreter.check.random_combinations import Combinations
from ttkit.interpreter.check.random_conversions import Conversions
from ttkit.interpreter.check.random_loops import Loops
from ttkit.interpreter.check.random_products import Products
from ttkit.interpreter.check.random_updates import Updates


class Steps(Products, Updates, Loops, Combinations, Conversions):
    """The operations of programs: each method adds one, or an idiom of a few."""

    def step(self) -> None:
        """Writes a step, drawn by weight."""
        self.choose.choices(_STEPS, _WEIGHTS)[0](self)

    # --- elementwise -------------------------------------------------------------------------------------------------
    def integer_binary(self) -> None:
        """Writes an operation on two integers."""
        a = self.any(lambda t: not t.is_float, self.random_type(INTEGERS))
        names = ["addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui"]
        self.binary(f"arith.{self.choose.choice(names)}", a, self.value(a.type))

    def division(self) -> None:
        """a / ((b & 7) | 1)"""
        a = self.integer()
        low = self.binary("arith.andi", self.value(a.type), self.constant(a.type, "7"))
        divisor = self.binary("arith.ori", low, self.constant(a.type, "1"))
        names = ["divsi", "divui", "remsi", "remui"]
        self.binary(f"arith.{self.choose.choice(names)}", a, divisor)

    def shift(self) -> None:
        """a << (b & (width - 1))"""
        a = self.integer()
        amount = self.binary("arith.andi", self.value(a.type), self.constant(a.type, str(a.type.width - 1)))
        self.binary(f"arith.{self.choose.choice(('shli', 'shrsi', 'shrui'))}", a, amount)

    def float_binary(self) -> None:
        """Writes an operation on two floats."""
        a = self.float()
        names = ["addf", "subf", "mulf", "divf", "maximumf", "minimumf", "maxnumf", "minnumf"]
        self.binary(f"arith.{self.choose.choice(names)}", a, self.value(a.type))

    def float_unary(self) -> None:
        """Writes an operation on a float."""
        a = self.float()
        names = ("arith.negf", "math.absf", "math.floor", "math.ceil", "math.sqrt")
        self.add(f"{self.choose.choice(names)} {a.name} : {a.type}", a.type)

    def fused(self) -> None:
        """Writes a math.fma."""
        a = self.float()
        self.add(f"math.fma {a.name}, {self.value(a.type).name}, {self.value(a.type).name} : {a.type}", a.type)

    def compare(self) -> None:
        """Writes a comparison."""
        a = self.any(lambda t: True, self.random_type())
        predicates = "oeq ogt oge olt ole one ord ueq une uno" if a.type.is_float else "eq ne slt sle sgt sge ult uge"
        name = "arith.cmpf" if a.type.is_float else "arith.cmpi"
        b = self.value(a.type)
        self.add(f"{name} {self.choose.choice(predicates.split())}, {a.name}, {b.name} : {a.type}", a.type.of("i1"))

    def select(self) -> None:
        """Writes an arith.select, by one condition or by one for each element."""
        a = self.any(lambda t: True, self.random_type())
        b = self.value(a.type)
        condition = self.value(I1 if self.choose.random() < 0.3 else a.type.of("i1"))
        types = f"{a.type}" if not condition.type.shape else f"{condition.type}, {a.type}"
        self.add(f"arith.select {condition.name}, {a.name}, {b.name} : {types}", a.type)

    def convert(self) -> None:
        """Writes a conversion to another element type, if there is an operation for it."""
        a = self.any(lambda t: True, self.random_type())
        target = a.type.of(self.choose.choice(MEMORY))
        wider, narrower = target.width > a.type.width, target.width < a.type.width
        if a.type.is_float and target.is_float:
            name = "arith.extf" if wider else "arith.truncf" if narrower else None
        elif a.type.is_float:
            name = "tt.bitcast" if target.width == a.type.width else None
        elif target.is_float:
            name = self.choose.choice(("arith.sitofp", "arith.uitofp"))
        else:
            name = self.choose.choice(("arith.extsi", "arith.extui")) if wider else "arith.trunci" if narrower else None
        if name == "tt.bitcast":
            self.add(f"tt.bitcast {a.name} : {a.type} -> {target}", target)
        elif name:
            self.add(f"{name} {a.name} : {a.type} to {target}", target)

    # --- views -------------------------------------------------------------------------------------------------------
    def tensor(self, test: Callable[[Type], bool] = lambda t: True) -> Value:
        """Some tensor whose type passes a test, made if none is in sight."""
        return self.any(lambda t: bool(t.shape) and test(t), Type((8,), self.choose.choice(MEMORY)))

    def splat(self) -> None:
        """Writes a tt.splat of a scalar."""
        a = self.any(lambda t: not t.shape, I32)
        target = Type(self.choose.choice(SHAPES[1:]), a.type.element)
        self.add(f"tt.splat {a.name} : {a.type} -> {target}", target)

    def broadcast(self, a: Value | None = None) -> Value | None:
        """expand_dims where the tensor has no dimension of size 1, then broadcast along that."""
        a = a or self.tensor(lambda t: t.size <= 64)
        if 1 not in a.type.shape:
            if len(a.type.shape) > 2:
                return None
            axis = self.choose.randrange(len(a.type.shape) + 1)
            shape = (*a.type.shape[:axis], 1, *a.type.shape[axis:])
            target = Type(shape, a.type.element)
            a = self.add(f"tt.expand_dims {a.name} {{axis = {axis} : i32}} : {a.type} -> {target}", target)
        if a.type.size > 64:
            return a
        shape = tuple(self.choose.choice((4, 8)) if size == 1 else size for size in a.type.shape)
        target = Type(shape, a.type.element)
        return self.add(f"tt.broadcast {a.name} : {a.type} -> {target}", target)

    def transpose(self) -> None:
        """Writes a tt.trans in a random order."""
        a = self.tensor()
        order = list(range(len(a.type.shape)))
        self.choose.shuffle(order)
        target = Type(tuple(a.type.shape[axis] for axis in order), a.type.element)
        text = ", ".join(map(str, order))
        self.add(f"tt.trans {a.name} {{order = array<i32: {text}>}} : {a.type} -> {target}", target)

    def reshape(self) -> None:
        """Writes a tt.reshape to a shape of as many elements."""
        a = self.tensor()
        shapes = [shape for shape in SHAPES[1:] if int(np.prod(shape)) == a.type.size]
        target = Type(self.choose.choice([*shapes, (a.type.size,)]), a.type.element)
        self.add(f"tt.reshape {a.name} : {a.type} -> {target}", target)

    def join_and_split(self) -> None:
        """Writes a tt.join, and the tt.split that undoes it."""
        a = self.tensor(lambda t: t.size <= 64)
        joined_type = Type((*a.type.shape, 2), a.type.element)
        joined = self.add(f"tt.join {a.name}, {self.value(a.type).name} : {a.type} -> {joined_type}", joined_type)
        names = self.fresh(), self.fresh()
        self.emit(f"{names[0]}, {names[1]} = tt.split {joined.name} : {joined_type} -> {a.type}")
        self.scopes[-1] += [Value(name, a.type) for name in names]

    def reduce(self) -> None:
        """Writes a reduction or a scan."""
        a = self.tensor()
        self.combine_along(a, self.choose.choice(("reduce", "scan")))

    def combine_along(self, a: Value, kind: str) -> Value:
        """Writes a tt.reduce or tt.scan along a random axis; gives its result."""
        axis = self.choose.randrange(len(a.type.shape))
        names = "addf maximumf minimumf maxnumf" if a.type.is_float else "addi muli maxsi minui xori andi ori"
        name = f"arith.{self.choose.choice(names.split())}"
        element = a.type.element
        rest = (*a.type.shape[:axis], *a.type.shape[axis + 1 :])
        result = Value(self.fresh(), a.type if kind == "scan" else Type(rest, element))
        attributes = f"axis = {axis} : i32"
        if kind == "scan":
            attributes += f", reverse = {self.choose.choice(('true', 'false'))}"
        x, y, z = self.fresh(), self.fresh(), self.fresh()
        self.emit(f'{result.name} = "tt.{kind}"({a.name}) <{{{attributes}}}> ({{')
        self.emit(f"^bb0({x}: {element}, {y}: {element}):")
        self.emit(f"{INDENT}{z} = {name} {x}, {y} : {element}")
        self.emit(f"{INDENT}tt.{kind}.return {z} : {element}")
        self.emit(f"}}) : ({a.type}) -> {result.type}")
        self.scopes[-1].append(result)
        return result

    # --- memory -------------------------------------------------------------------------------------------------------
    def load(self) -> None:
        """Elements at random offsets, for some of them only."""
        type = Type(self.choose.choice(SHAPES[1:]), self.choose.choice(MEMORY))
        offset = self.value(type.of("i32"))
        offset = self.binary("arith.andi", offset, self.constant(offset.type, str(REGION - 1)))
        mask = self.value(type.of("i1")) if self.choose.random() < 0.6 else None
        other = self.value(type) if mask is not None and self.choose.random() < 0.7 else None
        self.load_from(type, offset, mask, other)

    def store(self) -> None:
        """Stores some tensor."""
        self.store_value(self.tensor(lambda t: t.element in MEMORY))

    # --- control flow ------------------------------------------------------------------------------------------------
    def block(self, arguments: list[Value], results: list[Type], keyword: str = "scf.yield") -> None:
        """Steps in a scope of their own, and a yield."""
        self.enter(arguments)
        for _ in range(self.choose.randint(1, 5)):
            self.step()
        values = [self.value(type) for type in results]
        if values:
            types = ", ".join(str(value.type) for value in values)
            self.emit(f"{keyword} {', '.join(value.name for value in values)} : {types}")
        self.leave()

    def open(self, results: list[Type]) -> str:
        """`%a, %b = ` for an operation with regions; its results come into sight with `close`."""
        self.pending = [Value(self.fresh(), type) for type in results]
        return f"{', '.join(value.name for value in self.pending)} = " if results else ""

    def loop(self) -> None:
        """Writes an scf.for, whose trips may differ between programs."""
        if len(self.scopes) >= MAX_DEPTH:
            return
        start = self.constant(I32, str(self.choose.randrange(2)))
        end = self.constant(I32, str(self.choose.randrange(4)))
        if self.choose.random() < 0.5:
            # Differs between programs.
            end = self.binary("arith.andi", self.value(I32), self.constant(I32, "3"))
        step = self.constant(I32, str(self.choose.choice((1, 1, 2))))
        initial = [self.any(lambda t: True, I32) for _ in range(self.choose.randint(1, 3))]
        types = [value.type for value in initial]
        carried = [Value(self.fresh(), type) for type in types]
        index = Value(self.fresh(), I32)
        head = self.open(types)
        results = self.pending
        pairs = ", ".join(f"{c.name} = {i.name}" for c, i in zip(carried, initial))
        bounds = f"{index.name} = {start.name} to {end.name} step {step.name}"
        listed = ", ".join(map(str, types))
        self.emit(f"{head}scf.for {bounds} iter_args({pairs}) -> ({listed}) : i32 {{")
        self.block([index, *carried], types)
        self.emit(f"}}{self.hints()}")
        self.scopes[-1] += results

    def branch(self) -> None:
        """Writes an scf.if, which may give values."""
        if len(self.scopes) >= MAX_DEPTH:
            return
        condition = self.value(I1)
        types = [self.any(lambda t: True, I32).type for _ in range(self.choose.randint(0, 2))]
        head = self.open(types)
        results = self.pending
        arrow = f" -> ({', '.join(map(str, types))})" if types else ""
        self.emit(f"{head}scf.if {condition.name}{arrow} {{")
        self.block([], types)
        if types or self.choose.random() < 0.5:
            self.emit("} else {")
            self.block([], types)
        self.emit("}")
        self.scopes[-1] += results

    # --- what passes look for ----------------------------------------------------------------------------------------
    def pointer_chain(self) -> None:
        """load(p + i + j)"""
        type = Type(self.choose.choice(SHAPES[1:]), self.choose.choice(MEMORY))
        width = self.choose.choice(("i32", "i64"))
        offset = self.value(type.of(width))
        offset = self.binary("arith.andi", offset, self.constant(offset.type, "1023"))
        first = self.pointers(f"%in_{type.element}", offset)
        second, pointer = self.fresh(), type.pointer(type.element)
        more = self.constant(offset.type, str(self.choose.randrange(1024)))
        self.emit(f"{second} = tt.addptr {first}, {more.name} : {pointer}, {offset.type}")
        self.add(f"tt.load {second} : {pointer}", type)

    def selected_load(self) -> None:
        """select(c, load(p, splat c, other), x)"""
        type = Type(self.choose.choice(SHAPES[1:]), self.choose.choice(MEMORY))
        condition = self.value(I1)
        mask_type = type.of("i1")
        mask = self.add(f"tt.splat {condition.name} : i1 -> {mask_type}", mask_type)
        loaded = self.load_from(type, self.linear_index(type.shape), mask, self.value(type))
        other = self.value(type)
        chosen = condition if self.choose.random() < 0.7 else self.value(I1)
        self.add(f"arith.select {chosen.name}, {loaded.name}, {other.name} : {type}", type)

    def operation_on_views(self) -> None:
        """op(splat a, splat b), op(broadcast a, constant)"""
        a = self.any(lambda t: t.element != "i1" and t.size <= 16, I32)
        name = "arith.addf" if a.type.is_float else "arith.addi"
        if a.type.shape:
            wide = self.broadcast(a)
            if wide is not None:
                self.binary(name, wide, self.constant(wide.type))
            return
        target = Type(self.choose.choice(SHAPES[1:]), a.type.element)
        operands = []
        for value in (a, self.value(a.type)):
            operands.append(self.add(f"tt.splat {value.name} : {value.type} -> {target}", target))
        self.binary(name, *operands)


_TABLE: dict[Callable[[Steps], object], float] = {
    Steps.integer_binary: 10,
    Steps.division: 2,
    Steps.shift: 2,
    Steps.float_binary: 8,
    Steps.float_unary: 3,
    Steps.fused: 1,
    Steps.compare: 5,
    Steps.select: 5,
    Steps.convert: 6,
    Steps.splat: 4,
    Steps.broadcast: 4,
    Steps.transpose: 3,
    Steps.reshape: 3,
    Steps.join_and_split: 2,
    Steps.reduce: 3,
    Steps.load: 4,
    Steps.store: 3,
    Steps.loop: 3,
    Steps.branch: 3,
    Steps.dot: 1,
    Steps.product_loop: 1,
    Steps.update: 2,
    Steps.compare_and_swap: 1,
    Steps.call: 2,
    Steps.pointer_chain: 2,
    Steps.selected_load: 2,
    Steps.sum_of_products: 1,
    Steps.operation_on_views: 5,
    Steps.chained_products: 0.5,
    Steps.batched_product: 0.5,
    Steps.scaled_product: 0.3,
    Steps.while_loop: 1,
    Steps.streaming_loop: 2,
    Steps.position_of_extreme: 1,
    Steps.recurrence: 1,
    Steps.gather: 1,
    Steps.histogram: 0.5,
    Steps.mapped: 0.5,
    Steps.assembly: 0.5,
    Steps.unsplat: 0.5,
    Steps.to_integer: 1,
    Steps.same_bits: 1,
    Steps.to_fp8_and_back: 1,
    Steps.high_product: 0.5,
    Steps.clamp: 0.5,
    Steps.precise: 0.5,
    Steps.rare_unary: 1,
}
_STEPS, _WEIGHTS = list(_TABLE), list(_TABLE.values())
