"""Matrix product of f16 with sums in f32: two-dimensional blocks and a loop.

A program makes a block of the result.  It goes along the rows of `a` and the columns of `b` block by block; `tl.dot`
adds the product of two blocks to the sums.
"""

import numpy as np
from showing import check, run

import ttkit
import ttkit.language as tl


@ttkit.jit
def matmul(a_ptr, b_ptr, c_ptr, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    rows = tl.program_id(0) * M + tl.arange(0, M)
    columns = tl.program_id(1) * N + tl.arange(0, N)
    inner = tl.arange(0, K)
    a_block = a_ptr + rows[:, None] * k + inner[None, :]
    b_block = b_ptr + inner[:, None] * n + columns[None, :]
    total = tl.zeros((M, N), tl.float32)
    for first in range(0, k, K):
        left = k - first
        a = tl.load(a_block, mask=(rows[:, None] < m) & (inner[None, :] < left), other=0.0)
        b = tl.load(b_block, mask=(inner[:, None] < left) & (columns[None, :] < n), other=0.0)
        total = tl.dot(a, b, total)
        a_block += K
        b_block += K * n
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    tl.store(c_ptr + rows[:, None] * n + columns[None, :], total.to(tl.float16), mask=inside)


def main():
    m, n, k = 150, 200, 96
    rng = np.random.default_rng(0)
    a = rng.standard_normal((m, k)).astype(np.float16)
    b = rng.standard_normal((k, n)).astype(np.float16)
    c = np.zeros((m, n), np.float16)
    run(
        matmul,
        grid=(ttkit.cdiv(m, 64), ttkit.cdiv(n, 64)),
        arguments=(a, b, c, m, n, k),
        constants={"M": 64, "N": 64, "K": 32},
        excerpts={"ttir": "tt.dot", "ttgir": r"tt\.dot |group_dot", "llir": "fma|mma", "ptx": "fma|mma"},
    )
    check("a @ b", c, a.astype(np.float32) @ b.astype(np.float32), 1e-2)


if __name__ == "__main__":
    main()
