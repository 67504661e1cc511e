"""Linear layouts as text."""

from __future__ import annotations

from ttkit.layout.linear_columns import LinearColumns
from ttkit.layout.packing import sizes


def bases_text(layout: LinearColumns) -> str:
    """The bases, one a line, as Triton prints them (there after a line break).

     - register=1 -> (0, 1)
       register=2 -> (0, 2)
     - lane is a size 1 dimension
    where out dims are: [dim0 (size 1), dim1 (size 4)]
    """
    out_dims = f"[{', '.join(f'{name} (size {size})' for name, size in sizes(layout.outs))}]"
    if not layout.ins:
        return f"(empty layout with out-dims {out_dims})" if layout.outs else "(empty layout)"
    lines = []
    for name, bases in layout.all_bases().items():
        bullet = " - "
        for bit, basis in enumerate(bases):
            lines.append(f"{bullet}{name}={1 << bit} -> ({', '.join(map(str, basis))})")
            bullet = "   "
        if not bases:
            lines.append(f" - {name} is a size 1 dimension")
    return "\n".join([*lines, f"where out dims are: {out_dims}"])


def short_text(layout: LinearColumns) -> str:
    """`register = [[0, 1], [0, 2]], lane = [[1, 0]]`: the keys of #ttg.linear and #ttg.shared_linear."""
    return ", ".join(f"{name} = {[list(basis) for basis in bases]}" for name, bases in layout.all_bases().items())
