"""`python -m ttkit.compat script.py ARGS`: runs a script for which `triton` is ttkit."""

from __future__ import annotations

import builtins
import os
import runpy
import sys
from types import ModuleType

from ttkit.compat import TRITON_VERSION, install, path_for_children
from ttkit.compat.missing import MISSING
from ttkit.compat.module_aliases import ALIASES
from ttkit.compat.names import FACADES
from ttkit.installation import VERSION
from ttkit.standard_streams import with_standard_streams
from ttkit.suggestions import suggestion
from ttkit.triton_versions import UnknownVersion, is_version

_USAGE = f"""\
usage: python -m ttkit.compat SCRIPT [ARGUMENT...]
       python -m ttkit.compat -m MODULE [ARGUMENT...]
       python -m ttkit.compat -c CODE [ARGUMENT...]
       python -m ttkit.compat --stubs [FOLDER]
       python -m ttkit.compat --path | --list | --version

Runs a Python script, module or code that imports triton; ttkit answers, as triton {TRITON_VERSION}.

  --triton VERSION   before SCRIPT: the version of triton whose rules kernels follow, 3.6 to 3.9

  --stubs [FOLDER]   write what type checkers need of triton; into typings by default, where pyright looks
  --path   print the folder to put first into PYTHONPATH, for all that Python runs
  --list   print the names of triton that are there, and those that are missing with the reason
"""


def main(arguments: list[str]) -> int:
    """Runs a script of Triton's, or says what there is; gives the exit code."""
    if not arguments or arguments[0] in ("-h", "--help"):
        with_standard_streams(lambda _: print(_USAGE, end="", file=sys.stdout if arguments else sys.stderr))([])
        return 0 if arguments else 2
    if arguments[0] == "--path":
        print(path_for_children())
        return 0
    if arguments[0] == "--list":
        with_standard_streams(_list)([])
        return 0
    if arguments[0] == "--version":
        print(f"ttkit {VERSION}, as triton {TRITON_VERSION}")
        return 0
    if arguments[0] == "--stubs":
        return _write_stubs(arguments[1:])
    version = None
    if arguments[0] == "--triton":
        if len(arguments) < 3 or not is_version(arguments[1]):
            found = arguments[1] if len(arguments) > 1 else "nothing"
            print(f"python -m ttkit.compat: --triton takes a version from 3.6 to 3.9, got {found}", file=sys.stderr)
            return 2
        version, arguments = arguments[1], arguments[2:]
    try:
        install(version=version)
    except UnknownVersion as error:
        print(f"python -m ttkit.compat: {error}", file=sys.stderr)
        return 1
    if arguments[0] in ("-m", "-c") and len(arguments) < 2:
        print(_USAGE, end="", file=sys.stderr)
        return 2
    if arguments[0] == "-m":
        sys.argv = arguments[1:]
        sys.path[0] = os.getcwd()
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
    elif arguments[0] == "-c":
        sys.argv = ["-c", *arguments[2:]]
        sys.path[0] = ""
        exec(compile(arguments[1], "<string>", "exec", dont_inherit=True), {"__name__": "__main__"})
    else:
        return _run_script(arguments)
    return 0


def _write_stubs(arguments: list[str]) -> int:
    """Writes the names of triton for type checkers, and says how those find them; gives the exit code."""
    folder = arguments[0] if arguments else "typings"
    if len(arguments) > 1 or folder.startswith("-"):
        print(f"python -m ttkit.compat: --stubs takes one folder, got {' '.join(arguments)}", file=sys.stderr)
        return 2
    from ttkit.compat.stubs import write_stubs

    try:
        count = write_stubs(folder)
    except OSError as error:
        print(f"python -m ttkit.compat: can't write {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    print(f"wrote {count} stubs of triton into {folder}: MYPYPATH={folder} mypy SCRIPT; pyright looks into typings")
    return 0


def _run_script(arguments: list[str]) -> int:
    """Runs a file as Python does: it stays the module `__main__`, for pickles and for processes that are spawned."""
    script = arguments[0]
    if script.startswith("-") and not os.path.exists(script):
        near = suggestion(script, ["-m", "-c", "--triton", "--stubs", "--path", "--list", "--version", "--help"])
        print(f"python -m ttkit.compat: there is no option '{script}'{near}", file=sys.stderr)
        return 2
    if not os.path.exists(script):
        print(f"python -m ttkit.compat: can't open file '{script}'", file=sys.stderr)
        return 2
    sys.argv = list(arguments)
    if os.path.isdir(script):
        runpy.run_path(script, run_name="__main__")
        return 0
    sys.path[0] = os.path.dirname(os.path.realpath(script))
    with open(script, "rb") as file:
        # Not with this file's `from __future__`, which would make the script's annotations texts.
        code = compile(file.read(), script, "exec", dont_inherit=True)
    module = ModuleType("__main__")
    module.__dict__.update(__file__=script, __builtins__=builtins, __cached__=None)
    sys.modules["__main__"] = module
    exec(code, module.__dict__)
    return 0


def _list(_: list[str]) -> None:
    """Prints the names of triton that there are, and those that are missing."""
    for module in sorted({*FACADES, *ALIASES}):
        home = f" = {ALIASES[module]}" if module in ALIASES else ""
        print(f"{module}{home}")
        for name in sorted(FACADES.get(module, {})):
            print(f"    {name}")
    print("missing:")
    for name, reason in sorted(MISSING.items()):
        print(f"    {name}: {reason}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
