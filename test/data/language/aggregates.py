"""Classes of several values."""

import triton
import triton.language as tl
from cases import case
from triton.language.core import _aggregate as aggregate


@aggregate
class Span:
    start: tl.tensor
    size: tl.constexpr

    @triton.constexpr_function
    def __init__(self, start, size):
        self.start = start
        self.size = tl.constexpr(size)

    @triton.jit
    def indices(self):
        return self.start + tl.arange(0, self.size)

    @triton.jit
    def moved(self, by):
        return Span(self.start + by, self.size)

    @triton.constexpr_function
    def half(self):
        return self.size.value // 2


@aggregate
class Window:
    span: Span
    scale: tl.tensor

    @triton.constexpr_function
    def __init__(self, span, scale):
        self.span = span
        self.scale = scale

    @triton.jit
    def load(self, pointer):
        return tl.load(pointer + self.span.indices()) * self.scale


@triton.jit
def make_window(start, scale, N: tl.constexpr):
    return Window(Span(start, N), scale)


@triton.jit
def spans(x, out, n, N: tl.constexpr):
    span = Span(n, N)
    tl.store(out + span.indices(), tl.load(x + span.indices()))
    tl.store(out, span.half())
    window = make_window(span.start, tl.load(x), N)
    total = window.load(x)
    for k in range(n):
        window = Window(window.span.moved(k), window.scale)
        total += window.load(x)
    if n > 3:
        span = span.moved(n)
    else:
        span = Span(n * 2, N)
    tl.store(out + span.indices(), total)


CASES = [case(spans, "*fp32 *fp32 i32", archs=[90], N=16)]
