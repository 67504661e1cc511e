"""`python test/fuzz [--level NAME ...] [--seconds 60 | --inputs N] [--seed S] [--jobs 2] [--keep DIR] [--only N]`"""

import argparse
import random
import sys
import time
import warnings
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])

from fuzz.levels import LEVELS  # noqa: E402
from fuzz.run import MANY, fuzz, report  # noqa: E402
from fuzz.workers import run_one  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="fuzz", description="Damaged and random input for every level of ttkit.")
    parser.add_argument("--level", nargs="*", choices=list(LEVELS), default=list(LEVELS), metavar="NAME",
                        help=f"of {', '.join(LEVELS)}; by default all")  # fmt: skip
    parser.add_argument("--seconds", type=float, help="for all levels together (120, where no number is given)")
    parser.add_argument("--inputs", type=int, help="of each level")
    parser.add_argument("--seed", type=int, help="of the inputs; by default another one each time")
    parser.add_argument("--first", type=int, default=0, help="number of the first input")
    parser.add_argument("--jobs", type=int, default=2, help="processes (2)")
    parser.add_argument("--only", type=int, metavar="N", help="print input N of the one level, and what it comes to")
    parser.add_argument("--file", type=Path, help="check a file as an input of the one level")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="write reduced findings to DIR/<level>/")
    parser.add_argument("--reduce", type=float, default=60.0, metavar="SECONDS", help="for each finding (60); 0: not")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    sys.stdout.reconfigure(errors="backslashreplace")
    seed = random.randrange(1 << 32) if given.seed is None else given.seed
    levels = [LEVELS[name]() for name in given.level]
    if given.only is not None or given.file:
        level = levels[0]
        level.prepare()
        text = given.file.read_text(errors="surrogatepass") if given.file else level.input(seed, given.only)
        print(text if not given.file else "", run_one(level, text) or "no finding", sep="\n")
        return 0
    print(f"seed {seed}: `--seed {seed} --level NAME --only N` shows an input", flush=True)
    seconds = given.seconds or (1e9 if given.inputs else 120.0)
    whole = sum(level.share for level in levels)
    start, failures, inputs = time.monotonic(), 0, 0
    for level in levels:
        result = fuzz(level, seed, given.jobs, given.inputs or MANY, seconds * level.share / whole, given.first)
        print(result, flush=True)
        report(result, given.reduce, given.keep)
        failures, inputs = failures + len(result.failures), inputs + result.inputs
    print(f"{inputs} inputs, {failures} findings, {time.monotonic() - start:.0f} s, seed {seed}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
