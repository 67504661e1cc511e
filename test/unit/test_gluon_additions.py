"""What ttkit's Gluon takes beside Triton 3.6: each is what a pass makes, so that `ttkit lift` can say it."""

import pytest

import ttkit
import ttkit.language as tl
from ttkit.interpreter.python_mode.session import interactive
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia import blackwell
from ttkit.language.gluon.nvidia.hopper import mbarrier

LINE = gl.constexpr(gl.BlockedLayout([1], [32], [4], [0]))
ROWS = gl.constexpr(gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0]))


@gluon.jit
def nothing(x):
    gl.store(x, 1)


@gluon.jit
def as_many_registers(x):
    gl.warp_specialize([(nothing, (x,)), (nothing, (x,))], [1], None)


@gluon.jit
def reordered(x):
    row = gl.arange(0, 16, gl.SliceLayout(1, ROWS))
    column = gl.arange(0, 8, gl.SliceLayout(0, ROWS))
    block = gl.load(x + row[:, None] * 8 + column[None, :])
    flat = gl.set_auto_layout(tl.reshape(block, [128], can_reorder=True), LINE)
    gl.store(x + gl.arange(0, 128, LINE), flat)


@gluon.jit
def committed(x, n):
    shared: gl.constexpr = gl.NVMMASharedLayout.get_default_for([128, 64], gl.float16)
    a = gl.allocate_shared_memory(gl.float16, [128, 64], shared)
    b = gl.allocate_shared_memory(gl.float16, [64, 64], shared)
    acc = blackwell.allocate_tensor_memory(gl.float32, [128, 64], blackwell.TensorMemoryLayout((128, 64), 1))
    bar = mbarrier.allocate_mbarrier()
    mbarrier.init(bar, count=1)
    blackwell.tcgen05_mma(a, b, acc, mbarriers=[])
    blackwell.tcgen05_commit(bar, pred=n > 0)
    mbarrier.wait(bar, 0, deps=[acc])


def ir_of(kernel, capability=90, **signature):
    with ttkit.Context():
        source = ttkit.ASTSource(kernel, {"x": "*i32", **signature})
        return str(source.make_ir(ttkit.GPUTarget("cuda", capability, 32)))


def test_workers_that_keep_their_registers():
    text = ir_of(as_many_registers)
    assert "ttg.warp_specialize" in text and "requestedRegisters" not in text


def test_a_reordering_reshape_gets_the_layout_that_is_asked_for():
    made = ttkit.compile(ttkit.ASTSource(reordered, {"x": "*i32"}), ttkit.GPUTarget("cuda", 90, 32))
    assert "allow_reorder" in made.asm["ttgir"] and "#gluon.auto" not in made.asm["ttgir"]


def test_a_product_that_a_conditional_commit_ends():
    lines = ir_of(committed, 100, n="i32").splitlines()
    assert any("tc_gen5_mma" in line and "is_async" in line for line in lines)
    (commit,) = [line for line in lines if "tc_gen5_commit" in line]
    assert commit.partition(":")[0].count("%") == 2
    assert any("wait_barrier" in line and "deps" in line for line in lines)


@pytest.mark.parametrize("shape", [[4], [2, 4]])
def test_gluon_at_the_prompt(shape):
    with interactive(gluon=True):
        value = gl.full(shape, 3, gl.int32, LINE.value if len(shape) == 1 else ROWS.value)
        assert [int(size) for size in (value + value).shape] == shape
        assert "6" in str(value + value)
