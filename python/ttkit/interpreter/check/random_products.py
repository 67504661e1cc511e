"""Steps of random programs that multiply matrices: one, a loop of them, one of what another gave, several at once, with
scales, and a sum that `combine` makes one of."""

from __future__ import annotations

from ttkit.interpreter.check.program_writer import I1, I32, INDENT, Type, Value
from ttkit.interpreter.check.random_loops import Loops

SMALL = (16, 16, 16)
SIZES = (SMALL, SMALL, (32, 32, 32), (64, 32, 16), (64, 16, 64), (128, 16, 32))
"""Rows, columns, and what is summed over.  The tensor cores of sm_90 and later work on 64 rows and 128."""
ELEMENTS = (("f16", "f32"), ("f16", "f32"), ("f32", "f32"), ("bf16", "f32"), ("i8", "i32"), ("f8E5M2", "f32"))
NEWER_ELEMENTS = (*ELEMENTS, ("f8E4M3FN", "f32"))
"""Since sm_89."""
PRECISIONS = ("", "", "tf32", "tf32x3", "bf16x3")
LARGEST = 256
"""Elements of tensors that other steps work on: more would take their time."""


class Products(Loops):
    """Steps with products of matrices."""

    def kinds(self) -> tuple[str, str]:
        """Element types of operands and of the result."""
        return self.choose.choice(ELEMENTS if 0 < self.target < 89 else NEWER_ELEMENTS)

    def operand(self, type: Type) -> Value:
        """A matrix of small numbers, maybe read the other way round; fp8 is rounded from f16."""
        if type.element.startswith("f8"):
            wide, name = self.operand(type.of("f16")), self.fresh()
            self.emit(f"{name} = tt.fp_to_fp {wide.name}, rounding = rtne : {wide.type} -> {type}")
            return Value(name, type)
        if self.choose.random() < 0.8:
            return self.load_own(type)
        turned = self.load_own(Type((*type.shape[:-2], type.shape[-1], type.shape[-2]), type.element))
        order = ", ".join(map(str, (*range(len(type.shape) - 2), len(type.shape) - 1, len(type.shape) - 2)))
        return self.add(f"tt.trans {turned.name} {{order = array<i32: {order}>}} : {turned.type} -> {type}", type)

    def dot(self) -> None:
        """a . b + c, in one operation or two."""
        (rows, columns, depth), (source, target) = self.choose.choice(SIZES), self.kinds()
        a, b = self.operand(Type((rows, depth), source)), self.operand(Type((depth, columns), source))
        result = Type((rows, columns), target)
        addend = self.load_own(result)
        zero = self.zero(result)
        start = zero if self.choose.random() < 0.7 else addend
        product = self.multiply(a, b, start)
        if start is zero:
            pair = (product, addend) if self.choose.random() < 0.5 else (addend, product)
            product = self.binary("arith.addf" if result.is_float else "arith.addi", *pair)
        self.keep(product)

    def zero(self, type: Type) -> Value:
        """A constant of zeros."""
        return self.constant(type, "0.0" if type.is_float else "0")

    def multiply(self, a: Value, b: Value, start: Value) -> Value:
        """Writes a tt.dot; gives its result."""
        precision = self.choose.choice(PRECISIONS) if a.type.element == "f32" else ""
        precision = f", inputPrecision = {precision}" if precision else ""
        types = f"{a.type} * {b.type} -> {start.type}"
        return self.add(f"tt.dot {a.name}, {b.name}, {start.name}{precision} : {types}", start.type)

    def batched_product(self) -> None:
        """Several products of the same size at once."""
        source, target = self.kinds()
        batch, size = self.choose.choice((2, 4)), self.choose.choice((16, 32))
        a, b = (self.operand(Type((batch, *shape), source)) for shape in ((16, size), (size, 16)))
        self.keep(self.multiply(a, b, self.zero(Type((batch, 16, 16), target))))

    def scaled_product(self) -> None:
        """Writes a tt.dot_scaled of fp8 or fp4, with a scale for 32 numbers."""
        rows, columns, depth = self.choose.choice(((16, 16, 64), (32, 16, 64), (128, 32, 64)))
        kinds = [self.choice_of_format() for _ in range(2)]
        sides = []
        for (kind, element, packed), length, axis in zip(kinds, (rows, columns), (1, 0)):
            shape = (length, depth // packed) if axis == 1 else (depth // packed, length)
            value = self.operand(Type(shape, element))
            scale = Type((length, depth // 32), "i8")
            low = self.binary("arith.andi", self.load_own(scale), self.constant(scale, "3"))
            sides.append((value, self.binary("arith.addi", low, self.constant(scale, "126")), kind))
        (a, first, lhs), (b, second, rhs) = sides
        start = self.zero(Type((rows, columns), "f32"))
        head = f"tt.dot_scaled {a.name} scale {first.name}, {b.name} scale {second.name}, {start.name}"
        types = f"{a.type}, {first.type} * {b.type}, {second.type} -> {start.type}"
        self.keep(self.add(f"{head} lhs = {lhs} rhs = {rhs} {{fastMath = false}} : {types}", start.type))

    def choice_of_format(self) -> tuple[str, str, int]:
        """A format of scaled numbers, the elements that hold them, and how many each holds."""
        formats = [("e5m2", "f8E5M2", 1), ("e2m1", "i8", 2), ("bf16", "bf16", 1), ("e4m3", "f8E4M3FN", 1)]
        return self.choose.choice(formats[:-1] if 0 < self.target < 89 else formats)

    def chained_products(self) -> None:
        """acc += (q . transposed k[i] - its largest of a row) . v[i] in a loop, as attention does."""
        rows, keys, width = self.choose.choice(((16, 16, 16), (64, 32, 16), (128, 32, 32), (128, 64, 16)))
        source = self.choose.choice(("f16", "bf16"))
        q_type, k_type, s_type, o_type = (
            Type(shape, element)
            for shape, element in (
                ((rows, width), source),
                ((keys, width), source),
                ((rows, keys), "f32"),
                ((rows, width), "f32"),
            )
        )
        q, start, count = self.load_own(q_type), self.zero(o_type), self.bounds(3)
        index, carried, result = Value(self.fresh(), I32), Value(self.fresh(), o_type), Value(self.fresh(), o_type)
        none = self.zero(s_type)
        head = f"{result.name} = scf.for {index.name} = {count} iter_args({carried.name} = {start.name})"
        self.emit(f"{head} -> ({o_type}) : i32 {{")
        self.enter([index])
        step = self.binary("arith.muli", index, self.constant(I32, str(keys * width)))
        far = self.add(f"tt.splat {step.name} : i32 -> {k_type.of('i32')}", k_type.of("i32"))
        offset = self.binary("arith.addi", self.linear_index(k_type.shape), far)
        k = self.load_from(k_type, offset)
        v = self.load_from(k_type, self.binary("arith.addi", offset, self.constant(offset.type, "16")))
        turned_type = Type((width, keys), source)
        turned = self.add(f"tt.trans {k.name} {{order = array<i32: 1, 0>}} : {k_type} -> {turned_type}", turned_type)
        scores = self.multiply(q, turned, none)
        if self.choose.random() < 0.6:
            scores = self.without_maximum(scores)
        narrow = s_type.of(source)
        p = self.add(f"arith.truncf {scores.name} : {s_type} to {narrow}", narrow)
        total = self.multiply(p, v, carried)
        self.emit(f"scf.yield {total.name} : {o_type}")
        self.leave()
        self.emit(f"}}{self.hints()}")
        self.scopes[-1].append(result)
        self.keep(result)

    def without_maximum(self, a: Value) -> Value:
        """A matrix less the largest number of each row."""
        x, y, z = (self.fresh() for _ in range(3))
        rows = a.type.shape[0]
        most, thin = Value(self.fresh(), Type((rows,), "f32")), Type((rows, 1), "f32")
        self.emit(f'{most.name} = "tt.reduce"({a.name}) <{{axis = 1 : i32}}> ({{')
        self.emit(f"^bb0({x}: f32, {y}: f32):")
        self.emit(f"{INDENT}{z} = arith.maxnumf {x}, {y} : f32")
        self.emit(f"{INDENT}tt.reduce.return {z} : f32")
        self.emit(f"}}) : ({a.type}) -> {most.type}")
        column = self.add(f"tt.expand_dims {most.name} {{axis = 1 : i32}} : {most.type} -> {thin}", thin)
        wide = self.add(f"tt.broadcast {column.name} : {thin} -> {a.type}", a.type)
        return self.binary("arith.subf", a, wide)

    def keep(self, value: Value) -> None:
        """Stores what is large, and takes it out of sight."""
        if value.type.size > LARGEST:
            self.store_value(value)
        self.scopes[-1] = [value for value in self.scopes[-1] if value.type.size <= LARGEST]

    def product_loop(self) -> None:
        """acc += a[:, k : k + K] . b[k : k + K, :] for a number of k, with pointers that move; maybe under masks."""
        (rows, columns, depth), (source, target) = self.choose.choice(SIZES), self.choose.choice(ELEMENTS[:-1])
        a, b, result = Type((rows, depth), source), Type((depth, columns), source), Type((rows, columns), target)
        start = self.zero(result)
        count = self.constant(I32, str(self.choose.randrange(1, 5)))
        if self.choose.random() < 0.6:
            count = self.binary("arith.andi", self.value(I32), self.constant(I32, "3"))
        mask = self.value(I1) if self.choose.random() < 0.4 else None
        zero, one = self.constant(I32, "0"), self.constant(I32, "1")
        steps = [self.constant(kind.of("i32"), str(self.choose.choice((depth, 64)))) for kind in (a, b)]
        bases = [self.pointers(f"%in_{source}", self.linear_index(kind.shape)) for kind in (a, b)]
        masks = [self.add(f"tt.splat {mask.name} : i1 -> {kind.of('i1')}", kind.of("i1")) for kind in (a, b) if mask]
        initial = [start.name, *bases]
        types = [str(result), a.pointer(source), b.pointer(source)]
        carried, results = [self.fresh() for _ in types], [self.fresh() for _ in types]
        pairs = ", ".join(f"{inner} = {outer}" for inner, outer in zip(carried, initial))
        index = self.fresh()
        self.emit(
            f"{', '.join(results)} = scf.for {index} = {zero.name} to {count.name} step {one.name} "
            f"iter_args({pairs}) -> ({', '.join(types)}) : i32 {{"
        )
        self.enter([Value(index, I32)])
        operands = []
        for number, kind in enumerate((a, b)):
            extra = f", {masks[number].name}" if masks else ""
            operands.append(self.add(f"tt.load {carried[number + 1]}{extra} : {kind.pointer(source)}", kind))
        product = self.multiply(operands[0], operands[1], Value(carried[0], result))
        moved = []
        for number, kind in enumerate((a, b)):
            moved.append(self.fresh())
            self.emit(
                f"{moved[-1]} = tt.addptr {carried[number + 1]}, {steps[number].name} : "
                f"{kind.pointer(source)}, {kind.of('i32')}"
            )
        self.emit(f"scf.yield {', '.join([product.name, *moved])} : {', '.join(types)}")
        self.leave()
        self.emit(f"}}{self.hints()}")
        final = Value(results[0], result)
        self.scopes[-1].append(final)
        self.keep(final)

    def sum_of_products(self) -> None:
        """sum over k of a[i, k] * b[k, j], spelled out."""
        element = self.choose.choice(("f32", "f16", "i32"))
        matrix, cube = Type((16, 16), element), Type((16, 16, 16), element)
        a, b = self.load_own(matrix), self.load_own(matrix)
        wide = []
        for value, axis, shape in ((a, 2, (16, 16, 1)), (b, 0, (1, 16, 16))):
            thin = Type(shape, element)
            value = self.add(f"tt.expand_dims {value.name} {{axis = {axis} : i32}} : {matrix} -> {thin}", thin)
            wide.append(self.add(f"tt.broadcast {value.name} : {thin} -> {cube}", cube))
        product = self.binary("arith.mulf" if cube.is_float else "arith.muli", *wide)
        x, y, z = self.fresh(), self.fresh(), self.fresh()
        result = Value(self.fresh(), matrix)
        self.emit(f'{result.name} = "tt.reduce"({product.name}) <{{axis = 1 : i32}}> ({{')
        self.emit(f"^bb0({x}: {element}, {y}: {element}):")
        self.emit(f"{INDENT}{z} = arith.add{'f' if cube.is_float else 'i'} {x}, {y} : {element}")
        self.emit(f"{INDENT}tt.reduce.return {z} : {element}")
        self.emit(f"}}) : ({cube}) -> {matrix}")
        self.keep(result)
        self.scopes[-1].append(result)
