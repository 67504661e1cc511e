"""Sizes of grids and blocks, on the host and as constants of kernels."""

from ttkit.language.jit_function import constexpr_function


@constexpr_function
def cdiv(x: int, y: int) -> int:
    """`x / y` rounded up."""
    return (x + y - 1) // y


@constexpr_function
def next_power_of_2(n: int) -> int:
    """The smallest power of two that is not below `n`."""
    return 1 << max(n - 1, 0).bit_length()
