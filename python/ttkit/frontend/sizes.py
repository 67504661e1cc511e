"""Sizes of grids and blocks, on the host and as constants of kernels."""

from operator import index

from ttkit.language.jit_function import constexpr_function


@constexpr_function
def cdiv(x: int, y: int) -> int:
    """`x / y` rounded up."""
    return (x + y - 1) // y


@constexpr_function
def next_power_of_2(n: int) -> int:
    """The smallest power of two that is not below `n`; 0 for what is not positive, as in Triton."""
    n = index(n)
    return 1 << (n - 1).bit_length() if n > 0 else 0
