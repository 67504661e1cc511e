"""Random numbers from a seed and an offset, by Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy
as 1, 2, 3", SC 2011).  The same seed and offset always give the same number.
"""

import ttkit.language.core as tl
import ttkit.language.math as math
from ttkit.language.errors import UnexpectedType
from ttkit.language.jit_function import constexpr_function, jit
from ttkit.language.versions import since

_since = constexpr_function(since)
N_ROUNDS_DEFAULT = tl.constexpr(10)


@constexpr_function
def _philox_constants(dtype):
    """The multipliers of both halves, and what their keys grow by each round."""
    if dtype == tl.uint32:
        return 0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85
    if dtype == tl.uint64:
        return 0xD2E7470EE14C6C93, 0xCA5A826395121157, 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
    raise UnexpectedType(type=dtype, operation="philox_impl", expected="uint32 or uint64")


@jit
def philox_impl(c0, c1, c2, c3, k0, k1, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """`n_rounds` rounds of Philox on the state (c0, c1, c2, c3) with the key (k0, k1), uint32 or uint64.

    Example:
        >>> tl.philox_impl(*[tl.full((1,), n, tl.uint32) for n in range(4)], *[tl.full((1,), 9, tl.uint32)] * 2)[0]
        uint32[1] [3903380784]
    """
    CONSTANTS: tl.constexpr = _philox_constants(c0.dtype)
    for _ in tl.static_range(n_rounds):
        multiplier0 = CONSTANTS[0]
        multiplier2 = CONSTANTS[1]
        left, right = c0, c2
        c0 = math.umulhi(multiplier2, right) ^ c1 ^ k0
        c2 = math.umulhi(multiplier0, left) ^ c3 ^ k1
        c1 = tl.mul(multiplier2, right, sanitize_overflow=False)
        c3 = tl.mul(multiplier0, left, sanitize_overflow=False)
        k0 = tl.add(k0, CONSTANTS[2], sanitize_overflow=False)
        k1 = tl.add(k1, CONSTANTS[3], sanitize_overflow=False)
    return c0, c1, c2, c3


@jit
def philox(seed, c0, c1, c2, c3, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Philox of the counter (c0, c1, c2, c3), of 32 or 64 bits, with the key `seed`, an integer of 64 bits.

    Example:
        >>> tl.philox(7, *[tl.full((1,), n, tl.uint32) for n in range(4)])[0]
        uint32[1] [201103222]
    """
    seed = tl.to_tensor(seed)
    tl.static_assert(seed.dtype.is_int(), "the seed must be an integer")
    key = seed.to(tl.uint64)
    c0 = tl.to_tensor(c0)
    c1 = tl.to_tensor(c1)
    c2 = tl.to_tensor(c2)
    c3 = tl.to_tensor(c3)
    if c0.dtype.primitive_bitwidth == 32:
        word = tl.uint32
        high = ((key >> 32) & 0xFFFFFFFF).to(tl.uint32)
        low = (key & 0xFFFFFFFF).to(tl.uint32)
    else:
        tl.static_assert(tl.constexpr(c0.dtype.primitive_bitwidth) == 64, "bitwidth not supported in philox")
        word = tl.uint64
        high = tl.full((1,), 0, dtype=word)
        low = key
    c0 = c0.to(word, bitcast=True)
    c1 = c1.to(word, bitcast=True)
    c2 = c2.to(word, bitcast=True)
    c3 = c3.to(word, bitcast=True)
    return philox_impl(c0, c1, c2, c3, low, high, n_rounds)


@jit
def randint(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Random uint32 in the shape of `offset`, integers; of several streams `randint4x` is faster.

    Example:
        >>> tl.randint(7, tl.arange(0, 4))
        uint32[4] [4099963437 1747881627   26092480 1675892246]
    """
    return randint4x(seed, offset, n_rounds)[0]


@jit
def randint4x(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Four tensors of random uint32 in the shape of `offset`.

    Example:
        >>> first, second, third, fourth = tl.randint4x(7, tl.arange(0, 4))
        >>> fourth
        uint32[4] [ 367897730 4113952422 3645055143  597108639]
    """
    low = offset.to(tl.uint32)
    zero = low * 0
    high = (offset >> 32).to(tl.uint32) if offset.dtype.primitive_bitwidth > 32 else zero
    return philox(seed, low, high, zero, zero, n_rounds)


@jit
def uint_to_uniform_float(x):
    """Random integers of 32 or 64 bits as fp32 in [0, 1).

    Example:
        >>> tl.uint_to_uniform_float(tl.randint(7, tl.arange(0, 4)))
        fp32[4] [0.09080574 0.81392074 0.01215026 0.7803981 ]
    """
    # The scale is the largest for which the largest integer, times it, is still below one after rounding.
    if x.dtype == tl.uint32 or x.dtype == tl.int32:
        signed = x.to(tl.int32, bitcast=True)
        scale = 4.6566127342e-10
    else:
        tl.static_assert(x.dtype == tl.uint64 or x.dtype == tl.int64, "expected integers of 32 or 64 bits")
        signed = x.to(tl.int64, bitcast=True)
        scale = 1.0842020432385337e-19
    if _since(3, 8):
        positive = tl.where(signed < 0, ~signed, signed)
    else:
        positive = tl.where(signed < 0, -signed - 1, signed)
    return positive * scale


@jit
def rand(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Random fp32, uniform in [0, 1), in the shape of `offset`.

    Example:
        >>> tl.rand(7, tl.arange(0, 4))
        fp32[4] [0.09080574 0.81392074 0.01215026 0.7803981 ]
    """
    return uint_to_uniform_float(randint(seed, offset, n_rounds))


@jit
def rand4x(seed, offsets, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Four tensors of random fp32, uniform in [0, 1), in the shape of `offsets`.

    Example:
        >>> tl.rand4x(7, tl.arange(0, 4))[0]
        fp32[4] [0.09080574 0.81392074 0.01215026 0.7803981 ]
    """
    return [uint_to_uniform_float(numbers) for numbers in randint4x(seed, offsets, n_rounds)]


@jit
def pair_uniform_to_normal(u1, u2):
    """Two uniform tensors as two of normal distribution (Box and Muller, 1958).

    Example:
        >>> first, second = tl.pair_uniform_to_normal(tl.full((2,), 0.5, tl.float32), tl.full((2,), 0.25, tl.float32))
        >>> first
        fp32[2] [-5.1466227e-08 -5.1466227e-08]
    """
    positive = tl.maximum(1.0e-7, u1)
    angle = 6.283185307179586 * u2
    radius = math.sqrt(-2.0 * math.log(positive))
    return radius * math.cos(angle), radius * math.sin(angle)


@jit
def randn(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Random fp32 of mean 0 and variance 1 in the shape of `offset`.

    Example:
        >>> tl.randn(7, tl.arange(0, 4))
        fp32[4] [-2.1904447  -0.54057825  2.9532444  -0.7042024 ]
    """
    numbers = randint4x(seed, offset, n_rounds)
    uniform = uint_to_uniform_float(numbers[0])
    return pair_uniform_to_normal(uniform, uint_to_uniform_float(numbers[1]))[0]


@jit
def randn4x(seed, offset, n_rounds: tl.constexpr = N_ROUNDS_DEFAULT):
    """Four tensors of random fp32 of mean 0 and variance 1 in the shape of `offset`.

    Example:
        >>> tl.randn4x(7, tl.arange(0, 4))[0]
        fp32[4] [-2.1904447  -0.54057825  2.9532444  -0.7042024 ]
    """
    uniform = rand4x(seed, offset, n_rounds)
    return pair_uniform_to_normal(uniform[0], uniform[1]) + pair_uniform_to_normal(uniform[2], uniform[3])
