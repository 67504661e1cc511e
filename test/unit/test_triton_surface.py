"""Every public name of Triton 3.6 by ttkit: of the same kind, with parameters that take what Triton's take.

The names are data that test/oracle/record_surface.py wrote, by the installed Triton.
"""

import inspect
import json
from importlib import import_module
from pathlib import Path

import pytest

from ttkit.compat.missing import DIFFERENT, MISSING, reason_missing

SURFACE = json.loads((Path(__file__).parents[1] / "data" / "triton_surface.json").read_text())
OWN_NAMES = ("x", "input")  # of functions that are methods too: the tensor itself
POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


pytestmark = pytest.mark.usefixtures("installed")


@pytest.mark.parametrize("module", sorted(SURFACE))
def test_names_are_there_or_have_a_reason(module):
    if reason_missing(module):
        return
    found = import_module(module)
    names = {f"{module}.{name}": name for name in SURFACE[module]}
    missing = [full for full, name in names.items() if not hasattr(found, name) and not reason_missing(full)]
    assert missing == []


@pytest.mark.parametrize("module", sorted(SURFACE))
def test_kinds_and_parameters(module):
    if reason_missing(module):
        return
    found, wrong = import_module(module), {}
    for name, (kind, parameters, members) in SURFACE[module].items():
        value = getattr(found, name, None)
        full = f"{module}.{name}"
        if value is None or name in DIFFERENT:
            continue
        if (mine := kind_of(value)) != kind:
            wrong[full] = f"is a {mine}, not a {kind}"
        elif parameters is not None and (what := misfits(parameters, value)):
            wrong[full] = what
        for member, expected in members.items():
            own = f"{name}.{member}"
            if own in DIFFERENT:
                continue
            if not hasattr(value, member) and member not in getattr(value, "__annotations__", ()):
                wrong[f"{full}.{member}"] = "is missing"
            elif expected is not None and (what := misfits(expected, inspect.getattr_static(value, member, None))):
                wrong[f"{full}.{member}"] = what
    assert wrong == {}


def test_reasons_are_needed():
    """What is missing, or different, by the tables is."""
    for name in (*MISSING, *DIFFERENT):
        module, _, own = name.rpartition(".")
        if module in SURFACE and name in MISSING:
            assert not hasattr(import_module(module), own), f"{name} is there: take it out of MISSING"


def kind_of(value):
    if inspect.ismodule(value):
        return "module"
    return "class" if inspect.isclass(value) else "callable" if callable(value) else "value"


def misfits(expected, value):
    """What of Triton's parameters a function does not take; empty if it takes all."""
    value = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
    try:
        own = dict(inspect.signature(getattr(value, "fn", value)).parameters)
    except (TypeError, ValueError):
        return ""
    for name in ("self", "cls"):
        own.pop(name, None)
    kinds = {one.kind for one in own.values()}
    takes_names, takes_more = inspect.Parameter.VAR_KEYWORD in kinds, inspect.Parameter.VAR_POSITIONAL in kinds
    names, found = [], []
    by_keyword = False
    for text in filter(None, expected.split(", ")):
        name = text.strip("*=")
        by_keyword |= text.startswith("*")
        if text.startswith("*"):
            continue
        if name not in own:
            if not takes_names and not takes_more:
                found.append(f"lacks {name}")
        elif text.endswith("=") and own[name].default is inspect.Parameter.empty:
            found.append(f"asks for {name}")
        elif not by_keyword:
            names.append(name)
    mine = [one.name for one in own.values() if one.kind in POSITIONAL and not one.name.startswith("_")]
    if not takes_more and not found and names not in (mine[: len(names)], mine[1 : len(names) + 1]):
        found.append(f"has the order {mine}")
    needed = [
        one.name
        for one in own.values()
        if one.default is inspect.Parameter.empty and one.kind in POSITIONAL and not one.name.startswith("_")
    ]
    given = expected.replace("=", "").replace("*", "").split(", ")
    found += [f"asks for {name}" for name in needed if name not in given and name not in OWN_NAMES]
    return "; ".join(found)
