"""Builtins as packages write them for Gluon, by the methods of `_semantic`, which take layouts."""

from cases import case
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language._core import _unwrap_if_constexpr, builtin

LINE = gl.constexpr(gl.BlockedLayout([2], [32], [4], [0]))


@builtin
def ramp(size, layout, _semantic=None):
    size, layout = _unwrap_if_constexpr(size), _unwrap_if_constexpr(layout)
    start = _semantic.arange(0, size, layout)
    one = _semantic.full([size], 1, gl.int32, layout)
    two = _semantic.splat(_semantic.to_tensor(2), [size], layout)
    return _semantic.add(_semantic.mul(start, two, True), one, True)


@builtin
def through_memory(value, layout, _semantic=None):
    layout, size = _unwrap_if_constexpr(layout), value.type.shape[0]
    shared = gl.SwizzledSharedLayout(1, 1, 1, [0])
    buffer = _semantic.allocate_shared(value.dtype, [2, size], shared, None)
    first = _semantic.memdesc_index(buffer, _semantic.to_tensor(0))
    _semantic.shared_store(first, value)
    half = _semantic.memdesc_slice(first, size // 2, size // 2, 0)
    rows = _semantic.memdesc_reshape(first, [size // 4, 4])
    turned = _semantic.memdesc_trans(rows, [1, 0])
    words = _semantic.memdesc_reinterpret(first, gl.int16, [2 * size], shared)
    blocked = gl.BlockedLayout([1, 1], [1, 32], [4, 1], [1, 0])
    found = _semantic.reshape(_semantic.shared_load(turned, blocked), [size], False)
    found = _semantic.convert_layout(found, layout)
    _semantic.shared_load(words, layout)
    low = _semantic.shared_load(half, layout)
    twice = _semantic.cat(low, low, True, layout)
    _semantic.shared_dealloc(buffer)
    return _semantic.add(found, twice, True)


@builtin
def counted(value, layout, _semantic=None, _generator=None):
    layout = _unwrap_if_constexpr(layout)
    linear = _semantic.to_linear_layout(layout, [256]).value
    open_one = _semantic.arange(0, 256, gl.AutoLayout())
    picked = _semantic.gather(value, _semantic.set_auto_layout(open_one, layout), 0)
    bins = _semantic.histogram(picked, 256, None, linear)
    return _semantic.convert_layout(bins, layout, True), _semantic.num_warps(_generator), _semantic.num_ctas()


@gluon.jit
def other_builtins(src, dst):
    layout: gl.constexpr = LINE
    value = gl.load(src + gl.arange(0, 256, layout)) + ramp(256, layout)
    value = through_memory(value, layout)
    bins, warps, ctas = counted(value, layout)
    gl.store(dst + gl.arange(0, 256, layout), value + bins * warps + ctas)


CASES = [case(other_builtins, "*i32 *i32")]
