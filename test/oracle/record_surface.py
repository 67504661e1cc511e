"""Writes test/data/triton_surface.json: the public names of the Triton that runs this.

    ORACLE/bin/python test/oracle/record_surface.py > test/data/triton_surface.json
    ORACLE/bin/python test/oracle/record_surface.py --all > first.json
    OTHER/bin/python test/oracle/record_surface.py --all --since first.json > test/data/surfaces/3.9.json

{module: {name: [kind, parameters, {member: parameters}]}}, for test/unit/test_triton_surface.py: kind is module, class,
callable or value; parameters are text as in a signature, `fn=, *, version=`, without those that begin with an
underscore; None where there is no signature.  Left out are Gluon, AMD's parts, the profiler, and what a module has
imported from elsewhere.  Modules that ask for a package that is missing, torch for one, are left out too.  With
`--all`, Gluon and the profiler are not left out.

With `--since FILE`, only what differs from that file: names that are new or described otherwise, with those of their
members that are; None for names that FILE has and this Triton does not, and "removed"
for such members.
"""

import argparse
import importlib
import inspect
import json
import pkgutil
import sys

import triton

OF_OTHER_TESTS = ("triton.experimental", "triton.profiler")
LEFT_OUT = (
    "triton.experimental.gluon.amd",
    "triton.experimental.gluon.language.amd",
    "triton.experimental.gluon.language._semantic",
    "triton.experimental.gsan",
    "triton.profiler._",
    "triton.tools.gsan",
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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--all", action="store_true", help="also Gluon and the profiler")
    parser.add_argument("--since", help="what another Triton gave with --all: only what differs from that")
    arguments = parser.parse_args()
    left_out = LEFT_OUT if arguments.all else LEFT_OUT + OF_OTHER_TESTS
    surface = {}
    for name in ["triton", *(found.name for found in pkgutil.walk_packages(triton.__path__, "triton."))]:
        if not name.startswith(left_out):
            try:
                surface[name] = names_of(importlib.import_module(name), name, left_out)
            except ImportError as error:
                print(f"left out {name}: {error}", file=sys.stderr)
    if arguments.since:
        with open(arguments.since) as file:
            surface = differences(json.load(file), surface)
    print("{")
    lines = [f"{json.dumps(name)}: {json.dumps(surface[name], sort_keys=True)}" for name in sorted(surface)]
    print(",\n".join(lines), "}", sep="\n")


def differences(first, second):
    """The part of `second` that `first` does not have, see above."""
    changed = {}
    for module in sorted({*first, *second}):
        before, after = first.get(module, {}), second.get(module, {})
        names = {}
        for name in {*before, *after}:
            if name not in before or name not in after:
                names[name] = after.get(name)
            elif before[name] != after[name]:
                (kind, given, old), (_, parameters, new) = before[name], after[name]
                members = {
                    each: new.get(each, "removed") for each in {*old, *new} if old.get(each, 0) != new.get(each, 0)
                }
                names[name] = [kind, parameters if parameters != given else None, members, "changed"]
        if names:
            changed[module] = names
    return changed


def names_of(module, path, left_out):
    """The public names of a module, described."""
    return {
        name: described(value)
        for name, value in vars(module).items()
        if not name.startswith("_") and name not in ACCIDENTS and not is_foreign(value, f"{path}.{name}", left_out)
    }


def is_foreign(value, path, left_out):
    """Whether a module has it from elsewhere."""
    if inspect.ismodule(value):
        return value.__name__ != path or path.startswith(left_out)
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
