"""Python files of users that commands run: passes, and changes of the stages."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import ttkit
from ttkit.drivers.user_errors import UserError
from ttkit.passes.infra import bridge


def load_passes(paths: Iterable[str]) -> None:
    """Registers the passes of the files that --load-pass names.

    Raises:
        UserError: one can't be read, or is wrong; with its line, and the error as the cause.
    """
    _load("--load-pass", bridge.load_pass_file, paths)


def change_stages(paths: Iterable[str]) -> None:
    """Runs the files that --pipeline-file names.

    Raises:
        UserError: as `load_passes`.
    """
    _load("--pipeline-file", ttkit.pipelines.load, paths)


def _load(option: str, load: Callable[[str], object], paths: Iterable[str]) -> None:
    for path in paths:
        try:
            load(path)
        except Exception as error:  # whatever is wrong with a user's file
            text = error if isinstance(error, OSError) else bridge.one_line(error, path)
            raise UserError(f"{option}: {text}") from error
