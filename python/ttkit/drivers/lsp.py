"""tt-lsp: the language server for IR, on standard input and output; editors start it (docs/editors.md).

`tt-lsp --native OPTIONS` is MLIR's server alone, with its options: --log=verbose, --pretty, --lit-test.
"""

from __future__ import annotations

import ctypes
import os
import sys

from ttkit.installation import VERSION
from ttkit.standard_streams import end_at_interrupts, with_standard_streams


@with_standard_streams
def main(arguments: list[str]) -> None:
    """Runs the server and ends the process with its exit code; 2 for a malformed command line."""
    end_at_interrupts()
    if arguments[:1] == ["--native"]:
        sys.exit(native(arguments[1:]))
    if arguments == ["--version"]:
        print(f"tt-lsp (ttkit {VERSION})")
    elif arguments in (["--help"], ["-h"]):
        print((__doc__ or "").strip())
    elif [one for one in arguments if one != "--stdio"]:
        print(f"error: tt-lsp does not know '{arguments[0]}'; see tt-lsp --help", file=sys.stderr)
        sys.exit(2)
    else:
        from ttkit.language_server.relay import serve

        sys.exit(serve())


def native(arguments: list[str]) -> int:
    """Runs MLIR's server; gives its exit code."""
    import ttkit.entry_points as entry_points
    from ttkit._native import library_alone

    if entry_points.some_package_adds(entry_points.DIALECTS):
        import ttkit.dialects.defined as defined

        defined.load_for_command()
    argv = [b"tt-lsp", *map(os.fsencode, arguments)]
    array = (ctypes.c_char_p * (len(argv) + 1))(*argv, None)
    return library_alone().ttkitLspMain(len(argv), array)


if __name__ == "__main__":
    main()
