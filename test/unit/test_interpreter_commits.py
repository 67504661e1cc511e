"""Races of products whose ends several mbarriers tell."""

import numpy as np

import ttkit
import ttkit.language as tl
from ttkit.options import CompileOptions


@ttkit.jit
def three_products(a, b, sums, squares, n):
    rows, columns = tl.arange(0, 128), tl.arange(0, 32)
    x_blocks = tl.make_tensor_descriptor(a, [128, 192], [192, 1], [128, 32])
    y_blocks = tl.make_tensor_descriptor(b, [192, 32], [32, 1], [32, 32])
    total = tl.zeros([128, 32], tl.float32)
    square = tl.zeros([128, 128], tl.float32)
    most = tl.full([128], -100.0, tl.float32)
    for i in tl.range(0, n, num_stages=2, warp_specialize=True):
        x = x_blocks.load([0, i * 32])
        y = y_blocks.load([i * 32, 0])
        product = tl.dot(x, y)
        most = tl.maximum(most, tl.max(product, 1))
        chosen = tl.where(product >= most[:, None], 1.0, 0.5)
        total = total * tl.where(most > 3, 0.5, 1.0)[:, None]
        total = tl.dot(chosen.to(tl.float16), tl.trans(y), total)
        square = tl.dot(x, tl.trans(x), square)
    tl.store(sums + rows[:, None] * 32 + columns[None, :], total)
    tl.store(squares + rows[:, None] * 128 + rows[None, :], square)


def test_a_commit_tells_the_end_of_products_that_another_barrier_has_told():
    """The tensor core works in order: the barrier that frees two tiles is that of the last product alone."""
    target, options = ttkit.GPUTarget("cuda", 100, 32), CompileOptions.for_capability(100)
    signature = {"a": "*fp16", "b": "*fp16", "sums": "*fp32", "squares": "*fp32", "n": "i32"}
    module = ttkit.ASTSource(three_products, signature).make_ir(target, options, context=ttkit.Context())
    ttkit.run_passes(module, "ttkit-ttir{capability=100},ttkit-ttgir{capability=100}")
    assert "ttg.warp_specialize" in str(module)
    a, b = (np.ones(shape, np.float16) for shape in ((128, 192), (192, 32)))
    sums, squares = (np.zeros((128, columns), np.float32) for columns in (32, 128))
    ttkit.interpret(module, 1, [a, b, sums, squares, 6], race="groups")
    assert (squares == 192).all()
