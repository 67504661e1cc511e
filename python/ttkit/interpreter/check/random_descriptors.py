"""Random programs that access memory in blocks through descriptors."""

from __future__ import annotations

from ttkit.interpreter.check.program_writer import I32, MEMORY, SHAPES, Type, Value
from ttkit.interpreter.check.random_blocks import Block, BlockSteps
from ttkit.interpreter.check.random_products import ELEMENTS, SIZES

ROWS = Type((8,), "i32")


class DescriptorSteps(BlockSteps):
    """Programs with descriptors."""

    def type_text(self, block: Block) -> str:
        """The type of descriptors."""
        return f"!tt.tensordesc<{block.block_text}>"

    @property
    def is_tma(self) -> bool:
        """Whether the hardware copies the blocks: rows of them are 16 bytes at least, and others far apart by these."""
        return self.target >= 90

    def block_type(self, elements: tuple[str, ...]) -> Type:
        """A random block that a descriptor can have: for TMA of 16 bytes at least."""
        kinds = [Type(shape, element) for shape in SHAPES[1:] for element in elements]
        return self.choose.choice([kind for kind in kinds if not self.is_tma or kind.shape[-1] * kind.width >= 128])

    def sizes(self, rank: int, space: int, width: int = 8) -> tuple[list[int], list[int]]:
        """Random sizes and row-major strides, in elements; for TMA all strides but the last are multiples of 16 bytes.

        Args:
            space: most elements.  width: bits of one.
        """
        if not self.is_tma:
            return super().sizes(rank, space)
        sizes, strides, step = [1] * rank, [1] * rank, 1
        for dim in reversed(range(rank)):
            strides[dim] = step
            sizes[dim] = max(1, min(self.choose.choice((1, 3, 4, 8, 11, 16)), space // step))
            step *= sizes[dim]
            step += -step % (128 // min(width, 128))
        return sizes, strides

    def make_block(self, buffer: str, block: Type | None = None) -> Block:
        """Writes a tt.make_tensor_descriptor of random sizes within a buffer, of a random block unless one is given."""
        block = block or self.block_type(MEMORY)
        base, space = self.memory(buffer, block.element)
        sizes, strides = self.sizes(len(block.shape), space, block.width)
        shape = ", ".join(self.constant(I32, str(size)).name for size in sizes)
        steps = ", ".join(self.number64(stride) for stride in strides)
        made = Block(self.fresh(), block, buffer, "" if block.is_float else self.choose.choice(("", "s", "u")))
        padding = self.choose.choice(("", " {padding = 2 : i32}")) if block.is_float else ""
        types = f"<{block.element}>, <{made.block_text}>"
        self.emit(f"{made.name} = tt.make_tensor_descriptor {base}, [{shape}], [{steps}]{padding} : {types}")
        return self.add_block(made)

    def load_block(self) -> None:
        """Loads a block by a descriptor."""
        block = self.a_block("in")
        offsets = ", ".join(self.offset() for _ in block.block.shape)
        types = f"{self.type_text(block)} -> {block.block}"
        self.add(f"tt.descriptor_load {block.name}[{offsets}] : {types}", block.block)

    def store_block(self) -> None:
        """Stores a block by a descriptor; of a cluster always to one place, as no order holds between its CTAs."""
        block = self.a_block("out")
        value = self.value(block.block)
        place = self.offset if self.ctas == 1 else lambda: self.constant(I32, "0").name
        offsets = ", ".join(place() for _ in block.block.shape)
        types = f"{self.type_text(block)}, {block.block}"
        self.emit(f"tt.descriptor_store {block.name}[{offsets}], {value.name} : {types}")

    def reduce_block(self) -> None:
        """Writes a tt.descriptor_reduce of integers, which no order of programs changes."""
        block = self.make_block("out", self.block_type(("i32", "i64")))
        value = self.value(block.block)
        kind = self.choose.choice(("add", "and", "or", "xor", *(("min", "max") if block.sign else ())))
        offsets = ", ".join(self.offset() for _ in block.block.shape)
        types = f"{self.type_text(block)}, {block.block}"
        self.emit(f"tt.descriptor_reduce {kind}, {block.name}[{offsets}], {value.name} : {types}")
        self.leave_alone(block)

    def rows(self) -> None:
        """A gather, and what it gives scattered to different rows."""
        if self.is_tma and self.target < 100:
            return
        row = Type((1, 16), self.choose.choice(("i16", "i32", "f16", "bf16", "f32")))
        all_rows = Type((8, 16), row.element)
        source, target = self.make_block("in", row), self.make_block("out", row)
        target_type, source_type = self.type_text(target), self.type_text(source)
        wanted = self.binary("arith.andi", self.value(ROWS), self.constant(ROWS, "7"))
        head = f"tt.descriptor_gather {source.name}[{wanted.name}, {self.offset()}]"
        value = self.add(f"{head} : ({source_type}, {ROWS}, i32) -> {all_rows}", all_rows)
        index = self.linear_index(ROWS.shape)
        head = f"tt.descriptor_scatter {target.name}[{index.name}, {self.offset()}], {value.name}"
        self.emit(f"{head} : {target_type}, {ROWS}, i32, {all_rows}")
        self.leave_alone(target)

    def leave_alone(self, block: Block) -> None:
        """Has nothing else store to a block that several CTAs have changed, each its part."""
        if self.ctas > 1:
            self.blocks[-1].remove(block)

    def product_of_blocks(self) -> None:
        """acc += a[:, k] . b[k, :] in a loop, by descriptors that it finds or makes, maybe with warps for each task."""
        (rows, columns, depth), (source, target) = self.choose.choice(SIZES), self.choose.choice(ELEMENTS[:-1])
        turned = self.choose.random() < 0.3
        result, a_type = Type((rows, columns), target), Type((rows, depth), source)
        b_type = Type((columns, depth) if turned else (depth, columns), source)
        a, b = (self.make_block("in", kind) for kind in (a_type, b_type))
        start, trips, index = self.zero(result), self.bounds(4), Value(self.fresh(), I32)
        carried, total = Value(self.fresh(), result), Value(self.fresh(), result)
        head = f"{total.name} = scf.for {index.name} = {trips} iter_args({carried.name} = {start.name})"
        self.emit(f"{head} -> ({result}) : i32 {{")
        self.enter([index])
        far, none = self.binary("arith.muli", index, self.constant(I32, str(depth))), self.constant(I32, "0")
        operands = []
        for block, along in ((a, 1), (b, 1 if turned else 0)):
            offsets = (none.name, far.name) if along else (far.name, none.name)
            types = f"{self.type_text(block)} -> {block.block}"
            operands.append(self.add(f"tt.descriptor_load {block.name}[{', '.join(offsets)}] : {types}", block.block))
        if turned:
            kind = Type((depth, columns), source)
            text = f"tt.trans {operands[1].name} {{order = array<i32: 1, 0>}} : {b_type} -> {kind}"
            operands[1] = self.add(text, kind)
        product = self.multiply(operands[0], operands[1], carried)
        self.emit(f"scf.yield {product.name} : {result}")
        self.leave()
        self.emit("} {tt.warp_specialize}" if self.choose.random() < 0.4 else f"}}{self.hints()}")
        self.scopes[-1].append(total)
        self.keep(total)

    block_steps = (
        *(load_block, store_block) * 3,
        reduce_block,
        rows,
        product_of_blocks,
        BlockSteps.block_loop,
        BlockSteps.block_while,
        BlockSteps.block_branch,
        BlockSteps.block_select,
    )
