"""Layouts in CuTe's notation, (shape):(stride), for those who think in it.

CuTe counts the elements of a tile with the first dimension fastest.  A distributed layout is written as a map from
(thread, value) to an element, e.g. `((4,8),4):((32,1),8)`; a shared one as a map from coordinates to an offset, e.g.
`Swizzle<3,3,3> o (64,64):(64,1)`.  Layouts with other XORs have no such form.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ttkit.layout.linear import LinearLayout


def cute_text(layout: LinearLayout) -> str | None:
    """The layout in CuTe's notation; None if it has none."""
    if layout.has_in_dim("offset"):
        return _shared(layout)
    return _distributed(layout) if layout.has_in_dim("lane") else None


def _distributed(layout: LinearLayout) -> str | None:
    """(thread, value), or (thread, value, block) -> element."""
    threads = layout.columns_of("lane") + layout.columns_of("warp")
    modes = [threads, layout.columns_of("register")]
    if layout.bits_in("block"):
        modes.append(layout.columns_of("block"))
    return _notation(modes)


def _shared(layout: LinearLayout) -> str | None:
    """Coordinates -> offset, of one CTA's part."""
    inner = layout.squeeze_in("block") if layout.has_in_dim("block") else layout
    if not inner.is_invertible:
        return None
    places = inner.invert()
    columns = places.columns
    found = _unswizzled(columns)
    if found is None:
        return None
    swizzle, plain = found
    modes, start = [], 0
    for _, bits in places.ins:
        modes.append(plain[start : start + bits])
        start += bits
    text = _notation(modes)
    return text and (f"Swizzle<{swizzle[0]},{swizzle[1]},{swizzle[2]}> o {text}" if swizzle else text)


def _unswizzled(columns: Sequence[int]) -> tuple[tuple[int, int, int] | None, Sequence[int]] | None:
    """The swizzle (bits, base, shift) after which the rest is a plain layout; None for neither."""
    if _are_units(columns):
        return None, columns
    top = max(column.bit_length() for column in columns)
    for bits in range(1, top // 2 + 1):
        for base in range(top - 2 * bits + 1):
            for shift in range(bits, top - base - bits + 1):
                mask = (1 << bits) - 1 << base + shift
                plain = [column ^ (column & mask) >> shift for column in columns]
                if _are_units(plain):
                    return (bits, base, shift), plain
    return None


def _are_units(columns: Iterable[int]) -> bool:
    return all(column & (column - 1) == 0 for column in columns)


def _notation(modes: Iterable[Sequence[int]]) -> str | None:
    shapes, strides = [], []
    for columns in modes:
        if not _are_units(columns):
            return None
        steps = _steps(columns)
        shapes.append(_tuple([size for size, _ in steps]))
        strides.append(_tuple([stride for _, stride in steps]))
    return f"({','.join(shapes)}):({','.join(strides)})"


def _steps(columns: Sequence[int]) -> list[tuple[int, int]]:
    """Sizes and strides of runs of bits, each of which doubles the stride of the one before."""
    steps: list[tuple[int, int]] = []
    for column in columns:
        if steps and column == steps[-1][0] * steps[-1][1]:
            steps[-1] = (steps[-1][0] * 2, steps[-1][1])
        else:
            steps.append((2, column))
    return steps or [(1, 0)]


def _tuple(values: Sequence[int]) -> str:
    return str(values[0]) if len(values) == 1 else f"({','.join(map(str, values))})"
