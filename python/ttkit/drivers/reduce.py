"""tt-reduce: makes IR, or a Python script with kernels, as small as it can be and still show a bug.

    tt-reduce in.mlir --test-pass canonicalize,my-pass --differs     a pass changes what the kernel computes
    tt-reduce in.mlir --test-pass my-pass --refuted                  a pass is refuted (ttkit prove --passes)
    tt-reduce in.mlir --test-pass my-pass --crash                    a pass ends the process, or raises
    tt-reduce in.mlir --test-pass my-pass --fails                    a pass ends with a diagnostic
    tt-reduce in.mlir --test-pass my-pass --contains 'RE'            the output, or the diagnostics, contain it
    tt-reduce in.mlir --test-pass my-pass --slower-than 2            it takes longer than 2 seconds
    tt-reduce in.mlir --test './test.sh'                             exit code 0 of a command, which gets the file
    tt-reduce script.py --contains 'RE'                              what the script prints contains it
    tt-reduce script.py --test './test.sh'

In a command {} is the file; without {} the file comes last.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path
from typing import Any

from ttkit.drivers.common_arguments import add_load_pass
from ttkit.drivers.user_errors import UserError, check_output, command, text_of
from ttkit.installation import VERSION
from ttkit.number_options import between
from ttkit.workers import processors

MIN_TIMEOUT = 20.0


@command()
def main(arguments: list[str]) -> None:
    """Runs tt-reduce and ends the process: exit code 0, 1 after an error, 2 for a malformed command line."""
    parser = command_line()
    options = parser.parse_args(arguments)
    check_options(parser, options)
    if options.output != "-":
        check_output(options.output)
    run(options)


def command_line() -> argparse.ArgumentParser:
    """The arguments of tt-reduce."""
    parser = argparse.ArgumentParser(
        "tt-reduce", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", metavar="FILE", help="IR, or a Python script (.py)")
    parser.add_argument("-o", dest="output", default="-", metavar="FILE", help="default: standard output")
    parser.add_argument(
        "--test", metavar="COMMAND", help="a shell command that exits with 0 if a candidate still shows the bug"
    )
    parser.add_argument("--test-pass", metavar="PIPELINE", help="passes to run, as for tt-opt --pass-pipeline")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--crash", action="store_true", help="the passes crash, or raise an exception")
    kinds.add_argument("--fails", action="store_true", help="the passes end with a diagnostic")
    kinds.add_argument("--differs", action="store_true", help="a pass changes what the kernel computes")
    kinds.add_argument("--refuted", action="store_true", help="a pass is refuted, as by tt-opt --prove-passes")
    kinds.add_argument("--slower-than", type=seconds, metavar="SECONDS", help="the passes take longer; 0.5 or 500ms")
    kinds.add_argument("--contains", metavar="RE", help="a regular expression that the output must contain")
    add_load_pass(parser)
    parser.add_argument(
        "--arg", action="append", default=[], metavar="NAME=VALUE", help="with --differs: an argument, as for tt-run"
    )
    parser.add_argument(
        "--runs", action=between(1), type=int, default=1, metavar="N", help="with --differs: sets of inputs (1)"
    )
    parser.add_argument(
        "--seed", action=between(0), type=int, default=0, metavar="N", help="with --differs: seed of the inputs (0)"
    )
    parser.add_argument(
        "-j", dest="jobs", action=between(1), type=int, default=min(processors(), 8), metavar="N", help="processes"
    )
    parser.add_argument("--timeout", type=seconds, metavar="SECONDS", help="time limit of a candidate (20)")
    parser.add_argument(
        "--max-time", type=seconds, default=float("inf"), metavar="SECONDS", help="time limit of the reduction"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no report on standard error")
    parser.add_argument("--version", action="version", version=f"tt-reduce (ttkit {VERSION})")
    return parser


def seconds(text: str) -> float:
    """Seconds of `2`, `0.5` or `500ms`.

    Raises:
        ArgumentTypeError: it is not a time.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)(ms|s)?", text)
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not a time; write 0.5 or 500ms")
    return float(found[1]) * (1e-3 if found[2] == "ms" else 1.0)


def check_options(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Ends the process with 2 where options don't go together."""
    asks = options.crash or options.fails or options.differs or options.refuted or options.contains
    asks = asks or options.slower_than is not None
    if options.test and options.test_pass:
        parser.error("--test and --test-pass exclude each other: use one")
    if options.test_pass and not asks:
        parser.error(
            "--test-pass needs a condition: --crash, --fails, --differs, --refuted, --slower-than or --contains"
        )
    if options.file.endswith(".py"):
        if options.test_pass or not (options.test or options.contains):
            parser.error("a script needs --test COMMAND, or --contains RE for its output")
    elif not options.test and not options.test_pass:
        parser.error("no condition was given; use --test COMMAND, or --test-pass PIPELINE with --crash, --differs...")
    if options.test and asks and not options.contains:
        parser.error("--test can be combined with --contains only; the other options belong to --test-pass")
    if options.contains is not None:
        try:
            re.compile(options.contains)
        except re.error as error:
            parser.error(f"--contains takes a regular expression: {error}")
    if options.jobs < 1 or options.runs < 1:
        parser.error("-j and --runs take numbers from 1 on")


def question(options: argparse.Namespace) -> Any:
    """The question that candidates are asked."""
    from ttkit.reduce import questions

    timeout = options.timeout or max(MIN_TIMEOUT, 5 * (options.slower_than or 0))
    if not options.test_pass:
        command = options.test or f"{sys.executable} {{}}"
        suffix = Path(options.file).suffix or ".mlir"
        return questions.Command(timeout=timeout, command=command, suffix=suffix, expression=options.contains)
    asked: dict[str, Any] = {"timeout": timeout, "pipeline": options.test_pass}
    if options.crash:
        return questions.Crashes(**asked)
    if options.fails:
        return questions.Fails(**asked)
    if options.refuted:
        return questions.Refuted(**asked)
    if options.slower_than is not None:
        return questions.Slower(**asked, seconds=options.slower_than)
    if options.contains:
        return questions.Contains(**asked, expression=options.contains)
    return questions.Differs(**asked, arguments=options.arg, runs=options.runs, seed=options.seed)


def run(options: argparse.Namespace) -> None:
    """Reduces the file.

    Raises:
        UserError: it is wrong, or shows nothing of what is asked.
    """
    text = text_of(options.file)
    from ttkit.reduce.reducer import Language, NotInteresting, Reducer

    if options.file.endswith(".py"):
        from ttkit.reduce.python_source import PythonSource

        language: Language = PythonSource()
        try:
            compile(text, options.file, "exec")
        except SyntaxError as error:
            raise UserError(f"{options.file}:{error.lineno}: {error.msg}") from None
    else:
        language = Language()
        prepare(options)
    began = time.monotonic()

    def progress(left: int, kind: str) -> None:
        """Reports the size that is left, and the kind of edit that comes next."""
        if not options.quiet:
            print(f"  {time.monotonic() - began:6.1f} s  {left:6} left  ({kind})", file=sys.stderr)

    reducer = Reducer(question(options), options.jobs, language, progress, options.max_time)
    try:
        found = reducer.reduce(text)
    except NotInteresting as error:
        # An error in the IR, of which the reducer has the text alone.
        said = [line for line in str(error).splitlines() if line.startswith('error: "-":')]
        in_file = "\n".join(
            line.replace('error: "-":', f"{options.file}:").replace(": ", ": error: ", 1) for line in said
        )
        raise UserError(in_file or f"{options.file}: {error}") from None
    what = "statements" if options.file.endswith(".py") else "operations"
    if not options.quiet:
        print(
            f"{found.before} {what} before, {found.operations} after {found.candidates} candidates in "
            f"{found.seconds:.1f} s: {found.sign}",
            file=sys.stderr,
        )
    if options.output == "-":
        sys.stdout.write(found.text)
    else:
        Path(options.output).write_text(found.text)


def prepare(options: argparse.Namespace) -> None:
    """Loads, before workers are forked, what each would load.

    Raises:
        UserError: a file of passes is wrong.
    """
    from ttkit.drivers.user_files import load_passes

    if options.differs:
        import ttkit.interpreter.check.check_passes
        import ttkit.interpreter.check.pipelines
    if options.refuted:
        import ttkit.validation
    import ttkit.passes.manager  # noqa: F401

    load_passes(options.load_pass)


if __name__ == "__main__":
    main()
