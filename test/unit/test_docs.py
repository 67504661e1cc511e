"""The pages of docs/ and the README: their code runs, their links lead somewhere.

Each page is one program, in the order of its blocks: Python in one namespace, `bash` and `sh` as scripts, and
sessions, which begin with `$ ` and must print what the page says.  Comments of the page, which readers do not see, say
the rest:

    <!-- setup ... -->            Python that runs at this place
    <!-- file: add.py -->         the next block is written to this file, and not run
    <!-- part of: passes/a.py --> the next block is a part of this file: each of its lines stands there, in this order
    <!-- not run: REASON -->      the next block is not run

A page runs in an empty folder, as for a reader without a checkout; `ttkit examples` writes the files that pages share.
Setups, which stand in for what readers have, find the checkout as `ROOT`.

In what a session prints, a line `...` stands for any lines, and seconds and numbers of candidates may be others.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from installed import ROOT, installed_python
from sweeps import swept

from ttkit import knobs

PAGES = sorted([*(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "measurements").glob("*.md")])
ITEM = re.compile(r"^<!-- (?P<comment>.*?)-->$|^```(?P<language>\w*)[^\n]*\n(?P<code>.*?)^```$", re.S | re.M)
PRELUDE = """
import os
import re
import subprocess
ROOT = os.environ["ROOT"]
def _steady(text):
    return re.sub(r" *\\b[0-9.]+ (s|candidates)\\b", r" N \\1", text)
def _session(command, expected):
    run = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
    parts = re.split(r"^ *[.][.][.]\\n", _steady(expected), flags=re.M)
    fits = re.fullmatch("(.*\\n)*".join(map(re.escape, parts)), _steady(run.stdout))
    assert run.returncode == 0 and fits, f"{command}\\n{run.stdout}{run.stderr}"
def _shell(text):
    subprocess.run(["bash", "-euo", "pipefail", "-c", text], check=True)
"""


def has_nvdisasm() -> bool:
    try:
        return bool(knobs.nvidia.nvdisasm.path)
    except RuntimeError:
        return False


def session(code: str) -> tuple[str, str]:
    """The command, which may go over several lines, and what it prints."""
    lines = code.splitlines(keepends=True)
    length = 1 + next(n for n, line in enumerate(lines) if not line.endswith("\\\n"))
    return "".join(lines[:length])[2:], "".join(lines[length:])


def is_part(code: str, whole: str) -> bool:
    """Whether lines stand in a text, in this order, whatever is between; comments, spaces and brackets don't count."""

    def bare(text: str) -> list[str]:
        return [re.sub(r"[\s()]", "", line.partition("  #")[0]) for line in text.splitlines()]

    pieces = [piece for line in bare(code) for piece in line.split("...")]
    return bool(re.search(".*?".join(map(re.escape, pieces)), "".join(bare(whole)), re.S))


def program(page: Path) -> str:
    """All that runs of a page, as Python."""
    parts, waiting = [], ""
    for item in ITEM.finditer(page.read_text()):
        comment, language, code = item["comment"], item["language"], item["code"]
        if comment is not None:
            kind = comment.split(maxsplit=1)[0].rstrip(":") if comment.strip() else ""
            if comment.startswith("setup"):
                parts.append(comment.removeprefix("setup"))
            elif comment.startswith(("not run:", "file:", "part of:")):
                waiting = comment.strip()
            assert kind != "not" or len(comment.split()) > 2, f"{page}: say why a block is not run"
            continue
        if waiting.startswith("file:"):
            parts.append(f"open({waiting.removeprefix('file:').strip()!r}, 'w').write({code!r})\n")
        elif waiting.startswith("part of:"):
            file = waiting.removeprefix("part of:").strip()
            assert is_part(code, (ROOT / file).read_text()), f"{page}: not a part of {file}:\n{code}"
        elif waiting:
            pass
        elif code.startswith("$ "):
            if " sass" not in code or has_nvdisasm():
                parts.append(f"_session(*{session(code)!r})\n")
        elif language == "python":
            parts.append(code)
        elif language in ("bash", "sh"):
            parts.append(f"_shell({code!r})\n")
        waiting = ""
    return "".join(parts)


# A first pass, what one sees of it, and pages that take a second or two.
SHORT = ("tour", "write_a_pass", "layouts", "memory_access", "pipelining")
RUN = [page if page.stem in SHORT else swept(page) for page in PAGES if program(page)]


def follow(page: Path, folder: Path, python: Path) -> None:
    """Runs all that runs of a page, in an empty folder, with the commands beside a Python."""
    script = folder / "page.py"
    script.write_text(PRELUDE + program(page))
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "CUDA_VISIBLE_DEVICES": "", "ROOT": str(ROOT)}
    environment |= {"TRITON_CACHE_DIR": str(folder / "cache")}
    run = subprocess.run([python, script], cwd=folder, capture_output=True, text=True, check=False, env=environment)
    assert run.returncode == 0, run.stderr[-3000:]


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    follow(page, tmp_path, Path(sys.executable))


@pytest.fixture(scope="module")
def wheel_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return installed_python(tmp_path_factory.mktemp("wheel"), by_wheel=True)


@pytest.mark.parametrize("page", [swept(page) for page in PAGES if program(page)], ids=lambda page: page.stem)
def test_the_code_of_a_page_runs_with_a_wheel(page: Path, tmp_path: Path, wheel_python: Path) -> None:
    """As for users who have no checkout."""
    follow(page, tmp_path, wheel_python)


def test_blocks_that_are_not_run() -> None:
    """Each is here with its reason: what can run shall run."""
    found = [
        (page.stem, reason)
        for page in PAGES
        for reason in re.findall(r"^<!-- not run: (.*) -->$", page.read_text(), re.M)
    ]
    assert found == [
        *[("add_an_op", "test_scaffolds.py runs it")] * 7,
        ("bundles", "it needs torch"),
        ("dependencies", "a checkout needs these files"),
        ("editors", "it needs npm and VS Code"),
        ("explore", "it serves a page until it is interrupted; test_explore.py does it"),
        ("how_do_i", "it installs ttkit"),
        ("how_do_i", "it needs mypy; test_type_checkers.py does it"),
        ("how_do_i", "it serves a page until it is interrupted; test_explore.py does it"),
        ("how_do_i", "it writes to a checkout of ttkit"),
        ("how_do_i", "it needs GPUs"),
        ("how_do_i", "the cache has no kernel here"),
        ("index", "it installs ttkit"),
        *[("scale", "it needs a cluster")] * 2,
        ("scale", "it needs MPI"),
        ("scale", "it needs torch"),
        ("write_a_pass", "it needs Triton"),
    ]


def anchors(text: str) -> set[str]:
    """Anchors of the headings, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda page: page.name)
def test_links_and_named_pages_exist(page: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.S | re.M)
    text, names = re.sub(r"`[^`\n]*`", "", text), re.findall(r"`((?:docs/)?\w+\.md)`", text)
    missing = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"https?:", target):
            continue
        # Pages are delivered as the folder docs/, without the checkout around it and without what `make docs` writes.
        if page.parent.name == "docs" and target.startswith(("../", "reference/")):
            missing.append(f"{target}, which only a checkout has")
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        if not file.exists() or (anchor and anchor not in anchors(file.read_text())):
            missing.append(target)
    for name in names:
        if not any((folder / name).exists() for folder in (page.parent, ROOT, ROOT / "docs")):
            missing.append(name)
    assert not missing


def test_every_page_is_on_the_site() -> None:
    index = (ROOT / "docs" / "index.md").read_text()
    listed = set(re.findall(r"^([\w/]+)$", index, re.M))
    pages = {page.relative_to(ROOT / "docs").with_suffix("").as_posix() for page in PAGES}
    assert pages - {"index"} == {name for name in listed if not name.startswith("reference/")}


def test_the_notebook_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("nbclient", reason="pip install 'ttkit[docs]'")
    pytest.importorskip("ipykernel", reason="pip install 'ttkit[docs]'")
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from notebook_page import notebook_page

    page = notebook_page(ROOT / "docs" / "tutorial.ipynb")
    assert page.count("class=ttkit-ir") >= 3 and "<svg" in page and "tt.load" in page
