"""The viewer of profiles: the tree with its metrics as text.  The command `proton-viewer`.

proton-viewer -l matmul.hatchet                       which metrics there are
proton-viewer -m time/ms,util matmul.hatchet          the tree, with one or two
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from ttkit.installation import VERSION
from ttkit.number_options import OutOfRange, between
from ttkit.profiler.profile_tree import Frame, ProfileTree
from ttkit.standard_streams import with_standard_streams

FORMATS = ("full", "file_function_line", "function_line", "file_function")
# Shares of the range of the first metric, and the colours of what lies above; as hatchet's legend has them.
_COLOURS = (
    (0.9, "38;5;196"),
    (0.7, "38;5;208"),
    (0.5, "38;5;220"),
    (0.3, "38;5;46"),
    (0.1, "38;5;34"),
    (0.0, "38;5;22"),
)
_NAME_WIDTH = 105


def read(filename: str) -> ProfileTree:
    """The profile in a file.

    Raises:
        OSError: the file can't be read.
        ValueError: it is not a profile.
    """
    text = Path(filename).read_text(encoding="utf-8")
    try:
        return ProfileTree.from_json(text)
    except ValueError as error:
        raise ValueError(f"{filename}: {error}") from None


def parse(
    metrics: Sequence[str],
    filename: str,
    include: str | None = None,
    exclude: str | None = None,
    threshold: float | None = None,
) -> tuple[ProfileTree, list[str]]:
    """The profile in a file, with columns for metrics.

    A metric that the file has nothing for is left out, and said so on stderr, if there is another one.

    Args:
        metrics: names, see `ProfileTree.derive`.
        include, exclude: regular expressions, see `ProfileTree.select`.
        threshold: frames whose first metric is below it are left out.

    Returns:
        the profile, and the names of the columns.

    Raises:
        OSError: the file can't be read.
        ValueError: it is not a profile, or has nothing for any of the metrics.
    """
    tree = read(filename)
    columns, missing = [], []
    for metric in metrics:
        try:
            columns.append(tree.derive(metric))
        except ValueError as error:
            missing.append(error)
    if missing and not columns:
        raise missing[0]
    for problem in missing:
        print(f"{filename}: {problem}", file=sys.stderr)
    tree.select(include, exclude)
    if threshold is not None and columns:
        tree.above(columns[0], threshold)
    return tree, columns


def apply_diff_profile(
    tree: ProfileTree,
    derived_metrics: Sequence[str],
    diff_file: str,
    metrics: Sequence[str],
    include: str | None = None,
    exclude: str | None = None,
    threshold: float | None = None,
) -> tuple[ProfileTree, list[str]]:
    """The profile less another one.

    Raises:
        OSError, ValueError: as `parse`.
    """
    other, _ = parse(metrics, diff_file, include, exclude, threshold)
    tree.subtract(other, derived_metrics)
    return tree, list(derived_metrics)


def print_tree(
    tree: ProfileTree,
    metrics: Sequence[str],
    depth: int = 100,
    format: str | None = None,
    print_sorted: bool = False,
    file: TextIO | None = None,
) -> None:
    """Prints the tree with the columns; in colour, with a legend, on a terminal.

    Args:
        metrics: names of columns, as `parse` gives them.
        depth: levels that are shown.
        format: how frames of Python are named, one of FORMATS.
        print_sorted: also the frames by the first column, the largest first.
        file: stdout without.
    """
    file = file or sys.stdout
    colours = _Colours(tree, metrics[0]) if metrics and _is_colourful(file) else None
    for line in _lines(tree.root, metrics, depth, format, "", "", colours):
        print(line, file=file)
    if colours is not None:
        print(*colours.legend(), sep="\n", file=file)
    print(file=file)
    if print_sorted and metrics:
        _print_sorted(tree, metrics[0], format, file)


def _print_sorted(tree: ProfileTree, column: str, format: str | None, file: TextIO) -> None:
    print(f"Sorted kernels by metric {column}", file=file)
    frames = [frame for frame in tree.root.walk() if frame is not tree.root]
    frames.sort(key=lambda frame: -math.inf if math.isnan(frame.values[column]) else frame.values[column], reverse=True)
    for frame in frames:
        name = format_name(frame.name, format)[: _NAME_WIDTH - 5]
        print(f"{name:{_NAME_WIDTH}} {float(frame.values[column]):.4}", file=file)


def _lines(
    frame: Frame,
    metrics: Sequence[str],
    depth: int,
    format: str | None,
    first: str,
    rest: str,
    colours: _Colours | None,
) -> list[str]:
    values = " ".join(f"{frame.values[metric]:.3f}" for metric in metrics)
    if colours is not None:
        values = colours.of(frame, values)
    name = format_name(frame.name, format)
    mark = f" {frame.mark} " if frame.mark else ""
    lines = [f"{first}{values}{' ' if values else ''}{name}{mark}"]
    children = frame.children if depth > 1 else []
    for index, child in enumerate(children):
        is_last = index == len(children) - 1
        beginning, going_on = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
        lines += _lines(child, metrics, depth - 1, format, rest + beginning, rest + going_on, colours)
    return lines


def format_name(name: str, format: str | None) -> str:
    """A frame of Python, `/path/file.py:12@function`, as the format has it; other names as they are."""
    place, at, function = name.rpartition("@")
    path, colon, line = place.rpartition(":")
    if format in (None, "full") or not at or not colon or not line.isdigit():
        return name
    file = os.path.basename(path)
    texts = {
        "file_function_line": f"{file}:{line}@{function}",
        "function_line": f"{line}@{function}",
        "file_function": f"{file}@{function}",
    }
    return texts[str(format)]


class _Colours:
    """Colours for the values of a column, by where they lie between the least and the largest."""

    def __init__(self, tree: ProfileTree, column: str) -> None:
        values = [value for frame in tree.root.walk() if not math.isnan(value := frame.values[column])]
        self.column, self.least, self.largest = column, min(values, default=0.0), max(values, default=0.0)

    def of(self, frame: Frame, text: str) -> str:
        """The text in the colour of the frame's value."""
        value = frame.values[self.column]
        if math.isnan(value):
            return text
        range_ = self.largest - self.least
        share = (value - self.least) / range_ if range_ else 1.0
        colour = next(colour for bound, colour in _COLOURS if share >= bound)
        return f"\x1b[{colour}m{text}\x1b[0m"

    def legend(self) -> list[str]:
        """Lines that say which colour stands for which values."""
        lines = ["", f"Legend (Metric: {self.column} Min: {self.least:.2f} Max: {self.largest:.2f})"]
        upper, range_ = self.largest, self.largest - self.least
        for bound, colour in _COLOURS:
            lower = self.least + bound * range_
            lines.append(f"\x1b[{colour}m█ \x1b[0m{lower:.2f} - {upper:.2f}")
            upper = lower
        return lines


def _is_colourful(file: TextIO) -> bool:
    return file.isatty() and not os.environ.get("NO_COLOR")


def show_metrics(file_name: str) -> None:
    """Prints which metrics a file has.

    Raises:
        OSError, ValueError: as `read`.
    """
    inclusive, others = read(file_name).metrics()
    for title, names in (("inclusive", inclusive), ("exclusive", others)):
        if names:
            print(f"Available {title} metrics:")
            print(*(f"- {name}" for name in names), sep="\n")


_METRICS_HELP = """one or two, with a comma between: a metric of the file, whatever its case and without its unit,
or one that follows from those:
  time/s, time/ms, time/us, time/ns; cpu_time/... the same
  avg_time/s, ...                    time by count
  flop[8|16|32|64]/s, gflop.../s, tflop.../s
  byte/s, gbyte/s, tbyte/s
  util                               the least time for operations and bytes on this GPU, divided by the time taken
  METRIC/%%                           the share of the root's; of inclusive metrics
without: time/ms"""


def command_line() -> argparse.ArgumentParser:
    """The arguments of `proton-viewer`."""
    parser = argparse.ArgumentParser(
        prog="proton-viewer",
        description="Shows profiles that ttkit.profiler, or Triton's, has written.",
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("-l", "--list", action="store_true", help="which metrics the file has")
    parser.add_argument("-m", "--metrics", help=_METRICS_HELP)
    parser.add_argument("-i", "--include", metavar="REGEX", help="only the ways through frames that match")
    parser.add_argument("-e", "--exclude", metavar="REGEX", help="without the frames that match, and what is in them")
    parser.add_argument(
        "-t", "--threshold", action=between(None), type=float, help="only frames whose first metric is not below"
    )
    parser.add_argument("-d", "--depth", action=between(0), type=int, default=100, help="levels that are shown (100)")
    parser.add_argument("-f", "--format", choices=FORMATS, default="full", help="how frames of Python are named")
    parser.add_argument("--print-sorted", action="store_true", help="also the frames by the first metric")
    parser.add_argument("-diff", "--diff-profile", metavar="FILE", help="less the values of another profile")
    parser.add_argument("file", help="NAME.hatchet")
    parser.add_argument("--version", action="version", version=f"proton-viewer (ttkit {VERSION})")
    return parser


@with_standard_streams
def main(arguments: list[str]) -> None:
    """Runs proton-viewer and ends the process: exit code 0, 1 after an error, 2 for a malformed command line."""
    try:
        options = command_line().parse_args(arguments)
        if options.list:
            show_metrics(options.file)
            return
        metrics = [name.strip() for name in (options.metrics or "time/ms").split(",")]
        chosen = (options.include, options.exclude, options.threshold)
        tree, columns = parse(metrics, options.file, *chosen)
        if options.diff_profile:
            tree, columns = apply_diff_profile(tree, columns, options.diff_profile, metrics, *chosen)
        print_tree(tree, columns, options.depth, options.format, options.print_sorted)
    except BrokenPipeError:
        raise
    except (OSError, ValueError, OutOfRange) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
