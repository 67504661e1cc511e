"""Steps of random programs that multiply matrices: one, a loop of them, a sum that `combine` makes one of."""

from __future__ import annotations

from ttkit.interpreter.check.program_writer import I1, I32, INDENT, ProgramWriter, Type, Value

SMALL = (16, 16, 16)
SIZES = (SMALL, SMALL, (32, 32, 32), (64, 32, 16), (64, 16, 64), (128, 16, 32))
"""Rows, columns, and what is summed over.  The tensor cores of sm_90 and later work on 64 rows and 128."""
ELEMENTS = (("f16", "f32"), ("f32", "f32"), ("bf16", "f32"), ("i8", "i32"))
LARGEST = 256
"""Elements of tensors that other steps work on: more would take their time."""


class Products(ProgramWriter):
    """Steps with products of matrices."""

    def dot(self) -> None:
        """a . b + c, in one operation or two."""
        (rows, columns, depth), (source, target) = self.choose.choice(SIZES), self.choose.choice(ELEMENTS)
        a, b = self.load_own(Type((rows, depth), source)), self.load_own(Type((depth, columns), source))
        result = Type((rows, columns), target)
        addend = self.load_own(result)
        zero = self.constant(result, "0.0" if result.is_float else "0")
        start = zero if self.choose.random() < 0.7 else addend
        product = self.multiply(a, b, start)
        if start is zero:
            pair = (product, addend) if self.choose.random() < 0.5 else (addend, product)
            product = self.binary("arith.addf" if result.is_float else "arith.addi", *pair)
        self.keep(product)

    def multiply(self, a: Value, b: Value, start: Value) -> Value:
        """Writes a tt.dot; gives its result."""
        precision = self.choose.choice(("", ", inputPrecision = tf32")) if a.type.element == "f32" else ""
        types = f"{a.type} * {b.type} -> {start.type}"
        return self.add(f"tt.dot {a.name}, {b.name}, {start.name}{precision} : {types}", start.type)

    def keep(self, value: Value) -> None:
        """Stores what is large, and takes it out of sight."""
        if value.type.size > LARGEST:
            self.store_value(value)
        self.scopes[-1] = [value for value in self.scopes[-1] if value.type.size <= LARGEST]

    def product_loop(self) -> None:
        """acc += a[:, k : k + K] . b[k : k + K, :] for a number of k, with pointers that move; maybe under masks."""
        (rows, columns, depth), (source, target) = self.choose.choice(SIZES), self.choose.choice(ELEMENTS)
        a, b, result = Type((rows, depth), source), Type((depth, columns), source), Type((rows, columns), target)
        start = self.constant(result, "0.0" if result.is_float else "0")
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
        self.scopes.append([Value(index, I32)])
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
        self.scopes.pop()
        self.emit("}")
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
