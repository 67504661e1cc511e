"""Barriers: on random walks through random programs, no two accesses that collide lack one between them."""

import random

import pytest
from mlir import ir
from sweeps import every

import ttkit
from ttkit.analysis.allocation import ModuleAllocation
from ttkit.analysis.membar import branches_into_regions, needed_barriers
from ttkit.inspection import collect

SHARED = "#ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>"
BUFFER = f"!ttg.memdesc<16x16xf16, {SHARED}, #ttg.shared_memory, mutable>"
BLOCKED = "#ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>"
TENSOR = f"tensor<16x16xf16, {BLOCKED}>"


def program(rng: random.Random) -> str:
    count = rng.randrange(1, 4)
    lines = [f"%m{i} = ttg.local_alloc : () -> {BUFFER}" for i in range(count)]

    def body(depth: int) -> None:
        for _ in range(rng.randrange(1, 5)):
            buffer, kind = f"%m{rng.randrange(count)}", rng.random()
            if kind < 0.35:
                lines.append(f"ttg.local_store %x, {buffer} : {TENSOR} -> {BUFFER}")
            elif kind < 0.7:
                lines.append(f"ttg.local_load {buffer} : {BUFFER} -> {TENSOR}")
            elif kind < 0.75:
                lines.append("ttg.local_barrier")
            elif depth < 2:
                opening, closing = rng.choice(
                    [
                        ("scf.for %i = %n to %n step %n : i32 {", "}"),
                        ("scf.if %c {", "}"),
                        ("scf.if %c {", "} else {"),
                        ("scf.while : () -> () {", "scf.condition(%c)\n} do {"),
                    ]
                )
                lines.append(opening)
                body(depth + 1)
                lines.append(closing)
                if closing != "}":
                    body(depth + 1)
                    lines.append("scf.yield\n}" if "condition" in closing else "}")

    body(0)
    text = "\n".join(line.replace("ttg.local_load", "%unused = ttg.local_load") for line in lines)
    text = "\n".join(
        line.replace("%unused", f"%u{number}").replace("%i =", f"%i{number} =")
        for number, line in enumerate(text.split("\n"))
    )
    return (
        'module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {\n'
        f"tt.func @f(%x: {TENSOR}, %c: i1, %n: i32) {{\n{text}\ntt.return\n}}\n}}"
    )


class Walk:
    """Executes a function with random branches, and fails where two threads could collide."""

    def __init__(self, rng: random.Random, allocation: ModuleAllocation) -> None:
        self.rng = rng
        self.places = {value: buffer.offset for value, buffer in allocation.functions["f"].of_value.items()}
        found = needed_barriers(allocation)
        self.before = {op for op, is_after in found if not is_after}
        self.after = {op for op, is_after in found if is_after}
        self.reads: set[int] = set()
        self.writes: set[int] = set()
        self.budget = 200

    def block(self, block: ir.Block) -> None:
        for view in block.operations:
            op = view.operation
            self.budget -= 1
            if op in self.before or op.name == "ttg.local_barrier":
                self.reads, self.writes = set(), set()
            if op.name == "ttg.local_load":
                place = self.places[op.operands[0]]
                assert place not in self.writes, f"reads what may not be written yet: {op}"
                self.reads.add(place)
            elif op.name == "ttg.local_store":
                place = self.places[op.operands[1]]
                assert place not in self.writes | self.reads, f"overwrites what others may still need: {op}"
                self.writes.add(place)
            elif branches_into_regions(op):
                self.branch(op)

    def branch(self, op: ir.Operation) -> None:
        regions = [region for region in op.regions if len(region.blocks)]
        if op.name == "scf.if":
            choices = regions if len(regions) == 2 else [*regions, None]
            chosen = self.rng.choice(choices)
            if chosen is not None:
                self.block(chosen.blocks[0])
            return
        while True:
            if op.name == "scf.while":
                self.block(regions[0].blocks[0])
            if self.budget < 0 or self.rng.random() < 0.4:
                return
            self.block(regions[-1].blocks[0])


@pytest.mark.parametrize("seed", every(5, range(150)))
def test_accesses_are_separated(seed: int) -> None:
    rng = random.Random(seed)
    text = program(rng)
    with ttkit.Context():
        module = ttkit.parse(text)
        allocation = ModuleAllocation(module)
        function = collect(module.operation, ["tt.func"])[0]
        for _ in range(20):
            Walk(rng, allocation).block(function.regions[0].blocks[0])


def test_a_call_leaves_what_the_function_did() -> None:
    text = f"""
    module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32}} {{
      tt.func private @g(%x: {TENSOR}) {{
        %m = ttg.local_alloc : () -> {BUFFER}
        ttg.local_store %x, %m : {TENSOR} -> {BUFFER}
        tt.return
      }}
      tt.func public @f(%x: {TENSOR}) {{
        tt.call @g(%x) : ({TENSOR}) -> ()
        tt.call @g(%x) : ({TENSOR}) -> ()
        tt.return
      }}
    }}"""
    with ttkit.Context():
        module = ttkit.parse(text)
        found = needed_barriers(ModuleAllocation(module))
        assert [op.name for op, _ in found] == ["tt.call"]
        assert found[0][0] == collect(module.operation, ["tt.call"])[1]


def test_shared_memory_of_a_function_lies_within_its_callers() -> None:
    text = f"""
    module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32}} {{
      tt.func private @g(%x: {TENSOR}) -> {TENSOR} {{
        %m = ttg.local_alloc : () -> {BUFFER}
        ttg.local_store %x, %m : {TENSOR} -> {BUFFER}
        %y = ttg.local_load %m : {BUFFER} -> {TENSOR}
        tt.return %y : {TENSOR}
      }}
      tt.func public @f(%x: {TENSOR}) {{
        %kept = ttg.local_alloc : () -> {BUFFER}
        %m = ttg.local_alloc : () -> {BUFFER}
        ttg.local_store %x, %m : {TENSOR} -> {BUFFER}
        ttg.local_barrier
        %y = ttg.local_load %m : {BUFFER} -> {TENSOR}
        ttg.local_dealloc %m : {BUFFER}
        %z = tt.call @g(%x) : ({TENSOR}) -> {TENSOR}
        %n = ttg.local_alloc : () -> {BUFFER}
        ttg.local_store %z, %n : {TENSOR} -> {BUFFER}
        %w = ttg.local_load %kept : {BUFFER} -> {TENSOR}
        tt.return
      }}
    }}"""
    with ttkit.Context():
        module = ttkit.parse(text)
        allocation = ModuleAllocation(module)
        call = collect(module.operation, ["tt.call"])[0]
        stores = collect(module.operation, ["ttg.local_store"])
        places = allocation.functions["f"]
        assert places.of_op[call].offset == places.of_value[stores[2].operands[1]].offset > 0
        before = [op for op, is_after in needed_barriers(allocation) if not is_after]
        assert call in before  # the function writes where a tile is read
        assert stores[2] in before  # and reads what is overwritten then


def test_wgmmas_read_until_a_wait_ends_them() -> None:
    """A barrier while they are in flight does not, so a write after the wait needs another one."""
    shared = "#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>"
    buffer = f"!ttg.memdesc<64x64xf16, {shared}, #ttg.shared_memory, mutable>"
    tile = "#ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>"
    sums = "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>"
    text = f"""
    module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90",
                       "ttg.threads-per-warp" = 32 : i32}} {{
      tt.func public @f(%x: tensor<64x64xf16, {tile}>, %zero: tensor<64x64xf32, {sums}>) {{
        %m = ttg.local_alloc : () -> {buffer}
        %d = ttng.warp_group_dot %m, %m, %zero {{inputPrecision = 0 : i32, isAsync = true}}
            : {buffer} * {buffer} -> tensor<64x64xf32, {sums}>
        ttg.local_barrier
        %w = ttng.warp_group_dot_wait %d {{pendings = 0 : i32}} : tensor<64x64xf32, {sums}>
        ttg.local_store %x, %m : tensor<64x64xf16, {tile}> -> {buffer}
        tt.return
      }}
    }}"""
    with ttkit.Context():
        found = needed_barriers(ModuleAllocation(ttkit.parse(text)), can_skip=lambda *_: False)
        assert [(op.name, is_after) for op, is_after in found] == [("ttg.local_store", False)]
