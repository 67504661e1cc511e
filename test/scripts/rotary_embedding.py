"""Rotary embedding in place: halves of each head's row turn by an angle of the position."""

import arrays
import numpy as np
import triton
import triton.language as tl


@triton.jit
def rotate(x_ptr, cos_ptr, sin_ptr, stride, heads, HALF: tl.constexpr, BLOCK: tl.constexpr):
    position, head = tl.program_id(0), tl.program_id(1)
    i = tl.arange(0, BLOCK)
    mask = i < HALF
    row = x_ptr + position * stride + head * (2 * HALF)
    cos = tl.load(cos_ptr + position * HALF + i, mask=mask, other=1.0)
    sin = tl.load(sin_ptr + position * HALF + i, mask=mask, other=0.0)
    first, second = tl.load(row + i, mask=mask, other=0.0), tl.load(row + HALF + i, mask=mask, other=0.0)
    tl.store(row + i, first * cos - second * sin, mask=mask)
    tl.store(row + HALF + i, second * cos + first * sin, mask=mask)


def main():
    positions, heads, half = 9, 3, 20
    x = arrays.normal(positions, heads * 2 * half)
    angles = np.outer(np.arange(positions), 1.0 / 100 ** (np.arange(half) / half)).astype(np.float32)
    cos, sin = np.cos(angles), np.sin(angles)
    given = arrays.on_device(x.copy())
    rotate[positions, heads](
        given, arrays.on_device(cos), arrays.on_device(sin), heads * 2 * half, heads, HALF=half, BLOCK=32
    )
    first, second = np.split(x.reshape(positions, heads, 2 * half), 2, axis=2)
    cos, sin = cos[:, None], sin[:, None]
    turned = np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=2)
    arrays.close(given, turned.reshape(positions, -1))


if __name__ == "__main__":
    main()
