"""ttkit upgrade-report: what in a program changes meaning or speed from one version of Triton to another."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ttkit.compat import install
from ttkit.drivers.user_errors import UserError
from ttkit.runtime.driver import driver
from ttkit.triton_versions import UnknownVersion, Version, parsed
from ttkit.upgrade.changes import Finding
from ttkit.upgrade.kernels import compare, launched
from ttkit.upgrade.report import as_json, concerns, merged, summary, text
from ttkit.upgrade.sources import files_of, read
from ttkit.user_scripts import run_script


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the script's exit code, else 1 if something changes or nothing was found.

    Raises:
        UserError: no such file or version, or the file is not Python.
    """
    first, last = _version(options.first), _version(options.last)
    if not first < last:
        raise UserError(f"--from {options.first} is not before --to {options.last}")
    path = Path(options.path)
    if not path.exists():
        raise UserError(f"no such file or folder: {path}")
    findings, kernels = _of_sources(path, first, last)
    code = compared = 0
    if path.is_file() and not options.no_run:
        code, found, compared = _of_kernels(path, options.script_arguments, first, last)
        findings += found
    findings = merged(findings)
    if not kernels and not compared and not findings:
        print(f"{path} has no kernel and names nothing that changes", file=sys.stderr)
        return code or 1
    print(as_json(findings) if options.json else text(findings) or "nothing changes")
    count, done = (compared, "compared") if compared else (kernels, "read, none was compared")
    read_or_run = f"{count} {'kernel was' if count == 1 else 'kernels were'} {done}"
    print(f"{summary(findings)}; {read_or_run}", file=sys.stderr)
    return code or int(concerns(findings))


def _version(spelled: str) -> Version:
    try:
        return parsed(spelled)
    except UnknownVersion as error:
        raise UserError(str(error)) from None


def _of_sources(path: Path, first: Version, last: Version) -> tuple[list[Finding], int]:
    """Findings of the sources, and the number of their kernels."""
    findings, kernels = [], 0
    for file in files_of(path):
        try:
            found, count = read(file, first, last)
        except (SyntaxError, UnicodeDecodeError) as error:
            if path.is_file():
                raise UserError(f"{file} is not Python: {error}") from None
            print(f"{file} is left out, since it is not Python: {error}", file=sys.stderr)
            continue
        findings += found
        kernels += count
    return findings, kernels


def _of_kernels(path: Path, arguments: list[str], first: Version, last: Version) -> tuple[int, list[Finding], int]:
    """The script's exit code, findings of the kernels that it launched, and their number."""
    if not os.environ.get("TTKIT_DEVICE") and not driver.is_active():
        os.environ["TTKIT_DEVICE"] = "interpret:sm_90"
        driver.reset_active()
    install(version="{}.{}".format(*first))
    with launched() as kernels:
        code = run_script(str(path), arguments)
    if code:
        print(f"{path} ended with {code}: kernels that it launched before are compared", file=sys.stderr)
    findings = [finding for kernel in kernels for finding in compare(kernel, first, last)]
    return code, findings, len(kernels)
