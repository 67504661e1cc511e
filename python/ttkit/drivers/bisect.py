"""ttkit bisect: which kernel of a script, which pass, which application of a pattern."""

from __future__ import annotations

import argparse
import os
import sys

from ttkit.bisection.applications import first_wrong
from ttkit.bisection.launch_watch import Finding, Hunt, Stop
from ttkit.bisection.reproducer import write
from ttkit.compiler.launch_check import in_force
from ttkit.drivers.scripts import on_any_machine, with_compiled_kernels
from ttkit.drivers.user_errors import UserError
from ttkit.drivers.user_files import change_stages, load_passes
from ttkit.passes.infra import bridge
from ttkit.passes.infra.pass_files import classes_of_file, file_of_pass
from ttkit.passes.infra.steps import pass_name
from ttkit.user_scripts import run_script


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code: 0 if the culprit is found, 1 if there is none.

    Raises:
        UserError: there is no such script or folder.
    """
    if not options.script:
        raise UserError("name the script")
    if not os.path.isfile(options.script[0]):
        raise UserError(f"no such file: {options.script[0]}")
    with_compiled_kernels()
    if not os.path.isdir(options.output):
        raise UserError(f"no such folder: {options.output}")
    load_passes(options.load_pass)
    change_stages(options.pipeline_file)
    skipped = tuple(one for one in (options.skip or "").split(",") if one)
    hunt = Hunt(options.programs, skipped, options.kernel)
    try:
        with on_any_machine(), in_force(hunt):
            code = run_script(options.script[0], options.script[1:])
    except Stop as stop:
        return _found(stop.finding, options)
    for reason in hunt.unchecked:
        print(f"not checked: {reason}", file=sys.stderr)
    given = [cls.name for path in options.load_pass for cls in classes_of_file(path)]
    for name in given if hunt.checked and not skipped else ():
        if name not in hunt.ran:
            print(f"not checked: pass '{name}' ran in no kernel; --pipeline-file inserts it", file=sys.stderr)
    what = (
        f"the results are the same with and without {', '.join(skipped)}"
        if skipped
        else "no pass changes a result, and the launches' results are right"
    )
    if hunt.checked:
        print(f"{hunt.checked} launch{'es' * (hunt.checked != 1)}: {what}")
    elif hunt.count and options.kernel and not hunt.unchecked:
        print(f"no kernel {options.kernel} was launched, so nothing was checked", file=sys.stderr)
    else:
        which = "with such a pass was" if hunt.count else "was"
        print(f"no kernel {which} launched, so nothing was checked", file=sys.stderr)
    return code or 1


def _found(finding: Finding, options: argparse.Namespace) -> int:
    print(f"launch {finding.launch}, kernel {finding.kernel}: {finding.message}")
    if not finding.passes:
        print("no pass changes the result down to llvm: LLVM, ptxas or the GPU does, or the kernel has a race")
    application, total = first_wrong(finding.is_wrong, finding.skipped) if finding.passes else (None, 0)
    if not finding.passes:
        pass
    elif application is not None:
        print(f"pattern {application.number} of {total} tried makes it wrong: {application.pattern}")
        print(f"  on {application.operation}\n  at {application.location}")
    else:
        print(f"none of the {total} patterns tried makes it wrong" if total else "the pass is not made of patterns")
    files, unknown = _files_of_passes(finding, options.load_pass)
    written = write(finding, options.output, files, options.jobs)
    size = f"{written.operations} operations" if written.operations is not None else "not reduced"
    print(f"reproducer ({size}): {written.path}\n  {written.command}")
    for name in unknown:
        print(f"  add --load-pass=FILE.py: the script defines '{name}', so move it to a file of its own")
    return 0


def _files_of_passes(finding: Finding, given: list[str]) -> tuple[list[str], list[str]]:
    """The files that the reproducer's command loads, and names of passes that no file brings."""
    files, unknown = dict.fromkeys(given), []
    for name in map(pass_name, finding.passes):
        if (path := file_of_pass(name)) is not None:
            files[path] = None
        elif bridge.users_class(name) is not None and name not in bridge.REGISTERED.of_packages:
            unknown.append(name)
    return list(files), unknown
