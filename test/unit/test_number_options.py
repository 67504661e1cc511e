"""Numbers on command lines: each option has its range, and others end a command with exit code 1 and a message."""

import argparse

import pytest

from ttkit.aot.command_line import option_of
from ttkit.drivers import compile as tt_compile
from ttkit.drivers import layout, reduce, run, sanitize, toolkit
from ttkit.number_options import OutOfRange, between
from ttkit.profiler import viewer
from ttkit.tools import compile as triton_tool

CHECKED_LATER = {"--capability", "--loop", "--occurrence"}
"""GPUs, and numbers that count what the input has."""
PARSERS = {
    "ttkit": toolkit,
    "tt-compile": tt_compile,
    "tt-run": run,
    "tt-layout": layout,
    "ttkit.tools.compile": triton_tool,
    "proton-viewer": viewer,
}


def parsers():
    yield "tt-reduce", reduce.command_line()
    yield "ttkit sanitize", sanitize.options_parser()
    for name, module in PARSERS.items():
        yield from nested(name, module.command_line())


def nested(name, parser):
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for sub, found in action.choices.items():
                yield from nested(f"{name} {sub}", found)


def numbers():
    for name, parser in parsers():
        for action in parser._actions:
            if action.type in (int, float) or getattr(action.type, "__name__", "") == "_numbers":
                yield pytest.param(action, id=f"{name} {'/'.join(action.option_strings)}")


@pytest.mark.parametrize("action", [*numbers()])
def test_every_option_that_takes_a_number_has_a_range(action):
    if not CHECKED_LATER & set(action.option_strings):
        assert type(action).__qualname__.startswith("between."), action
        with pytest.raises(OutOfRange, match=r"must be .*, found \[?(-7|nan)"):
            wrong = float("nan") if action.type is float else [-7] if "_numbers" in str(action.type) else -7
            action(argparse.ArgumentParser(), argparse.Namespace(), wrong, action.option_strings[-1])


@pytest.mark.parametrize(
    ("command", "words", "said"),
    [
        (toolkit.main, ["why", "--programs", "0", "k.py"], "--programs must be at least 1, found 0"),
        (toolkit.main, ["show-access", "--programs", "-1", "k.py"], "--programs must be at least 1, found -1"),
        (toolkit.main, ["aot", "k.py", "-w", "4,0"], "-w must be from 1 to 1024, found 0"),
        (toolkit.main, ["cache", "gc", "--older-than", "nan"], "--older-than must be at least 0, found nan"),
        (tt_compile.main, ["k.ttir", "--num-stages", "-1"], "--num-stages must be at least 0, found -1"),
        (tt_compile.main, ["k.ttir", "--maxnreg", "5000"], "--maxnreg must be from 1 to 255, found 5000"),
        (run.main, ["k.mlir", "--max-steps", "0"], "--max-steps must be at least 1, found 0"),
        (triton_tool.main, ["k.py", "-ns", "-2"], "-ns must be at least 0, found -2"),
        (viewer.main, ["k.hatchet", "-d", "-2"], "-d must be at least 0, found -2"),
    ],
)
def test_other_numbers_end_a_command_with_exit_code_1(command, words, said, capsys):
    with pytest.raises(SystemExit) as end:
        command(words)
    assert str(end.value.code) == f"error: {said}"  # a text is exit code 1
    assert not capsys.readouterr().err


def test_options_of_ahead_of_time_kernels_have_the_same_ranges():
    assert option_of("maxnreg=64") == ("maxnreg", 64)
    with pytest.raises(OutOfRange, match="option maxnreg must be from 1 to 255, found 5000"):
        option_of("maxnreg=5000")


def test_a_word_that_is_no_number_is_a_malformed_command_line(capsys):
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", action=between(1, 3), type=int)
    assert parser.parse_args(["-n", "3"]).n == 3
    with pytest.raises(SystemExit) as end:
        parser.parse_args(["-n", "three"])
    assert end.value.code == 2 and "invalid int value" in capsys.readouterr().err
