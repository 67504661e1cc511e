"""ttkit tune: tunes the kernels of a script on the workers of executors; shows, exports and merges what was timed."""

from __future__ import annotations

import argparse
import json
import os
import sys
from dataclasses import asdict
from typing import Any

import ttkit.compat
from ttkit import knobs
from ttkit.autotuning.store import Store, StoreError
from ttkit.autotuning.store_address import store_at
from ttkit.autotuning.store_report import report
from ttkit.drivers.scripts import script_of
from ttkit.drivers.user_errors import UserError, check_output
from ttkit.executors import ExecutorError, named_executor
from ttkit.user_scripts import run_script
from ttkit.whole_files import read_file, write_files


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code: that of a script that fails; 1 if nothing is tuned, or new.

    Raises:
        UserError: a file, a store or an executor can't be used, or nothing is asked for.
    """
    address = options.store or knobs.autotuning.store or knobs.cache.get_triton_dir("tuning.sqlite")
    try:
        store = store_at(os.path.expanduser(address) if "://" not in address else address)
        new = sum(_import(store, path) for path in options.imported)
        if options.export:
            _export(store, options.export)
        if options.show:
            _show(store, options)
        if options.script:
            return _tune(store, options)
    except StoreError as error:
        raise UserError(str(error)) from None
    if not (options.imported or options.export or options.show):
        raise UserError("name a script, or give --show, --export FILE or --import FILE")
    return int(not (new or options.export or options.show))


def _tune(store: Store, options: argparse.Namespace) -> int:
    script, arguments = script_of(options.script)
    heard: list[str] = []

    def hear(*, fn: Any, key: Any, best_config: Any, configs_timings: Any, duration: float | None, **_: Any) -> None:
        """Tells of each tuning."""
        how = "taken from the store" if duration is None else f"{len(configs_timings)} configurations, {duration:.1f} s"
        time = f": {configs_timings[best_config][0]:.4g} ms" if best_config in configs_timings else ""
        heard.append(fn.__name__)
        print(f"{fn.__name__} {key}: {best_config}{time} ({how if time else 'of the nearest key'})", file=sys.stderr)

    with knobs.autotuning.scope():
        tuning = knobs.autotuning
        tuning.store, tuning.listener = store.address, hear
        tuning.executor = _checked(options.executor) or tuning.executor
        tuning.timing_executor = _checked(options.timing_executor) or tuning.timing_executor
        tuning.nearest = options.nearest or tuning.nearest
        tuning.prune = options.prune or tuning.prune
        if options.jobs is not None:
            tuning.jobs = options.jobs
        ttkit.compat.install()
        code = run_script(script, arguments)
    if code:
        return code
    if not heard:
        raise UserError(f"{script} tuned no kernel: launch kernels with @autotune and several configurations, on a GPU")
    print(f"{len(heard)} tunings; TTKIT_AUTOTUNING_STORE={store.address} takes these choices", file=sys.stderr)
    return 0


def _checked(text: str | None) -> str:
    """The text, once it names an executor."""
    try:
        if text:
            named_executor(text)
    except ExecutorError as error:
        raise UserError(str(error)) from None
    return text or ""


def _show(store: Store, options: argparse.Namespace) -> None:
    timings = store.timings(**({"kernel": options.kernel} if options.kernel else {}))
    if not timings:
        named = f" of {options.kernel}" if options.kernel else ""
        raise UserError(f"{store.address} has no times{named}: run `ttkit tune SCRIPT`")
    if options.json:
        for one in timings:
            print(json.dumps(asdict(one)))
    else:
        print(report(timings, store.choices()))


def _export(store: Store, path: str) -> None:
    check_output(path)
    found = store.exported()
    count = len(json.loads(found)["timings"])
    if not count:
        raise UserError(f"{store.address} has no times: {path} is not written")
    write_files({path: found})
    print(f"wrote {path}: {count} times", file=sys.stderr)


def _import(store: Store, path: str) -> int:
    """Merges an exported file, or another store; gives the number of times and choices that are new."""
    if "://" in path:
        text: str | bytes = store_at(path).exported()
    else:
        text = read_file(path)
        if text.startswith(b"SQLite format 3\0"):
            text = store_at(path).exported()
    try:
        timings, choices = store.merge(text)
    except ValueError as error:
        raise UserError(f"{path} is not a file of `ttkit tune --export`: {error}") from None
    print(f"{path}: {timings} times and {choices} choices are new", file=sys.stderr)
    return timings + choices
