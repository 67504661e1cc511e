"""Arithmetic of pairs of fp32, two in one instruction: `pack` makes pairs of a tensor's neighbours, `unpack` undoes it.

A pair is an int64, the first number in the lower bits.
"""

from __future__ import annotations

from ttkit.language.aggregate import _aggregate as aggregate
from ttkit.language.constexpr import constexpr
from ttkit.language.debug import static_assert
from ttkit.language.extern import inline_asm_elementwise
from ttkit.language.gluon.creation import full_like as tensor_full_like
from ttkit.language.gluon.jit_function import jit
from ttkit.language.jit_function import constexpr_function
from ttkit.language.joining import join
from ttkit.language.reduce import reduce
from ttkit.language.tensor import tensor
from ttkit.language.tuples import tuple
from ttkit.language.types import float32, int64

__all__ = ["Float2Tensor", "fma", "full_like", "pack", "pack2", "unpack", "unpack2"]


def _instruction(text: str) -> constexpr:
    """An instruction, with the blanks that it has in Triton, where they are a part of the kernel's text."""
    return constexpr(f"\n        {text};\n        ")


_ADD = _instruction("add.f32x2 $0, $1, $2")
_SUB = _instruction("sub.f32x2 $0, $1, $2")
_MUL = _instruction("mul.f32x2 $0, $1, $2")
_FMA = _instruction("fma.rn.f32x2 $0, $1, $2, $3")
_PACK = _instruction("mov.b64 $0, { $1, $2 }")
_UNPACK = _instruction("mov.b64 { $0, $1 }, $2")


@jit
def _of_pairs(asm: constexpr, args):
    """An instruction of tensors of pairs, whose result is one, too."""
    constraints: constexpr = _constraints(len(args))
    return inline_asm_elementwise(asm, constraints, args, dtype=int64, is_pure=True, pack=1)


@constexpr_function
def _constraints(operands):
    return "=l" + ",l" * operands


@jit
def _sum_of_pairs(a, b):
    return _of_pairs(_ADD, [a, b])


@aggregate
class Float2Tensor:
    """A tensor of pairs; `+`, `-`, `*` and `sum(axis)` are of each number of a pair.

    Example:
        >>> x = gl.full([2, 4], 1.5, gl.float32, rows)
        >>> pairs = blackwell.float2.pack(x, axis=1)
        >>> blackwell.float2.unpack(pairs + pairs * pairs, axis=1)
        fp32[2, 4]
        [[3.75 3.75 3.75 3.75]
         [3.75 3.75 3.75 3.75]]
    """

    value: tensor

    @constexpr_function
    def __init__(self, value: tensor):
        self.value = value

    @jit
    def __add__(self, rhs):
        static_assert(isinstance(rhs, Float2Tensor), "rhs must be a Float2Tensor")
        return Float2Tensor(_of_pairs(_ADD, [self.value, rhs.value]))

    @jit
    def __sub__(self, rhs):
        static_assert(isinstance(rhs, Float2Tensor), "rhs must be a Float2Tensor")
        return Float2Tensor(_of_pairs(_SUB, [self.value, rhs.value]))

    @jit
    def __mul__(self, rhs):
        static_assert(isinstance(rhs, Float2Tensor), "rhs must be a Float2Tensor")
        return Float2Tensor(_of_pairs(_MUL, [self.value, rhs.value]))

    @jit
    def sum(self, axis: constexpr):
        """The sums along a dimension, of each number of the pairs."""
        return Float2Tensor(reduce(self.value, axis=axis, combine_fn=_sum_of_pairs))


@jit
def pack2(x0, x1):
    """Pairs of two tensors of fp32.

    Example:
        >>> x = gl.full([4], 1.5, gl.float32, line)
        >>> blackwell.float2.pack2(x, x).value.shape
        (constexpr[4])
    """
    value = inline_asm_elementwise(_PACK, "=l,r,r", [x0, x1], dtype=int64, is_pure=True, pack=1)
    return Float2Tensor(value)


@jit
def unpack2(x):
    """The two tensors of pairs.

    Example:
        >>> x = gl.full([4], 1.5, gl.float32, line)
        >>> blackwell.float2.unpack2(blackwell.float2.pack2(x, x + 1))[1]
        fp32[4] [2.5 2.5 2.5 2.5]
    """
    return inline_asm_elementwise(_UNPACK, "=r,=r,l", [x.value], dtype=[float32, float32], is_pure=True, pack=1)


@constexpr_function
def _halved(shape, axis):
    """A shape with pairs along `axis` as a dimension of their own, and the order in which that is the last one."""
    assert shape[axis] >= 2, f"not enough elements to pack along axis {axis}"
    parts = [*shape[:axis], shape[axis] // 2, 2, *shape[axis + 1 :]]
    order = list(range(len(parts)))
    order[axis + 1], order[-1] = order[-1], order[axis + 1]
    return tuple(parts), tuple(order)


@constexpr_function
def _doubled(shape, axis):
    """The shape in which pairs lie along `axis`, and the order that moves the last dimension to after `axis`."""
    order = list(range(len(shape)))
    order.insert(axis + 1, len(shape))
    return tuple([*shape[:axis], 2 * shape[axis], *shape[axis + 1 :]]), tuple(order)


@jit
def pack(x, axis):
    """Pairs of neighbours along a dimension of an even number of elements.

    Example:
        >>> x = gl.full([2, 4], 1.5, gl.float32, rows)
        >>> blackwell.float2.pack(x, axis=1).value.shape
        (constexpr[2], constexpr[2])
    """
    parts: constexpr = _halved(x.shape, axis)
    x0, x1 = x.reshape(*parts[0]).permute(*parts[1]).split()
    return pack2(x0, x1)


@jit
def unpack(x, axis):
    """The tensor of whose neighbours along a dimension `pack` made pairs.

    Example:
        >>> x = gl.full([2, 4], 1.5, gl.float32, rows)
        >>> blackwell.float2.unpack(blackwell.float2.pack(x, axis=1), axis=1)
        fp32[2, 4]
        [[1.5 1.5 1.5 1.5]
         [1.5 1.5 1.5 1.5]]
    """
    shape: constexpr = x.value.shape
    parts: constexpr = _doubled(shape, axis)
    x0, x1 = unpack2(x)
    return join(x0, x1).permute(*parts[1]).reshape(*parts[0])


@jit
def full_like(x, fill_value):
    """Pairs of the same fp32 number, in the shape and layout of other pairs.

    Example:
        >>> x = gl.full([2, 4], 1.5, gl.float32, rows)
        >>> twos = blackwell.float2.full_like(blackwell.float2.pack(x, axis=1), gl.to_tensor(2.0))
        >>> blackwell.float2.unpack(twos, axis=1)
        fp32[2, 4]
        [[2. 2. 2. 2.]
         [2. 2. 2. 2.]]
    """
    static_assert(fill_value.dtype == float32, "fill_value must be a float32")
    fill = tensor_full_like(x.value, fill_value, dtype=float32)
    return pack2(fill, fill)


@jit
def fma(a, b, c):
    """`a * b + c` of pairs, rounded once.

    Example:
        >>> x = gl.full([2, 4], 1.5, gl.float32, rows)
        >>> pairs = blackwell.float2.pack(x, axis=1)
        >>> blackwell.float2.unpack(blackwell.float2.fma(pairs, pairs, pairs), axis=1)
        fp32[2, 4]
        [[3.75 3.75 3.75 3.75]
         [3.75 3.75 3.75 3.75]]
    """
    return Float2Tensor(_of_pairs(_FMA, [a.value, b.value, c.value]))
