"""Steps of random programs that update memory atomically, and that call functions."""

from __future__ import annotations

from ttkit.interpreter.check.program_writer import BUFFERS, I32, REGION, SHAPES, ProgramWriter, Type, Value

BITWISE = ("and", "or", "xor", "add", "max", "min", "umax", "umin")
ORDERS = ("relaxed", "acquire", "release", "acq_rel")


class Updates(ProgramWriter):
    """Steps with atomic updates and with calls."""

    in_function = False

    def out_pointers(self, type: Type, spread: bool) -> str | None:
        """Pointers into memory that nothing else writes: to an element each, or all to a few."""
        if self.used[type.element] + type.size > REGION:
            return None
        start = self.constant(type.of("i32"), str(self.used[type.element]))
        self.used[type.element] += type.size
        index = self.linear_index(type.shape)
        if not spread:
            index = self.binary("arith.andi", index, self.constant(index.type, str(self.choose.choice((0, 1, 3)))))
        return self.pointers(f"%out_{type.element}", self.binary("arith.addi", index, start))

    def update(self) -> None:
        """An atomic operation: its results are used where each element has memory of its own; where several meet, the
        order must not matter."""
        is_float = self.choose.random() < 0.3
        type = Type(
            self.choose.choice(SHAPES), self.choose.choice(("f16", "f32", "f64") if is_float else ("i32", "i64"))
        )
        spread = is_float or self.choose.random() < 0.5
        pointer = self.out_pointers(type, spread)
        if pointer is None:
            return
        value, mask_type = self.value(type), type.of("i1")
        operands, types = [pointer, value.name], [type.pointer(type.element), str(type)]
        if self.choose.random() < 0.5:
            operands.append(self.value(mask_type).name)
            types.append(str(mask_type))
        kind = "fadd" if is_float else self.choose.choice(BITWISE)
        if spread and type.element != "f16" and self.choose.random() < 0.2:
            kind = "exch"
        head = f"tt.atomic_rmw {kind}, {self.choose.choice(ORDERS)}, {self.choose.choice(('gpu', 'cta', 'sys'))}"
        text = f"{head}, {', '.join(operands)} : ({', '.join(types)}) -> {type}"
        if spread and len(operands) == 2:
            self.add(text, type)
        else:  # what it gives is not defined where the mask is off, nor in which order elements meet
            self.emit(f"{self.fresh()} = {text}")

    def compare_and_swap(self) -> None:
        """Writes a tt.atomic_cas on elements of its own program."""
        type = Type(self.choose.choice(SHAPES), self.choose.choice(("i32", "i64")))
        pointer = self.out_pointers(type, True)
        if pointer is None:
            return
        compared, value = self.value(type), self.value(type)
        head = f"tt.atomic_cas {self.choose.choice(ORDERS)}, gpu, {pointer}, {compared.name}, {value.name}"
        self.add(f"{head} : ({type.pointer(type.element)}, {type}, {type}) -> {type}", type)

    def call(self) -> None:
        """A call of a new function, which is inlined or not."""
        if self.in_function:
            return
        given = [self.any(lambda t: True, I32) for _ in range(self.choose.randint(1, 3))]
        taken = [Value(self.fresh(), value.type) for value in given]
        results = [self.any(lambda t: True, I32).type for _ in range(self.choose.randint(1, 2))]
        listed = ", ".join(map(str, results))
        outer = self.enter_function()
        parameters = [*BUFFERS, f"{self.base.name}: i32", *(f"{value.name}: {value.type}" for value in taken)]
        name = f"@called{len(self.functions)}"
        attributes = " attributes {noinline = true}" if not self.target and self.choose.random() < 0.3 else ""
        self.emit(f"tt.func private {name}({', '.join(parameters)}) -> ({listed}){attributes} {{")
        self.scopes = [[self.base, *taken]]
        for _ in range(self.choose.randint(1, 5)):
            self.step()
        values = [self.value(type) for type in results]
        self.emit(f"tt.return {', '.join(value.name for value in values)} : {listed}")
        self.emit("}")
        self.leave_function(outer)
        buffers = [parameter.split(": ") for parameter in BUFFERS]
        operands = [*(buffer for buffer, _ in buffers), self.base.name, *(value.name for value in given)]
        types = [*(type for _, type in buffers), "i32", *(str(value.type) for value in given)]
        made = [Value(self.fresh(), type) for type in results]
        head = f"{', '.join(value.name for value in made)} = tt.call {name}"
        self.emit(f"{head}({', '.join(operands)}) : ({', '.join(types)}) -> ({listed})")
        self.scopes[-1] += made

    def enter_function(self) -> tuple:
        """Starts the text of a function; gives what `leave_function` needs."""
        outer = self.lines, self.scopes
        self.lines, self.scopes, self.in_function = [], [[]], True
        return outer

    def leave_function(self, outer: tuple) -> None:
        """Puts the function's text in front of the kernel's, which goes on; `outer` is from `enter_function`."""
        self.functions += self.lines
        self.lines, self.scopes = outer
        self.in_function = False
