"""Steps of random programs between types, fp8 too, and with functions of tt itself."""

from __future__ import annotations

from ttkit.interpreter.check.program_writer import FLOATS, I32, INTEGERS, ProgramWriter, Type, Value

LIMIT = 100
"""Magnitude of floats that become integers or fp8: beyond it, results may differ."""


class Conversions(ProgramWriter):
    """Steps about the types of elements."""

    def bounded(self, a: Value) -> Value:
        """max(min(a, LIMIT), -LIMIT), where a NaN becomes LIMIT."""
        high, low = (self.constant(a.type, f"{sign}{LIMIT}.0") for sign in ("", "-"))
        return self.binary("arith.maxnumf", self.binary("arith.minnumf", a, high), low)

    def a_float(self, elements: tuple[str, ...] = FLOATS) -> Value:
        """Some value of these floats, made if none is in sight."""
        return self.any(lambda t: t.element in elements, Type((8,), self.choose.choice(elements)))

    def to_integer(self) -> None:
        """A float as an integer that holds it, with or without sign."""
        a = self.bounded(self.a_float())
        name, target = "arith.fptosi", a.type.of(self.choose.choice(("i8", "i16", "i32", "i64")))
        if self.choose.random() < 0.4:
            a, name = self.binary("arith.maxnumf", a, self.constant(a.type, "0.0")), "arith.fptoui"
        self.add(f"{name} {a.name} : {a.type} to {target}", target)

    def same_bits(self) -> None:
        """An integer as the float of the same bits, or the other way round."""
        a = self.any(lambda t: t.width in (16, 32, 64), I32)
        target = a.type.of({16: ("f16", "bf16"), 32: ("f32",), 64: ("f64",)}[a.type.width][0])
        if a.type.is_float:
            target = a.type.of(f"i{a.type.width}")
        if not a.type.is_float or self.choose.random() < 0.3:  # a NaN may have any bits
            self.add(f"tt.bitcast {a.name} : {a.type} -> {target}", target)

    def to_fp8_and_back(self) -> None:
        """A float rounded to fp8: as a float again, or its bits."""
        a = self.a_float(("f16", "bf16", "f32"))
        if not a.type.shape:
            wide = Type((8,), a.type.element)
            a = self.add(f"tt.splat {a.name} : {a.type} -> {wide}", wide)
        a = self.bounded(a)
        kinds = ("f8E5M2", "f8E4M3FN") if not 0 < self.target < 89 else ("f8E5M2",)
        small, name = a.type.of(self.choose.choice(kinds)), self.fresh()
        self.emit(f"{name} = tt.fp_to_fp {a.name}, rounding = rtne : {a.type} -> {small}")
        if self.choose.random() < 0.6:
            target = a.type.of(self.choose.choice(("f16", "bf16", "f32")))
            self.add(f"tt.fp_to_fp {name} : {small} -> {target}", target)
        else:
            self.add(f"tt.bitcast {name} : {small} -> {a.type.of('i8')}", a.type.of("i8"))

    def high_product(self) -> None:
        """The upper half of a product."""
        a = self.any(lambda t: t.element in ("i32", "i64"), I32)
        self.add(f"tt.mulhiui {a.name}, {self.value(a.type).name} : {a.type}", a.type)

    def clamp(self) -> None:
        """Writes a tt.clampf."""
        a = self.a_float(("f32", "f16"))
        low, high = (self.constant(a.type, text) for text in ("-2.0", "3.0"))
        kind = self.choose.choice(("none", "all"))
        self.add(f"tt.clampf {a.name}, {low.name}, {high.name}, propagateNan = {kind} : {a.type}", a.type)

    def precise(self) -> None:
        """A root or a quotient that is rounded as IEEE says."""
        a = self.a_float(("f32",))
        if self.choose.random() < 0.5:
            self.add(f"tt.precise_sqrt {a.name} : {a.type}", a.type)
        else:
            self.add(f"tt.precise_divf {a.name}, {self.value(a.type).name} : {a.type}", a.type)

    def rare_unary(self) -> None:
        """Writes math.absi, or a conversion to or from i1."""
        a = self.any(lambda t: t.element in INTEGERS, I32)
        if self.choose.random() < 0.5:
            self.add(f"math.absi {a.name} : {a.type}", a.type)
        else:
            self.add(f"arith.trunci {a.name} : {a.type} to {a.type.of('i1')}", a.type.of("i1"))
