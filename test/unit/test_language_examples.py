"""The examples in the docstrings of the language, run as Python, and all functions of libdevice."""

import doctest
import importlib
import inspect
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.interpreter.python_mode.session import interactive

sys.path.append(str(Path(__file__).parents[2] / "docs"))
import language_pages

NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:e[-+]?\d+)?")
# Parts of the language that are not called by kernels but by its other functions.
INTERNAL = {"builtin_max", "builtin_min", "poll_one", "sort_impl"}


class CloseNumbers(doctest.OutputChecker):
    """Numbers may differ in the last digits: numpy's functions do, from one processor to the next."""

    def check_output(self, want, got, optionflags):
        wanted, found = NUMBER.findall(want), NUMBER.findall(got)
        return (
            "".join(NUMBER.sub("", want).split()) == "".join(NUMBER.sub("", got).split())
            and len(wanted) == len(found)
            and np.allclose(np.array(wanted, float), np.array(found, float), 1e-5, 1e-9)
        )


def documented():
    found = {}
    for family in language_pages.FAMILIES:
        if family != "extra.cuda.libdevice":
            for name, value in language_pages.members(importlib.import_module(f"ttkit.language.{family}")):
                found[f"{family}.{name}"] = value
    return {name: value for name, value in found.items() if name.rpartition(".")[2] not in INTERNAL}


DOCUMENTED = documented()


@pytest.mark.parametrize("name", DOCUMENTED)
@pytest.mark.filterwarnings("ignore:view is deprecated")
def test_example(name):
    text = inspect.getdoc(DOCUMENTED[name])
    assert ">>> " in text, f"{name} has no example"
    with interactive(grid=4, program=2, debug=True) as session:
        names = {"__name__": "examples", "np": np, "tl": tl, "ttkit": ttkit, "pointer": session.value}
        test = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
        report = []
        runner = doctest.DocTestRunner(CloseNumbers(), optionflags=doctest.NORMALIZE_WHITESPACE)
        runner.run(test, out=report.append, clear_globs=False)
    assert not runner.failures, "".join(report)


def test_every_public_function_is_documented():
    from ttkit.language.jit_function import JITCallable

    shown = {name.rpartition(".")[2] for name in DOCUMENTED}
    for name in tl.__all__:
        value = getattr(tl, name)
        if getattr(value, "__triton_builtin__", False) or isinstance(value, JITCallable):
            assert name in shown or value.__module__.startswith("ttkit.frontend"), name


LIBDEVICE = importlib.import_module("ttkit.language.extra.cuda.libdevice")
TYPES = {"f32": tl.float32, "f64": tl.float64, "i32": tl.int32, "i64": tl.int64, "u32": tl.uint32, "u64": tl.uint64}


def variants():
    for name, text in LIBDEVICE._VARIANTS.items():
        for variant in text.split(";"):
            arguments, _, result = variant.split()[0].partition("->")
            yield name, tuple(arguments.split(",")), result


def test_every_function_of_libdevice_runs():
    with interactive():
        for name, arguments, result in variants():
            values = [tl.full((2,), 0.5 if kind[0] == "f" else 3, TYPES[kind]) for kind in arguments]
            found = getattr(tl.extra.cuda.libdevice, name)(*values)
            assert found.dtype == (tl.int1 if result == "i1" else TYPES[result]), name
            assert found.handle.array.shape == (1, 2), name
