"""Writes what Triton's errors end with, for the errors of test/data/language/compile_errors.py.

    ORACLE/bin/python test/oracle/record_errors.py triton.json

test/data/language/triton_errors.json keeps those that ttkit's end with too: most others show that Triton failed in code
of its own, or name its classes.
"""

import importlib.util
import json
import pathlib
import sys
import tempfile
import types

from kernel_sources import prepared_triton

ERRORS = pathlib.Path(__file__).parents[1] / "data" / "language" / "compile_errors.py"
ABORTS = ("a = tl.zeros(helper, tl.float32)",)  # of Triton's process


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def last_line(kernel, signature):
    """The last line of the error that compiling the kernel ends with; None if it is compiled."""
    case = types.SimpleNamespace(
        kernel=kernel, signature={**signature, "N": "constexpr"}, constants={"N": 16}, attributes=None, options={}
    )
    try:
        prepared_triton(case, 90)()
    except Exception as error:
        return str(error).rstrip("\n").split("\n")[-1]
    return None


def main():
    wrong = load(ERRORS)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "kernels.py")
        path.write_text(wrong.source().replace("ttkit.frontend", "triton").replace("ttkit", "triton"))
        kernels = load(path)
        found = {
            statement: last_line(getattr(kernels, f"kernel_{index}"), wrong.SIGNATURE)
            for index, (statement, _) in enumerate(wrong.ERRORS)
            if statement not in ABORTS
        }
    pathlib.Path(sys.argv[1]).write_text(json.dumps(found, indent=0))  # Triton prints modules to stdout


if __name__ == "__main__":
    main()
