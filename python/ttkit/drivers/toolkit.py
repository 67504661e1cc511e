"""ttkit: begins passes and operations, looks after what ttkit keeps, and shows what it does.

    ttkit examples                                    the files that the documentation uses, in a folder `examples`
    ttkit new-pass strength-reduction                 a pass of your own and its test, to change
    ttkit new-op roll.rotate                          a package with an operation of its own
    ttkit new-op tt.rotate view                       an operation, in a checkout of ttkit
    ttkit schedule FILE [-o loop.svg]                 how the loops of a kernel, or of a script, are pipelined
    ttkit lift --at tritongpu-pipeline script.py      a kernel after a pass, as source in Gluon
    ttkit sanitize all python script.py               every access of the script's kernels checked, without a GPU
    ttkit show-access script.py                       a page: which program, warp, lane touches which element, when
    ttkit prove FILE --size x=n --grid 'cdiv(n, 256)' whether its accesses can be out of bounds, for all sizes
    ttkit bisect script.py ARGS                       which pass, which pattern of it makes a result wrong
    ttkit fuzz --pass strength-reduction              random programs for a pass; what goes wrong is kept
    ttkit trace script.py ARGS                        a page about every pass of the script's kernels
    ttkit trace --compare a.html b.html               which pass first made two traces differ
    ttkit explore script.py ARGS                      the same in a browser, to edit IR and passes, and run on
    ttkit profile script.py ARGS                      a page about the time of the script's kernels
    ttkit why script.py ARGS                          why its kernels are slow, and what to do
    ttkit aot k.py -n add -s "*fp32, i32, 1024" ...   a kernel as C, for programs without Python
    ttkit export serve.py --out bundle                its kernels, for machines without a compiler
    ttkit compile-all launches.json -t sm_80,sm_90 -o bundle.ttkit      a list of launches, likewise
    ttkit tune --executor dask:tcp://host:8786 a.py   tunes a script's kernels on many workers
    ttkit tune --show                                 the times of all configurations
    ttkit doctor                                      what is installed, and what is wrong
    ttkit completion bash                             completions of all commands for bash, zsh, fish
    ttkit man ~/.local/share/man/man1                 manual pages of all commands
    ttkit cache ls                                    the kernels in the cache
    ttkit cache verify                                checks every file; exit code 1 if one is damaged
    ttkit cache gc --older-than 30 --max-size 2G      removes what is left over, damaged, old, too much
    ttkit cache export kernels.zip                    its kernels, for the caches of other machines
    ttkit cache import kernels.zip                    adds them to this one
    ttkit cache warm /mnt/cache                       copies what a shared cache has

The cache is the folder of TRITON_CACHE_DIR, or `.triton/cache` at home; --dir names another.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from typing import Any

import ttkit
from ttkit import knobs
from ttkit.cache.entries import Entry, Removal, amount, entries, garbage, remove
from ttkit.drivers.command_lines import add_commands
from ttkit.drivers.scaffolds import add_scaffolds
from ttkit.drivers.shared_commands import add_cache_actions, add_tune
from ttkit.drivers.user_errors import UserError, command
from ttkit.number_options import between
from ttkit.suggestions import suggestion

_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_DAY = 24 * 3600


@command()
def main(arguments: list[str]) -> None:
    """Runs ttkit and ends the process: exit code 0, 1 after an error or damage, 2 for a malformed command line."""
    splits = arguments[:1] in (["export"], ["upgrade-report"]) and "--" in arguments
    end = arguments.index("--") if splits else len(arguments)
    parser = command_line()
    if not arguments:
        parser.print_help(sys.stderr)
        sys.exit(2)
    subjects = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction)).choices
    if arguments[0] not in subjects and not arguments[0].startswith("-"):
        parser.error(f"there is no command {arguments[0]}{suggestion(arguments[0], subjects)}")
    options, unknown = parser.parse_known_args(arguments[:end])
    if unknown:  # the command's usage, where argparse would show that of all commands
        known = [name for name in subjects[options.subject]._option_string_actions if name.startswith("--")]
        near = suggestion(unknown[0], known) if unknown[0].startswith("-") else ""
        subjects[options.subject].error(f"unrecognized arguments: {' '.join(unknown)}{near}")
    _note_options_of_the_script(parser, options)
    options.script_arguments = arguments[end + 1 :]
    sys.exit(options.run(options))


def _note_options_of_the_script(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    """Says which options of the command stand after the script, which gets them: a frequent slip."""
    script, *words = getattr(options, "script", None) or getattr(options, "command", None) or [""]
    if "--" in words:
        words = words[: words.index("--")]
    subjects = next(action for action in parser._actions if isinstance(action, argparse._SubParsersAction))
    known = subjects.choices[options.subject]._option_string_actions
    for word in words:
        if (name := word.partition("=")[0]) in known and name not in ("-h", "--help"):
            said = f"note: {name} stands after {script}, which gets it; ttkit {options.subject} takes options before it"
            print(said, file=sys.stderr)


def command_line() -> argparse.ArgumentParser:
    """The arguments of `ttkit` and all its commands."""
    parser = argparse.ArgumentParser(
        prog="ttkit", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"ttkit {ttkit.__version__}")
    subjects = parser.add_subparsers(dest="subject", required=True, metavar="COMMAND")
    add_commands(subjects)
    add_tune(subjects)
    add_scaffolds(subjects)
    cache = subjects.add_parser("cache", help="compiled kernels on disk")
    actions = cache.add_subparsers(dest="action", required=True, metavar="ls|verify|gc|export|import|warm")
    listing = actions.add_parser("ls", help="list the kernels, most recently used first")
    listing.add_argument("--json", action="store_true", help="one JSON object a line, with all metadata")
    listing.set_defaults(run=_list_entries)
    verifying = actions.add_parser("verify", help="check every file")
    verifying.add_argument("--remove", action="store_true", help="remove damaged entries")
    verifying.set_defaults(run=verify)
    collecting = actions.add_parser("gc", help="remove old entries")
    collecting.add_argument(
        "--older-than", action=between(0), type=float, metavar="DAYS", help="remove entries not used for this long"
    )
    collecting.add_argument(
        "--max-size",
        type=size,
        metavar="SIZE",
        help="remove the least recently used entries beyond this size: 500M, 2G...",
    )
    collecting.add_argument("--dry-run", action="store_true", help="say what would be removed")
    collecting.set_defaults(run=_collect)
    for action in (listing, verifying, collecting, *add_cache_actions(actions)):
        action.add_argument("--dir", metavar="DIR", help="the cache")
    return parser


def size(text: str) -> int:
    """Bytes of `500M`.

    Raises:
        ArgumentTypeError: it is not a size.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMGT]?)B?", text, re.IGNORECASE)
    if found is None:
        raise argparse.ArgumentTypeError(f"'{text}' is not a size; write 500M or 2G")
    return int(float(found[1]) * _UNITS[found[2].upper()])


def _found_entries(options: argparse.Namespace) -> list[Entry]:
    try:
        return list(entries(directory(options)))
    except FileNotFoundError:
        if options.dir:
            raise UserError(f"no such folder: {options.dir}") from None
        return []  # nothing was compiled yet


def directory(options: argparse.Namespace) -> str:
    """The folder of the cache: the one given, or that of the settings."""
    return options.dir or knobs.cache.dir


def _list_entries(options: argparse.Namespace) -> int:
    found = sorted((entry for entry in _found_entries(options) if entry.groups), key=lambda entry: -entry.used)
    for entry in found:
        metadata = entry.metadata()
        if options.json:
            described = {"key": entry.key, "size": entry.size, "used": entry.used, "metadata": metadata}
            print(json.dumps(described))
        else:
            print(row(entry, metadata))
    if not options.json:
        total = sum(entry.size for entry in found)
        print(f"{len(found)} kernels, {amount(total)} in {directory(options)}")
    return 0


def row(entry: Entry, metadata: dict[str, Any]) -> str:
    """A kernel in one line: when, how large, what."""
    used = time.strftime("%Y-%m-%d %H:%M", time.localtime(entry.used))
    target = metadata.get("target")
    arch = f"sm_{target['arch']}" if isinstance(target, dict) and "arch" in target else "?"
    options = " ".join(
        f"{name}={metadata[name]}" for name in ("num_warps", "num_stages", "num_ctas") if name in metadata
    )
    name = metadata.get("name") or entry.groups[0].removesuffix(".json")
    return f"{used}  {amount(entry.size):>8}  {arch:<7} {name}  {options}  {entry.key}"


def verify(options: argparse.Namespace) -> int:
    """Prints what is wrong with entries of the cache; gives 1 if anything is, or if there are none."""
    damaged = 0
    found = _found_entries(options)
    for entry in found:
        if problems := entry.problems():
            damaged += 1
            print("\n".join(problems))
            if options.remove:
                remove(Removal(entry.folder, problems[0], entry.size))
    kernels = sum(bool(entry.groups) for entry in found)
    if not found:
        print(f"no kernel was checked: {directory(options)} has none", file=sys.stderr)
        return 1
    print(f"{kernels} kernels, {damaged} damaged{' and removed' if damaged and options.remove else ''}")
    return int(damaged > 0 and not options.remove)


def _collect(options: argparse.Namespace) -> int:
    older_than = None if options.older_than is None else options.older_than * _DAY
    try:
        removals = list(garbage(directory(options), older_than=older_than, max_size=options.max_size))
    except FileNotFoundError:
        if options.dir:
            raise UserError(f"no such folder: {options.dir}") from None
        removals = []
    for removal in removals:
        print(f"{removal.path}: {removal.reason}")
        if not options.dry_run:
            remove(removal)
    done = "would be removed" if options.dry_run else "removed"
    print(f"{len(removals)} {done}, {amount(sum(removal.size for removal in removals))}")
    return 0
