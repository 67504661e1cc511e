"""Pipelined loops with a wait left out or too short: the interpreter names what happens too early."""

from pathlib import Path

import numpy as np
import pytest

import ttkit
from ttkit.interpreter import interpret
from ttkit.interpreter.errors import InterpreterError

GOLDEN = (Path(__file__).parents[1] / "data" / "pass_cases" / "tritongpu-pipeline.golden").read_text()


def pipelined(name: str) -> str:
    return next(text for text in GOLDEN.split("// -----") if f"@{name}(" in text)


def run(name: str, text: str) -> None:
    square, wide, tall = (np.ones(shape, np.float16) for shape in ((64, 256), (128, 1024), (1024, 128)))
    arguments = {
        "nodot_sum": [np.ones(8192, np.float32), np.zeros(1, np.float32), 8192],
        "tma_load_elementwise": [square, np.zeros_like(square), 64, 256],
        "mm_tma": [wide, tall, np.zeros((128, 128), np.float16), 128, 128, 1024],
    }
    with ttkit.Context():
        interpret(ttkit.parse(text), 1, arguments[name])


@pytest.mark.parametrize(
    ("name", "wait", "other", "message"),
    [
        ("nodot_sum", "{num = 1 : i32}", "{num = 2 : i32}", r"ttg.local_load: reads .* before the ttg.async_copy"),
        (
            "tma_load_elementwise",
            "ttng.wait_barrier",
            "// ",
            r"local_load: reads .* before the ttng.async_tma_copy",
        ),
        ("tma_load_elementwise", "ttng.async_tma_store_wait", "// ", r"ttg.local_store: overwrites .* still reads it"),
        ("mm_tma", "{pendings = 1 : i32}", "{pendings = 2 : i32}", r"overwrites .* while the ttng.warp_group_dot"),
    ],
)
def test_a_wait_that_is_missing_is_named(name, wait, other, message):
    text = pipelined(name)
    run(name, text)
    assert wait in text
    with pytest.raises(InterpreterError, match=message):
        run(name, text.replace(wait, other, 1))
