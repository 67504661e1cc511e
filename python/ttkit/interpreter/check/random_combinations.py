"""Steps of random programs whose elements meet others: several operands combined along an axis, gathers, histograms,
and regions and inline assembly that are run for each element."""

from __future__ import annotations

from ttkit.interpreter.check.program_writer import I32, INDENT, INTEGERS, MEMORY, ProgramWriter, Type, Value

LARGEST = 256
"""Elements of tensors that are gathered from, or counted."""


class Combinations(ProgramWriter):
    """Steps about several tensors, or several elements of one."""

    def small_tensor(self, elements: tuple[str, ...] = MEMORY) -> Value:
        """Some tensor that is not large, made if none is in sight."""
        otherwise = Type((8, 4), self.choose.choice(elements))
        return self.any(lambda t: bool(t.shape) and t.size <= LARGEST and t.element in elements, otherwise)

    def region(self, head: str, arguments: list[Value], lines: list[str], end: str, types: str) -> None:
        """Writes an operation in generic form, with a region of one block."""
        self.emit(f"{head} ({{")
        self.emit(f"^bb0({', '.join(f'{value.name}: {value.type}' for value in arguments)}):")
        for line in [*lines, end]:
            self.emit(INDENT + line)
        self.emit(f"}}) : {types}")

    def position_of_extreme(self) -> None:
        """The largest or smallest element along an axis, and the first place where it is."""
        a = self.small_tensor(INTEGERS)
        axis = self.choose.randrange(len(a.type.shape))
        indices = self.linear_index(a.type.shape)
        x, i, y, j = (Value(self.fresh(), Type((), element)) for element in (a.type.element, "i32") * 2)
        better, same, first, tie, keep, value, place = (self.fresh() for _ in range(7))
        kind, element = self.choose.choice(("sgt", "slt", "ugt")), a.type.element
        lines = [
            f"{better} = arith.cmpi {kind}, {x.name}, {y.name} : {element}",
            f"{same} = arith.cmpi eq, {x.name}, {y.name} : {element}",
            f"{first} = arith.cmpi slt, {i.name}, {j.name} : i32",
            f"{tie} = arith.andi {same}, {first} : i1",
            f"{keep} = arith.ori {better}, {tie} : i1",
            f"{value} = arith.select {keep}, {x.name}, {y.name} : {element}",
            f"{place} = arith.select {keep}, {i.name}, {j.name} : i32",
        ]
        rest = Type((*a.type.shape[:axis], *a.type.shape[axis + 1 :]), element)
        results = [Value(self.fresh(), rest), Value(self.fresh(), rest.of("i32"))]
        head = f'{results[0].name}, {results[1].name} = "tt.reduce"({a.name}, {indices.name}) <{{axis = {axis} : i32}}>'
        end = f"tt.reduce.return {value}, {place} : {element}, i32"
        types = f"({a.type}, {indices.type}) -> ({rest}, {rest.of('i32')})"
        self.region(head, [x, i, y, j], lines, end, types)
        self.scopes[-1] += results

    def recurrence(self) -> None:
        """x[i] = a[i] * x[i - 1] + b[i], as a scan of pairs."""
        a = self.small_tensor(INTEGERS)
        b, element = self.value(a.type), a.type.element
        axis, reverse = self.choose.randrange(len(a.type.shape)), self.choose.choice(("true", "false"))
        p, q, r, s = (Value(self.fresh(), Type((), element)) for _ in range(4))
        factor, moved, added = (self.fresh() for _ in range(3))
        lines = [
            f"{factor} = arith.muli {p.name}, {r.name} : {element}",
            f"{moved} = arith.muli {r.name}, {q.name} : {element}",
            f"{added} = arith.addi {moved}, {s.name} : {element}",
        ]
        results = [Value(self.fresh(), a.type), Value(self.fresh(), a.type)]
        attributes = f"<{{axis = {axis} : i32, reverse = {reverse}}}>"
        head = f'{results[0].name}, {results[1].name} = "tt.scan"({a.name}, {b.name}) {attributes}'
        types = f"({a.type}, {a.type}) -> ({a.type}, {a.type})"
        self.region(head, [p, q, r, s], lines, f"tt.scan.return {factor}, {added} : {element}, {element}", types)
        self.scopes[-1] += results

    def gather(self) -> None:
        """a[i & (size - 1)] along an axis."""
        a = self.small_tensor()
        axis = self.choose.randrange(len(a.type.shape))
        indices = self.value(a.type.of("i32"))
        low = self.binary("arith.andi", indices, self.constant(indices.type, str(a.type.shape[axis] - 1)))
        types = f"({a.type}, {low.type}) -> {a.type}"
        self.add(f"tt.gather {a.name}[{low.name}] {{axis = {axis} : i32}} : {types}", a.type)

    def histogram(self) -> None:
        """Counts how often each of a few numbers occurs, maybe under a mask."""
        values = self.value(Type((self.choose.choice((16, 64, 128)),), "i32"))
        bins = self.choose.choice((2, 8, 32))
        low = self.binary("arith.andi", values, self.constant(values.type, str(bins - 1)))
        mask = f", {self.value(low.type.of('i1')).name}" if self.choose.random() < 0.4 else ""
        result = Type((bins,), "i32")
        self.add(f"tt.histogram {low.name}{mask} : {low.type} -> {result}", result)

    def mapped(self) -> None:
        """A region that is run for one element, or for some together."""
        a = self.small_tensor(INTEGERS)
        b, pack = self.value(a.type), self.choose.choice((1, 1, 2))
        element = Type((), a.type.element)
        first, second = ([Value(self.fresh(), element) for _ in range(pack)] for _ in range(2))
        lines, results = [], []
        for x, y in zip(first, second):
            swapped, chosen, result = (self.fresh() for _ in range(3))
            lines.append(f"{swapped} = arith.cmpi slt, {x.name}, {y.name} : {element}")
            lines.append(f"{chosen} = arith.select {swapped}, {y.name}, {x.name} : {element}")
            lines.append(f"{result} = arith.subi {chosen}, {x.name} : {element}")
            results.append(result)
        made = Value(self.fresh(), a.type)
        head = f'{made.name} = "tt.map_elementwise"({a.name}, {b.name}) <{{pack = {pack} : i32}}>'
        end = f"tt.map_elementwise.return {', '.join(results)} : {', '.join([str(element)] * pack)}"
        self.region(head, [*first, *second], lines, end, f"({a.type}, {a.type}) -> {a.type}")
        self.scopes[-1].append(made)

    def assembly(self) -> None:
        """Inline PTX for each element."""
        a = self.value(Type(self.small_tensor().type.shape, "i32"))
        b, name = self.value(a.type), self.choose.choice(("add.u32", "xor.b32", "max.s32", "mul.lo.u32"))
        attributes = 'constraints = "=r,r,r", packed_element = 1 : i32, pure = true'
        text = f'tt.elementwise_inline_asm "{name} $0, $1, $2;" {{{attributes}}} {a.name}, {b.name}'
        self.add(f"{text} : {a.type}, {a.type} -> {a.type}", a.type)

    def unsplat(self) -> None:
        """The element of a tensor that has one."""
        scalar = self.any(lambda t: not t.shape, I32)
        one = Type((1,), scalar.type.element)
        tensor = self.add(f"tt.splat {scalar.name} : {scalar.type} -> {one}", one)
        self.add(f"tt.unsplat {tensor.name} : {one}", scalar.type)
