"""CPU time of compiling the kernels of cubin_cases.py, from Python source to a cubin, beside Triton's.

    .venv/bin/python bench/compile_cases.py --oracle-python PYTHON [--rounds 3] [--target 90] [--output FILE] [NAME ...]

Processes of both compilers take turns, `rounds` of them; each compiles a kernel four times, of which the first does not
count.  A figure is the least, in milliseconds, with the time of ptxas.  Of cases those whose names begin with a NAME.
"""

import argparse
import json
import math
import os
import platform
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path

from clocks import cpu_clock
from compile_time import versions
from cubins import chosen, sources
from result_file import as_text

WARM = 3


def work(which: str, target: int, names: list[str]) -> None:
    """Prints the least time of each case, as JSON."""
    os.environ["TRITON_ALWAYS_COMPILE"] = "1"
    found = {}
    with tempfile.TemporaryDirectory() as cache:
        os.environ["TRITON_CACHE_DIR"] = cache
        for case, source, compiler, gpu in sources(which, chosen(names), target):
            times = []
            for _ in range(1 + WARM):
                start = cpu_clock()
                compiler.compile(source, target=gpu, options=case.options)
                times.append(1e3 * (cpu_clock() - start))
            found[case.name] = round(min(times[1:]), 1)
    print(json.dumps(found))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="such as 'attention d64'")
    parser.add_argument("--oracle-python", required=True, help="a Python with Triton")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--target", type=int, default=90)
    parser.add_argument("--output", type=Path, help="a JSON file for the results")
    options = parser.parse_args()
    pythons = {"ttkit": sys.executable, "triton": options.oracle_python}
    least: dict[str, dict[str, float]] = {which: {} for which in pythons}
    for _ in range(options.rounds):
        for which, python in pythons.items():
            command = [python, __file__, "--work", which, str(options.target), *options.names]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            for name, time in json.loads(done.stdout.splitlines()[-1]).items():
                least[which][name] = min(time, least[which].get(name, math.inf))
    rows = {name: {**{which: least[which][name] for which in pythons}} for name in least["ttkit"]}
    for name, row in rows.items():
        row["ratio"] = round(row["ttkit"] / row["triton"], 2)
        print(f"{name:56} {row['ttkit']:7.1f} {row['triton']:7.1f} {row['ratio']:5.2f}")
    mean = math.exp(sum(math.log(row["ratio"]) for row in rows.values()) / len(rows))
    print(f"geometric mean of {len(rows)}: {mean:.3f}")
    if options.output:
        results = {
            "date": date.today().isoformat(),
            "command": " ".join(["python", *sys.argv]),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            "versions": versions(options.oracle_python),
            "milliseconds": rows,
            "geometric_mean": round(mean, 3),
        }
        options.output.write_text(as_text(results))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], int(sys.argv[3]), sys.argv[4:])
    else:
        main()
