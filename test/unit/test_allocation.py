"""Shared memory: buffers that must not share don't; liveness against a plain simulation of programs."""

import random

import pytest
from mlir import ir
from sweeps import every

import ttkit
from ttkit.analysis.alias import SharedMemoryAliases
from ttkit.analysis.allocation import Buffer, ModuleAllocation, NotPlaced, place
from ttkit.analysis.liveness import Interval, Liveness
from ttkit.inspection import collect

BUFFER = (
    "!ttg.memdesc<16x16xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>, "
    "#ttg.shared_memory, mutable>"
)


@pytest.mark.parametrize("seed", every(5, range(200)))
def test_live_buffers_never_overlap(seed: int) -> None:
    rng = random.Random(seed)
    owner = ir.Module.parse("", ttkit.Context()).operation
    buffers = []
    for _ in range(rng.randrange(1, 40)):
        start = rng.randrange(100)
        buffer = Buffer("explicit", owner, rng.randrange(1, 5000), rng.choice([4, 16, 128, 1024]))
        buffer.interval = Interval(start, start + rng.choice([1, 1, 2, 10, 60]))
        buffers.append(buffer)
    size = place(buffers)
    for i, x in enumerate(buffers):
        assert x.offset % x.alignment == 0
        assert x.end <= size
        for y in buffers[:i]:
            assert not (x.interval.intersects(y.interval) and x.overlaps(y)), (seed, x, y)


def blocks_program(rng: random.Random) -> tuple[str, int]:
    """Random control flow between blocks; the first makes the buffers, all may use them."""
    buffers, blocks = rng.randrange(1, 4), rng.randrange(2, 7)
    lines = [f"%m{i} = ttg.local_alloc : () -> {BUFFER}" for i in range(buffers)]
    for b in range(blocks):
        if b:
            lines.append(f"^b{b}:")
        lines += [f"ttg.local_dealloc %m{rng.randrange(buffers)} : {BUFFER}" for _ in range(rng.randrange(3))]
        targets = [f"^b{rng.randrange(1, blocks)}" for _ in range(2)]
        ends = ["tt.return", f"cf.br {targets[0]}", f"cf.cond_br %c, {targets[0]}, {targets[1]}"]
        lines.append(rng.choice(ends) if b < blocks - 1 else "tt.return")
    return "tt.func @f(%c: i1) {\n" + "\n".join(lines) + "\n}", buffers


@pytest.mark.parametrize("seed", every(5, range(100)))
def test_buffers_live_where_a_use_can_be_reached(seed: int) -> None:
    text, _ = blocks_program(random.Random(seed))
    with ttkit.Context():
        module = ir.Module.parse(text)
        function = collect(module.operation, ["tt.func"])[0]
        liveness = Liveness(function)
        blocks = list(function.regions[0].blocks)
        for op in collect(function, ["ttg.local_alloc"]):
            interval = liveness.interval(op.results[0])
            users = {use.owner.operation for use in op.results[0].uses}
            # A point is live if a walk over the blocks from it can meet a use.
            for block in reachable(blocks[0]):
                operations = [inner.operation for inner in block.operations]
                for position, inner in enumerate(operations):
                    if block == blocks[0] and position < operations.index(op):
                        continue
                    later = operations[position:], [s for b in reachable(block)[1:] for s in b.operations]
                    if block in successors_of(reachable(block)):
                        later[1].extend(operations)
                    if any(getattr(o, "operation", o) in users for part in later for o in part):
                        assert interval.start <= liveness.numbers[inner] < interval.end, (seed, inner, text)


def reachable(block: ir.Block) -> list[ir.Block]:
    found = [block]
    for reached in found:
        found += [s for s in successors_of([reached]) if s not in found]
    return found


def successors_of(blocks: list[ir.Block]) -> list[ir.Block]:
    return [s for block in blocks for s in list(block.operations)[-1].successors]


def test_aliases_follow_warps_and_loops() -> None:
    text = f"""
    module attributes {{"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.num-ctas" = 1 : i32}} {{
      tt.func @f(%c: i1) {{
        %a = ttg.local_alloc : () -> {BUFFER}
        %b = ttg.local_alloc : () -> {BUFFER}
        %s = arith.select %c, %a, %b : {BUFFER}
        %w = scf.while (%x = %a) : ({BUFFER}) -> {BUFFER} {{
          scf.condition(%c) %x : {BUFFER}
        }} do {{
        ^bb0(%y: {BUFFER}):
          scf.yield %b : {BUFFER}
        }}
        ttg.warp_specialize(%s)
        default {{ ttg.warp_yield }}
        partition0(%p: {BUFFER}) num_warps(4) {{
          ttg.local_dealloc %p : {BUFFER}
          ttg.warp_return
        }} : ({BUFFER}) -> ()
        ttg.local_dealloc %w : {BUFFER}
        tt.return
      }}
    }}"""
    with ttkit.Context():
        module = ir.Module.parse(text)
        aliases = SharedMemoryAliases(module.operation)
        for op in collect(module.operation, ["ttg.local_dealloc"]):
            assert aliases.of[op.operands[0]] == aliases.allocations


def test_a_recursive_call_is_no_endless_loop() -> None:
    with ttkit.Context():
        module = ir.Module.parse("tt.func private @f() {\n tt.call @f() : () -> ()\n tt.return\n}")
        assert ModuleAllocation(module).size == 0


def test_places_are_those_in_the_ir() -> None:
    text = f"""tt.func public @f() {{
      %a = ttg.local_alloc {{allocation.offset = 4096 : i32}} : () -> {BUFFER}
      tt.return
    }}"""
    with ttkit.Context():
        module = ir.Module.parse(text)
        allocation = ModuleAllocation(module, is_placed=True)
        assert [buffer.offset for buffer in allocation.functions["f"].buffers] == [4096]
        assert allocation.size == 4096 + 16 * 16 * 2
        del collect(module.operation, ["ttg.local_alloc"])[0].attributes["allocation.offset"]
        with pytest.raises(NotPlaced):
            ModuleAllocation(module, is_placed=True)
