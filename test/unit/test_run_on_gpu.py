"""Comparing a GPU's results with the interpreter's; and tt-run on a device that only pretends."""

import numpy as np
import pytest

from ttkit.drivers import run, run_on_gpu


def test_equal_results():
    array = np.array([1.0, np.nan, 3.0], np.float32)
    assert run_on_gpu.compare("out", array, array + np.float32(1e-4), 1e-3) == (True, "out: equal")


@pytest.mark.parametrize(
    "dtype, line",
    [
        (
            np.float32,
            "1 of 4 elements differ by more than 0.001, at most 1; [1, 0] is 2.0 on the GPU and 3.0 interpreted",
        ),
        (np.int32, "1 of 4 elements differ; [1, 0] is 2 on the GPU and 3 interpreted"),
    ],
)
def test_different_results(dtype, line):
    found, wanted = np.array([[0, 1], [2, 3]], dtype), np.array([[0, 1], [3, 3]], dtype)
    assert run_on_gpu.compare("out", found, wanted, 1e-3) == (False, f"out: {line}")


@pytest.mark.parametrize("wrong", [False, True])
def test_tt_run_compares(monkeypatch, capsys, wrong):
    """The "GPU" is the interpreter, or nothing at all."""
    source = str(run_on_gpu.Path(__file__).parents[1] / "lit" / "driver" / "Inputs" / "add.ttir")

    def fake(path, text, grid, arguments, num_warps):
        assert (path, grid, num_warps) == (source, (4, 1, 1), 8) and b"@add" in text
        if not wrong:
            arguments[2].array[:] = arguments[0].array + arguments[1].array

    monkeypatch.setattr(run_on_gpu, "run_on_gpu", fake)
    given = "--grid 4 --arg rand:256 --arg ones:256 --arg zeros:256 --arg 256 --num-warps 8 --device cuda --compare"
    if not wrong:
        run.main([source, *given.split()])
        assert "out: equal" in capsys.readouterr().out
        return
    with pytest.raises(SystemExit, match="error: the GPU's results differ from the interpreter's"):
        run.main([source, *given.split()])
    assert "out: 256 of 256 elements differ" in capsys.readouterr().out
