"""Functions of tensors, lowered and evaluated for all threads of a CTA: whole tensors in, whole tensors out."""

import numpy as np
from mlir import ir

import ttkit
from ttkit.dialects import ttg
from ttkit.interpreter.lowered.launch import call
from ttkit.layout import to_linear_layout
from ttkit.layout.encodings import NvidiaMma

LANES = 32
FRAGMENTS = {"f32": np.float32, "f16": np.uint32, "i32": np.uint32}
MODULE = """
{aliases}
module attributes {{"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = {warps} : i32, "ttg.threads-per-warp" = 32 : i32}} {{
{functions}
}}"""


def evaluate(lowered: ir.Module, *arrays: np.ndarray) -> list[np.ndarray]:
    """What the first function of a lowered module gives each thread for arrays with a row for each; integers are
    unsigned."""
    return [
        value.view(f"u{value.dtype.itemsize}") if value.dtype.kind == "i" else value for value in call(lowered, arrays)
    ]


def module(functions: str, aliases: str = "", warps: int = 1) -> str:
    """A module of these functions and layouts."""
    return MODULE.format(functions=functions, aliases=aliases, warps=warps)


def places_of(type: ir.Type, threads: int) -> tuple[np.ndarray, ...]:
    """For each dimension of a tensor an array (threads, registers): the coordinates of each thread's registers."""
    layout = to_linear_layout(tuple(type.shape), ttg.layout_of(type))
    values = layout.sublayout(["register", "lane", "warp"], layout.out_dims).transpose_ins(["register", "lane", "warp"])
    packed = np.array([sum(1 << i for i in ())])
    packed = np.zeros(1, np.int64)
    for column in values.columns:
        packed = np.concatenate([packed, packed ^ column])
    packed = packed.reshape(threads, -1)
    found, shift = [], 0
    for _, bits in layout.outs:
        found.append(packed >> shift & (1 << bits) - 1)
        shift += bits
    return tuple(found)


def whole(found: np.ndarray, type: ir.Type, threads: int) -> np.ndarray:
    """The tensor of which each thread has its registers.

    Raises AssertionError if threads disagree.
    """
    if not isinstance(type, ir.RankedTensorType):
        assert all(np.array_equal(row, found[0], equal_nan=found.dtype.kind == "f") for row in found), "threads differ"
        return found[0]
    places = places_of(type, threads)
    result = np.zeros(tuple(type.shape), found.dtype)
    result[places] = found
    bits = f"u{found.dtype.itemsize}" if found.dtype != bool else bool
    assert (result[places].view(bits) == np.ascontiguousarray(found).view(bits)).all(), "copies differ"
    return result


def compute(text: str, *arrays: np.ndarray, capability: int = 90, before: str = "") -> list[np.ndarray]:
    """What the first function of a module in ttg gives for these tensors.

    before: passes in front of the lowering.
    """
    with ttkit.Context():
        lowered = ttkit.parse(text)
        attributes = lowered.operation.attributes
        threads = LANES * attributes["ttg.num-warps"].value
        source = lowered.body.operations[0].operation.attributes["function_type"].value
        passed = [
            part
            for array, type in zip(arrays, source.inputs, strict=True)
            for part in (
                parts(array[places_of(type, threads)], type)
                if isinstance(type, ir.RankedTensorType)
                else [np.full(threads, array)]
            )
        ]
        machine = f"{{compute-capability={capability} ptx-version=87}}"
        passes = f"allocate-shared-memory-nv{machine},convert-triton-gpu-to-llvm{machine}"
        ttkit.run_passes(lowered, f"{before},{passes}" if before else passes)
        results = evaluate(lowered, *passed)
        return [whole(joined(results, type, threads), type, threads) for type in source.results]


def is_fragment(type: ir.Type) -> bool:
    """Whether the registers of a tensor are passed one by one."""
    layout = ttg.layout_of(type) if isinstance(type, ir.RankedTensorType) else None
    return isinstance(layout, NvidiaMma) and layout.version_major == 3 and str(type.element_type) in FRAGMENTS


def parts(registers: np.ndarray, type: ir.Type) -> list[np.ndarray]:
    """What a thread's registers (threads, registers) are where they are passed."""
    if not is_fragment(type):
        return [registers]
    words = np.ascontiguousarray(registers).view(FRAGMENTS[str(type.element_type)])
    return list(words.T)


def joined(results: list[np.ndarray], type: ir.Type, threads: int) -> np.ndarray:
    """The next result, taken away from its parts."""
    if not is_fragment(type):
        return np.asarray(results.pop(0))
    element = {"f32": np.float32, "f16": np.float16, "i32": np.uint32}[str(type.element_type)]
    layout = to_linear_layout(tuple(type.shape), ttg.layout_of(type))
    count = layout.in_size("register") * np.dtype(element).itemsize // 4
    words = np.ascontiguousarray(np.stack([results.pop(0) for _ in range(count)], 1))
    return words.view(element).reshape(threads, -1)


def product(shape, elements, result, layout, source, memory, through_memory=(True, True), batch=(), operand="") -> str:
    """A function that multiplies an m x k and a k x n tensor, of layout `source`, and adds an m x n one; its layouts.

    through_memory: which operands are loaded from shared memory; the others are converted.
    operand: what else the layout of operands says, for tensor cores.
    """
    m, n, k = shape
    sizes = {"a": (*batch, m, k), "b": (*batch, k, n), "c": (*batch, m, n)}
    types = dict(zip("abc", (*elements, result)))
    tensor = {name: "x".join(map(str, size)) + f"x{types[name]}" for name, size in sizes.items()}
    lines = []
    for index, name in enumerate("ab"):
        layout_of_it = f"#ttg.dot_op<{{opIdx = {index}, parent = #m{operand}}}>"
        if through_memory[index]:
            buffer = f"!ttg.memdesc<{tensor[name]}, #s, #ttg.shared_memory>"
            lines.append(f"%{name}m = ttg.local_alloc %{name} : (tensor<{tensor[name]}, #l>) -> {buffer}")
            lines.append(f"%{name}d = ttg.local_load %{name}m : {buffer} -> tensor<{tensor[name]}, {layout_of_it}>")
        else:
            both = f"tensor<{tensor[name]}, #l> -> tensor<{tensor[name]}, {layout_of_it}>"
            lines.append(f"%{name}d = ttg.convert_layout %{name} : {both}")
    both = [
        f"tensor<{tensor[name]}, #ttg.dot_op<{{opIdx = {i}, parent = #m{operand}}}>>" for i, name in enumerate("ab")
    ]
    precision = ", inputPrecision = tf32" if operand else ""
    lines.append(f"%r = tt.dot %ad, %bd, %c{precision} : {both[0]} * {both[1]} -> tensor<{tensor['c']}, #m>")
    parameters = f"%a: tensor<{tensor['a']}, #l>, %b: tensor<{tensor['b']}, #l>, %c: tensor<{tensor['c']}, #m>"
    body = "\n".join(["", *lines, f"tt.return %r : tensor<{tensor['c']}, #m>"])
    aliases = f"#m = {layout}\n#l = {source}\n#s = {memory}"
    return f"tt.func public @f({parameters}) -> tensor<{tensor['c']}, #m> {{{body}\n}}", aliases
