#!/usr/bin/env python3
"""Compares ttkit.layout with Triton's own layouts on random ones.  Needs a Python that has Triton 3.6, no GPU.

    python test/oracle/layouts.py [--seed N] [--cases N] [CHECK ...]

Checks: to_linear, algebra, text, conversion, scratch, bank_conflicts; default is all.  Where Triton itself aborts on a
case, the case is counted and left out.  Exit 1 if anything differs; the first differences of each check are printed.
"""

import argparse
import os
import pickle
import random
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "python"))

from triton._C import libtriton

from ttkit.layout import LinearLayout, UnsuitableShape, to_linear_layout
from ttkit.layout import encodings as enc
from ttkit.layout.conversion import Movement, plan_conversion
from ttkit.layout.drawing.triton_text import layout_text
from ttkit.layout.shared_access import access_pattern
from ttkit.layout.swizzling import scratch_layout, shared_instructions

CONTEXT = libtriton.ir.context()
libtriton.ir.load_dialects(CONTEXT)
libtriton.nvidia.load_dialects(CONTEXT)
BUILDER = libtriton.gluon_ir.GluonOpBuilder(CONTEXT)
Theirs = libtriton.linear_layout.LinearLayout


# --- Random layouts --------------------------------------------------------------------------------------------------
def powers(rng, rank, most=2):
    return tuple(1 << rng.randint(0, most) for _ in range(rank))


def split(rng, total, rank):
    """Powers of two, one per dimension, with product 2**total."""
    bits = [0] * rank
    for _ in range(total):
        bits[rng.randrange(rank)] += 1
    return tuple(1 << count for count in bits)


def cga(rng, rank):
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
    items = list(items)
    rng.shuffle(items)
    return tuple(items)


def blocked(rng, rank, blocks=None):
    return enc.Blocked(
        powers(rng, rank), split(rng, 5, rank), split(rng, 2, rank), shuffled(rng, range(rank)),
        cga(rng, rank) if blocks is None else blocks,
    )  # fmt: skip


def nvidia(rng, rank, blocks=None):
    blocks = cga(rng, rank) if blocks is None else blocks
    if rank == 2 and rng.random() < 0.5:
        shape = (16, rng.choice([8, 16, 32, 64, 128]), 16)
        return enc.NvidiaMma(3, 0, rng.choice([(4, 1), (4, 1), (8, 1)][:2]), shape, blocks)
    return enc.NvidiaMma(2, 0, split(rng, 2, rank), (1, 16, 8)[3 - rank :], blocks)


def dot_operand(rng, rank, blocks=None):
    parent = rng.choice([blocked, nvidia])(rng, rank, blocks)
    if isinstance(parent, enc.Blocked):
        return enc.DotOperand(rng.randint(0, 1), parent)
    return enc.DotOperand(0 if parent.version_major == 3 else rng.randint(0, 1), parent, rng.choice([1, 2, 4]))


def linear(rng, rank, blocks=None):
    bases = [
        tuple((1 << bit) * (d == dim) for d in range(rank)) for dim in range(rank) for bit in range(rng.randint(1, 5))
    ]
    bases += [(0,) * rank] * max(0, 7 - len(bases))
    bases = shuffled(rng, bases)
    return enc.Linear(bases[7:], bases[:5], bases[5:7])


def distributed(rng, rank, blocks=None, depth=0):
    kinds = [blocked] if rank not in (2, 3) else [blocked, nvidia, dot_operand]
    if blocks is None or not blocks:
        kinds.append(linear)
    if depth < 2 and rank < 3 and rng.random() < 0.2:
        dim = rng.randint(0, rank)
        outer = blocks and tuple((*basis[:dim], 0, *basis[dim:]) for basis in blocks)
        return enc.Slice(dim, distributed(rng, rank + 1, outer, depth + 1))
    return rng.choice(kinds)(rng, rank, blocks)


def shared(rng, rank, shape, element_bits):
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
    return size.bit_length() - 1


def shape_of(rng, rank, most=7):
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
        shape = to_linear_layout_shape(layout)
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


def to_linear_layout_shape(layout):
    rows = layout.register + layout.lane + layout.warp + layout.block
    return [1 << max(row[dim].bit_length() for row in rows) for dim in range(layout.rank)]


def theirs(layout):
    """Triton's LinearLayout with our layout's bases."""
    rows = [(name, [list(basis) for basis in bases]) for name, bases in layout.all_bases().items()]
    return Theirs.from_bases(rows, list(layout.out_dims), [layout.out_size(n) for n in layout.out_dims], False)


def ours(layout):
    bases = dict(layout.bases)
    return LinearLayout.from_bases(bases, dict(layout.out_dims))


def guarded(function, *arguments):
    """function(*arguments) in a child process; None if that dies, as Triton does where an assertion fails."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            os.write(writer, pickle.dumps(function(*arguments)))
        except Exception:
            os._exit(1)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        data = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else None


# --- Checks: each draws a case: (what, ours, theirs) or None --------------------------------------------------------
def check_to_linear(rng):
    """Distributed layouts; Triton's binding has no others."""
    rank = rng.randint(1, 3)
    shape, layout = shape_of(rng, rank), distributed(rng, rank)

    def their_bases():
        linear = BUILDER.to_linear_layout(attribute(layout), list(shape))
        names = {"reg_bases": "register", "lane_bases": "lane", "warp_bases": "warp", "block_bases": "block",
                 "offset_bases": "offset"}  # fmt: skip
        found = {name: getattr(linear, field) for field, name in names.items() if hasattr(linear, field)}
        return {name: tuple(map(tuple, rows)) for name, rows in found.items()}

    try:
        mine = to_linear_layout(shape, layout).all_bases()
    except UnsuitableShape:
        return None
    return f"{layout} {shape}", mine, guarded(their_bases)


def random_linear(rng, ins, outs, surjective=False):
    bits = [rng.randint(0, 3) for _ in outs] if isinstance(outs, tuple) else [count for _, count in outs]
    names = outs if isinstance(outs, tuple) else [name for name, _ in outs]
    total = sum(bits)
    columns = [1 << bit for bit in range(total)]
    for _ in range(rng.randint(0, 6) if total > 1 else 0):
        a, b = rng.sample(range(total), 2)
        columns[a] ^= columns[b]
    columns += [rng.choice([0, rng.randrange(1 << total)]) for _ in range(rng.randint(0, 2))]
    rng.shuffle(columns)
    cuts = sorted(rng.randint(0, len(columns)) for _ in ins[1:])
    counts = [end - start for start, end in zip([0, *cuts], [*cuts, len(columns)])]
    return LinearLayout(tuple(zip(ins, counts)), tuple(zip(names, bits)), tuple(columns))


def check_algebra(rng):
    a = random_linear(rng, ("register", "lane", "warp"), ("dim0", "dim1"))
    b = random_linear(rng, rng.choice([("offset", "lane"), ("register", "lane", "warp")]), list(a.outs))
    c = random_linear(rng, ("lane", "block"), ("dim1", "dim2"))
    mine = {
        "invert_and_compose": a.invert_and_compose(b),
        "pseudo_inverse": a.pseudo_inverse(),
        "product": a * c,
        "surjective": (a.is_surjective, a.is_injective, a.is_invertible),
        "text": "\n" + str(a),
    }
    d = random_linear(rng, a.out_dims, ("x", "y"))
    d = d if d.ins == a.outs else LinearLayout(a.outs, d.outs, tuple((d.columns * 8 or (0,) * 9)[: a.out_bits]))
    mine["compose"] = a.compose(d)

    def their_answers():
        x, y, z, w = theirs(a), theirs(b), theirs(c), theirs(d)
        return {
            "invert_and_compose": ours(x.invert_and_compose(y)),
            "pseudo_inverse": ours(x.pseudoinvert()),
            "product": ours(x * z),
            "surjective": (x.is_surjective(), x.is_injective(), x.is_invertible()),
            "text": str(x),
            "compose": ours(x.compose(w)),
        }

    return f"{a}\n{b}\n{c}", mine, guarded(their_answers)


def check_text(rng):
    rank = rng.randint(1, 3)
    shape = shape_of(rng, rank, 3)
    layout = distributed(rng, rank) if rng.random() < 0.6 else shared(rng, rank, shape, rng.choice([8, 16, 32]))
    hardware = rng.random() < 0.5
    try:
        linear = to_linear_layout(shape, layout)
    except UnsuitableShape:
        return None

    def their_text():
        view = theirs(linear)
        return view.get_distributed_view(hardware) if linear.has_in_dim("lane") else view.get_shared_view(hardware)

    return f"{layout} {shape} {hardware}", layout_text(linear, hardware), guarded(their_text)


MODULE = """module attributes {{"ttg.num-ctas" = {ctas} : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:{target}",
  "ttg.threads-per-warp" = 32 : i32}} {{
  tt.func @f(%arg0: tensor<{source}>) -> tensor<{result}> {{
    %0 = ttg.convert_layout %arg0 : tensor<{source}> -> tensor<{result}>
    tt.return %0 : tensor<{result}>
  }}
}}
"""


def conversion_case(rng):
    """Shape, element type and bits, source and target for one CTA or several, both with four warps."""
    rank = rng.randint(1, 3)
    shape = shape_of(rng, rank)
    element, bits = rng.choice([("i8", 8), ("f16", 16), ("f32", 32), ("f64", 64), ("i1", 8)])
    blocks = cga(rng, rank)
    source, target = (distributed(rng, rank, blocks) for _ in range(2))
    try:
        layouts = [to_linear_layout(shape, layout) for layout in (source, target)]
    except UnsuitableShape:
        return None
    if any((x.bits_in("lane"), x.bits_in("warp"), x.bits_in("block")) != (5, 2, len(blocks)) for x in layouts):
        return None
    return shape, element, bits, source, target, *layouts


def check_conversion(rng):
    case = conversion_case(rng)
    if case is None:
        return None
    shape, _, _, source, target, first, second = case
    plan = plan_conversion(first, second)

    def trivial():
        module = libtriton.ir
        element = BUILDER.get_half_ty()
        types = [BUILDER.get_distributed_ty(element, list(shape), attribute(layout)) for layout in (source, target)]
        builder, function = BUILDER, module
        location = builder.get_loc() if hasattr(builder, "get_loc") else None
        del function, location
        whole = builder.create_module()
        prototype = builder.get_function_ty([types[0]], [])
        body = builder.get_or_insert_function(whole, "f", prototype, "public", False)
        builder.set_insertion_point_to_start(body.add_entry_block())
        return builder.is_convert_layout_trivial(types[1], body.args(0))

    return f"{source} -> {target} {shape}", plan.movement <= Movement.REGISTERS, guarded(trivial)


def check_scratch(rng):
    case = conversion_case(rng)
    if case is None:
        return None
    shape, element, bits, source, target, first, second = case
    plan = plan_conversion(first, second)
    capability, plain = rng.choice([80, 90]), rng.random() < 0.5
    stores = shared_instructions(bits, capability >= 90 and not plain)
    loads = shared_instructions(bits, not plain)
    mine = 0
    if plan.needs_shared_memory:
        mine = scratch_layout(first, second, bits, stores, loads).elements * bits // 8
    types = ["x".join(map(str, shape)) + f"x{element}, {layout}" for layout in (source, target)]
    ctas = first.in_size("block")
    text = MODULE.format(ctas=ctas, target=capability, source=types[0], result=types[1])

    def their_size():
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(text)
            file.flush()
            module = libtriton.ir.parse_mlir_module(file.name, CONTEXT)
        manager = libtriton.ir.pass_manager(CONTEXT)
        if plain:
            libtriton.passes.ttgpuir.add_allocate_shared_memory(manager)
        else:
            libtriton.nvidia.passes.ttgpuir.add_allocate_shared_memory_nv(manager, capability, 80)
        manager.run(module, "f")
        return int(re.search(r"ttg.shared = (\d+)", str(module))[1])

    return text + f"plain={plain}", mine, guarded(their_size)


def check_bank_conflicts(rng):
    rank = rng.randint(1, 3)
    bits = rng.choice([8, 16, 32])
    shape = tuple(1 << rng.randint(2, 6) for _ in range(rank))
    registers, memory = distributed(rng, rank, ()), shared(rng, rank, shape, bits)
    try:
        first, second = to_linear_layout(shape, registers), to_linear_layout(shape, memory)
    except UnsuitableShape:
        return None
    if first.in_bits - first.bits_in("register") != 7 or second.bits_in("block"):
        return None
    if isinstance(memory, enc.PaddedShared) or getattr(memory, "fp4_padded", False):
        return None

    def conflicts():
        return BUILDER.get_shared_bank_conflicts(attribute(registers), attribute(memory), list(shape), bits)

    return f"{registers} {memory} {shape} {bits}", access_pattern(first, second, bits).conflicts, guarded(conflicts)


CHECKS = {name[6:]: check for name, check in list(globals().items()) if name.startswith("check_")}


def run(name, seed, cases):
    """Prints a line about `cases` random cases; returns how many differ."""
    rng = random.Random(seed)
    compared = aborted = unsuitable = 0
    different = []
    for _ in range(cases):
        case = CHECKS[name](rng)
        if case is None:
            unsuitable += 1
        elif case[2] is None:
            aborted += 1
        else:
            compared += 1
            if case[1] != case[2]:
                different.append(case)
    print(f"{name}: {compared} compared, {len(different)} differ; {unsuitable} unsuitable, {aborted} aborted in Triton")
    for what, mine, their in different[:3]:
        print(f"--- {what}\nttkit:  {mine}\nTriton: {their}")
    return len(different)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checks", nargs="*", metavar="CHECK", default=list(CHECKS))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=300)
    arguments = parser.parse_args()
    return 1 if sum(run(name, arguments.seed, arguments.cases) for name in arguments.checks) else 0


if __name__ == "__main__":
    sys.exit(main())
