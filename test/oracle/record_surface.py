"""Writes test/data/triton_surface.json: the public names of the Triton that runs this.

    ORACLE/bin/python test/oracle/record_surface.py > test/data/triton_surface.json

{module: {name: [kind, parameters, {member: parameters}]}}, for test/unit/test_triton_surface.py: kind is module, class,
callable or value; parameters are text as in a signature, `fn=, *, version=`, without those that begin with an
underscore; None where there is no signature.  Left out are Gluon, AMD's parts, the profiler, and what a module has
imported from elsewhere.  Modules that ask for a package that is missing, torch for one, are left out too.
"""

import importlib
import inspect
import json
import pkgutil
import sys

import triton

LEFT_OUT = (
    "triton.experimental",
    "triton.profiler",
    "triton.instruments",
    "triton.backends.amd",
    "triton.language.extra.hip",
    "triton.tools.triton_to_gluon",
    "triton._compile_warmup_state",
    "triton._instrumentation",
)
# Type variables, and variables of loops at the end of a module.
ACCIDENTS = "F K P R T U V ClassType GetType SetType TYPE_CHECKING is_pkg k knobs_type module module_finder".split()
ACCIDENTS += "module_name modules spec v".split()
MARKS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def main():
    surface = {}
    for name in ["triton", *(found.name for found in pkgutil.walk_packages(triton.__path__, "triton."))]:
        if not name.startswith(LEFT_OUT):
            try:
                surface[name] = names_of(importlib.import_module(name), name)
            except ImportError as error:
                print(f"left out {name}: {error}", file=sys.stderr)
    print("{")
    lines = [f"{json.dumps(name)}: {json.dumps(surface[name], sort_keys=True)}" for name in sorted(surface)]
    print(",\n".join(lines), "}", sep="\n")


def names_of(module, path):
    """The public names of a module, described."""
    return {
        name: described(value)
        for name, value in vars(module).items()
        if not name.startswith("_") and name not in ACCIDENTS and not is_foreign(value, f"{path}.{name}")
    }


def is_foreign(value, path):
    """Whether a module has it from elsewhere."""
    if inspect.ismodule(value):
        return value.__name__ != path or path.startswith(LEFT_OUT)
    home = getattr(value, "__module__", None)
    return not home.startswith("triton") if isinstance(home, str) else type(value).__module__ in ("typing", "types")


def described(value):
    """Kind, parameters and members of a value."""
    kind = kind_of(value)
    members = {}
    if kind == "class":
        for name in dir(value):
            if not name.startswith("_"):
                member = inspect.getattr_static(value, name)
                member = member.__func__ if isinstance(member, (staticmethod, classmethod)) else member
                members[name] = parameters(member) if callable(member) else None
    return [kind, parameters(value) if kind in ("class", "callable") else None, members]


def kind_of(value):
    """ "module", "class", "callable" or "value"."""
    if inspect.ismodule(value):
        return "module"
    return "class" if inspect.isclass(value) else "callable" if callable(value) else "value"


def parameters(value):
    """`a, b=, *, c=, **d`; None without a signature."""
    try:
        found = inspect.signature(getattr(value, "fn", value)).parameters.values()
    except (TypeError, ValueError):
        return None
    texts, star = [], False
    for one in found:
        star |= one.kind is one.VAR_POSITIONAL
        if one.kind is one.KEYWORD_ONLY and not star:
            texts.append("*")
            star = True
        if not one.name.startswith("_") and one.name not in ("self", "cls"):
            texts.append(MARKS.get(one.kind, "") + one.name + ("=" if one.default is not one.empty else ""))
    return ", ".join(texts)


if __name__ == "__main__":
    main()
