"""The package as it is installed: its version, the folders that it lies in."""

import os
import sys

VERSION = "0.1.0"
FOLDER = os.path.dirname(os.path.abspath(__file__))


def folders() -> list[str]:
    """The folders that `ttkit` is made of: of an editable installation also those that were built."""
    return list(sys.modules[__name__.partition(".")[0]].__path__)
