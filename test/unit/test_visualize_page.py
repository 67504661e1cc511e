"""The page of memory accesses in a browser: what a reader sees of it."""

import itertools
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from trace_browser import asked, needs_chromium

import ttkit
import ttkit.language as tl
from ttkit.visualize import recording

PICTURES = (files("ttkit.visualize") / "pictures.js").read_text(encoding="utf-8")
# What a colour is to eyes without green, without red, without blue cones (Machado, Oliveira and Fernandes 2009).
BLIND = (
    [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
)


@ttkit.jit
def product(a, b, c, K: tl.constexpr):
    m, n, k = tl.program_id(0) * 32 + tl.arange(0, 32), tl.program_id(1) * 32 + tl.arange(0, 32), tl.arange(0, K)
    total = tl.dot(tl.load(a + m[:, None] * K + k[None, :]), tl.load(b + k[:, None] * 96 + n[None, :]))
    tl.store(c + m[:, None] * 96 + n[None, :], total)


@ttkit.jit
def copy(x, out, SIZE: tl.constexpr):
    i = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(out + i, tl.load(x + i))


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A product, whose programs share elements; then copies of a tensor of rank 4, of rank 3, of a vector."""
    path = tmp_path_factory.mktemp("page") / "accesses.html"
    with recording() as record:
        product[(2, 3)](np.ones((64, 32), np.float16), np.ones((32, 96), np.float16), np.ones((64, 96), np.float32), 32)
        for shape in ((2, 3, 16, 32), (5, 16, 32), (1000,)):
            copy[(1,)](np.ones(shape, np.float32), np.ones(shape, np.float32), 512)
    path.write_text(record.page(), encoding="utf-8")
    return path


@needs_chromium
def test_pictures_fill_the_page(page: Path) -> None:
    script = """
      const room = $("tensors").getBoundingClientRect();
      const boxes = drawings.map(({ canvas }) => canvas.getBoundingClientRect());
      const free = (side) => room[side] - Math.max(...boxes.map((box) => box[side]));
      return [free("right"), free("bottom"), document.documentElement.scrollWidth - innerWidth];
    """
    for launch in range(4):
        right, bottom, beyond = asked(page, script, address=f"#launch={launch}")
        assert 0 <= right < 20 and 0 <= bottom < 40 and beyond <= 0


@needs_chromium
def test_places_of_elements(page: Path) -> None:
    """Faces of rank 3 and 4 lie side by side, apart from each other; the place of an element leads back to it."""
    script = """
      const found = [];
      for (let n = 0; n < 4; n++) {
        $("launch").value = n;
        chooseLaunch();
        for (const { geometry, tensor } of drawings) {
          const places = [...Array(geometry.size).keys()].map((element) => placeOf(geometry, element));
          const back = places.every(([row, column], element) => elementAt(geometry, row, column) === element);
          const last = indexOf(tensor.shape, tensor.shape.reduce((a, b) => a * b) - 1);
          const apart = new Set(places.map(String)).size === geometry.size;
          found.push([tensor.shape.length, faces(geometry).length, back, apart, last]);
        }
      }
      return found;
    """
    found = asked(page, script)
    assert all(back and apart for _, _, back, apart, _ in found)
    assert [one[:2] for one in found] == [[2, 1]] * 3 + [[4, 6]] * 2 + [[3, 5]] * 2 + [[1, 1]] * 2
    assert found[3][4] == [1, 2, 15, 31]


@needs_chromium
def test_sharing_is_seen(page: Path) -> None:
    """Three programs read each row of a, two each column of b, one writes an element of c."""
    script = """
      const colours = drawings.map(({ canvas, view }) => {
        const dense = devicePixelRatio, at = [LEFT + 0.5 * view.cell, TOP + 0.5 * view.cell].map((one) => one * dense);
        const pixel = canvas.getContext("2d").getImageData(...at, 1, 1).data;
        return [...pixel].slice(0, 3);
      });
      const counts = drawings.map((drawing) => sharersOf(drawing).get(0).length);
      const { canvas } = drawings[0], box = canvas.getBoundingClientRect();
      point(drawings[0], { offsetX: LEFT + 2, offsetY: TOP + 2, clientX: innerWidth - 5, clientY: innerHeight - 5 });
      const tip = $("tip").getBoundingClientRect();
      return { colours, wanted: counts.map((count) => bytes(many(count))), counts, legend: $("legend").textContent,
               tip: $("tip").textContent, inside: tip.right <= innerWidth && tip.bottom <= innerHeight };
    """
    found = asked(page, script, address="#mode=sharing")
    assert found["counts"] == [3, 2, 1] and found["colours"] == found["wanted"]
    assert found["legend"] == "1 program2 programs3 programs"
    assert "3 programs touch it: (0, 0) (0, 1) (0, 2)" in found["tip"] and found["tip"].startswith("a[0, 0]\n")
    assert found["inside"], "the box stays on the page"
    assert "stripes: several programs touch it" in asked(page, 'return $("legend").textContent')


@needs_chromium
def test_legend_of_all_lanes(page: Path) -> None:
    script = """
      const distinct = (colour) => new Set([...Array(32).keys()].map(colour)).size;
      return [$("legend").textContent, distinct(laneColour), distinct(hue)];
    """
    assert asked(page, script, address="#mode=lane") == ["lane " + "".join(map(str, range(32))), 32, 32]


@needs_chromium
def test_zoom_and_pan(page: Path) -> None:
    """The element below the pointer stays there; dragging moves the picture; fit shows all again."""
    script = """
      const drawing = drawings[2], { canvas, view } = drawing, before = { ...view };
      const at = [LEFT + 100, TOP + 80], box = canvas.getBoundingClientRect();
      const under = () => [(at[0] - LEFT) / view.cell + view.x, (at[1] - TOP) / view.cell + view.y];
      for (let n = 0; n < 4; n++) zoom(drawing, ...at, 1.25);
      const first = under();
      for (let n = 0; n < 4; n++) zoom(drawing, ...at, 1.25);
      const second = under();
      const place = { clientX: box.left + at[0], clientY: box.top + at[1] };
      canvas.dispatchEvent(new WheelEvent("wheel", { ...place, deltaY: -1, cancelable: true }));
      const zoomed = { ...view };
      drawing.from = [500, 500];
      pan(drawing, { clientX: 480, clientY: 490 });
      const moved = { ...view };
      drawing.figure.querySelector("button").click();
      const apart = Math.hypot(first[0] - second[0], first[1] - second[1]);
      return { before, zoomed, moved, after: { ...drawing.view }, apart };
    """
    found = asked(page, script)
    assert found["apart"] < 1e-6 and found["zoomed"]["cell"] > 6 * found["before"]["cell"]
    assert found["moved"]["x"] > found["zoomed"]["x"] and found["moved"]["y"] > found["zoomed"]["y"]
    assert found["after"] == found["before"]


@needs_chromium
def test_a_slider_over_programs(page: Path) -> None:
    script = """
      const found = [];
      for (const n of [-1, 0, 4]) {
        $("program").value = n;
        $("program").oninput();
        found.push([$("which").textContent, events.length]);
      }
      return [$("program").type, found];
    """
    kind, found = asked(page, script)
    assert kind == "range" and [which for which, _ in found] == ["all", "(0, 0)", "(0, 2)"]
    assert found[0][1] == 6 * found[1][1] == 6 * found[2][1]


def test_the_colour_blind_tell_colours_apart() -> None:
    base = re.search(r"const BASE = \[(.*?)\]", PICTURES)
    assert base is not None
    colours = [[int(text[n : n + 2], 16) for n in (1, 3, 5)] for text in re.findall('"(.*?)"', base[1])]
    for matrix in BLIND:
        seen = [[sum(row[n] * colour[n] for n in range(3)) for row in matrix] for colour in colours]
        assert min(sum((a - b) ** 2 for a, b in zip(*pair)) ** 0.5 for pair in itertools.combinations(seen, 2)) > 20
