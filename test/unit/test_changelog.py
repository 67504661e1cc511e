"""Entries of changelog.d have their form, and a release moves them into CHANGELOG.md."""

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("changelog", ROOT / "tools" / "changelog.py")
changelog = importlib.util.module_from_spec(spec)
spec.loader.exec_module(changelog)


def test_entries_have_their_form():
    assert changelog.problems(ROOT / "changelog.d") == []


def test_versions_are_summaries():
    for version in (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1:]:
        assert len(version.splitlines()) <= 80, version.splitlines()[0]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a_change.new.md", "A sentence.\n", "is not called NAME.{added,changed,fixed}.md"),
        ("A-Change.added.md", "A sentence.\n", "is not called"),
        ("a.added.md", "A sentence.\nAnother one.\n", "is not one line"),
        ("a.added.md", "A sentence.", "is not one line"),
        ("a.added.md", "A" * 400 + ".\n", "has 401 characters, more than 400"),
        ("a.added.md", "A phrase\n", "does not end with a full stop"),
        ("a.added.md", "- A sentence.\n", "begins with markup"),
    ],
)
def test_wrong_forms_are_named(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    (found,) = changelog.problems(tmp_path)
    assert found.startswith(f"changelog.d/{name} {message}")


def test_a_release_moves_the_entries(tmp_path):
    folder = tmp_path / "changelog.d"
    folder.mkdir()
    (tmp_path / "CHANGELOG.md").write_text("# Changelog\n\nPreamble.\n\n## 0.1\n\n### Added\n\n- Old.\n")
    (folder / "b.fixed.md").write_text("A bug.\n")
    (folder / "a.added.md").write_text("A command.\n")
    (folder / "c.added.md").write_text("An option.\n")
    changelog.release(tmp_path, "0.2")
    assert (tmp_path / "CHANGELOG.md").read_text() == (
        "# Changelog\n\nPreamble.\n\n## 0.2\n\n### Added\n\n- A command.\n- An option.\n\n### Fixed\n\n- A bug.\n\n"
        "## 0.1\n\n### Added\n\n- Old.\n"
    )
    assert not list(folder.iterdir())
    with pytest.raises(ValueError, match="has no entry"):
        changelog.release(tmp_path, "0.3")
