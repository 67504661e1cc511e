#!/usr/bin/env python3
"""Compares ttkit.layout with Triton's own layouts on random ones.  Needs a Python that has Triton 3.6, no GPU.

    python test/oracle/layouts.py [--seed N] [--cases N] [--record FILE] [CHECK ...]

Checks: to_linear, tensor_memory, algebra, text, conversion, scratch, bank_conflicts; default is all.  Where Triton
itself aborts on a case or has no answer, the case is counted and left out.  Exit 1 if anything differs; the first
differences of each check are printed.
--record writes the cases with Triton's answers, for test/unit/test_triton_layouts.py.

Triton's binding `to_linear_layout` has distributed layouts only; shared ones are compared by their bank conflicts.
Those differ where lanes of one access share 4-byte words in part: Triton then counts too few.
"""

import argparse
import json
import os
import random
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "test" / "unit")]

import layout_answers  # noqa: E402
from triton._C import libtriton  # noqa: E402
from triton.experimental.gluon.language.nvidia.blackwell import TensorMemoryLayout  # noqa: E402
from triton.language import float32  # noqa: E402

from ttkit.layout import LinearLayout, UnsuitableShape, parse_layout, to_linear_layout  # noqa: E402
from ttkit.layout import encodings as enc  # noqa: E402

CONTEXT = libtriton.ir.context()
libtriton.ir.load_dialects(CONTEXT)
libtriton.nvidia.load_dialects(CONTEXT)
BUILDER = libtriton.gluon_ir.GluonOpBuilder(CONTEXT)
Theirs = libtriton.linear_layout.LinearLayout


# --- Random layouts --------------------------------------------------------------------------------------------------
def powers(rng, rank, most=2):
    """Random powers of two, `rank` of them."""
    return tuple(1 << rng.randint(0, most) for _ in range(rank))


def split(rng, total, rank):
    """Powers of two, one per dimension, with product 2**total."""
    bits = [0] * rank
    for _ in range(total):
        bits[rng.randrange(rank)] += 1
    return tuple(1 << count for count in bits)


def cga(rng, rank):
    """Random bases of CTAs; often none."""
    if rng.random() < 0.7:
        return ()
    bases, steps = [], [0] * rank
    for _ in range(rng.randint(1, 3)):
        basis = [0] * rank
        if rng.random() < 0.7:
            dim = rng.randrange(rank)
            basis[dim] = 1 << steps[dim]
            steps[dim] += 1
        bases.append(tuple(basis))
    return tuple(bases)


def shuffled(rng, items):
    """The items in a random order."""
    items = list(items)
    rng.shuffle(items)
    return tuple(items)


def blocked(rng, rank, blocks=None):
    """A random blocked layout of four warps."""
    return enc.Blocked(
        powers(rng, rank), split(rng, 5, rank), split(rng, 2, rank), shuffled(rng, range(rank)),
        cga(rng, rank) if blocks is None else blocks,
    )  # fmt: skip


def nvidia(rng, rank, blocks=None):
    """A random mma layout of version 2 or, of rank 2, 3."""
    blocks = cga(rng, rank) if blocks is None else blocks
    if rank == 2 and rng.random() < 0.5:
        shape = (16, rng.choice([8, 16, 32, 64, 128]), 16)
        return enc.NvidiaMma(3, 0, rng.choice([(4, 1), (4, 1), (8, 1)][:2]), shape, blocks)
    return enc.NvidiaMma(2, 0, split(rng, 2, rank), (1, 16, 8)[3 - rank :], blocks)


def dot_operand(rng, rank, blocks=None):
    """A random operand of a product by FMA, mma.sync or wgmma."""
    parent = rng.choice([blocked, nvidia])(rng, rank, blocks)
    if isinstance(parent, enc.Blocked):
        return enc.DotOperand(rng.randint(0, 1), parent)
    return enc.DotOperand(0 if parent.version_major == 3 else rng.randint(0, 1), parent, rng.choice([1, 2, 4]))


def linear(rng, rank, blocks=None):
    """A random linear layout of four warps."""
    bases = [
        tuple((1 << bit) * (d == dim) for d in range(rank)) for dim in range(rank) for bit in range(rng.randint(1, 5))
    ]
    bases += [(0,) * rank] * max(0, 7 - len(bases))
    bases = shuffled(rng, bases)
    return enc.Linear(bases[7:], bases[:5], bases[5:7])


def distributed(rng, rank, blocks=None, depth=0):
    """A random distributed layout; at times a slice of one of a dimension more."""
    kinds = [blocked] if rank not in (2, 3) else [blocked, nvidia, dot_operand]
    if blocks is None or not blocks:
        kinds.append(linear)
    if depth < 2 and rank < 3 and rng.random() < 0.2:
        dim = rng.randint(0, rank)
        outer = blocks and tuple((*basis[:dim], 0, *basis[dim:]) for basis in blocks)
        return enc.Slice(dim, distributed(rng, rank + 1, outer, depth + 1))
    return rng.choice(kinds)(rng, rank, blocks)


def shared(rng, rank, shape, element_bits):
    """A random layout of shared memory that fits the shape."""
    kind = rng.randrange(4)
    if kind == 0:
        return enc.SwizzledShared(*powers(rng, 3, 3), shuffled(rng, range(rank)), cga(rng, rank))
    if kind == 1:
        padded = element_bits == 8 and rng.random() < 0.3
        width, turned = rng.choice([0, 32, 64, 128]), rng.random() < 0.5
        return enc.NvmmaShared(width, turned, element_bits, padded, rank, cga(rng, rank))
    bases = [
        tuple((1 << bit) * (d == dim) for d in range(rank)) for dim in range(rank) for bit in range(log2(shape[dim]))
    ]
    if not bases:
        return enc.SwizzledShared(1, 1, 1, tuple(range(rank)))
    if kind == 2:
        return enc.PaddedShared(((1 << rng.randint(2, 6), 4),), shuffled(rng, bases), (), rank)
    for _ in range(rng.randint(0, 4)):
        a, b = rng.randrange(len(bases)), rng.randrange(len(bases))
        if a != b:
            bases[a] = tuple(x ^ y for x, y in zip(bases[a], bases[b]))
    return enc.SharedLinear(shuffled(rng, bases), 16)


def log2(size):
    """The exponent of a power of two."""
    return size.bit_length() - 1


def shape_of(rng, rank, most=7):
    """A random shape."""
    return tuple(1 << rng.randint(0, most) for _ in range(rank))


# --- Triton's side ---------------------------------------------------------------------------------------------------
def attribute(layout):
    """Triton's attribute, built without parsing."""
    bases = lambda rows: [list(row) for row in rows]
    if isinstance(layout, enc.Blocked):
        sizes = map(list, (layout.size_per_thread, layout.threads_per_warp, layout.warps_per_cta, layout.order))
        return BUILDER.get_blocked_layout(*sizes, bases(layout.cga_layout))
    if isinstance(layout, enc.Slice):
        return BUILDER.get_slice_layout(layout.dim, attribute(layout.parent))
    if isinstance(layout, enc.NvidiaMma):
        version = [layout.version_major, layout.version_minor]
        return BUILDER.get_mma_layout(version, layout.warps_per_cta, bases(layout.cga_layout), layout.instr_shape)
    if isinstance(layout, enc.DotOperand):
        return BUILDER.get_dot_operand_layout(layout.op_idx, attribute(layout.parent), layout.k_width)
    if isinstance(layout, enc.Linear):
        shape = shape_of_bases(layout)
        rows = map(bases, (layout.register, layout.lane, layout.warp, layout.block))
        return BUILDER.get_distributed_linear_layout(*rows, shape)
    if isinstance(layout, enc.SwizzledShared):
        return BUILDER.get_swizzled_shared_layout(
            layout.vec, layout.per_phase, layout.max_phase, layout.order, bases(layout.cga_layout)
        )
    if isinstance(layout, enc.NvmmaShared):
        return BUILDER.get_nvmma_shared_layout(
            layout.swizzling_byte_width, layout.element_bit_width, layout.transposed, layout.fp4_padded,
            bases(layout.cga_layout), layout.rank,
        )  # fmt: skip
    if isinstance(layout, enc.PaddedShared):
        intervals, paddings = zip(*layout.pads)
        return BUILDER.get_padded_shared_layout(
            intervals, paddings, bases(layout.offset), bases(layout.block), layout.shape
        )
    if isinstance(layout, enc.SharedLinear):
        return BUILDER.get_shared_linear_layout(bases(layout.offset), bases(layout.block), layout.alignment)
    raise TypeError(layout)


def shape_of_bases(layout):
    """The smallest shape whose elements the bases reach."""
    rows = layout.register + layout.lane + layout.warp + layout.block
    return [1 << max(row[dim].bit_length() for row in rows) for dim in range(layout.rank)]


def theirs(plain):
    """Triton's LinearLayout."""
    bases, sizes = plain
    return Theirs.from_bases(bases, [name for name, _ in sizes], [size for _, size in sizes], False)


def plain(layout):
    """As layout_answers.encode."""
    return [layout.bases, layout.out_dims]


def guarded(function, arguments):
    """function(*arguments) in a child process; None if that dies, as Triton does where an assertion fails."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            os.write(writer, json.dumps(function(*arguments)).encode())
        except Exception:
            os._exit(1)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return json.loads(data) if data else None


# --- Checks: draw_CHECK makes arguments for layout_answers.CHECK, or None; triton_CHECK is Triton's answer -----------
def suits(shape, *layouts):
    """Whether tensors of a shape may have these layouts."""
    try:
        for layout in layouts:
            to_linear_layout(shape, layout)
    except UnsuitableShape:
        return False
    return True


def draw_to_linear(rng):
    """A shape and a distributed layout."""
    rank = rng.randint(1, 3)
    shape, layout = shape_of(rng, rank), distributed(rng, rank)
    return [shape, str(layout)] if suits(shape, layout) else None


def triton_to_linear(shape, layout):
    """Triton's bases and sizes of that layout."""
    linear = BUILDER.to_linear_layout(attribute(parse_layout(layout)), shape)
    bases = [("register", linear.reg_bases), ("lane", linear.lane_bases), ("warp", linear.warp_bases)]
    return [[*bases, ("block", linear.block_bases)], [(f"dim{dim}", size) for dim, size in enumerate(shape)]]


def draw_tensor_memory(rng):
    """Blocks of which at least two are there if they have 64 rows: a single one leaves rows empty."""
    block_m, block_n, stride = rng.choice([64, 128]), 1 << rng.randint(3, 6), rng.choice([1, 2])
    split, two = rng.choice([((1, 1), False), ((2, 1), False), ((1, 2), False), ((2, 1), True), ((2, 2), True)])
    blocks = [1 << rng.randint(0, 1), 1 << rng.randint(0, 2)]
    if block_m == 64 and blocks == [1, 1] and not two:
        blocks[1] = 2
    if two:
        blocks[0] = 1
    shape = [blocks[0] * block_m * split[0], blocks[1] * block_n * split[1]]
    layout = enc.TensorMemory(block_m, block_n, stride, *split, two)
    return [shape, str(layout)] if suits(shape, layout) else None


def triton_tensor_memory(shape, layout):
    """From the layout of an access with 32 rows a warp by four warps."""
    layout = parse_layout(layout)
    split = [layout.cta_split_m, layout.cta_split_n]
    memory = TensorMemoryLayout(
        [layout.block_m, layout.block_n],
        col_stride=layout.col_stride,
        cta_split_num=split if split != [1, 1] else None,
        two_ctas=layout.two_ctas,
    )
    blocks = [[1, 0]] * (split[0] == 2) + [[0, 1]] * (split[1] == 2)
    found = libtriton.gluon_ir.compute_tmem_reg_layout(float32, shape, memory, 4, "32x32b", blocks)
    return [found.lane_bases, found.warp_bases, found.reg_bases + found.block_bases]


def random_linear(rng, ins, outs):
    """Any linear layout that reaches everything, with copies and XORs.  outs: (name, bits)."""
    total = sum(bits for _, bits in outs)
    columns = [1 << bit for bit in range(total)]
    for _ in range(rng.randint(0, 6) if total > 1 else 0):
        a, b = rng.sample(range(total), 2)
        columns[a] ^= columns[b]
    columns += [rng.choice([0, rng.randrange(1 << total)]) for _ in range(rng.randint(0, 2))]
    rng.shuffle(columns)
    cuts = sorted(rng.randint(0, len(columns)) for _ in ins[1:])
    counts = [end - start for start, end in zip([0, *cuts], [*cuts, len(columns)])]
    return LinearLayout(tuple(zip(ins, counts)), tuple(outs), tuple(columns))


def draw_algebra(rng):
    """Four linear layouts that fit each other."""

    def dims(*names):
        return [(name, rng.randint(0, 3)) for name in names]

    first = random_linear(rng, ("register", "lane", "warp"), dims("dim0", "dim1"))
    second = random_linear(rng, rng.choice([("offset", "lane"), ("register", "lane", "warp")]), first.outs)
    third = random_linear(rng, ("lane", "block"), dims("dim1", "dim2"))
    columns = tuple(rng.randrange(16) for _ in range(first.out_bits))
    outer = LinearLayout(first.outs, (("x", 2), ("y", 2)), columns)
    return [layout_answers.encode(layout) for layout in (first, second, third, outer)]


def triton_algebra(first, second, third, outer):
    """Triton's products, inverses and properties of them."""
    a, b, c, d = map(theirs, (first, second, third, outer))
    return {
        "invert_and_compose": plain(a.invert_and_compose(b)),
        "pseudo_inverse": plain(a.pseudoinvert()),
        "product": plain(a * c),
        "compose": plain(a.compose(d)),
        "properties": [a.is_surjective(), a.is_injective(), a.is_invertible()],
        "text": str(a),
    }


def draw_text(rng):
    """A shape, a layout, and which view is printed."""
    rank = rng.randint(1, 3)
    shape = shape_of(rng, rank, 3)
    layout = distributed(rng, rank) if rng.random() < 0.6 else shared(rng, rank, shape, rng.choice([8, 16, 32]))
    return [shape, str(layout), rng.random() < 0.5] if suits(shape, layout) else None


def triton_text(shape, layout, hardware_view):
    """Triton's table of that layout."""
    linear = layout_answers.to_linear(shape, layout)
    view = theirs(linear)
    return (view.get_distributed_view if "lane" in dict(linear[0]) else view.get_shared_view)(hardware_view)


def conversion_case(rng):
    """Shape, source and target over the same CTAs, both with four warps."""
    rank = rng.randint(1, 3)
    shape, blocks = shape_of(rng, rank), cga(rng, rank)
    source, target = (distributed(rng, rank, blocks) for _ in range(2))
    if not suits(shape, source, target):
        return None
    for layout in (source, target):
        linear = to_linear_layout(shape, layout)
        if (linear.bits_in("lane"), linear.bits_in("warp"), linear.bits_in("block")) != (5, 2, len(blocks)):
            return None
    return shape, str(source), str(target)


def draw_conversion(rng):
    """A shape and two layouts."""
    return conversion_case(rng)


def triton_conversion(shape, source, target):
    """Whether Triton takes the conversion for one that does nothing."""
    types = [
        BUILDER.get_distributed_ty(BUILDER.get_half_ty(), shape, attribute(parse_layout(layout)))
        for layout in (source, target)
    ]
    function = BUILDER.get_or_insert_function(
        BUILDER.create_module(), "f", BUILDER.get_function_ty(types[:1], []), "public", False
    )
    BUILDER.set_insertion_point_to_start(function.add_entry_block())
    return BUILDER.is_convert_layout_trivial(types[1], function.args(0))


def draw_scratch(rng):
    """A conversion with the bits of an element and a GPU; 0 for none."""
    case = conversion_case(rng)
    return case and [case[0], rng.choice([8, 16, 32, 64]), *case[1:], rng.choice([0, 80, 90])]


MODULE = """module attributes {{"ttg.num-ctas" = {ctas} : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90",
  "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func @f(%arg0: tensor<{source}>) -> tensor<{result}> {{
    %0 = ttg.convert_layout %arg0 : tensor<{source}> -> tensor<{result}>
    tt.return %0 : tensor<{result}>
  }}
}}
"""


def triton_scratch(shape, element_bits, source, target, capability):
    """The bytes of shared memory that Triton gives it."""
    types = ["x".join(map(str, shape)) + f"xi{element_bits}, {layout}" for layout in (source, target)]
    ctas = to_linear_layout(shape, parse_layout(source)).in_size("block")
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(MODULE.format(ctas=ctas, source=types[0], result=types[1]))
        file.flush()
        module = libtriton.ir.parse_mlir_module(file.name, CONTEXT)
    manager = libtriton.ir.pass_manager(CONTEXT)
    if capability:
        libtriton.nvidia.passes.ttgpuir.add_allocate_shared_memory_nv(manager, capability, 80)
    else:
        libtriton.passes.ttgpuir.add_allocate_shared_memory(manager)
    manager.run(module, "f")
    return int(re.search(r"ttg.shared = (\d+)", str(module))[1])


def draw_bank_conflicts(rng):
    """A shape, bits of an element, and layouts of registers and of shared memory."""
    rank = rng.randint(1, 3)
    element_bits = rng.choice([8, 16, 32])
    shape = tuple(1 << rng.randint(2, 6) for _ in range(rank))
    registers, memory = distributed(rng, rank, ()), shared(rng, rank, shape, element_bits)
    if isinstance(memory, enc.PaddedShared) or getattr(memory, "fp4_padded", False):
        return None
    if not suits(shape, registers, memory) or to_linear_layout(shape, memory).bits_in("block"):
        return None
    linear = to_linear_layout(shape, registers)
    if linear.in_bits - linear.bits_in("register") != 7:
        return None
    return shape, element_bits, str(registers), str(memory)


def triton_bank_conflicts(shape, element_bits, registers, memory):
    """The bank conflicts that Triton counts."""
    layouts = [attribute(parse_layout(layout)) for layout in (registers, memory)]
    return BUILDER.get_shared_bank_conflicts(*layouts, shape, element_bits)


LONGEST_RECORD = 2000  # characters of an answer; longer ones, tables mostly, are not written
CHECKS = ("to_linear", "tensor_memory", "algebra", "text", "conversion", "scratch", "bank_conflicts")


def run(name, seed, cases, recorded):
    """Prints a line about `cases` random cases; returns how many differ."""
    rng = random.Random(seed)
    compared = aborted = unsuitable = 0
    different = []
    for _ in range(cases):
        arguments = globals()[f"draw_{name}"](rng)
        if arguments is None:
            unsuitable += 1
            continue
        arguments = json.loads(json.dumps(arguments))
        expected = guarded(globals()[f"triton_{name}"], arguments)
        if expected is None:
            aborted += 1
            continue
        compared += 1
        found = getattr(layout_answers, name)(*arguments)
        if found != expected:
            different.append((arguments, found, expected))
        elif recorded is not None and len(json.dumps(expected)) < LONGEST_RECORD:
            recorded.append([name, arguments, expected])
    print(f"{name}: {compared} compared, {len(different)} differ; {unsuitable} unsuitable, {aborted} unanswered")
    for arguments, found, expected in different[:3]:
        print(f"--- {arguments}\nttkit:  {found}\nTriton: {expected}")
    return len(different)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checks", nargs="*", metavar="CHECK", default=list(CHECKS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=300)
    parser.add_argument("--record", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    recorded = [] if arguments.record else None
    different = sum(run(name, arguments.seed, arguments.cases, recorded) for name in arguments.checks)
    if recorded is not None:
        arguments.record.write_text("[\n" + ",\n".join(map(json.dumps, recorded)) + "\n]\n")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
