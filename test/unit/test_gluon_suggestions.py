"""Layouts that are suggested for an access, and tuned."""

import numpy as np
import pytest

import ttkit
from ttkit.language import gluon
from ttkit.language import gluon as gl
from ttkit.layout import to_linear_layout
from ttkit.layout.gluon import suggest_layout, suggest_shared_layout
from ttkit.layout.shared_access import access_pattern
from ttkit.runtime import driver


@pytest.mark.parametrize("shape", [(64, 64), (1, 1024), (1024,), (16, 16), (4, 8, 128), (2,), (512, 2)])
@pytest.mark.parametrize("num_warps", [1, 4, 8])
@pytest.mark.parametrize("dtype", [gl.float16, gl.float32, gl.int8])
def test_threads_read_neighbouring_vectors(shape, num_warps, dtype):
    layout = suggest_layout(shape, dtype, num_warps)
    linear = to_linear_layout(shape, layout.encoding)
    assert np.prod(layout.threads_per_warp) == 32 and np.prod(layout.warps_per_cta) == num_warps
    share = max(np.prod(shape) // (32 * num_warps), 1)
    assert layout.size_per_thread[-1] == min(128 // dtype.primitive_bitwidth, share, shape[-1], 16)
    lane = linear.bases("lane")[0]
    assert lane == (*(0,) * (len(shape) - 1), layout.size_per_thread[-1]) or layout.size_per_thread[-1] == shape[-1]


def test_columns_can_be_the_contiguous_ones():
    layout = suggest_layout((64, 32), gl.float32, 4, order=[0, 1])
    assert layout == gl.BlockedLayout([4, 1], [16, 2], [1, 4], [0, 1])


@pytest.mark.parametrize(("shape", "order", "words"), [((48,), None, "powers of two"), ((8, 8), [0], "order")])
def test_what_is_no_block(shape, order, words):
    with pytest.raises(ValueError, match=words):
        suggest_layout(shape, gl.float32, 4, order)


@pytest.mark.parametrize("dtype", [gl.float16, gl.float32])
def test_a_transposition_has_no_more_conflicts_than_without_swizzling(dtype):
    shape = (64, 64)
    rows, columns = suggest_layout(shape, dtype), suggest_layout(shape, dtype, order=[0, 1])
    found = suggest_shared_layout(shape, dtype, [rows, columns])

    def wavefronts(layout):
        memory = to_linear_layout(shape, layout.encoding)
        held = [to_linear_layout(shape, each.encoding) for each in (rows, columns)]
        patterns = [access_pattern(each, memory, dtype.primitive_bitwidth) for each in held]
        return sum(each.wavefronts * each.instructions for each in patterns)

    assert wavefronts(found) < wavefronts(gl.SwizzledSharedLayout(1, 1, 1, [1, 0]))


LAYOUTS = [suggest_layout((512,), gl.float32, 4), gl.BlockedLayout([1], [32], [4], [0])]


@ttkit.autotune([ttkit.Config({"LAYOUT": layout}, num_warps=4) for layout in LAYOUTS], key=["n"])
@gluon.jit
def tuned(x, y, n, LAYOUT: gl.constexpr):
    index = gl.arange(0, 512, LAYOUT)
    gl.store(y + index, 2 * gl.load(x + index))


def test_autotune_over_layouts(tmp_path, monkeypatch):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TTKIT_DEVICE", "interpret:sm_90")
    driver.reset_active()
    x, y = np.arange(512, dtype=np.float32), np.zeros(512, np.float32)
    tuned[(1,)](x, y, 512)
    assert (y == 2 * x).all() and tuned.best_config.kwargs["LAYOUT"] in LAYOUTS
    monkeypatch.delenv("TTKIT_DEVICE")
    driver.reset_active()
