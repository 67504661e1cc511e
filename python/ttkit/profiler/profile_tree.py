"""A profile that was read from a file: frames with their metrics, and what follows from these."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeGuard

from ttkit.json_shapes import check, load, number
from ttkit.profiler.specs import max_bps, max_flops

NAN = math.nan
_SECONDS = {"s": 1e-9, "ms": 1e-6, "us": 1e-3, "ns": 1.0}
_PREFIXES = {"": 1.0, "g": 1e9, "t": 1e12}
_TIMES = {"time": "time", "avg_time": "time", "cpu_time": "cpu_time", "avg_cpu_time": "cpu_time"}
_RATE = re.compile(r"([gt]?)(flop|byte)s?(8|16|32|64)?/s$")
_WIDTHS = (8, 16, 32, 64)
_FRAME: Any = {"frame": {"name": str}, "metrics": dict, "children": lambda: [_FRAME]}
_DEVICE = {"arch": object, "num_sms": number, "clock_rate": number, "memory_clock_rate": number, "bus_width": number}
_DEVICES = {str: {str: {f"{name}?": shape for name, shape in _DEVICE.items()}}}


class Frame:
    """A node of the tree.

    own: its metrics without units, as the file has them; texts too.
    values: {column: value}, what `derive` added.
    """

    def __init__(self, name: str, own: dict[str, Any], children: list[Frame]) -> None:
        self.name, self.own, self.children = name, own, children
        self.values: dict[str, float] = {}
        self.mark = ""

    @classmethod
    def from_literal(cls, literal: dict[str, Any]) -> Frame:
        """The frame that a file describes."""
        own = {unit_free(name): value for name, value in literal["metrics"].items()}
        children = [cls.from_literal(child) for child in literal["children"]]
        return cls(literal["frame"]["name"], own, sorted(children, key=lambda child: child.name))

    def walk(self) -> Iterator[Frame]:
        """This frame, then all below, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def inclusive(self, metric: str) -> float:
        """The sum of a metric over this frame and what is inside; NaN where nobody has it."""
        found = [value for frame in self.walk() if not math.isnan(value := frame.number(metric))]
        return sum(found) if found else NAN

    def number(self, metric: str) -> float:
        """The frame's own value of a metric; NaN if it has none."""
        value = self.own.get(metric)
        return value if _is_number(value) else NAN


def unit_free(metric: str) -> str:
    """`time` of `time (ns)`."""
    return metric.partition("(")[0].strip()


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


class ProfileTree:
    """A profile.

    Attributes:
        root: the outermost frame.
        devices: {type: {number: properties}}.
    """

    def __init__(self, root: Frame, devices: dict[str, dict[str, dict[str, Any]]]) -> None:
        self.root, self.devices = root, devices
        self._sums: dict[str, Callable[[Frame], float]] = {}  # columns that are metrics of the file

    @classmethod
    def from_json(cls, text: str) -> ProfileTree:
        """The profile that a .hatchet file holds.

        Raises:
            ValueError: it is no such file.
        """
        try:
            content = load(text, list)
            check(content[:1], [_FRAME], "its tree")
            check(content[1:], [_DEVICES], "its devices")
            root = Frame.from_literal(content[0])
            devices = content[1] if len(content) > 1 else {}
        except (IndexError, RecursionError, ValueError) as error:
            raise ValueError(f"this is not a profile: {error or 'nested too deeply'}") from None
        _keep(root, lambda frame: not frame.name.startswith("__proton"))
        _drop_empty(root)
        return cls(root, devices)

    def metrics(self) -> tuple[list[str], list[str]]:
        """Names of the inclusive metrics, which the root has, and of those of single frames."""
        inclusive = [name for name, value in self.root.own.items() if _is_number(value)]
        others = dict.fromkeys(name for frame in self.root.walk() for name in frame.own if name not in inclusive)
        return inclusive, list(others)

    def derive(self, metric: str) -> str:
        """Adds a column for a metric; its name.

        Args:
            metric: of the file, or one that follows from those: `time/ms`, `avg_time/us`, `tflop16/s`, `gbyte/s`,
                `util`, `time/%`.

        Raises:
            ValueError: the file has nothing that it follows from, or there is no such unit.
        """
        function, inclusive = self._function(metric)
        column = f"{metric} (inc)" if inclusive else metric
        if inclusive and "/" not in metric and metric != "util":
            self._sums[column] = function
        for frame in self.root.walk():
            frame.values[column] = function(frame)
        return column

    def _function(self, metric: str) -> tuple[Callable[[Frame], float], bool]:
        name, slash, unit = metric.partition("/")
        if name == "util":
            return self._utilization, True
        if rate := _RATE.match(metric.lower()):
            return self._rate(rate[1], rate[2], rate[3]), True
        source, inclusive = self._source(_TIMES.get(name.lower(), name))
        value = self._reader(source, inclusive)
        if unit == "%":
            if not inclusive:
                raise ValueError(f"Percentages are of inclusive metrics, and {name} is not one")
            total = value(self.root)
            return (lambda frame: value(frame) / total * 100 if total else NAN), True
        if not slash:
            return value, inclusive
        factor = _SECONDS.get(unit.lower())
        if factor is None or name.lower() not in _TIMES:
            raise ValueError(f"Unsupported unit {unit} of {name}")
        if name.lower().startswith("avg_"):
            count = self._reader(*self._source("count")) if name.lower() == "avg_time" else None
            return (lambda frame: _ratio(value(frame) * factor, count(frame) if count else 1)), inclusive
        return (lambda frame: value(frame) * factor), inclusive

    def _source(self, name: str) -> tuple[str, bool]:
        """The metric of the file that is meant, whatever its case, and whether it is inclusive."""
        inclusive, others = self.metrics()
        for known in (*inclusive, *others):
            if known.lower() == unit_free(name).lower():
                return known, known in inclusive
        raise ValueError(f"Metric {name} is not found. Use the --list flag to list available metrics")

    def _reader(self, source: str, inclusive: bool) -> Callable[[Frame], float]:
        if inclusive:
            return lambda frame: frame.inclusive(source)
        return lambda frame: frame.number(source)

    def _rate(self, prefix: str, kind: str, width: str | None) -> Callable[[Frame], float]:
        """Operations or bytes by time.  Without a width it is all operations that the file counts."""
        names = [f"{kind}s{width or ''}"]
        if kind == "flop" and width is None:
            names += [f"flops{each}" for each in _WIDTHS]
        known = set(self.metrics()[0]) | set(self.metrics()[1])
        names = [name for name in names if name in known]
        if not names:
            raise ValueError(f"Metric {kind}s{width or ''} is not found. Use the --list flag to list available metrics")
        scale = 1e9 / _PREFIXES[prefix]

        def rate(frame: Frame) -> float:
            """The sum of the metrics over the time, of a frame with all below it; NaN if it has none of them."""
            found = [value for name in names if not math.isnan(value := frame.inclusive(name))]
            return _ratio(sum(found) * scale, frame.inclusive("time")) if found else NAN

        return rate

    def _utilization(self, frame: Frame) -> float:
        """The least time that operations and bytes take on the GPU, by the time that they took."""
        known = [self._properties(each) for each in frame.walk()]
        properties = next((found for found in known if found is not None), None)
        if properties is None:
            return NAN
        least = []
        kind, device = properties
        flops = {width: frame.inclusive(f"flops{width}") for width in _WIDTHS}
        try:
            rates = {
                width: max_flops(kind, device["arch"], width, device["num_sms"], device["clock_rate"])
                for width in _WIDTHS
            }
        except ValueError:
            rates = {}
        if rates and (
            found := [_ratio(value, rates[width]) for width, value in flops.items() if not math.isnan(value)]
        ):
            least.append(sum(found) * 1e9)
        moved = frame.inclusive("bytes")
        if not math.isnan(moved):
            bandwidth = max_bps(kind, device["arch"], device["bus_width"], device["memory_clock_rate"])
            least.append(_ratio(moved, bandwidth) * 1e9)
        return _ratio(max(least), frame.inclusive("time")) if least else NAN

    def _properties(self, frame: Frame) -> tuple[str, dict[str, Any]] | None:
        kind = frame.own.get("device_type")
        found = self.devices.get(str(kind), {}).get(str(frame.own.get("device_id")))
        return None if found is None or not found.keys() >= _DEVICE.keys() else (str(kind), found)

    def select(self, include: str | None = None, exclude: str | None = None) -> None:
        """Keeps the ways through frames whose names match `include`; drops frames that match `exclude`, with all below.

        Metrics of the file are then sums over what is left, as hatchet has it; what is derived from them stays that of
        the whole profile.

        Raises:
            re.error: one is no regular expression.
        """
        if include:
            wanted = re.compile(include)
            _keep_ways(self.root, lambda frame: wanted.match(frame.name) is not None, False)
        if exclude:
            unwanted = re.compile(exclude)
            _keep(self.root, lambda frame: not unwanted.match(frame.name))
        if include or exclude:
            self._sum_again()

    def above(self, column: str, threshold: float) -> None:
        """Keeps frames whose value is not below the threshold, and those that they are in."""
        _keep_ways(self.root, lambda frame: frame.values[column] >= threshold, True)
        self._sum_again()

    def _sum_again(self) -> None:
        for column, function in self._sums.items():
            for frame in self.root.walk():
                frame.values[column] = function(frame)

    def subtract(self, other: ProfileTree, columns: Sequence[str]) -> None:
        """Subtracts the values of another profile from those of the same frames; marks frames that only one has."""
        _subtract(self.root, other.root, columns)


def _ratio(above: float, below: float) -> float:
    return above / below if below else NAN


def _keep(frame: Frame, wanted: Callable[[Frame], bool]) -> None:
    frame.children = [child for child in frame.children if wanted(child)]
    for child in frame.children:
        _keep(child, wanted)


def _drop_empty(frame: Frame) -> None:
    """Leaves out frames without metrics that lead to none: scopes in which nothing happened."""
    for child in frame.children:
        _drop_empty(child)
    frame.children = [child for child in frame.children if child.own or child.children]


def _keep_ways(frame: Frame, wanted: Callable[[Frame], bool], drops_below: bool) -> bool:
    """Keeps what leads to wanted frames.  drops_below: what is below one must be wanted too."""
    is_wanted = wanted(frame)
    if not (is_wanted and not drops_below):
        frame.children = [child for child in frame.children if _keep_ways(child, wanted, drops_below)]
    return is_wanted or bool(frame.children)


def _subtract(frame: Frame, other: Frame, columns: Sequence[str]) -> None:
    for column in columns:
        frame.values[column] = frame.values[column] - other.values.get(column, 0.0)
    theirs = {child.name: child for child in other.children}
    for child in frame.children:
        match = theirs.pop(child.name, None)
        if match is None:
            for each in child.walk():
                each.mark = "◀"
        else:
            _subtract(child, match, columns)
    for child in theirs.values():
        for each in child.walk():
            each.mark = "▶"
            each.values = {column: -value for column, value in each.values.items()}
        frame.children.append(child)
    frame.children.sort(key=lambda child: child.name)
