"""Kernels in tt as Gluon writes them: layouts are open but where tensors are stored, and found by Gluon's passes."""

import re

TENSOR = re.compile(r"tensor<((?:\d+x)+(?:!tt\.ptr<\w+(?:, \d+)?>|\w+))>")
STORE = re.compile(
    r"^( *)tt\.store (%\w+), (%\w+)(?:, (%\w+))?(.*) : tensor<((?:\d+x)+)!tt\.ptr<(\w+)(.*)>>$", re.MULTILINE
)
OPEN, COALESCED = "#gluon.auto_encoding", "#gluon.coalesced_encoding"
HEAD = """module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90",
    "ttg.threads-per-warp" = 32 : i32} {"""
NOT_IN_GLUON = ("tensordesc", "!tt.ptr<tensor", "tt.dot", "tt.cat", "tt.reshape")


def blocked(rank):
    """A layout in which threads and warps lie along the last and the first dimension."""
    sizes = [[1] * (rank - 1) + [4], [1] * (rank - 1) + [32], [4] + [1] * (rank - 1), list(range(rank))[::-1]]
    names = ("sizePerThread", "threadsPerWarp", "warpsPerCTA", "order")
    return f"#ttg.blocked<{{{', '.join(f'{name} = {size}' for name, size in zip(names, sizes, strict=True))}}}>"


def with_open_layouts(text, stored_as):
    """The module with stores in layout `stored_as(rank)` and all else open; None if Gluon has no such kernels."""
    if any(name in text for name in NOT_IN_GLUON):
        return None

    def store(match):
        indent, pointer, value, mask, rest, shape, element, space = match.groups()
        layout = stored_as(shape.count("x"))
        operands = [(pointer, f"!tt.ptr<{element}{space}>"), (value, element), (mask, "i1")]
        lines, names = [], []
        for name, kind in operands:
            if name:
                names.append(f"%set{match.start()}_{len(names)}")
                types = (f"tensor<{shape}{kind}, {each}>" for each in (OPEN, layout))
                lines.append(f"{indent}{names[-1]} = gluon.set_auto_layout {name} : {' -> '.join(types)}")
        pointers = f"tensor<{shape}!tt.ptr<{element}{space}>, {layout}>"
        return "\n".join([*lines, f"{indent}tt.store {', '.join(names)}{rest} : {pointers}"])

    stored, count = STORE.subn(store, text)
    return TENSOR.sub(rf"tensor<\1, {OPEN}>", stored).replace("module {", HEAD, 1) if count else None
