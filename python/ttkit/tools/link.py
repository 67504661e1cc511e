"""Makes one function of the variants of each kernel that `ttkit.tools.compile` compiled, as Triton's tool does.

    python -m ttkit.tools.link build/add.*.h -o build/add

writes build/add.h and build/add.c.  `add_default(stream, ...)` launches the most specialized variant whose hints the
arguments meet; `add(stream, ..., algo_id)` does so among the variants of the same constants and options, in the order
of the headers.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from ttkit.aot.c_source import c_file
from ttkit.aot.command_line import fails_with_a_message
from ttkit.aot.dispatcher import Dispatcher, Linked, LinkerError, read_header
from ttkit.installation import VERSION
from ttkit.standard_streams import with_standard_streams
from ttkit.whole_files import write_files

desc = __doc__
"""The description of the command, by Triton's name."""
__all__ = ["LinkerError", "command_line", "desc", "main"]


def command_line() -> argparse.ArgumentParser:
    """The arguments, by the names that Triton's tool has for them."""
    parser = argparse.ArgumentParser(
        prog="ttkit.tools.link", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("headers", nargs="+", type=Path, help="headers of variants")
    parser.add_argument("--out", "-o", type=Path, required=True, help="the files to write, less .c and .h")
    parser.add_argument("--prefix", default="", help="goes before the names of the functions")
    parser.add_argument("--version", action="version", version=f"ttkit.tools.link (ttkit {VERSION})")
    return parser


@fails_with_a_message
def main(arguments: list[str] | None = None) -> None:
    """Runs the tool: exit code 0, 1 after an error, 2 for a malformed command line."""
    options = command_line().parse_args(arguments)
    variants = [one for path in options.headers for one in read_header(path.read_text(encoding="utf-8"), str(path))]
    kernels: dict[str, list[Linked]] = {}
    for one in variants:
        kernels.setdefault(one.base, []).append(one)
    linked = [Dispatcher.link(group, options.prefix) for group in kernels.values()]
    header = "\n".join(one.header() for one in linked)
    source = c_file(*(part for one in linked for part in (one.declarations(), one.definitions())))
    write_files({options.out.with_suffix(".h"): header, options.out.with_suffix(".c"): source})


if __name__ == "__main__":
    with_standard_streams(main)()
