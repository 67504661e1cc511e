"""The numbers that tensor maps, which TMA copies by, have for types of elements."""

from __future__ import annotations

# As tensormap instructions (PTX) number them: packed fp4 with padding, floats, integers by bits.  Other types of 8 bits
# are moved as bytes.
_PADDED_FP4 = 14
_FLOATS = {"f16": 6, "bf16": 10, "f32": 7, "f64": 9}
_UNSIGNED = {8: 0, 16: 1, 32: 2, 64: 4}
_SIGNED = {8: 0, 16: 1, 32: 3, 64: 5}


def element_type(name: str, bits: int, is_padded: bool = False) -> int:
    """The number of a type.

    Args:
        name: in MLIR, such as `bf16` or `si32`.
        bits: of an element.
        is_padded: whether bytes hold two fp4 numbers, of which 8 bytes are followed by 8 of padding.

    Raises:
        ValueError: there is none.
    """
    if is_padded:
        return _PADDED_FP4
    if name in _FLOATS:
        return _FLOATS[name]
    numbers = _SIGNED if name.startswith("s") else _UNSIGNED
    if bits not in numbers:
        raise ValueError(f"TMA can't move elements of type {name}: those of 8, 16, 32 and 64 bits it can")
    return numbers[bits]
