"""Keys of jitted functions: what they cover, and global variables that change."""

import importlib.util
import math
import os
import subprocess
import sys
import textwrap
import types
from typing import NamedTuple

import pytest

import ttkit
import ttkit.language as tl

FACTOR = tl.constexpr(2)
PLAIN = 3
UNUSED = tl.constexpr(1)


class Pair(NamedTuple):
    a: int
    b: int


@ttkit.jit
def inner(x):
    return x * FACTOR


@ttkit.jit
def outer(x, y: tl.constexpr = PLAIN):
    FACTOR_LOCAL = inner(x)
    return tl.sum(FACTOR_LOCAL) + y + math.pi


@ttkit.jit
def shadows(FACTOR):
    PLAIN = FACTOR + 1
    for UNUSED in range(4):
        PLAIN += UNUSED
    return PLAIN


def used(function):
    _ = function.cache_key
    return {name for name, _ in function.used_global_vals}


@pytest.fixture(autouse=True)
def forget():
    """Keys are found anew."""
    for function in (inner, outer, shadows):
        function.hash, function.used_global_vals = None, {}
    yield
    for function in (inner, outer, shadows):
        function.hash, function.used_global_vals = None, {}


def test_globals_of_a_function_and_of_those_that_it_calls():
    assert used(inner) == {"FACTOR"} == used(outer)
    assert used(shadows) == set()


def test_a_changed_global_is_refused(monkeypatch):
    _ = outer.cache_key
    outer.check_globals()
    monkeypatch.setitem(globals(), "FACTOR", tl.constexpr(5))
    told = r"Global variable FACTOR has changed since we compiled this kernel, from constexpr\[2\] to constexpr\[5\]"
    with pytest.raises(RuntimeError, match=told):
        outer.check_globals()
    monkeypatch.delitem(globals(), "FACTOR")
    with pytest.raises(RuntimeError, match="to nothing"):
        outer.check_globals()
    monkeypatch.undo()
    monkeypatch.setitem(globals(), "FACTOR", tl.constexpr(2))  # an equal value
    outer.check_globals()


def test_the_key_covers_values_of_globals(monkeypatch):
    before = outer.cache_key
    monkeypatch.setitem(globals(), "FACTOR", tl.constexpr(5))
    inner.hash = outer.hash = None
    assert outer.cache_key != before


def test_two_values_of_one_global_are_refused(monkeypatch):
    _ = inner.cache_key
    monkeypatch.setitem(globals(), "FACTOR", tl.constexpr(5))

    @ttkit.jit
    def both(x):
        return x * FACTOR + inner(x)

    told = r"FACTOR has value constexpr\[5\] when compiling both, but inner kernel inner"
    with pytest.raises(RuntimeError, match=told):
        _ = both.cache_key
    assert both.hash is None


def test_the_key_covers_called_functions():
    before = outer.cache_key
    kept = inner.src
    try:
        inner._unsafe_update_src("def inner(x):\n    return x * FACTOR * 2\n")
        outer.hash = None
        assert outer.cache_key != before
    finally:
        inner._src_override = None
        inner._tree = inner.hash = None
    assert inner.src == kept


def test_the_key_covers_noinline_and_defaults():
    def make(noinline, default):
        @ttkit.jit(noinline=noinline)
        def called(x, y: tl.constexpr = default):
            return x + y

        @ttkit.jit
        def calling(x):
            return called(x)

        return calling.cache_key

    keys = {make(noinline, default) for noinline in (False, True) for default in (1, 2)}
    assert len(keys) == 4 and make(False, 1) in keys


def test_variables_of_functions_around():
    def make(value):
        size = tl.constexpr(value)

        @ttkit.jit
        def function(x):
            return x + size

        def change(new):
            nonlocal size
            size = tl.constexpr(new)

        return function, change

    first, change = make(1)
    assert used(first) == {"size"} and first.cache_key != make(2)[0].cache_key == make(2)[0].cache_key
    first.check_globals()
    change(3)
    with pytest.raises(RuntimeError, match="Global variable size has changed"):
        first.check_globals()


def test_constants_of_modules():
    module = types.ModuleType("settings")
    module.SIZE = tl.constexpr(16)

    @ttkit.jit
    def function(x):
        return x + module.SIZE

    assert used(function) >= {"SIZE"}
    module.SIZE = tl.constexpr(32)
    with pytest.raises(RuntimeError, match="Global variable SIZE has changed"):
        function.check_globals()


def test_functions_that_are_not_jitted():
    def helper(x):
        return x

    @ttkit.jit
    def function(x):
        return helper(x)

    with pytest.raises(RuntimeError, match=r"(?s)\n    return helper\(x\)\n +\^\n.*referenced: <function .*helper>$"):
        _ = function.cache_key


def test_types_and_the_language_are_no_dependencies():
    @ttkit.jit
    def function(x):
        pair = Pair(x, tl.cdiv(x, 2))
        return pair.a.to(tl.float32) + tl.exp(x) + len("x") + max(1, 2)

    assert used(function) == {"Pair"}


AGGREGATE = """
import ttkit, ttkit.language as tl
from ttkit.language.core import _aggregate as aggregate

@aggregate
class Range:
    start: tl.tensor

    @ttkit.constexpr_function
    def __init__(self, start):
        self.start = start

    @ttkit.jit
    def next(self):
        return self.start + STEP

@ttkit.jit
def function(x):
    return Range(x).next()
"""


def test_methods_of_aggregates(tmp_path):
    def key(step):
        path = tmp_path / f"aggregates_{step}.py"
        path.write_text(AGGREGATE.replace("STEP", str(step)))
        spec = importlib.util.spec_from_file_location("aggregates", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.function.cache_key

    assert key(1) != key(2)


def test_recursion_ends():
    @ttkit.jit
    def countdown(x):
        return countdown(x - 1)

    assert len(countdown.cache_key) == 64


def test_keys_are_the_same_in_every_process(tmp_path):
    file = tmp_path / "kernels.py"
    file.write_text(
        textwrap.dedent("""
        import ttkit, ttkit.language as tl

        class Settings:
            def __init__(self):
                self.size = 4

        SETTINGS = Settings()
        NAMES = {"b", "a", "c"}

        @ttkit.jit
        def function(x):
            if SETTINGS.size in NAMES:
                x += 1
            return x

        print(function.cache_key)
        """)
    )
    keys = {
        subprocess.run(
            [sys.executable, str(file)], capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": str(seed)}
        ).stdout
        for seed in (1, 2)
    }
    assert len(keys) == 1 and len(keys.pop()) == 65
