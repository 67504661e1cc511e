"""tt-lsp: the language server for IR, on standard input and output; editors start it (docs/editors.md).

Options are those of MLIR's server: `tt-lsp --log=verbose`, `--pretty`, `--lit-test`.
"""

from __future__ import annotations

import ctypes
import os
import sys

from ttkit._native import library_alone


def main(arguments: list[str] | None = None) -> None:
    """Runs the server and ends the process with its exit code.

    Args:
        arguments: the command line without the program's name; by default that of the process.
    """
    argv = [b"tt-lsp", *map(os.fsencode, sys.argv[1:] if arguments is None else arguments)]
    array = (ctypes.c_char_p * (len(argv) + 1))(*argv, None)
    sys.exit(library_alone().ttkitLspMain(len(argv), array))


if __name__ == "__main__":
    main()
