"""Pictures of memory accesses: what is noted, counted and drawn."""

import json
import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import warm_commands

import ttkit
import ttkit.language as tl
from ttkit.visualize import recording, trace
from ttkit.visualize.access_page import runs
from ttkit.visualize.picture import MODES, groups


@ttkit.jit
def copy(x, out, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(out + i, tl.load(x + i, mask=i < n), mask=i < n)


@ttkit.jit
def column(x, out, rows, columns, B: tl.constexpr):
    i = tl.arange(0, B)
    value = tl.load(x + i * columns + tl.program_id(0), mask=i < rows, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(value, 0))


@ttkit.jit
def matmul(a, b, c, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    i, j, inner = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    total = tl.zeros((M, N), tl.float32)
    for first in range(0, k, K):
        x = tl.load(a + i[:, None] * k + first + inner[None, :])
        y = tl.load(b + (first + inner[:, None]) * N + j[None, :])
        total = tl.dot(x, y, total)
    tl.store(c + i[:, None] * N + j[None, :], total)


def f32(*shape):
    return np.ones(shape, np.float32)


@pytest.fixture(scope="module")
def copied():
    x, out = np.arange(500, dtype=np.float32), f32(500)
    with recording(programs=3) as record:
        copy[(4,)](x, out, 500, B=128)
    assert (out == x).all()
    return record


def test_each_access_is_noted_with_its_elements(copied):
    (launch,) = copied.launches
    assert (launch.kernel, launch.grid, launch.left_out) == ("copy", (4, 1, 1), 1)
    reads = launch.accesses("x")
    assert [event.program for event in reads] == [0, 1, 2]
    assert (reads[1].elements == np.arange(128, 256)).all()
    place = launch.places[reads[0].site]
    assert (place.kind, place.op, place.where[0].text.strip()[:8]) == ("reads", "tt.load", "tl.store")


def test_what_is_masked_off_is_none():
    with recording() as record:
        copy[(4,)](f32(500), f32(500), 500, B=128)
    last = record.launches[0].accesses("out")[-1]
    assert (last.elements[: 500 - 384] == np.arange(384, 500)).all()
    assert (last.elements[500 - 384 :] == -1).all()


def test_warps_and_lanes_are_those_of_the_layout(copied):
    (launch,) = copied.launches
    warps = groups(launch, "x", "warp").reshape(-1)
    assert (warps[:128] == np.repeat(range(4), 32)).all()
    assert (groups(launch, "x", "lane").reshape(-1)[:64] == np.tile(range(32), 2)).all()
    assert (groups(launch, "x", "program").reshape(-1)[:384] == np.repeat(range(3), 128)).all()
    assert (groups(launch, "x", "program").reshape(-1)[384:] == -1).all()


def test_sectors_tell_rows_from_columns():
    room = np.ones(128 * 64 + 8, np.float32)
    start = -room.ctypes.data % 32 // 4 + 4  # amid a sector of the host, which says nothing of a GPU
    x, out = np.frombuffer(memoryview(room)[start : start + 128 * 64], np.float32).reshape(128, 64), f32(64)
    with recording(programs=1) as record:
        copy[(64,)](x, f32(128, 64), x.size, B=128)
        column[(64,)](x, out, 128, 64, B=128)
        copy[(64,)](room[1:], f32(128, 64), 128 * 64, B=128)
    by_rows, by_columns, shifted = (launch.accesses("x")[0].sectors for launch in record.launches)
    assert (by_rows.touched, by_rows.needed, by_rows.efficiency) == (16, 16, 1)
    assert (by_columns.touched, by_columns.needed, by_columns.efficiency) == (128, 16, 0.125)
    assert (shifted.touched, shifted.needed) == (20, 16)  # each warp touches a fifth one


@pytest.mark.parametrize(("block", "warps", "copies"), [(32, 4, 4), (64, 4, 2), (16, 2, 2), (128, 4, 1)])
def test_threads_with_copies_touch_no_sectors(block, warps, copies):
    with recording() as record:
        copy[(1,)](f32(block), f32(block), block, B=block, num_warps=warps)
    (launch,) = record.launches
    for event in launch.events:
        assert (event.sectors.touched, event.sectors.needed) == (block // 8, block // 8)
        assert launch.places[event.site].owners.copies == copies


def test_views_have_their_own_indices():
    whole, out = f32(10, 64), f32(10)
    with recording() as record:
        column[(3,)](whole[2:8, :32], out, 6, 64, B=8)
    events = record.launches[0].accesses("x")
    assert (events[1].elements[:6] == 1 + 32 * np.arange(6)).all()


def test_tiles_that_meet():
    a, b, c = np.ones((32, 64), np.float16), np.ones((64, 32), np.float16), f32(32, 32)
    with recording() as record:
        matmul[(1,)](a, b, c, 64, M=32, N=32, K=32)
    assert (c == 64).all()
    (launch,) = record.launches
    products = [event for event in launch.events if launch.places[event.site].kind == "multiplies"]
    met = [[launch.events[time] for time in event.operands] for event in products]
    assert [[tile.tensor for tile in tiles] for tiles in met] == [["a", "b"]] * 2
    assert [tiles[0].elements[0] for tiles in met] == [0, 32]
    assert [tiles[1].elements[0] for tiles in met] == [0, 32 * 32]
    conflicts = [place.conflicts for place in launch.places if place.kind == "shared"]
    assert conflicts
    assert all(found >= 1 for found in conflicts)


@pytest.mark.parametrize("mode", MODES)
def test_pictures_are_xml(copied, mode):
    text = copied.svg("x", mode)
    ElementTree.fromstring(text)
    assert "x (500) in copy" in text


def test_pictures_of_what_is_not_there(copied):
    with pytest.raises(ValueError, match="no access to 'y' was noted; there are x, out"):
        copied.svg("y")
    with pytest.raises(ValueError, match="program, warp, lane, time, coalescing; found 'hue'"):
        copied.svg("x", "hue")


def test_runs():
    assert runs(np.array([0, 1, 2, 64, 65, 66, -1, -1])) == [0, 1, 3, 64, 1, 3, -1, 0, 2]
    values = np.random.default_rng(0).integers(-1, 9, 200)
    decoded = [start + n * step for start, step, count in zip(*[iter(runs(values))] * 3) for n in range(count)]
    assert decoded == values.tolist()


def test_the_page_stands_alone(copied):
    page = copied.page()
    assert not re.search(r"(?:src|href)=[\"']?http", page)
    data = json.loads(re.search(r"const data = (\{.*\});", page)[1].replace("<\\/", "</"))
    (launch,) = data["launches"]
    assert [tensor["name"] for tensor in launch["tensors"]] == ["x", "out"]
    assert len(launch["events"]) == 6
    assert "srcdoc" in copied._repr_html_()


def test_the_decorator():
    traced = trace(copy)
    traced[(4,)](f32(500), f32(500), 500, B=128)
    traced[(2,)](f32(500), f32(500), 256, B=128)
    assert [launch.grid for launch in traced.record.launches] == [(4, 1, 1), (2, 1, 1)]
    assert traced.arg_names == ["x", "out", "n", "B"]


def test_atomics_and_descriptors():
    @ttkit.jit
    def count(bins, n, B: tl.constexpr):
        i = tl.arange(0, B)
        tl.atomic_add(bins + i % 4, 1, mask=i < n)

    bins = np.zeros(4, np.int32)
    with recording() as record:
        count[(1,)](bins, 20, B=32)
    (event,) = record.launches[0].accesses("bins")
    assert record.launches[0].places[event.site].kind == "updates"
    assert (event.elements[:20] == np.arange(20) % 4).all()
    assert bins.sum() == 20


SCRIPT = """
import numpy as np, triton, triton.language as tl

@triton.jit
def fill(x, B: tl.constexpr):
    tl.store(x + tl.program_id(0) * B + tl.arange(0, B), 1.0)

x = np.zeros(256, np.float32)
fill[(4,)](x, B=64)
assert x.all()
"""


def test_the_command(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    done = warm_commands.ttkit(tmp_path, "show-access", "script.py")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "wrote script.access.html: 1 launch\n"
    assert "fill" in (tmp_path / "script.access.html").read_text()
    missing = warm_commands.ttkit(tmp_path, "show-access", "none.py")
    assert (missing.returncode, missing.stderr) == (1, "error: no such file: none.py\n")
