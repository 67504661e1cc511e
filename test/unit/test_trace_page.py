"""The page of a trace, in a browser and without one."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

import pytest
import warm_commands
from trace_browser import asked, asked_in_frame, needs_chromium

import ttkit
import ttkit.language as tl
from ttkit.tracing import contents, ncu
from ttkit.tracing.locations import sass_lines, without_debug_information
from ttkit.tracing.trace_comparison import compared
from ttkit.tracing.trace_page import WEB, read_data, write_data

TARGET = ttkit.GPUTarget("cuda", 90, 32)


@ttkit.jit
def product(a, b, out, k, M: tl.constexpr, K: tl.constexpr):
    rows, inner = tl.arange(0, M), tl.arange(0, K)
    total = tl.zeros((M, M), tl.float32)
    for first in range(0, k, K):
        x = tl.load(a + rows[:, None] * k + inner[None, :] + first)
        y = tl.load(b + (inner[:, None] + first) * M + rows[None, :])
        total = tl.dot(x, y, total)
    largest = tl.max(total, axis=1)
    tl.store(out + rows, largest)


def compile_product(block: int) -> None:
    signature = {"a": "*fp16", "b": "*fp16", "out": "*fp32", "k": "i32", "M": "constexpr", "K": "constexpr"}
    ttkit.compile(ttkit.ASTSource(product, signature, {"M": 64, "K": block}), TARGET)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trace") / "product.html"
    with ttkit.trace(path, title="product"):
        compile_product(32)
    return path


@pytest.fixture(scope="module")
def comparison(page: Path) -> Path:
    other, path = page.with_name("other.html"), page.with_name("both.html")
    with ttkit.trace(other, title="other"), ttkit.pipelines.skip("tritongpu-accelerate-matmul"):
        compile_product(32)
    write_data(path, compared(read_data(page), read_data(other)))
    return path


# --- without a browser ------------------------------------------------------------------------------------------------


def test_the_bundle_is_what_is_recorded() -> None:
    """`node build.mjs` wrote libraries.js and its record together, from the versions that the lock file pins."""
    record = json.loads((WEB / "libraries.json").read_text())
    for name, digest in record["sha256"].items():
        assert hashlib.sha256((WEB / name).read_bytes()).hexdigest() == digest, name
    locked = json.loads((WEB / "package-lock.json").read_text())["packages"]
    for name, about in record["packages"].items():
        assert locked[f"node_modules/{name}"]["version"] == about["version"]
    licences = (WEB / "libraries.LICENSES.txt").read_text()
    assert all(f"{name} {about['version']}" in licences for name, about in record["packages"].items())


def test_a_page_needs_nothing_else(page: Path) -> None:
    text = page.read_text()
    assert "default-src 'none'" in text and not [
        word for word in ('src="http', 'href="http', "@import") if word in text
    ]
    assert len(text) < 3_000_000


def test_a_page_is_whole_or_not_there(tmp_path: Path) -> None:
    with pytest.raises(OSError), ttkit.trace(tmp_path / "no" / "page.html"):
        pass
    assert not list(tmp_path.iterdir())


def test_a_page_of_no_kernels_reads_back(tmp_path: Path) -> None:
    with ttkit.trace(tmp_path / "page.html", title="</script>"):
        pass
    assert read_data(tmp_path / "page.html")["kernels"] == []
    assert read_data(tmp_path / "page.html")["title"] == "</script>"
    (tmp_path / "other.html").write_text("<html></html>")
    with pytest.raises(ValueError, match="is not a trace"):
        read_data(tmp_path / "other.html")


def test_two_traces_differ_first_at_the_pass_left_out(comparison: Path) -> None:
    kernel = read_data(comparison)["kernels"][0]
    assert kernel["summary"] == "first difference: ttgir, tritongpu-accelerate-matmul"
    first = [one for stage in kernel["stages"] for one in stage["passes"] if one.get("first")]
    assert [one["only"] for one in first] == ["first"]
    with pytest.raises(ValueError, match="can't be compared"):
        compared(read_data(comparison), read_data(comparison))


def test_a_trace_is_like_itself(page: Path) -> None:
    same = compared(read_data(page), read_data(page))
    assert same["kernels"][0]["summary"] == "no pass makes them differ"


CHECKED = """
import numpy as np
import ttkit
import ttkit.language as tl

@ttkit.jit
def checked(x, n: tl.constexpr):
    i = tl.arange(0, n)
    value = tl.load(x + i)
    tl.device_assert(value > 0, "positive")
    tl.store(x + i, value * FACTOR)

checked[(1,)](np.ones(32, np.float32), n=32, debug=True)
"""


def test_the_same_kernel_in_a_file_of_another_name_is_no_difference(tmp_path: Path) -> None:
    pages = []
    for name, factor in (("one.py", 2), ("another_name.py", 2), ("third.py", 3)):
        (tmp_path / name).write_text(CHECKED.replace("FACTOR", str(factor)))
        done = warm_commands.ttkit(
            tmp_path,
            "trace",
            "-o",
            f"{name}.html",
            name,
            TTKIT_DEVICE="interpret:sm_90",
            LLVM_EXTRACT_DI_LOCAL_VARIABLES="1",
        )
        assert done.returncode == 0, done.stderr
        pages.append(read_data(tmp_path / f"{name}.html"))
    first, renamed, changed = pages
    assert compared(first, renamed)["kernels"][0]["summary"] == "no pass makes them differ"
    assert compared(first, changed)["kernels"][0]["summary"] == "first difference: the input of ttir"


def test_debug_information_is_no_code() -> None:
    lines = [
        '#di_file = #llvm.di_file<"a.py" in "">',
        "llvm.intr.dbg.value #di_file = %0",
        'x "a.py\\00" "b" #di_file #l',
    ]
    assert without_debug_information(lines, {"a.py"}) == ['x "file" "b" #debug #l']


# --- in Chromium ------------------------------------------------------------------------------------------------------


@needs_chromium
@pytest.mark.parametrize("width", [1280, 400])
def test_the_page_opens_at_the_first_change(page: Path, width: int) -> None:
    found = asked(
        page,
        """
        await until(() => all(".cm-editor").length);
        return { passes: all("a.pass").length, current: all("a.pass[aria-current]").length,
                 folded: all("#passes details").length, editors: all(".cm-editor").length,
                 overflow: document.documentElement.scrollWidth - window.innerWidth,
                 changed: all(".cm-changedLine, .cm-insertedLine, .cm-deletedChunk").length };
        """,
        width,
    )
    assert found["current"] == 1 and found["passes"] > 40 and found["folded"] > 3 and found["changed"]
    # Headless Chromium has no window below some 500 pixels; what is shown must fit the one that there is.
    assert found["editors"] == (2 if width == 1280 else 1) and found["overflow"] <= 0


@needs_chromium
def test_every_link_leads_to_its_pass(page: Path) -> None:
    found = asked(
        page,
        """
        const wrong = [];
        for (const address of all("a.pass").map((one) => one.getAttribute("href"))) {
          location.hash = address;
          const shown = await until(() => document.querySelector(`a.pass[aria-current][href="${address}"]`), address);
          const changed = shown.classList.contains("changed");
          if (all("#diff .cm-editor").length !== (changed ? 2 : 1)) wrong.push(address);
        }
        return wrong;
        """,
    )
    assert found == []


@needs_chromium
def test_searching_finds_the_pass_that_inserted_a_conversion(page: Path) -> None:
    """A newcomer's path: type convert_layout, click the pass, see the line that came."""
    found = asked(
        page,
        """
        const field = document.querySelector("#search");
        field.value = "convert_layout";
        field.dispatchEvent(new Event("input"));
        const names = all("a.pass .name").map((one) => one.textContent);
        all("a.pass").find((one) => one.textContent.startsWith("tritongpu-coalesce")).click();
        const changed = () => all(".cm-merge-b .cm-changedLine");
        await until(() => changed().some((one) => one.textContent.includes("ttg.convert_layout")));
        return { names, changed: changed().map((one) => one.textContent),
                 words: all(".cm-merge-b .cm-changedText").length };
        """,
    )
    assert "tritongpu-coalesce" in found["names"] and len(found["names"]) < 20
    assert any("ttg.convert_layout" in line for line in found["changed"]) and found["words"]


@needs_chromium
def test_keys_and_themes(page: Path) -> None:
    found = asked(
        page,
        """
        const press = (key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
        const back = () => getComputedStyle(document.body).backgroundColor;
        const start = location.hash, themes = [document.documentElement.dataset.theme, back()];
        press("t");
        themes.push(document.documentElement.dataset.theme, back());
        press("j");
        await until(() => location.hash !== start);
        const next = location.hash;
        press("k");
        await until(() => location.hash === start);
        press("/");
        const focused = document.activeElement.id;
        document.querySelector("#find").click();
        await until(() => document.querySelector(".cm-search input"));
        return { themes, moved: next !== start, focused };
        """,
    )
    first, before, second, after = found["themes"]
    assert {first, second} == {"light", "dark"} and before != after
    assert found["moved"] and found["focused"] == "search"


@needs_chromium
def test_a_line_leads_to_all_levels(page: Path) -> None:
    """From the source line to PTX, and from PTX back."""
    line = next(n for n, text in enumerate(Path(__file__).read_text().split("\n"), 1) if "total = tl.dot(" in text)
    found = asked(
        page,
        """
        const columns = () => all(".level").filter((one) => !one.hidden);
        await until(() => columns().length > 3);
        const clicked = async (column, pick) => {
          const line = await until(() => {
            // Under virtual time the editor may not have drawn what it has scrolled to.
            column.querySelector(".cm-scroller").dispatchEvent(new Event("scroll"));
            return [...column.querySelectorAll(".cm-line")].find(pick);
          });
          const box = line.getBoundingClientRect();
          line.dispatchEvent(new MouseEvent("click", { bubbles: true, clientX: box.left + 30, clientY: box.top + 5 }));
          return document.querySelector("#origin").textContent;
        };
        const down = await clicked(columns()[0], (one) => one.textContent.includes("total = tl.dot"));
        const ptx = columns().find((one) => one.querySelector("h2").textContent === "PTX");
        const up = await clicked(ptx, (one) => one.classList.contains("linked"));
        await until(() => all(".level")[0].querySelector(".linked"));
        return { down, up, titles: columns().map((one) => one.querySelector("h2").textContent),
                 source: all(".level")[0].querySelector(".linked").textContent, scrolled: window.scrollY };
        """,
        address="#/0/levels",
        width=2600,
    )
    assert found["titles"][0] == Path(__file__).name and found["titles"][1:5] == ["tt optimized", "ttg", "LLVM", "PTX"]
    for said in (found["down"], found["up"]):
        assert said.startswith(f"{Path(__file__).name}:{line}")
        assert all(f"{level} 0" not in said for level in ("tt optimized", "ttg", "LLVM", "PTX")), said
    assert "total = tl.dot(" in found["source"] and found["scrolled"] == 0


@needs_chromium
def test_hovering_shows_uses_type_and_layout(page: Path) -> None:
    found = asked(
        page,
        """
        all("a.pass").find((one) => one.textContent.startsWith("tritongpu-coalesce")).click();
        const changed = () => all(".cm-merge-b .cm-changedLine");
        const lines = () => changed().filter((one) => one.textContent.includes("convert_layout"));
        const word = await until(() => lines().map((one) => one.querySelector(".t-value")).find((one) => one));
        const box = word.getBoundingClientRect();
        word.dispatchEvent(new MouseEvent("mousemove", { bubbles: true, clientX: box.left + 5, clientY: box.top + 5 }));
        const tip = await until(() => document.querySelector(".hover"));
        return { text: tip.textContent, name: word.textContent, canvas: tip.querySelectorAll("canvas").length };
        """,
    )
    assert found["text"].startswith(found["name"]) and "use" in found["text"] and "tensor<" in found["text"]
    assert found["canvas"] == 1


@needs_chromium
def test_a_layout_s_picture_stays_in_its_box(page: Path) -> None:
    found = asked(
        page,
        """
        const field = document.querySelector("#search");
        field.value = "ttg.convert_layout";
        field.dispatchEvent(new Event("input"));
        const word = await until(() => document.querySelector(".cm-merge-b .linked .t-value"));
        const box = word.getBoundingClientRect();
        word.dispatchEvent(new MouseEvent("mousemove", { bubbles: true, clientX: box.left + 5, clientY: box.top + 5 }));
        const tip = await until(() => document.querySelector(".hover canvas") && document.querySelector(".hover"));
        await until(() => tip.getBoundingClientRect().top > -1000, "its place");
        const [outer, inner] = [tip, tip.querySelector("canvas")].map((one) => one.getBoundingClientRect());
        const room = [inner.left - outer.left, inner.top - outer.top, outer.right - inner.right];
        return { room: [...room, outer.bottom - inner.bottom],
                 window: [outer.left, outer.top, innerWidth - outer.right, innerHeight - outer.bottom] };
        """,
    )
    assert min(found["room"]) >= 0 and min(found["window"]) >= 0, found


@needs_chromium
def test_searching_selects_the_pass_and_marks_the_words(page: Path) -> None:
    """The first pass with such a line is shown, its first line of these is in view, and the field keeps the focus."""
    found = asked(
        page,
        """
        const field = document.querySelector("#search");
        field.focus();
        const first = document.querySelector("a.pass[aria-current] .name").textContent;
        field.value = "ttg.convert_layout";
        field.dispatchEvent(new Event("input"));
        await until(() => all(".cm-merge-b .cm-changedLine .sought").length);
        const seen = all(".cm-merge-b .linked .sought").map((one) => one.getBoundingClientRect())[0];
        const marked = document.querySelector(".cm-merge-b .sought").textContent;
        const second = document.querySelector("a.pass[aria-current] .name").textContent;
        document.querySelector("#search").value = "";
        document.querySelector("#search").dispatchEvent(new Event("input"));
        return { first, second, marked, visible: seen.top > 0 && seen.bottom < innerHeight,
                 focused: document.activeElement.id, left: all(".sought").length };
        """,
    )
    assert found["first"] != found["second"] and found["marked"].replace("\u200b", "") == "ttg.convert_layout"
    assert found["visible"] and found["focused"] == "search" and found["left"] == 0


@needs_chromium
def test_diffs_have_names_of_the_source_and_glyphs_that_fonts_have(page: Path) -> None:
    found = asked(
        page,
        """
        all("a.pass").find((one) => one.textContent.startsWith("tritongpu-coalesce")).click();
        const bar = await until(() => document.querySelector(".cm-collapsedLines"));
        const ends = ["::before", "::after"].map((end) => getComputedStyle(bar, end).content);
        return { ends, text: all(".cm-line").map((one) => one.textContent).join("\\n") };
        """,
    )
    assert found["ends"] == ['"···"'] * 2
    assert "%total" in found["text"] and "%x" in found["text"]


@needs_chromium
def test_a_comparison_opens_at_the_first_difference(comparison: Path) -> None:
    found = asked(
        comparison,
        """
        await until(() => all(".cm-merge-a .cm-changedLine").length);
        return { current: document.querySelector("a.pass[aria-current]").textContent,
                 heads: all(".heads b").map((one) => one.textContent) };
        """,
    )
    assert found["current"].startswith("tritongpu-accelerate-matmul") and "first difference" in found["current"]
    assert found["heads"] == ["first: product", "second: other"]


_LOOKS = r"""
const light = (colour) => {
  const [r, g, b] = colour.match(/[\d.]+/g).map((one) => one / 255)
    .map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const back = (one) => {
  for (; one; one = one.parentElement) {
    const colour = getComputedStyle(one).backgroundColor;
    if (!/, 0\)$/.test(colour)) return colour;
  }
  return "rgb(255, 255, 255)";
};
const contrast = (one) => {
  const [a, b] = [light(getComputedStyle(one).color), light(back(one))].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
};
const shown = (selector) => all(selector).filter((one) => one.getClientRects().length);
await until(() => all(".cm-editor").length);
document.documentElement.dataset.theme = "THEME";
const texts = shown("header *, #passes *, .about *, .tools *, .cm-line span").filter(
  (one) => [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
const faint = texts.filter((one) => contrast(one) < 4.5)
  .map((one) => `${one.className} ${contrast(one).toFixed(2)} ${one.textContent.slice(0, 30)}`);
const unreached = shown("a[href], button, select, input, summary, .cm-content").filter((one) => one.tabIndex < 0)
  .map((one) => one.outerHTML.slice(0, 60));
const wide = document.documentElement.scrollWidth;
location.hash = "#/0/levels";
await until(() => all(".level").length);
return {
  inner: window.innerWidth, wide, levels: document.documentElement.scrollWidth, texts: texts.length, faint, unreached,
};
"""


@needs_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_width_of_400_pixels(page: Path, theme: str) -> None:
    """Nothing is wider than the page, texts stand out from what is behind them, all can be reached by the keyboard."""
    found = asked_in_frame(page, _LOOKS.replace("THEME", theme), 400)
    assert found["inner"] == 400 and found["wide"] <= 400 and found["levels"] <= 400
    assert found["texts"] > 60 and found["faint"] == [] and found["unreached"] == []


def test_statistics_and_resources(page: Path) -> None:
    kernel = read_data(page)["kernels"][0]
    counted = {one["name"]: one["statistics"] for stage in kernel["stages"] for one in stage["passes"]}
    assert counted["cse"].get("num-cse'd", 0) > 10 and counted["tritongpu-coalesce"] == {}
    assert " registers, spilled 0 + 0 bytes" in kernel["levels"][-1]["title"]


MEASURED = Path(__file__).parents[1] / "data" / "ncu"


def test_what_ncu_has_measured_stands_beside_the_instructions() -> None:
    """Of an addition on an H200, by ncu 2025.3 and nvdisasm 13.0."""
    tables = ncu.read(MEASURED / "add.csv")
    lines = [line for line, _ in sass_lines((MEASURED / "add.sass").read_text())]
    told = ncu.annotated(lines, "add", tables)
    assert told is not None
    shown = {line[30:].split("/*")[1][:4]: line[:30].split() for line in told if "/*" in line}
    assert shown["0000"] == ["0.4", "%", "no_inst", "95", "%"] and shown["0280"] == ["14.1", "%", "drain", "98", "%"]
    assert shown["01c0"] == ["62.9", "%", "long_sb", "100", "%"] and shown["0040"] == shown["0370"] == []
    assert sum(float(words[0]) for words in shown.values() if words) == pytest.approx(100, abs=0.5)
    others = [line for line in lines if "/*" not in line]
    assert others and set(others) <= set(told)
    assert ncu.annotated(lines[:-9], "add", tables) is None and ncu.annotated(lines, "ad", tables) is None


@ttkit.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, at < n) + tl.load(y + at, at < n), at < n)


def test_a_page_with_what_ncu_has_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "sass", lambda *given: (MEASURED / "add.sass").read_text())
    signature = dict.fromkeys(("x", "y", "out"), "*fp32") | {"n": "i32", "BLOCK": "constexpr"}
    with ttkit.trace(tmp_path / "measured.html", ncu=MEASURED / "add.csv"):
        ttkit.compile(ttkit.ASTSource(add, signature, {"BLOCK": 1024}), TARGET)
    data = read_data(tmp_path / "measured.html")
    text = data["texts"][data["kernels"][0]["levels"][-1]["text"]]
    lines = [data["lines"][number] for number in contents.sums(text["lines"])]
    longest = [line.split() for line in lines if "long_sb" in line]
    assert [words[0] for words in longest] == ["62.9", "8.7"] and longest[0][1:5] == ["%", "long_sb", "100", "%"]
    with ttkit.trace(tmp_path / "other.html", ncu=MEASURED / "add.csv"):
        compile_product(32)
    assert "not measured by ncu" in read_data(tmp_path / "other.html")["kernels"][0]["levels"][-1]["title"]


def test_tables_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "none.csv").write_text('"a","b"\n')
    with (
        pytest.raises(ValueError, match="no table of instructions"),
        ttkit.trace(tmp_path / "out.html", ncu=tmp_path / "none.csv"),
    ):
        pass


def test_a_report_is_read_by_ncu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report, program = tmp_path / "kernels.ncu-rep", tmp_path / "ncu"
    (tmp_path / "printed.csv").write_text((MEASURED / "add.csv").read_text())
    program.write_text(f"""#!/bin/sh
[ "$2" = "{report}" ] && exec cat "{tmp_path}/printed.csv"
echo "no such report" >&2; exit 3
""")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    with pytest.raises(FileNotFoundError):
        ncu.read(report)
    report.touch()
    assert ncu.read(report) == ncu.read(tmp_path / "printed.csv")
    (tmp_path / "other.ncu-rep").touch()
    with pytest.raises(ValueError, match="no such report"):
        ncu.read(tmp_path / "other.ncu-rep")
