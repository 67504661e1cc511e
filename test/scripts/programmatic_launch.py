"""Programmatic dependent launch: a kernel begins while the one before it ends, and waits before it reads its result."""

import arrays
import numpy as np
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr, PDL: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if PDL:
        tl.extra.cuda.gdc_wait()  # of the launch before, which wrote x
    left = tl.load(x + at, mask=at < n)
    right = tl.load(y + at, mask=at < n)
    if PDL:
        tl.extra.cuda.gdc_launch_dependents()  # which wait for the end of this launch before they read
    tl.store(out + at, left + right, mask=at < n)


@triton.jit
def scale(x, out, n, factor, BLOCK: tl.constexpr, PDL: tl.constexpr):
    factors = tl.full((BLOCK,), factor, tl.float32)  # what needs nothing of the launch before
    if PDL:
        tl.extra.cuda.gdc_wait()
        tl.extra.cuda.gdc_launch_dependents()
    for first in tl.range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        at = first + tl.arange(0, BLOCK)
        tl.store(out + at, tl.load(x + at, mask=at < n) * factors, mask=at < n)


def can_overlap():
    """Whether launches may overlap: from sm_90 on."""
    try:
        target = triton.runtime.driver.active.get_current_target()
    except RuntimeError:
        return False  # run as Python
    return target.backend == "cuda" and target.arch >= 90


def main():
    n = 5000
    x, y = arrays.normal(n), arrays.normal(n)
    given = [arrays.on_device(each) for each in (x, y)]
    for pdl in sorted({False, can_overlap()}):
        total, doubled = arrays.zeros(n), arrays.zeros(n)
        grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)
        for _ in range(3):
            add[grid](*given, total, n, BLOCK=512, PDL=pdl, launch_pdl=pdl)
            scale[(4,)](total, doubled, n, 2.0, BLOCK=512, PDL=pdl, launch_pdl=pdl)
            add[grid](doubled, given[0], total, n, BLOCK=512, PDL=pdl, launch_pdl=pdl)
        arrays.close(doubled, 2 * (x + y), 1e-6, 1e-6)
        arrays.close(total, np.float32(2) * (x + y) + x, 1e-5, 1e-5)


if __name__ == "__main__":
    main()
