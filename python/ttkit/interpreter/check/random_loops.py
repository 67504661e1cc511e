"""Steps of random programs that repeat: scf.while, loops that load what they use, loops in loops."""

from __future__ import annotations

from ttkit.interpreter.check.program_writer import I32, MAX_DEPTH, MEMORY, REGION, ProgramWriter, Type, Value

HINTS = ("tt.num_stages = {} : i32", "tt.loop_unroll_factor = {} : i32", "tt.disallow_acc_multi_buffer", "tt.flatten")
"""Attributes of loops; a number is put where one is wanted."""


class Loops(ProgramWriter):
    """Steps with loops; those that only carry values are in random_steps.py."""

    def hints(self) -> str:
        """Attributes of a loop, after its body: often none."""
        chosen = self.choose.sample(HINTS, self.choose.choice((0, 0, 1, 2)))
        listed = ", ".join(hint.format(self.choose.randint(1, 4)) for hint in chosen)
        return f" {{{listed}}}" if listed else ""

    def bounds(self, most: int) -> str:
        """`%lower to %upper step %step` for at most so many trips, which programs may differ in."""
        start, step = self.choose.randrange(2), self.choose.choice((1, 1, 2))
        end = self.constant(I32, str(start + step * self.choose.randint(0, most)))
        if self.choose.random() < 0.4:
            end = self.binary("arith.andi", self.value(I32), self.constant(I32, str(most)))
        return f"{self.constant(I32, str(start)).name} to {end.name} step {self.constant(I32, str(step)).name}"

    def while_loop(self) -> None:
        """Writes an scf.while that counts down and carries values."""
        if len(self.scopes) >= MAX_DEPTH:
            return
        count = self.binary("arith.andi", self.value(I32), self.constant(I32, "3"))
        initial = [count, *(self.any(lambda t: True, I32) for _ in range(self.choose.randint(0, 2)))]
        types = [value.type for value in initial]
        before, after, results = ([Value(self.fresh(), type) for type in types] for _ in range(3))
        listed, zero, more = ", ".join(map(str, types)), self.constant(I32, "0"), self.fresh()
        pairs = ", ".join(f"{b.name} = {i.name}" for b, i in zip(before, initial))
        names = ", ".join(value.name for value in results)
        self.emit(f"{names} = scf.while ({pairs}) : ({listed}) -> ({listed}) {{")
        self.emit(f"{more} = arith.cmpi sgt, {before[0].name}, {zero.name} : i32")
        self.emit(f"scf.condition({more}) {', '.join(value.name for value in before)} : {listed}")
        self.emit("} do {")
        self.emit(f"^bb0({', '.join(f'{value.name}: {value.type}' for value in after)}):")
        self.enter(after)
        for _ in range(self.choose.randint(1, 4)):
            self.step()
        left = self.binary("arith.subi", after[0], self.constant(I32, "1"))
        yielded = [left, *(self.value(type) for type in types[1:])]
        self.emit(f"scf.yield {', '.join(value.name for value in yielded)} : {listed}")
        self.leave()
        self.emit("}")
        self.scopes[-1] += results

    def streaming_loop(self) -> None:
        """acc = acc op p[i * step ...], from memory that moves with the counter or with a carried pointer, in one loop
        or two."""
        if len(self.scopes) >= MAX_DEPTH - 1:
            return
        type = Type(self.choose.choice(((8,), (128,), (256,), (4, 8), (16, 16))), self.choose.choice(MEMORY))
        start, trips = self.value(type), self.bounds(5)
        outer = self.bounds(2) if self.choose.random() < 0.4 else ""
        carried, index, counter = Value(self.fresh(), type), Value(self.fresh(), I32), Value(self.fresh(), I32)
        result, inner = Value(self.fresh(), type), Value(self.fresh(), type)
        mask = self.value(type.of("i1")) if self.choose.random() < 0.5 else None
        if outer:
            pair = f"{inner.name} = {start.name}"
            self.emit(f"{result.name} = scf.for {counter.name} = {outer} iter_args({pair}) -> ({type}) : i32 {{")
            self.enter([counter, inner])
        first, name = (inner, self.fresh()) if outer else (start, result.name)
        self.emit(
            f"{name} = scf.for {index.name} = {trips} iter_args({carried.name} = {first.name}) -> ({type}) : i32 {{"
        )
        self.enter([index])
        moved = self.binary("arith.muli", index, self.constant(I32, str(self.choose.choice((64, 256, 1000)))))
        if outer:
            moved = self.binary("arith.addi", moved, counter)
        spread = moved
        if type.shape:
            spread = self.add(f"tt.splat {moved.name} : i32 -> {type.of('i32')}", type.of("i32"))
        offset = self.binary("arith.addi", self.linear_index(type.shape), spread)
        offset = self.binary("arith.andi", offset, self.constant(offset.type, str(REGION - 1)))
        loaded = self.load_from(type, offset, mask, self.value(type) if mask and self.choose.random() < 0.5 else None)
        names = ("addf", "maxnumf", "minnumf") if type.is_float else ("addi", "muli", "xori", "maxsi")
        total = self.binary(f"arith.{self.choose.choice(names)}", carried, loaded)
        self.emit(f"scf.yield {total.name} : {type}")
        self.leave()
        self.emit(f"}}{self.hints()}")
        if outer:
            self.scopes[-1].append(Value(name, type))
            if self.choose.random() < 0.5:
                self.step()
            self.emit(f"scf.yield {name} : {type}")
            self.leave()
            self.emit(f"}}{self.hints()}")
        self.scopes[-1].append(result)
