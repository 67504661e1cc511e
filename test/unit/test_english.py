"""tools/check_english.py: what it finds in each kind of file, what it leaves alone, and its list of files."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("check_english", ROOT / "tools" / "check_english.py")
assert spec is not None and spec.loader is not None
tool = importlib.util.module_from_spec(spec)
sys.modules["check_english"] = tool  # for its dataclasses
spec.loader.exec_module(tool)

LONG = " ".join(["the"] + ["word"] * 30)


def places(path: str, text: str) -> list[tuple[int, int]]:
    return [(one.line, one.column) for one in tool.check(path, text)]


@pytest.mark.parametrize(
    "sentence, column",
    [
        ("A barrier stands behind the loop.", 18),
        ("The layout has not a warp.", 12),
        ("Both have it not at all.", 6),
        ("A layout that is none at all.", 10),
        ("The file is no page.", 10),
        ("A name that there is not.", 8),
        ("There the warps meet once.", 11),
        ("Each is a part of a ring.", 11),
        ("Of each load the pass makes a slot.", 1),
        ("This is so.  Of a load it makes a slot.", 14),
        ("Looks for a mistake in it.", 13),
        ("It adds to sums of products.", 12),
        ("It takes 0.97 of the time.", 10),
        (f"Fine.  {LONG}.", 8),
    ],
)
def test_words_with_a_standard_equivalent(sentence: str, column: int) -> None:
    assert places("page.md", f"# Title\n\n{sentence}\n") == [(3, column)]


@pytest.mark.parametrize(
    "sentence",
    [
        "The pipeliner gives each load a slot.",
        "It has not been compiled, and it has not yet run.",
        "It fell through by mistake.",
        "There is no page, and it is no longer than it was.",
        "Of course it does.",
        "Run `git diff behind the loop`.",
        f"See [this page](behind%20the.md).\n\n```\n{LONG}\n```\n\n| {LONG} |\n",
        f"Half of it: {LONG[:60]}.",
    ],
)
def test_clean_sentences(sentence: str) -> None:
    assert places("page.md", sentence) == []


def test_findings_say_what_to_write() -> None:
    (found,) = tool.check("page.md", "The bar behind the load.")
    assert str(found) == "page.md:1:9: 'behind'; write 'after' or 'past'"


def test_docstrings_comments_and_messages_of_python() -> None:
    text = '''"""A mistake.

    An example: the mistake of the program.
"""

# Threads of a warp
# meet at a barrier, the warps meet too.
x = 1  # behind the loop
names = "mistake behind"
raise ValueError(
    f"the value {x!r} of the kernel is "
    "behind the others"
)
'''
    assert places("file.py", text) == [(1, 6), (7, 26), (8, 10), (12, 6)]


def test_a_message_in_several_literals_is_one_sentence() -> None:
    half = "the word of a word with " + "the word " * 5
    assert places("file.py", f'm = (\n    "{half} "\n    f"{half}"\n)\n') == [(2, 6)]
    assert places("file.py", f'm = [\n    "{half} ",\n    f"{half}",\n]\n') == []


def test_parameters_of_a_docstring_are_prose_and_examples_are_not() -> None:
    text = '''class A:
    def f(self, first, second):
        """Adds.

            the mistake of f

        Args:
            first, second: no
                mistake.
        """
'''
    assert places("file.py", text) == [(9, 17)]


def test_short_strings_are_searched_for_words() -> None:
    assert places("file.py", 'm = f"{at}, behind the last"\n') == [(1, 13)]


def test_lists_of_words_and_patterns_are_no_sentences() -> None:
    words = " ".join(["and", "not", "for"] + ["word"] * 60)
    assert places("file.py", f'm = """{words}"""\nn = r"the {LONG} is"\n') == []


def test_descriptions_and_comments_of_td_and_cpp() -> None:
    text = """// Of a load.
def X : Y<"x"> {
  let summary = "A mistake";
  let description = [{
    Threads meet here.

    Example:
    ```mlir
    // behind the loop
    ```
  }];
}
"""
    assert places("ops.td", text) == [(1, 4), (3, 20), (5, 5), (9, 8)]
    assert places("x.cpp", 'int x; // behind the loop\nerror("the value is behind the end");\n') == [(1, 11), (2, 21)]


def test_files_that_are_not_clean_yet_only_leave_the_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.md").write_text("It has not a name.\n")
    (tmp_path / "good.md").write_text("It has no name.\n")

    def run(not_yet: str, *arguments: str) -> tuple[int, str]:
        (tmp_path / "pyproject.toml").write_text(f'[tool.english]\npaths = ["."]\nnot-yet = [{not_yet}]\n')
        return tool.main(list(arguments), tmp_path), capsys.readouterr().out

    assert run('"bad.md"') == (0, "")
    assert run("")[0] == 1
    assert run('"bad.md"', "--all")[0] == 1
    assert run('"bad.md"', str(tmp_path / "bad.md"))[0] == 1
    assert run('"bad.md"', str(tmp_path / "good.md")) == (0, "")
    status, text = run('"bad.md", "good.md", "gone.md"')
    assert status == 1
    assert "good.md: has no findings; remove it" in text
    assert "gone.md: does not exist; remove it" in text


MOST_NOT_YET = 0
"""Files that `not-yet` may list.  Lower it when one is clean; never raise it."""


def test_the_list_of_files_does_not_grow() -> None:
    assert len(tool.settings(ROOT)[1]) <= MOST_NOT_YET
