"""Tensors: creation, views, memory, atomics, products, assembly."""

from __future__ import annotations

from typing import Any

from mlir import ir

from ttkit.language.debug import printed_prefix
from ttkit.lift.errors import LiftError
from ttkit.lift.newer import cache_policy
from ttkit.lift.registry import writes
from ttkit.lift.values import constant_of, element_of, element_text, refuse
from ttkit.options import CompileOptions

_CACHE = {2: ".ca", 3: ".cg", 4: ".wb", 5: ".cs", 6: ".wt", 7: ".cv"}
_EVICT = {2: "evict_first", 3: "evict_last"}
_ATOMICS = {1: "and", 2: "or", 3: "xor", 4: "add", 5: "add", 6: "max", 7: "min", 8: "max", 9: "min", 10: "xchg"}
_SEMANTICS = {1: "relaxed", 2: "acquire", 3: "release", 4: "acq_rel"}
_SCOPES = {1: "gpu", 2: "cta", 3: "sys"}
FORMATS = {0: "e4m3", 1: "e5m2", 2: "e2m3", 3: "e3m2", 4: "e2m1", 5: "bf16", 6: "fp16"}
PRECISIONS = {0: "tf32", 1: "tf32x3", 2: "ieee", 3: "bf16x3", 4: "bf16x6"}

MULTIPROCESSORS = "mov.u32 $0, %nsmid;"


@writes("tt.make_range")
def make_range(writer: Any, op: Any) -> str:
    """A range."""
    return f"gl.arange({writer.integer(op, 'start')}, {writer.integer(op, 'end')}, {writer.layout(op.result)})"


@writes("tt.splat")
def splat(writer: Any, op: Any) -> str:
    """A scalar in every element."""
    type = op.result.type
    scalar = writer.ref(op.operands[0])
    return f"gl.full({list(type.shape)}, {scalar}, {element_text(type.element_type)}, {writer.layout(op.result)})"


@writes("tt.unsplat")
def unsplat(writer: Any, op: Any) -> str:
    """The only element."""
    return f"{writer.ref(op.operands[0])}.item()"


@writes("tt.expand_dims")
def expand_dims(writer: Any, op: Any) -> str:
    """A dimension of size one."""
    axis, rank = writer.integer(op, "axis"), op.result.type.rank
    return f"{writer.ref(op.operands[0])}[{', '.join('None' if dim == axis else ':' for dim in range(rank))}]"


@writes("tt.broadcast")
def broadcast(writer: Any, op: Any) -> str:
    """Repetition along dimensions of size one."""
    return f"{writer.ref(op.operands[0])}.broadcast_to({', '.join(map(str, op.result.type.shape))})"


@writes("tt.reshape")
def reshape(writer: Any, op: Any) -> str:
    """Another shape."""
    source, shape = writer.ref(op.operands[0]), list(op.result.type.shape)
    if "allow_reorder" in op.attributes:
        return f"gl.set_auto_layout(tl.reshape({source}, {shape}, can_reorder=True), {writer.layout(op.result)})"
    return f"gl.reshape({source}, {shape})"


@writes("tt.trans")
def transpose(writer: Any, op: Any) -> str:
    """Dimensions in another order."""
    return f"gl.permute({writer.ref(op.operands[0])}, {list(ir.DenseI32ArrayAttr(op.attributes['order']))})"


@writes("tt.join", "tt.split")
def join(writer: Any, op: Any) -> str:
    """Joining and splitting along a new last dimension."""
    arguments = ", ".join(map(writer.ref, op.operands))
    return f"gl.{op.name.removeprefix('tt.')}({arguments})"


@writes("tt.cat")
def cat(writer: Any, op: Any) -> str:
    """Both operands, in any order."""
    arguments = ", ".join(map(writer.ref, op.operands))
    return f"gl.set_auto_layout(tl.cat({arguments}, can_reorder=True), {writer.layout(op.result)})"


@writes("tt.gather")
def gather(writer: Any, op: Any) -> str:
    """Elements by index."""
    return f"gl.gather({', '.join(map(writer.ref, op.operands))}, axis={writer.integer(op, 'axis')})"


@writes("tt.histogram")
def histogram(writer: Any, op: Any) -> str:
    """Counts."""
    source, *mask = map(writer.ref, op.operands)
    masked = f", mask={mask[0]}" if mask else ""
    return f"gl.histogram({source}, {op.result.type.shape[0]}{masked}, layout={writer.layout(op.result)})"


@writes("ttg.fp4_to_fp")
def fp4_to_fp(writer: Any, op: Any) -> str:
    """Pairs of fp4 as wider numbers."""
    element = element_text(element_of(op.result))
    return f"gl.fp4_to_fp({writer.ref(op.operands[0])}, {element}, axis={writer.integer(op, 'axis')})"


@writes("tt.get_program_id", "tt.get_num_programs")
def program(writer: Any, op: Any) -> str:
    """The program's place in the grid."""
    name = {"tt.get_program_id": "program_id", "tt.get_num_programs": "num_programs"}[op.name]
    return f"gl.{name}({writer.integer(op, 'axis')})"


@writes("nvvm.read.ptx.sreg.nsmid")
def multiprocessors(writer: Any, op: Any) -> str:
    """The number of multiprocessors, for which Gluon has assembly alone."""
    return f"gl.inline_asm_elementwise({MULTIPROCESSORS!r}, '=r', [], gl.int32, True, 1)"


@writes("ttg.convert_layout")
def convert_layout(writer: Any, op: Any) -> str:
    """Another layout."""
    return f"gl.convert_layout({writer.ref(op.operands[0])}, {writer.layout(op.result)})"


def options(writer: Any, op: Any) -> str:
    """Cache, eviction and volatility as further arguments."""
    text = ""
    cache, evict = writer.integer(op, "cache", 1), writer.integer(op, "evict", 1)
    if cache != 1:
        text += f', cache_modifier="{_CACHE[cache]}"'
    if evict != 1:
        text += f', eviction_policy="{_EVICT[evict]}"'
    if "isVolatile" in op.attributes and ir.BoolAttr(op.attributes["isVolatile"]).value:
        text += ", volatile=True"
    return text + cache_policy(op)


@writes("tt.load")
def load(writer: Any, op: Any) -> str:
    """Loads."""
    _, masks, others = writer.segments(op)
    operands = list(op.operands)
    text = f"gl.load({writer.ref(operands[0])}"
    if masks:
        text += f", mask={writer.ref(operands[1])}"
    if others:
        text += f", other={writer.literal_or_ref(operands[-1])}"
    return f"{text}{options(writer, op)})"


@writes("tt.store")
def store(writer: Any, op: Any) -> None:
    """Stores."""
    pointer, value, *mask = map(writer.ref, op.operands)
    masked = f", mask={mask[0]}" if mask else ""
    writer.line(f"gl.store({pointer}, {value}{masked}{options(writer, op)})")


def _ordering(writer: Any, op: Any) -> str:
    semantics, scope = writer.integer(op, "sem", 4), writer.integer(op, "scope", 1)
    text = f', sem="{_SEMANTICS[semantics]}"' if semantics != 4 else ""
    return text + (f', scope="{_SCOPES[scope]}"' if scope != 1 else "")


@writes("tt.atomic_rmw")
def atomic_rmw(writer: Any, op: Any) -> str:
    """Atomics."""
    kind = writer.integer(op, "atomic_rmw_op")
    pointer, value, *mask = op.operands
    if kind in (6, 7) and str(element_of(value)).startswith(("f", "bf")):
        refuse(op, "maxima and minima of floats are those of integers")
    masked = "" if not mask or constant_of(mask[0]) is True else f", mask={writer.ref(mask[0])}"
    options = f"{masked}{_ordering(writer, op)}"
    if kind in (8, 9):
        place = f"{writer.ref(pointer)}.to(gl.pointer_type({writer.unsigned_type(value)}), bitcast=True)"
        found = f"gl.atomic_{_ATOMICS[kind]}({place}, {writer.unsigned(value)}{options})"
        return f"{found}.to({element_text(element_of(value))})"
    return f"gl.atomic_{_ATOMICS[kind]}({writer.ref(pointer)}, {writer.ref(value)}{options})"


@writes("tt.atomic_cas")
def atomic_cas(writer: Any, op: Any) -> str:
    """Compare and swap."""
    return f"gl.atomic_cas({', '.join(map(writer.ref, op.operands))}{_ordering(writer, op)})"


def imprecise(writer: Any, op: Any) -> str:
    """A further argument for the additions that the tensor core does by itself, where it is not what options say."""
    number = writer.integer(op, "maxNumImpreciseAcc", 0)
    fp8 = all(str(element_of(each)).startswith("f8") for each in list(op.operands)[:2])
    default = CompileOptions.for_capability(writer.source.capability).max_num_imprecise_acc_default if fp8 else 0
    return "" if number == default else f", max_num_imprecise_acc={number}"


@writes("tt.dot")
def dot(writer: Any, op: Any) -> str:
    """Products: by mma.sync, by single multiplications, or as the tile language has them."""
    a, b, acc = op.operands
    layout = str(acc.type.encoding)
    precision = PRECISIONS[writer.integer(op, "inputPrecision", 0)]
    option = "" if precision == "tf32" else f', input_precision="{precision}"'
    arguments = ", ".join(map(writer.ref, (a, b, acc)))
    additions = imprecise(writer, op)
    if additions:
        return f"tl.dot({arguments}{option}{additions}, out_dtype={element_text(element_of(acc))})"
    if "versionMajor = 2" in layout:
        return f"gl.nvidia.ampere.mma_v2({arguments}{option})"
    if layout.startswith("#ttg.blocked") and not option:
        return f"gl.dot_fma({arguments})"
    return f"tl.dot({arguments}{option}, out_dtype={element_text(element_of(acc))})"


@writes("tt.dot_scaled")
def dot_scaled(writer: Any, op: Any) -> str:
    """Products of operands with a scale for each few elements."""
    counts, scales = writer.segments(op)[3:], [writer.ref(each) for each in list(op.operands)[3:]]
    first, second = (scales.pop(0) if count else "None" for count in counts)
    a, b, acc = (
        writer.unsigned(each) if str(element_of(each)) == "i8" else writer.ref(each) for each in list(op.operands)[:3]
    )
    formats = [FORMATS[writer.integer(op, f"{side}_elem_type")] for side in "ab"]
    text = f"{a}, {first}, {formats[0]!r}, {b}, {second}, {formats[1]!r}, {acc}"
    for side in ("lhs", "rhs"):
        if f"{side}_k_pack" in op.attributes and not ir.BoolAttr(op.attributes[f"{side}_k_pack"]).value:
            text += f", {side}_k_pack=False"
    if "fastMath" in op.attributes and ir.BoolAttr(op.attributes["fastMath"]).value:
        text += ", fast_math=True"
    return f"tl.dot_scaled({text})"


@writes("tt.elementwise_inline_asm")
def assembly(writer: Any, op: Any) -> str:
    """Assembly, element by element."""
    asm, constraints = (ir.StringAttr(op.attributes[name]).value for name in ("asm_string", "constraints"))
    dtypes = [element_text(element_of(result)) for result in op.results]
    dtype = dtypes[0] if len(dtypes) == 1 else f"({', '.join(map(str, dtypes))})"
    arguments = ", ".join(map(writer.ref, op.operands))
    pure, pack = ir.BoolAttr(op.attributes["pure"]).value, writer.integer(op, "packed_element")
    text = f"{asm!r}, {constraints!r}, [{arguments}], {dtype}, {pure}, {pack}"
    return f"gl.inline_asm_elementwise({text})"


@writes("tt.print")
def device_print(writer: Any, op: Any) -> None:
    """Printing.  Raises LiftError: the text is not one that device_print makes."""
    text = ir.StringAttr(op.attributes["prefix"]).value
    begun = text.removesuffix(" ").removesuffix(":").removeprefix(" ")
    prefix = next(
        (each for each in (begun, text.removeprefix(" "), text) if printed_prefix(each, op.operands) == text), None
    )
    if prefix is None:
        raise LiftError(op, "its text is not one that device_print makes")
    signs = ir.DenseI32ArrayAttr(op.attributes["isSigned"])
    values = [
        writer.ref(value) if sign or not isinstance(element_of(value), ir.IntegerType) else writer.unsigned(value)
        for value, sign in zip(op.operands, signs)
    ]
    is_hex = ", hex=True" if ir.BoolAttr(op.attributes["hex"]).value else ""
    writer.line(f"gl.device_print({', '.join([repr(prefix), *values])}{is_hex})")


@writes("tt.assert")
def device_assert(writer: Any, op: Any) -> None:
    """Assertions."""
    message = ir.StringAttr(op.attributes["message"]).value
    writer.line(f"gl.device_assert({writer.ref(op.operands[0])}, {message!r})")


@writes("tt.grid_dependency_wait", "tt.grid_dependency_launch_dependents")
def grid_dependency(writer: Any, op: Any) -> None:
    """Dependent launches."""
    writer.line(f"gl.extra.cuda.gdc_{op.name.removeprefix('tt.grid_dependency_')}()")


@writes("gpu.barrier", "ttg.barrier")
def barrier(writer: Any, op: Any) -> None:
    """All threads wait for each other."""
    writer.line("gl.thread_barrier()")


@writes("llvm.intr.assume")
def assume(writer: Any, op: Any) -> None:
    """A fact."""
    writer.line(f"gl.assume({writer.ref(op.operands[0])})")
