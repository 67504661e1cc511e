"""Schedules of loops as tables and pictures, and `ttkit schedule`, which shows them."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from trace_browser import asked, needs_chromium

from ttkit.drivers.toolkit import main
from ttkit.timeline.loop_schedule import Kind, LoopSchedule, Scheduled
from ttkit.timeline.svg import svg
from ttkit.timeline.table import table

LOAD = Scheduled("%x = tt.load %p", Kind.LOAD, 0, 2, 2, (2, 0))
PRODUCT = Scheduled("%d = tt.dot %x, %y, %acc", Kind.PRODUCT, 2, 0)
NEXT = Scheduled("%q = tt.addptr %p, %c", Kind.OTHER, 1, 1)
SCHEDULE = LoopSchedule("loop of @f", 3, (LOAD, PRODUCT, NEXT))
ROOT = Path(__file__).parents[2]
MATMUL = ROOT / "examples" / "kernels" / "matmul_loop.ttir"


def test_a_table_is_in_the_order_of_the_pipelined_loop():
    assert table(SCHEDULE).splitlines() == [
        "loop of @f: 3 stages, 3 clusters; a latency is a number of stages",
        "cluster  stage  latency  operation",
        "      0      2           %d = tt.dot %x, %y, %acc",
        "      1      1           %q = tt.addptr %p, %c",
        "      2      0        2  %x = tt.load %p",
        "idle, in iterations of the pipelined loop: loads in the last 2, dots in the first 2",
    ]


def boxes(picture: str) -> list[tuple[str, float, float]]:
    """Title, left edge and width of each box."""
    space = "{http://www.w3.org/2000/svg}"
    groups = list(ET.fromstring(picture).iter(f"{space}g"))
    found = []
    for group in groups:
        box, title = group.find(f"{space}rect"), group.find(f"{space}title")
        found.append((title.text, float(box.get("x")), float(box.get("width"))))
    return found


def test_a_picture_has_each_iteration_shifted_by_one_column():
    found = boxes(svg(SCHEDULE, iterations=3))
    assert len(found) == 6  # what only computes addresses is not drawn
    loads = [x for title, x, _ in found if "tt.load" in title]
    assert loads[1] - loads[0] == loads[2] - loads[1] > 0
    products = [x for title, x, _ in found if "tt.dot" in title]
    assert loads[1] < products[0] < loads[2], "the product comes two columns later, before that column's load"


def test_nothing_overlaps_in_a_picture():
    found = sorted(boxes(svg(SCHEDULE, iterations=4)), key=lambda box: box[1])
    by_time = [(x, x + width) for _, x, width in found]
    assert all(end <= start for (_, end), (start, _) in pairwise(by_time))


def test_a_picture_has_names_units_and_what_is_idle():
    picture = svg(SCHEDULE, iterations=3)
    space = "{http://www.w3.org/2000/svg}"
    texts = [element.text for element in ET.fromstring(picture).iter(f"{space}text")]
    assert texts.count("x") == texts.count("d") == 3, "boxes have the names of results"
    assert "right: iterations of the pipelined loop; down: iterations of the source's loop" in texts
    assert texts.count("idle") == 4 and texts[-1].endswith("loads in the last 2, dots in the first 2")
    named = svg(replace(SCHEDULE, operations=(replace(LOAD, variable="queries"), PRODUCT)))
    assert ">queries<" in named and ">x<" not in named, "boxes have the source's names, if there are any"
    long = Scheduled("%a_very_long_name_of_a_value = tt.load %p", Kind.LOAD, 0, 2, 2, (2, 0))
    (label,) = {
        element.text for element in ET.fromstring(svg(LoopSchedule("", 3, (long, PRODUCT)))).iter(f"{space}text")
    } & {"a_very_long_.."}
    assert label


def test_units_follow_the_table_and_the_picture():
    told = replace(SCHEDULE, units=(("shared memory", 1280.0), ("tensor cores", 320.0)))
    assert table(told).splitlines()[-4:] == [
        "cycles of an iteration of one program in each unit, at peak rates:",
        "  shared memory    1,280",
        "  tensor cores       320  idle 75%",
        "with any schedule at least 1,280 cycles; 1,600 if no two units work at once",
    ]
    space = "{http://www.w3.org/2000/svg}"
    drawn = ET.fromstring(svg(told))
    bars = {box.get("width") for box in drawn.iter(f"{space}rect") if box.get("fill") == "#bcbddc"}
    shortest, longest = sorted(map(int, bars))
    assert abs(longest - 4 * shortest) <= 2  # in whole pixels
    assert "320 cycles" in [text.text for text in drawn.iter(f"{space}text")]


@needs_chromium
def test_texts_of_a_picture_fit(tmp_path):
    """In a browser each name lies in its box, nothing is cut off, and no two texts overlap."""
    long = Scheduled("%a_long_name = tt.load %p", Kind.LOAD, 0, 2, 2, (2, 0))
    page = tmp_path / "loop.html"
    units = (("special functions", 12345.0), ("tensor cores", 1.0))
    picture = svg(LoopSchedule("loop of @f, line 3", 3, (LOAD, long, PRODUCT, NEXT), units))
    page.write_text(f"<html data-ready=1><body>{picture}</body></html>")
    found = asked(
        page,
        """
        const box = (one) => one.getBoundingClientRect(), whole = box(document.querySelector("svg"));
        const inside = (a, b) =>
          a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
        const texts = all("text").map((one) => [one.textContent, box(one)]);
        const common = (a, b, from, to) => Math.min(a[to], b[to]) - Math.max(a[from], b[from]);
        const meet = (a, b) => common(a, b, "left", "right") > 1 && common(a, b, "top", "bottom") > 4;
        const after = (n, a) => texts.slice(n + 1).filter(([, b]) => meet(a, b));
        const fits = (one) => inside(box(one.querySelector("text")), box(one.querySelector("rect")));
        return {
          outside: all("g").filter((one) => !fits(one)).map((one) => one.textContent),
          cut: texts.filter(([, place]) => !inside(place, whole)).map(([text]) => text),
          over: texts.flatMap(([text, a], n) => after(n, a).map(([other]) => [text, other])),
        };
        """,
    )
    assert found == {"outside": [], "cut": [], "over": []}


def test_nothing_is_idle_in_a_loop_of_one_stage():
    assert LoopSchedule("loop of @f", 1, (replace(LOAD, used=None), replace(PRODUCT, stage=0))).told_idle() == ""
    assert SCHEDULE.idle(Kind.STORE) is None


def test_a_loop_with_nothing_to_draw_has_a_picture():
    assert boxes(svg(LoopSchedule("loop of @f", 1, (NEXT,)))) == []


def run(capsys, *arguments: str) -> tuple[int | str | None, str]:
    with pytest.raises(SystemExit) as ended:
        main(["schedule", *arguments])
    return ended.value.code, capsys.readouterr().out


def test_the_command_schedules_a_kernel(capsys):
    code, printed = run(capsys, str(MATMUL), "--num-stages", "4")
    assert code == 0
    assert printed.startswith("loop of @matmul, line 35: 4 stages, 5 clusters; ")
    assert "0        3  %39 = tt.load %arg6" in printed


def test_the_command_keeps_the_names_of_the_file(capsys, tmp_path):
    """Those of its text, or, where it has locations, those of the source's variables."""
    text = MATMUL.read_text().replace("%30", "%tile_a").replace("%32", "%total")
    named = tmp_path / "named.ttir"
    named.write_text(text)
    printed = run(capsys, str(named))[1]
    assert "%tile_a = tt.load %arg" in printed and "%total = ttng.warp_group_dot" in printed
    located = text.replace(
        "tensor<128x64x!tt.ptr<f16>>\n      %31", 'tensor<128x64x!tt.ptr<f16>> loc("left")\n      %31'
    )
    assert located != text
    named.write_text(located)
    assert "%left = tt.load %arg" in run(capsys, str(named))[1]


def test_the_command_draws(capsys, tmp_path):
    target = tmp_path / "loop.svg"
    assert run(capsys, str(MATMUL), "-o", str(target), "--iterations", "2") == (0, "")
    assert len(boxes(target.read_text())) == 6


def test_the_command_reads_schedules_that_are_there(capsys):
    code, printed = run(capsys, str(ROOT / "test" / "data" / "ir" / "matmul_f64.80.schedule-loops.ttgir"))
    assert code == 0
    assert "3 stages, 4 clusters" in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["test/data/ir/row_softmax.90.ttir"], "found no loop to pipeline"),
        (["examples/kernels/matmul_loop.ttir", "--loop", "1"], "there is no loop 1; found 1"),
        (["examples/kernels/matmul_loop.ttir", "--capability", "75"], "no asynchronous copies"),
        (["no_such_file.ttir"], "no_such_file"),
    ],
)
def test_mistakes_are_said(capsys, arguments, message):
    code, _ = run(capsys, str(ROOT / arguments[0]), *arguments[1:])
    assert message in str(code)
