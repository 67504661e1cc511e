"""Kernels whose launches bench/launch.py measures.  It loads the file twice: `tl` and `jit` are Triton's or ttkit's."""

# ruff: noqa: F821


@jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = i < n
    tl.store(out + i, tl.load(x + i, mask=mask) + tl.load(y + i, mask=mask), mask=mask)


@jit
def four(a, b, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(b + i, tl.load(a + i, mask=i < n), mask=i < n)


@jit
def twelve(a, b, c, m, n, k, sa, sb, sc, scale, BLOCK: tl.constexpr, ACTIVATION: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(a + i * sa, mask=i < m) + tl.load(b + i * sb, mask=i < n) * scale
    tl.store(c + i * sc, value, mask=i < k)


@jit
def twenty(a, b, c, d, e, f, g, h, m, n, k, sa, sb, sc, sd, se, scale, bias, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(a + i * sa, mask=i < m) + tl.load(b + i * sb, mask=i < n) * scale + bias
    value += tl.load(c + i * sc, mask=i < k) + tl.load(d + i * sd) + tl.load(e + i * se) + tl.load(f + i)
    tl.store(g + i, value)
    tl.store(h + i, value)
