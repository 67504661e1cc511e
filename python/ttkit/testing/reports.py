"""Benchmarks over a range of sizes, as tables and plots: `@perf_report`."""

from __future__ import annotations

import csv
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any


class Benchmark:
    """Benchmark: its arguments, and the plot of its results.

    x_names: arguments that vary along the x axis.
    x_vals: their values: for each point one value for all of them, or a list with one for each.
    line_arg, line_vals: the argument that tells the lines apart, and its values.
    line_names: labels of the lines.
    plot_name: title of the table, and name of the files; without a name nothing is plotted.
    args: the other arguments, which stay.
    xlabel, ylabel, x_log, y_log: of the axes.
    styles: (color, line style) of each line, as matplotlib has them.
    """

    def __init__(
        self,
        x_names: list[str],
        x_vals: list[Any],
        line_arg: str,
        line_vals: list[Any],
        line_names: list[str],
        plot_name: str,
        args: dict[str, Any],
        xlabel: str = "",
        ylabel: str = "",
        x_log: bool = False,
        y_log: bool = False,
        styles: list[tuple[str, str]] | None = None,
    ) -> None:
        self.x_names, self.x_vals = x_names, x_vals
        self.line_arg, self.line_vals, self.line_names = line_arg, line_vals, line_names
        self.plot_name, self.args = plot_name, args
        self.xlabel, self.ylabel = xlabel, ylabel
        self.x_log, self.y_log = x_log, y_log
        self.styles = styles


class Table:
    """Rows of numbers under names: what a report returns where pandas is not installed.

    columns: the names.
    rows: lists of values, a value a column.
    """

    def __init__(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        self.columns, self.rows = list(columns), [list(row) for row in rows]

    def __getitem__(self, column: str) -> list[Any]:
        """The values of a column."""
        place = self.columns.index(column)
        return [row[place] for row in self.rows]

    def __len__(self) -> int:
        return len(self.rows)

    def to_string(self) -> str:
        """The table as text, with a number before each row."""
        cells = [["", *self.columns]] + [[str(n), *map(_text, row)] for n, row in enumerate(self.rows)]
        widths = [max(len(row[place]) for row in cells) for place in range(len(cells[0]))]
        lines = [[cell.rjust(width) for cell, width in zip(row, widths)] for row in cells]
        return "\n".join("  ".join([line[0].strip().ljust(widths[0]), *line[1:]]) for line in lines)

    __str__ = to_string

    def to_csv(self, path: str, float_format: str = "%.6f", index: bool = False) -> None:
        """Writes the table to a file."""
        with open(path, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*([""] if index else []), *self.columns])
            for number, row in enumerate(self.rows):
                shown = [float_format % value if isinstance(value, float) else value for value in row]
                writer.writerow([*([number] if index else []), *shown])


def _text(value: Any) -> str:
    return f"{value:.6f}" if isinstance(value, float) else str(value)


class Measurements:
    """The numbers of one benchmark, in the order of its points.

    rows: values of the x arguments, then for each line its value.
    spans: for each row and line the least and greatest value, or (None, None).
    """

    def __init__(self, benchmark: Benchmark) -> None:
        self.benchmark = benchmark
        labels = [f"{name} ({benchmark.ylabel})" for name in benchmark.line_names]
        self.columns = [*benchmark.x_names, *labels]
        self.rows: list[list[Any]] = []
        self.spans: list[list[tuple[Any, Any]]] = []

    def measure(self, fn: Callable[..., Any], **kwargs: Any) -> None:
        """Calls the function for every point of every line.

        Raises:
            ValueError: a point does not have one value for each x argument.
        """
        benchmark = self.benchmark
        for point in benchmark.x_vals:
            values = list(point) if isinstance(point, (list, tuple)) else [point] * len(benchmark.x_names)
            if len(values) != len(benchmark.x_names):
                raise ValueError(f"Expected {len(benchmark.x_names)} values, got {point}")
            at = dict(zip(benchmark.x_names, values))
            found = [
                _with_span(fn(**at, **{benchmark.line_arg: line}, **benchmark.args, **kwargs))
                for line in benchmark.line_vals
            ]
            self.rows.append(values + [value for value, _, _ in found])
            self.spans.append([(low, high) for _, low, high in found])

    def add_difference(self) -> None:
        """A column with the second line less the first, where there are two columns to compare."""
        if len(self.columns) == 2:
            self.columns.append("Diff")
            for row in self.rows:
                row.append(row[1] - row[0])

    def table(self) -> Any:
        """A pandas.DataFrame, or a `Table` where pandas is not installed."""
        try:
            import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]
        except ImportError:
            return Table(self.columns, self.rows)
        return pandas.DataFrame(self.rows, columns=self.columns)

    def plot(self, pyplot: Any) -> None:
        """Draws the lines, and their spans as bands, into a new figure."""
        benchmark = self.benchmark
        pyplot.figure()
        axes = pyplot.subplot()
        first = len(benchmark.x_names)
        xs = [row[0] for row in self.rows]
        for line, label in enumerate(self.columns[first : first + len(benchmark.line_names)]):
            color, style = benchmark.styles[line] if benchmark.styles else (None, None)
            axes.plot(xs, [row[first + line] for row in self.rows], label=label, color=color, ls=style)
            spans = [row[line] for row in self.spans]
            if all(low is not None and high is not None for low, high in spans):
                lows, highs = [float(low) for low, _ in spans], [float(high) for _, high in spans]
                axes.fill_between(xs, lows, highs, alpha=0.15, color=color)
        axes.legend()
        axes.set_xlabel(benchmark.xlabel or benchmark.x_names[0])
        axes.set_ylabel(benchmark.ylabel)
        axes.set_xscale("log" if benchmark.x_log else "linear")
        axes.set_yscale("log" if benchmark.y_log else "linear")


def _with_span(result: Any) -> tuple[Any, Any, Any]:
    """A measurement as (value, least, greatest): functions give all three, or the value alone."""
    try:
        value, low, high = result
    except TypeError:
        return result, None, None
    return value, low, high


class Mark:
    """A function with benchmarks: see `perf_report`."""

    def __init__(self, fn: Callable[..., Any], benchmarks: Benchmark | Sequence[Benchmark]) -> None:
        self.fn = fn
        self.benchmarks = benchmarks

    def run(
        self,
        show_plots: bool = False,
        print_data: bool = False,
        save_path: str = "",
        return_df: bool = False,
        diff_col: bool = False,
        save_precision: int = 6,
        **kwargs: Any,
    ) -> Any:
        """Runs the benchmarks.

        Args:
            show_plots: open windows with the plots.
            print_data: print the tables.
            save_path: a folder, which is made, for a table (`.csv`) and a plot (`.png`) of each, and `results.html`.
            return_df: return the tables.
            diff_col: add the difference of two columns.
            save_precision: digits after the point in the file.
            kwargs: more arguments for the function.

        Returns:
            with `return_df` a pandas.DataFrame (a `Table` without pandas), or a list of them for a list of benchmarks.
        """
        benchmarks = [self.benchmarks] if isinstance(self.benchmarks, Benchmark) else list(self.benchmarks)
        if save_path:
            os.makedirs(save_path, exist_ok=True)
        tables: list[Any] = []
        try:
            for benchmark in benchmarks:
                measured = Measurements(benchmark)
                measured.measure(self.fn, **kwargs)
                if benchmark.plot_name and (show_plots or save_path):
                    _plot(measured, show_plots, save_path)
                if diff_col:
                    measured.add_difference()
                table = measured.table()
                tables.append(table)
                if print_data:
                    print(f"{benchmark.plot_name}:\n{table.to_string()}")
                if save_path:
                    path = os.path.join(save_path, f"{benchmark.plot_name}.csv")
                    table.to_csv(path, float_format=f"%.{save_precision}f", index=False)
        finally:
            if save_path:
                _write_page(save_path, benchmarks[: len(tables)])
        if not return_df:
            return None
        return tables[0] if isinstance(self.benchmarks, Benchmark) else tables


def _plot(measured: Measurements, show: bool, folder: str) -> None:
    try:
        import matplotlib.pyplot as pyplot  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        name = measured.benchmark.plot_name
        print(f"{name}: no plot, as matplotlib is not installed: pip install matplotlib", file=sys.stderr)
        return
    measured.plot(pyplot)
    if show:
        pyplot.show()
    if folder:
        pyplot.savefig(os.path.join(folder, f"{measured.benchmark.plot_name}.png"))


def _write_page(folder: str, benchmarks: Sequence[Benchmark]) -> None:
    pictures = [f'<img src="{benchmark.plot_name}.png"/>' for benchmark in benchmarks]
    with open(os.path.join(folder, "results.html"), "w") as page:
        page.write("\n".join(["<html><body>", *pictures, "</body></html>", ""]))


def perf_report(benchmarks: Benchmark | Sequence[Benchmark]) -> Callable[[Callable[..., Any]], Mark]:
    """Decorator: a function that measures one point, to be run over a benchmark by `.run(...)`.

        @perf_report(Benchmark(["n"], [2**k for k in range(12, 28)], "provider", ["ttkit", "torch"],
                               ["ttkit", "torch"], "vector-add", {}, ylabel="GB/s"))
        def bench(n, provider): ...
        bench.run(print_data=True)

    The function gives a number, or (value, least, greatest).
    """
    return lambda fn: Mark(fn, benchmarks)
