"""bench/compile_folder.py: both compilers take turns; layouts that it times are made once."""

import argparse
import io
import json
import sys
from pathlib import Path

import pytest

from ttkit.layout.blocked import blocked_in_ctas

sys.path.append(str(Path(__file__).parents[2] / "bench"))
compile_folder = pytest.importorskip("compile_folder")


class Stub:
    """Stands in for the process of a compiler, and notes who was asked."""

    def __init__(self, which: str, asked: list[tuple[str, str]], refused: str = "") -> None:
        self.which, self.asked, self.refused = which, asked, refused

    def times(self, path: Path, warps: int) -> dict[str, float]:
        self.asked.append((self.which, path.stem))
        if path.stem == self.refused:
            raise compile_folder.Refused(f"{self.which} refuses {path.name}")
        return {"ptx": 1e-3 * len(self.asked)}


def measured(folder: Path, names: str, refused: str = "") -> tuple[list[tuple[str, str]], dict]:
    """Who was asked for which kernel, and the figures."""
    for name in names.split():
        (folder / f"{name}.ttir").write_text("")
    asked: list[tuple[str, str]] = []
    workers = [Stub("ttkit", asked), Stub("triton", asked, refused)]
    return asked, compile_folder.measured(workers, argparse.Namespace(folder=folder, only="", repeat=2))


def test_compilers_take_turns(tmp_path: Path) -> None:
    asked, found = measured(tmp_path, "a b")
    turns = ["triton", "ttkit", "ttkit", "triton", "triton", "ttkit"]
    assert asked == [(which, name) for name in "ab" for which in turns]
    assert found == {
        "ttkit": {"a": {"ptx": 3.0}, "b": {"ptx": 9.0}},
        "triton": {"a": {"ptx": 4.0}, "b": {"ptx": 10.0}},
    }


def test_kernel_that_one_refuses_counts_for_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, found = measured(tmp_path, "a b", refused="a")
    assert [list(times) for times in found.values()] == [["b"], ["b"]]
    assert "triton refuses a.ttir" in capsys.readouterr().err


def test_processes_share_kernels(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def times(path: str, warps: int) -> dict[str, float]:
        if Path(path).stem == "b":
            raise ValueError("no")
        return {"ptx": 1.0}

    for name in "abc":
        (tmp_path / f"{name}.ttir").write_text(name)
    monkeypatch.setitem(compile_folder.MEASURES, "ttkit", times)
    requests = [(str(path), 4) for path in sorted(tmp_path.iterdir())]
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(requests)))
    compile_folder.work_together("ttkit", 2)
    assert 'times: {"kernels": 2}' in capsys.readouterr().out


def test_layouts_of_accesses_are_made_once() -> None:
    made = blocked_in_ctas([64, 64], [1, 8], range(2)[::-1], 4, 32, [[1, 0]])
    assert made.cga_layout == ((1, 0),)
    assert blocked_in_ctas((64, 64), (1, 8), (1, 0), 4, 32, ((1, 0),)) is made
