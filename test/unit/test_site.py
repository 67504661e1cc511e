"""What a reader of the site meets first: the entrance, four roads, questions, and a search that finds them."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from trace_browser import answer_of, asking, needs_chromium

from ttkit.drivers import toolkit

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
ROADS = ("road_write_a_pass", "road_read_the_compiler", "road_run_triton", "road_find_a_bug")
QUESTION = re.compile(r"^### (?P<title>.*)\n(?P<answer>(?:(?!^##)[^\n]*\n|\n)*)", re.M)
SEARCHES = {
    "install": "index#install",
    "architecture": "tree",
    "print IR after all": "how_do_i#print-the-ir-after-all-passes",
    "--mlir-print-ir-after-all": "write_a_pass#print-ir-after-each-pass-mlir-print-ir-after-all",
    "dump one kernel": "how_do_i#dump-one-kernel-with-all-of-its-levels",
    "slow pass": "how_do_i#find-the-slow-pass",
    "override a stage": "how_do_i#override-a-stage-with-ir-of-my-own",
    "see layouts": "how_do_i#see-the-layout-of-a-value-and-which-thread-has-which-element",
    "bank conflicts": "how_do_i#count-layout-conversions-and-bank-conflicts",
    "write a pass": "write_a_pass",
    "remarks": "write_a_pass#say-what-a-pass-did-remarks-and-warnings",
    "give a pass options": "write_a_pass#give-a-pass-options",
}
ASK = """
  await until(() => document.readyState === "complete" && typeof Search !== "undefined" && Search.hasIndex());
  const first = (query) => Search._performSearch(...Search._parseQuery(query)).pop();
  return QUERIES.map(first).map((one) => one && one[0] + (one[2] || ""));
"""


def text_of(page: str) -> str:
    return (DOCS / f"{page}.md").read_text(encoding="utf-8")


def questions() -> Iterator[tuple[str, str]]:
    """Each question of the page, with its answer."""
    for match in QUESTION.finditer(text_of("how_do_i")):
        yield match["title"], match["answer"]


def test_the_entrance() -> None:
    """What it is, a picture, how to install it, a first result, and the roads, in this order."""
    text = text_of("index")
    places = [text.index(part) for part in ("ttkit is", "![", "## Install", "pip install .", "## A first result", "$ ")]
    places += [text.index(f"]({road}.md)") for road in ROADS]
    assert places == sorted(places)
    assert "how_do_i.md" in text and "tree.md" in text


@pytest.mark.parametrize("road", ROADS)
def test_a_road_is_a_page_of_steps(road: str) -> None:
    text = text_of(road)
    steps = [int(number) for number in re.findall(r"^## (\d+)\. ", text, re.M)]
    assert steps == list(range(1, len(steps) + 1)) and len(steps) > 4
    assert "\nNext: [" in text, "where to go from there"


def test_the_architecture_begins_with_the_picture() -> None:
    assert re.match(r"# [^\n]*\n\n```\n +SOURCE ", text_of("tree"))


def test_forty_questions_have_a_command_and_a_page() -> None:
    found = dict(questions())
    assert len(found) >= 40
    for title, answer in found.items():
        assert re.search(r"^```(sh|python)$", answer, re.M), f"{title}: no command"
        assert re.search(r"\]\((\w|/)+\.md[^)]*\)", answer), f"{title}: no page that says more"


def test_every_command_answers_a_question() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    scripts = re.search(r"^\[project.scripts\]\n((?:.+\n)+)", project, re.M)
    assert scripts is not None
    names = set(re.findall(r"^(tt-\w+) = ", scripts[1], re.M))
    commands = toolkit.command_line()._subparsers._group_actions[0].choices  # type: ignore[union-attr]
    text = text_of("how_do_i")
    assert [name for name in names if f"\n{name} " not in text] == []
    assert [name for name in commands or () if f"ttkit {name} " not in text and f"ttkit {name}\n" not in text] == []


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages written by hand, as a site; those of the reference have a title alone."""
    pytest.importorskip("sphinx", reason="pip install 'ttkit[docs]'")
    folder = tmp_path_factory.mktemp("site")
    source = folder / "docs"
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("reference", "_build"))
    (source / "reference").mkdir()
    for name in re.findall(r"^reference/(\w+)$", text_of("index"), re.M):
        (source / "reference" / f"{name}.md").write_text(f"# {name}\n")
    command = [sys.executable, "-m", "sphinx", "--quiet", "-c", DOCS, source, folder / "html"]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "html"


@needs_chromium
def test_the_search_finds_what_readers_look_for(site: Path) -> None:
    """The first result; each question of the page finds its own heading."""
    expected = dict(SEARCHES)
    for title, _ in questions():
        expected.setdefault(title, "how_do_i#" + re.sub("[^a-z0-9]+", "-", title.lower()).strip("-"))
    asked = asking((site / "search.html").read_text(encoding="utf-8"), ASK.replace("QUERIES", json.dumps([*expected])))
    copy = site / "asked.html"
    copy.write_text(asked.replace("<html", "<html data-ready=1", 1), encoding="utf-8")
    found = dict(zip(expected, answer_of(copy.as_uri(), site.parent / "profile")))
    # Other pages have these words as a title.
    other = {
        "Write a pass": "write_a_pass",
        "Compare with Triton": "compare_with_triton",
    }
    other["Count what a pass did"] = "write_a_pass#count-what-a-pass-did"
    assert found == expected | other
