"""`tt-opt --help`: the options and passes of ttkit, and of MLIR's those that its users need daily.

All is taken from the full text, `--help-hidden`, where a thousand options of LLVM surround it.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

from ttkit.drivers.user_errors import UserError
from ttkit.passes.infra.bridge import known_names
from ttkit.passes.registry import UPSTREAM

_ENTRY = re.compile(r"^( +)-{1,2}([\w.-]+)")

OWN = (
    "load-dialect load-pass pipeline-file check-passes check-arg check-grid check-runs check-seed check-dump "
    "prove-passes prove-dump layout-ledger python-traceback"
).split()
OF_PYTHON = {
    "prove-passes": [
        "  --prove-passes[=all]                         Prove each pass, or refute it; with 'all', open is an error"
    ],
    "prove-dump": [
        "  --prove-dump=<PREFIX>                        Where --prove-passes writes the IR around a refuted pass"
    ],
}
"""Options that are taken before MLIR sees the command line."""
OF_MLIR = (
    "o pass-pipeline dump-pass-pipeline list-passes mlir-print-ir-before mlir-print-ir-after mlir-print-ir-before-all "
    "mlir-print-ir-after-all mlir-print-ir-after-change mlir-print-ir-after-failure mlir-print-ir-module-scope "
    "mlir-print-ir-tree-dir mlir-print-debuginfo mlir-print-local-scope "
    "mlir-print-op-on-diagnostic mlir-timing mlir-pass-statistics mlir-pass-pipeline-crash-reproducer run-reproducer "
    "split-input-file verify-diagnostics verify-each allow-unregistered-dialect emit-bytecode show-dialects version"
).split()


def short_help(arguments: list[str]) -> str:
    """The page.

    Args:
        arguments: of the command line without `--help`; passes of --load-pass, which are loaded, are on the page too.

    Raises:
        UserError: an argument is wrong.
    """
    command = [sys.executable, "-m", "ttkit.drivers.opt", *arguments, "--help-hidden"]
    environment = {**os.environ, "COLUMNS": "100"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        raise UserError(done.stderr.removeprefix("error: ").strip())
    return page(done.stdout)


def page(full: str) -> str:
    """The page, of the full text."""
    found = entries(full) | OF_PYTHON
    groups = [
        ("Options of ttkit", OWN),
        ("Passes and stages of ttkit", known_names()),
        ("Frequent options of MLIR", OF_MLIR),
        ("Passes of MLIR that are useful for kernels", UPSTREAM),
    ]
    lines = ["tt-opt: mlir-opt with tt, ttg and ttng, and with passes written in Python.", ""]
    lines += ["usage: tt-opt [options] [input file]", ""]
    for title, names in groups:
        lines += [f"{title}:", "", *(line for name in dict.fromkeys(names) for line in found.get(name, ())), ""]
    lines.append("tt-opt --help-hidden lists all of MLIR's and LLVM's, tt-opt --list-passes all passes.")
    return "\n".join(lines)


def entries(full: str) -> dict[str, list[str]]:
    """The lines of each option, and of each pass with its own options, indented by two."""
    found: dict[str, list[str]] = {}
    lines = full.splitlines()
    for place, line in enumerate(lines):
        match = _ENTRY.match(line)
        if match is None or match[2] in found:
            continue
        depth = len(match[1])
        end = place + 1
        while end < len(lines) and lines[end].strip() and len(lines[end]) - len(lines[end].lstrip()) > depth:
            end += 1
        found[match[2]] = [_narrow(one[depth - 2 :]) for one in lines[place:end]]
    return found


def _narrow(line: str) -> str:
    """An entry with its description nearer: options of LLVM have longer names."""
    head, dash, text = line.partition(" - ")
    head = head.replace("=<long>", "=<int>")  # LLVM's word for an integer
    return f"{head.rstrip():<46} {text.strip()}" if dash else line.rstrip()
