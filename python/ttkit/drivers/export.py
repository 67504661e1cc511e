"""ttkit export: runs a script, and lists what it launches, or puts its kernels into a bundle for machines without a
compiler."""

from __future__ import annotations

import argparse
import compileall
import os
import sys
from dataclasses import fields
from pathlib import Path
from py_compile import PycInvalidationMode
from tempfile import TemporaryDirectory

import ttkit.compat
import ttkit.knobs as knobs
from ttkit.aot.compile_only import has_chosen_device
from ttkit.aot.launch_list import LaunchList
from ttkit.aot.launches_of_processes import lists_in
from ttkit.drivers.user_errors import UserError, check_output
from ttkit.options import CompileOptions
from ttkit.runtime import bundle, bundle_answers, bundle_recording
from ttkit.runtime.bundle import Exported
from ttkit.runtime.compile import compile
from ttkit.runtime.variants import OF_THE_GPU
from ttkit.runtime_package import files as package_files
from ttkit.target import GPUTarget, Target, parse_capability
from ttkit.user_scripts import run_script

_ANY_GPU = "sm_90"  # that launches are compiled for while they are listed, where there is no GPU


def run(options: argparse.Namespace) -> int:
    """Does what the command line says; gives the exit code, for a script that fails its own.

    Raises:
        UserError: there is no such script, the folder exists, or the bundle can't be made.
    """
    if not os.path.isfile(options.script):
        raise UserError(f"no such file: {options.script}")
    is_list = options.out.suffix == ".json"
    if is_list:
        check_output(str(options.out))
    elif options.out.exists() and (not options.out.is_dir() or any(options.out.iterdir())):
        raise UserError(f"{options.out} exists already: name another folder, or remove it")
    try:
        targets = [parse_capability(text) for text in options.target.split(",")] if options.target else []
    except ValueError as error:
        raise UserError(str(error)) from None
    if (targets or is_list) and not has_chosen_device():
        os.environ["TTKIT_DEVICE"] = Target(targets[0]).arch if targets else _ANY_GPU
    ttkit.compat.install()
    with TemporaryDirectory() as folder, knobs.runtime.scope():
        if is_list:
            knobs.runtime.record_launches = folder
        with bundle_recording.recording() as found, bundle_answers.left_aside():
            code = run_script(options.script, options.script_arguments)
        launches = LaunchList()
        for one in lists_in(folder):
            launches.merge(one)
    if code:
        print(f"{options.script} ended with {code}: nothing is exported", file=sys.stderr)
        return code
    if not found and not launches and not launches.left_out:
        raise UserError(f"{options.script} used no kernels: launch them, or call kernel.warmup(...)")
    if is_list:
        return _write_list(options.out, launches)
    return _write_bundle(options.out, list(found.values()), targets, options)


def _write_list(out: Path, launches: LaunchList) -> int:
    """Writes what was launched; gives 1 if a launch can't be listed."""
    launches.save(out)
    for text in launches.left_out:
        print(f"not listed: {text}", file=sys.stderr)
    print(f"wrote {out}: {len(launches)} launch{'es' * (len(launches) != 1)}", file=sys.stderr)
    return int(bool(launches.left_out))


def _write_bundle(out: Path, exported: list[Exported], targets: list[int], options: argparse.Namespace) -> int:
    """Writes a folder with the kernels, and what launches them."""
    missing = [(one, arch) for one in exported for arch in targets if int(one.kernel.metadata.target.arch) != arch]
    with bundle_answers.left_aside():
        exported += [_for_target(one, arch) for one, arch in missing]
    if targets:
        exported = [one for one in exported if int(one.kernel.metadata.target.arch) in targets]
    files = bundle.contents_of(exported)
    _write(out, files, with_runtime=not options.no_runtime)
    size = sum(map(len, files.values()))
    print(f"wrote {out}: {bundle.Bundle(str(out)).described()}, {size / 1024:.0f} KB", file=sys.stderr)
    return 0


def _for_target(exported: Exported, arch: int) -> Exported:
    """The same kernel for another GPU."""
    source, options, _ = exported
    given = {field.name: getattr(options, field.name) for field in fields(options)}
    chosen = {name: value for name, value in given.items() if name not in OF_THE_GPU}
    return Exported(
        source, options, compile(source, GPUTarget("cuda", arch, 32), CompileOptions.for_capability(arch, **chosen))
    )


def _write(out: Path, files: dict[str, bytes], *, with_runtime: bool) -> None:
    """Writes the bundle.  Its index comes last: without it, no program takes the files for a bundle."""
    contents = [(out / name, data) for name, data in files.items()]
    if with_runtime:
        contents = [(out / "python" / "ttkit" / name, path.read_bytes()) for name, path in package_files()] + contents
    for path, data in contents:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if with_runtime:  # bytecode for this version of Python: the folder may be read-only where it is served
        compileall.compile_dir(out / "python", quiet=2, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
