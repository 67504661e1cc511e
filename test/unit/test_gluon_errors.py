"""Errors in kernels in Gluon: the line with a caret, what was found, what to do."""

import pytest

import ttkit
from ttkit.frontend.errors import CompilationError
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.language.gluon.nvidia import ampere

TARGET = ttkit.GPUTarget("cuda", 90, 32)
ROWS = gl.BlockedLayout([1, 4], [4, 8], [4, 1], [1, 0])
COLUMNS = gl.BlockedLayout([4, 1], [8, 4], [1, 4], [0, 1])
LINE = gl.BlockedLayout([1], [32], [4], [0])
SHARED = gl.SwizzledSharedLayout(1, 1, 1, [1, 0])


@gluon.jit
def two_layouts(x):
    a = gl.full([16, 32], 1.0, gl.float32, ROWS)
    b = gl.full([16, 32], 1.0, gl.float32, COLUMNS)
    gl.store(x, gl.sum(a + b))


@gluon.jit
def layouts_in_lanes(x):
    a = gl.full([16, 32], 1.0, gl.float32, gl.BlockedLayout([1, 2], [2, 16], [4, 1], [1, 0]))
    b = gl.full([16, 32], 1.0, gl.float32, gl.BlockedLayout([1, 2], [2, 16], [4, 1], [0, 1]))
    gl.store(x, gl.sum(a + b))


@gluon.jit
def ranks(x):
    gl.store(x, gl.sum(gl.arange(0, 16, LINE) + gl.full([16, 32], 1, gl.int32, ROWS)))


@gluon.jit
def ranks_of_open_layouts(x):
    gl.arange(0, 16) + gl.full([16, 32], 1, gl.int32)


@gluon.jit
def layout_of_another_rank(x):
    gl.full([16, 32], 1.0, gl.float32, LINE)


@gluon.jit
def no_slice(x):
    gl.arange(0, 16, LINE)[:, None]


@gluon.jit
def other_slice(x):
    gl.arange(0, 16, gl.SliceLayout(0, ROWS))[:, None]


@gluon.jit
def other_warps(x):
    gl.store(x + gl.arange(0, 16, gl.BlockedLayout([1], [32], [8], [0])), 1.0)


@gluon.jit
def fields_of_a_layout(x):
    gl.BlockedLayout([1, 2], [32], [4], [0])


@gluon.jit
def order_of_a_layout(x):
    gl.full([16], 1, gl.int32, gl.BlockedLayout([1], [32], [4], [1]))


@gluon.jit
def nothing_says_the_layout(x):
    gl.store(x + gl.arange(0, 16), 1.0)


@gluon.jit
def two_layouts_asked(x):
    index = gl.arange(0, 512)
    gl.store(x + gl.set_auto_layout(index, LINE), 1.0)
    gl.store(x + gl.set_auto_layout(index, gl.BlockedLayout([2], [32], [4], [0])), 1.0)


@gluon.jit
def layout_changes_in_a_branch(x, n):
    total = gl.zeros([16], gl.float32)
    if n > 0:
        total = gl.convert_layout(total, LINE)


@gluon.jit
def layout_changes_in_a_loop(x, n):
    total = gl.zeros([16], gl.float32)
    for _ in range(n):
        total = gl.convert_layout(total, LINE)


@gluon.jit
def layout_is_set_already(x):
    gl.set_auto_layout(gl.full([16], 1, gl.int32, LINE), LINE)


@gluon.jit
def not_trivial(x):
    gl.convert_layout(gl.full([16, 32], 1.0, gl.float32, ROWS), COLUMNS, assert_trivial=True)


@gluon.jit
def scalar_without_layout(x):
    gl.convert_layout(1.0, ROWS)


@gluon.jit
def layout_of_registers(x):
    gl.allocate_shared_memory(gl.float32, [16, 32], ROWS)


@gluon.jit
def size_of_a_buffer(x):
    gl.allocate_shared_memory(gl.float32, [16, 30], SHARED)


@gluon.jit
def shape_stored(x):
    buffer = gl.allocate_shared_memory(gl.float32, [16, 32], SHARED)
    buffer.store(gl.full([16, 16], 1.0, gl.float32, ROWS))


@gluon.jit
def type_stored(x):
    buffer = gl.allocate_shared_memory(gl.float32, [16, 32], SHARED)
    buffer.store(gl.full([16, 32], 1, gl.int32, ROWS))


@gluon.jit
def slice_outside(x):
    gl.allocate_shared_memory(gl.float32, [16, 32], SHARED).slice(0, 64)


@gluon.jit
def index_of_floats(x):
    gl.allocate_shared_memory(gl.float32, [2, 16, 32], SHARED).index(1.0)


@gluon.jit
def elements_lost(x):
    gl.allocate_shared_memory(gl.float32, [16, 32], SHARED).reshape([16])


@gluon.jit
def no_permutation(x):
    gl.allocate_shared_memory(gl.float32, [16, 32], SHARED).permute([0, 0])


@gluon.jit
def operands_of_dot_fma(x):
    a = gl.full([16, 16], 1.0, gl.float32, ROWS)
    gl.dot_fma(a, a, a)


@gluon.jit
def histogram_without_layout(x):
    gl.histogram(gl.arange(0, 16, LINE), 16)


@gluon.jit
def worker(x):
    gl.store(x, 1.0)


@gluon.jit
def arguments_of_a_worker(x):
    gl.warp_specialize([(worker, (x,)), (worker, x)], [4], [24])


@gluon.jit
def too_few_registers(x):
    gl.warp_specialize([(worker, (x,)), (worker, (x,))], [4], [])


@gluon.jit
def error_in_a_worker(x):
    gl.warp_specialize([(worker, (x,)), (two_layouts, (x,))], [4], [24])


@gluon.jit
def operands_of_mma(x):
    mma: gl.constexpr = gl.NVMMADistributedLayout([2, 0], [4, 1], [16, 8])
    a = gl.full([16, 16], 1.0, gl.float16, mma)
    ampere.mma_v2(a, a, gl.full([16, 16], 1.0, gl.float32, mma))


@gluon.jit
def result_of_mma(x):
    a = gl.full([16, 16], 1.0, gl.float16, ROWS)
    ampere.mma_v2(a, a, a)


@gluon.jit
def shape_of_a_copy(x):
    buffer = gl.allocate_shared_memory(gl.float32, [64], gl.SwizzledSharedLayout(1, 1, 1, [0]))
    ampere.async_copy.async_copy_global_to_shared(buffer, x + gl.arange(0, 32, LINE))


@gluon.jit
def copy_to_nowhere(x):
    ampere.async_copy.async_copy_global_to_shared(x, x + gl.arange(0, 32, LINE))


@gluon.jit
def count_of_a_barrier(x):
    ready = gl.allocate_shared_memory(gl.int64, [1], ampere.mbarrier.MBarrierLayout())
    ampere.mbarrier.init(ready, gl.load(x))


BLOCKED = "BlockedLayout(size_per_thread=[1], threads_per_warp=[32], warps_per_cta=[4], order=[0], cga_layout=[])"
ERRORS = {
    two_layouts: (4, ["Layout mismatch in broadcast: BlockedLayout(size_per_thread=[1, 4]", "vs BlockedLayout("]),
    layouts_in_lanes: (4, ["ttgl.convert_layout(x, ", "among the lanes of a warp"]),
    ranks: (2, ["Layout mismatch in broadcast"]),
    ranks_of_open_layouts: (2, ["Cannot broadcast, rank mismatch: [16], [16, 32]", "add dimensions with expand_dims"]),
    layout_of_another_rank: (2, ["rank mismatch: shape=[16, 32]", "shape rank=2, layout rank=1"]),
    no_slice: (2, [f"expected expand_dims input to have a SliceLayout, but got: {BLOCKED}"]),
    other_slice: (2, ["to be sliced in axis 1 but got 0", "use SliceLayout(1, ...), or expand dimension 0"]),
    other_warps: (2, ["Layout has 8 warps per CTA, but the context requires 4 warps per CTA."]),
    fields_of_a_layout: (2, ["size_per_thread [1, 2], threads_per_warp [32]", "one entry for each dimension"]),
    order_of_a_layout: (2, ["order must be a permutation of 0..0"]),
    nothing_says_the_layout: (2, ["nothing determines the layout of 'tt.make_range'"]),
    two_layouts_asked: (2, ["found conflicting encodings", "sizePerThread = [1]", "sizePerThread = [2]"]),
    layout_changes_in_a_branch: (3, ["its layout was AutoLayout() and is BlockedLayout(", "before the `if`"]),
    layout_changes_in_a_loop: (3, ["<[16], fp32, AutoLayout()>", f"<[16], fp32, {BLOCKED}>"]),
    layout_is_set_already: (2, ["must have auto layout but got", "use ttgl.convert_layout"]),
    not_trivial: (2, ["is not trivial", "DistributedLinearLayout(reg_bases=[[0, 1], [0, 2]]"]),
    scalar_without_layout: (2, ["expected convert_layout input to be a distributed_type"]),
    layout_of_registers: (2, ["expected 'layout' to be a SharedLayout but got BlockedLayout"]),
    size_of_a_buffer: (2, ["power-of-2"]),
    shape_stored: (3, ["source shape [16, 16] and destination shape [16, 32] must match"]),
    type_stored: (3, ["source dtype int32 and destination dtype fp32 must match"]),
    slice_outside: (2, ["elements 0 to 64 of dimension 0 are not all in [16, 32]"]),
    index_of_floats: (2, ["expected 'index' to be int32 but got fp32"]),
    elements_lost: (2, ["memdesc_reshape total elements mismatch: [16, 32] -> [16]"]),
    no_permutation: (2, ["found [0, 0]; each dimension must occur once"]),
    operands_of_dot_fma: (3, ["a of dot_fma must have the layout DotOperandLayout(operand_index=0", "convert it"]),
    histogram_without_layout: (2, ["histogram requires a destination layout"]),
    arguments_of_a_worker: (2, ["write (function, (argument, ...))", "arguments must be a tuple"]),
    too_few_registers: (2, ["got 1 partitions but 0 register counts"]),
    operands_of_mma: (4, ["a of mma_v2 must have the layout DotOperandLayout(operand_index=0", "k_width=2"]),
    result_of_mma: (3, ["must have an NVMMADistributedLayout of version [2, 0], found BlockedLayout"]),
    shape_of_a_copy: (3, ["smem.shape = [64], pointer.shape = [32]"]),
    copy_to_nowhere: (2, ["takes a buffer in shared memory, found pointer<fp32>", "allocate_shared_memory makes one"]),
    count_of_a_barrier: (3, ["count of init must be a constant integer"]),
    error_in_a_worker: (2, ["def two_layouts(x):", "Layout mismatch in broadcast"]),
}


@pytest.mark.parametrize("kernel", ERRORS, ids=lambda kernel: kernel.__name__)
def test_error(kernel):
    line, parts = ERRORS[kernel]
    types = {name: "*fp32" if name == "x" else "i32" for name in kernel.arg_names}
    with pytest.raises(CompilationError) as caught:
        ttkit.compile(ttkit.ASTSource(kernel, types), TARGET)
    text = str(caught.value)
    assert text.startswith(f"at {line}:") and "^" in text
    assert not [part for part in parts if part not in text], text


def test_both_layouts_are_drawn_and_the_conversion_has_its_cost():
    with pytest.raises(CompilationError) as caught:
        ttkit.compile(ttkit.ASTSource(two_layouts, {"x": "*fp32"}), TARGET)
    text = str(caught.value)
    joined = " ".join(text.split())
    assert "convert one of them: this moves elements among warps" in joined
    assert "8 registers' values a thread, 2048 bytes, and a barrier" in joined
    assert f"a barrier ttgl.convert_layout(x, {ROWS}) ValueError(" in joined  # last but Triton's own line
    assert f"and in the other: {ROWS} [[ T0:0, T0:1," in joined and f"{COLUMNS} [[" in joined
    assert max(map(len, text.splitlines()[:-1])) <= 120


def test_gluon_outside_of_a_kernel():
    with pytest.raises(ValueError, match=r"Did you forget to add @triton\.jit"):
        gl.arange(0, 16, LINE)
    with pytest.raises(TypeError, match=r"@gluon.jit takes functions defined with `def`, found 3"):
        gluon.jit(3)
