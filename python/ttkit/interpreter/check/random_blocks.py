"""Random programs that access memory in blocks: through block pointers, or through descriptors (random_descriptors.py).

They are made, moved, passed through loops, branches and selects, and used, at any offsets: each is of memory that only
its program has, and all dimensions are checked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ttkit.interpreter.check.program_writer import I32, MAX_DEPTH, MEMORY, REGION, SHAPES, Type, Value
from ttkit.interpreter.check.random_steps import Steps

I64 = Type((), "i64")


@dataclass(frozen=True)
class Block:
    """name: of a block pointer or descriptor.  block: what it accesses.  buffer: whether that is read ("in") or written
    ("out").  sign: of the descriptor's integers, "s", "u" or nothing."""

    name: str
    block: Type
    buffer: str
    sign: str = ""

    @property
    def kind(self) -> tuple[Type, str, str]:
        """Kind of the block: control flow may choose among blocks of the same kind."""
        return self.block, self.buffer, self.sign

    @property
    def block_text(self) -> str:
        """The type of a block, with the sign that descriptors note."""
        return str(self.block.of(self.sign + self.block.element))


class BlockSteps(Steps):
    """Base class of the random steps with block pointers and with descriptors."""

    def __init__(self, choose, target: int = 0, ctas: int = 1) -> None:
        super().__init__(choose, target, ctas)
        self.blocks: list[list[Block]] = [[]]

    def step(self) -> None:
        """Writes a step about blocks of memory, or any other."""
        if self.choose.random() < 0.4:
            self.choose.choice(self.block_steps)(self)
        else:
            super().step()

    block_steps: tuple[Callable[..., None], ...] = ()

    def type_text(self, block: Block) -> str:
        """The type of what names a block: a pointer or a descriptor."""
        raise NotImplementedError

    def make_block(self, buffer: str) -> Block:
        """Makes a pointer to, or descriptor of, a block of a buffer."""
        raise NotImplementedError

    # --- operands ----------------------------------------------------------------------------------------------------
    def number64(self, number: int) -> str:
        """An i64: a constant, or one that was widened."""
        if self.choose.random() < 0.5:
            return self.constant(I64, str(number)).name
        narrow = self.constant(I32, str(number))
        return self.add(f"arith.extsi {narrow.name} : i32 to i64", I64).name

    def offset(self) -> str:
        """An i32 around zero."""
        if self.choose.random() < 0.4:
            return self.constant(I32, str(self.choose.randrange(-4, 9))).name
        low = self.binary("arith.andi", self.value(I32), self.constant(I32, "15"))
        return self.binary("arith.subi", low, self.constant(I32, "4")).name

    def memory(self, buffer: str, element: str) -> tuple[str, int]:
        """A pointer into the program's part of a buffer, and how many elements may be accessed from there on."""
        if buffer == "in":
            start = self.choose.choice((0, self.choose.randrange(REGION // 2)))
            start -= start % 16 if self.target else 0
            space = REGION - start
        else:
            start = self.used[element]
            start += -start % 16 if self.target else 0
            space = max(0, min(REGION - start, 64))
            self.used[element] = start + space
        first = self.binary("arith.addi", self.base, self.constant(I32, str(start)))
        name = self.fresh()
        self.emit(f"{name} = tt.addptr %{buffer}_{element}, {first.name} : !tt.ptr<{element}>, i32")
        return name, space

    def sizes(self, rank: int, space: int, width: int = 8) -> tuple[list[int], list[int]]:
        """Sizes and strides of a tensor that fits in `space`, in elements of `width` bits: transposed, or with gaps."""
        sizes = [1] * rank
        for dim in self.choose.sample(range(rank), rank):
            size = self.choose.choice((1, 3, 4, 5, 8, 11, 16))
            rest = space
            for other in sizes:
                rest //= max(other, 1)
            sizes[dim] = max(0, min(size, rest))
        strides, step = [0] * rank, 1
        for dim in self.choose.choice((list(range(rank)), list(range(rank))[::-1])):
            strides[dim], step = step, step * max(sizes[dim], 1)
        return sizes, strides

    def a_block(self, buffer: str) -> Block:
        """One in sight, or a new one."""
        found = [block for scope in self.blocks for block in scope if block.buffer == buffer]
        if found and self.choose.random() < 0.8:
            return found[int(len(found) * self.choose.random() ** 0.5)]
        return self.make_block(buffer)

    def like(self, block: Block) -> Block:
        """One in sight that control flow may choose instead."""
        return self.choose.choice([other for scope in self.blocks for other in scope if other.kind == block.kind])

    def add_block(self, block: Block) -> Block:
        """Keeps a block in sight; gives it."""
        self.blocks[-1].append(block)
        return block

    def new(self, block: Block) -> Block:
        """A block of the same kind by a new name."""
        return Block(self.fresh(), *block.kind)

    def enter_function(self) -> tuple:
        """Also hides the blocks in sight."""
        outer = (*super().enter_function(), self.blocks)
        self.blocks = [[]]
        return outer

    def leave_function(self, outer: tuple) -> None:
        """Also has them in sight again."""
        self.blocks = outer[-1]
        super().leave_function(outer[:-1])

    # --- control flow ------------------------------------------------------------------------------------------------
    def enter(self, arguments: list[Value], given: list[Block] | None = None) -> None:
        """Also puts blocks made in the region out of scope after it; `given` are in scope."""
        super().enter(arguments)
        self.blocks.append(list(given or []))

    def leave(self) -> None:
        """Also forgets its blocks."""
        self.blocks.pop()
        super().leave()

    def block_region(self, arguments: list[Value], given: list[Block], results: list[Block], counter: str = "") -> None:
        """Steps in a scope of their own, and a yield of `counter` decreased, then of a value like each of `results`."""
        self.enter(arguments, given)
        for _ in range(self.choose.randint(1, 5)):
            self.step()
        yielded = [(block.name, self.type_text(block)) for block in map(self.like, results)]
        if counter:
            one = self.constant(I32, "1")
            less = self.add(f"arith.subi {counter}, {one.name} : i32", I32)
            yielded.append((less.name, "i32"))
        names, types = (", ".join(item[n] for item in yielded) for n in (0, 1))
        self.emit(f"scf.yield {names} : {types}")
        self.leave()

    def some_blocks(self) -> list[Block]:
        """One or two blocks, made or in sight."""
        return [self.a_block(self.choose.choice(("in", "in", "out"))) for _ in range(self.choose.randint(1, 2))]

    def block_loop(self) -> None:
        """Writes an scf.for that carries blocks."""
        if len(self.scopes) >= MAX_DEPTH:
            return
        initial = self.some_blocks()
        start, end, step = (self.constant(I32, str(number)) for number in (0, self.choose.randrange(4), 1))
        carried, results = [self.new(block) for block in initial], [self.new(block) for block in initial]
        index = Value(self.fresh(), I32)
        pairs = ", ".join(f"{c.name} = {i.name}" for c, i in zip(carried, initial))
        types = ", ".join(map(self.type_text, initial))
        names = ", ".join(block.name for block in results)
        self.emit(
            f"{names} = scf.for {index.name} = {start.name} to {end.name} step {step.name} "
            f"iter_args({pairs}) -> ({types}) : i32 {{"
        )
        self.block_region([index], carried, initial)
        self.emit("}")
        self.blocks[-1] += results

    def block_while(self) -> None:
        """Writes an scf.while that carries blocks."""
        if len(self.scopes) >= MAX_DEPTH:
            return
        initial = self.some_blocks()
        rounds, zero = self.constant(I32, str(self.choose.randrange(4))), self.constant(I32, "0")
        before, after, results = ([self.new(block) for block in initial] for _ in range(3))
        count, more, left, last = (self.fresh() for _ in range(4))
        pairs = ", ".join(f"{b.name} = {i.name}" for b, i in zip(before, initial))
        types = ", ".join(map(self.type_text, initial))
        self.emit(
            f"{', '.join(block.name for block in results)}, {last} = scf.while ({pairs}, {count} = {rounds.name}) : "
            f"({types}, i32) -> ({types}, i32) {{"
        )
        self.emit(f"{more} = arith.cmpi sgt, {count}, {zero.name} : i32")
        self.emit(f"scf.condition({more}) {', '.join(block.name for block in before)}, {count} : {types}, i32")
        self.emit("} do {")
        arguments = [f"{block.name}: {self.type_text(block)}" for block in after]
        self.emit(f"^bb0({', '.join(arguments)}, {left}: i32):")
        self.block_region([Value(left, I32)], after, initial, counter=left)
        self.emit("}")
        self.blocks[-1] += results

    def block_branch(self) -> None:
        """Writes an scf.if that gives blocks."""
        if len(self.scopes) >= MAX_DEPTH:
            return
        kinds, condition = self.some_blocks(), self.value(Type((), "i1"))
        results = [self.new(block) for block in kinds]
        types = ", ".join(map(self.type_text, kinds))
        self.emit(f"{', '.join(block.name for block in results)} = scf.if {condition.name} -> ({types}) {{")
        self.block_region([], [], kinds)
        self.emit("} else {")
        self.block_region([], [], kinds)
        self.emit("}")
        self.blocks[-1] += results

    def block_select(self) -> None:
        """Writes an arith.select between blocks."""
        first = self.a_block(self.choose.choice(("in", "out")))
        result, condition = self.new(first), self.value(Type((), "i1"))
        other = self.like(first).name
        self.emit(f"{result.name} = arith.select {condition.name}, {first.name}, {other} : {self.type_text(first)}")
        self.add_block(result)


class PointerSteps(BlockSteps):
    """Programs with block pointers."""

    def type_text(self, block: Block) -> str:
        """The type of block pointers."""
        return f"!tt.ptr<{block.block}>"

    def make_block(self, buffer: str) -> Block:
        """Writes a tt.make_tensor_ptr of random sizes, strides and offsets within a buffer."""
        block = Type(self.choose.choice(SHAPES[1:]), self.choose.choice(MEMORY))
        base, space = self.memory(buffer, block.element)
        rank = len(block.shape)
        sizes, strides = self.sizes(rank, space)
        numbers = [[self.number64(number) for number in group] for group in (sizes, strides)]
        parts = [*numbers, [self.offset() for _ in range(rank)]]
        text = ", ".join(f"[{', '.join(part)}]" for part in parts)
        order = ", ".join(map(str, reversed(range(rank))))
        made = Block(self.fresh(), block, buffer)
        self.emit(f"{made.name} = tt.make_tensor_ptr {base}, {text} {{order = array<i32: {order}>}} : <{block}>")
        return self.add_block(made)

    def advance(self) -> None:
        """Moves a block pointer."""
        block = self.a_block(self.choose.choice(("in", "out")))
        offsets = ", ".join(self.offset() for _ in block.block.shape)
        moved = self.new(block)
        self.emit(f"{moved.name} = tt.advance {block.name}, [{offsets}] : <{block.block}>")
        self.add_block(moved)

    def load_block(self) -> None:
        """Loads a block through a pointer, with bounds checked."""
        block = self.a_block("in")
        padding = self.choose.choice((1, 2)) if block.block.is_float else 1
        attributes = f"{{boundaryCheck = array<i32: {self.dims(block)}>, padding = {padding} : i32}}"
        self.add(f"tt.load {block.name} {attributes} : {self.type_text(block)}", block.block)

    def store_block(self) -> None:
        """Stores a block through a pointer, with bounds checked."""
        block = self.a_block("out")
        value = self.value(block.block)
        attributes = f"{{boundaryCheck = array<i32: {self.dims(block)}>}}"
        self.emit(f"tt.store {block.name}, {value.name} {attributes} : {self.type_text(block)}")

    def dims(self, block: Block) -> str:
        """The numbers of all dimensions, shuffled."""
        rank = len(block.block.shape)
        return ", ".join(map(str, self.choose.sample(range(rank), rank)))

    block_steps = (
        *(advance, load_block, store_block) * 2,
        BlockSteps.block_loop,
        BlockSteps.block_while,
        BlockSteps.block_branch,
        BlockSteps.block_select,
    )
