"""How many runs of passes from tt to ttg are proved, refuted or open, and why those are open.

    .venv/bin/python bench/proofs.py [--folder DIR ...] [--jobs 2] [--search] [--lowering] [--output RUNS.jsonl]
        [--only PASS] [NAME ...]
    .venv/bin/python bench/proofs.py --show RUNS.jsonl

Each file `<kernel>.<capability>[...].ttir` of the folders goes through ttkit-ttir and ttkit-ttgir for the capability in
its name, with --lowering then through ttkit-llir.  A run counts where a pass changed the IR.  NAMEs choose the files
whose names begin so.  With --search, counterexamples are searched where there is no proof.  With --only, the runs of
that pass alone are proved.
"""

import argparse
import json
import re
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = (ROOT / "test" / "data" / "ir", ROOT / "test" / "data" / "language" / "tt")
STAGES = "ttkit-ttir{{capability={0}}},ttkit-ttgir{{capability={0}}}"
LOWERING = ",ttkit-llir{{capability={0}}}"
COLUMNS = ("proved", "apart", "rounding", "bound", "refuted", "open")


def proofs_of(searches: bool, only: str):
    """Who proves the passes, or the runs of one pass."""
    from ttkit.validation import PassProofs

    class OfOnePass(PassProofs):
        """Looks at one pass only."""

        def before(self, event) -> None:
            """Reads the IR that the pass is given."""
            if event.pass_name == only:
                self._before.clear()
                super().before(event)

        def after(self, event) -> None:
            """Proves it."""
            if event.pass_name == only:
                super().after(event)

    return OfOnePass(searches=searches) if only else PassProofs(searches=searches)


def runs_of(path: Path, searches: bool, lowers: bool, only: str) -> list[dict[str, object]]:
    """The verdicts on the passes over a file, as JSON objects."""
    import ttkit
    from ttkit.context import parse_file
    from ttkit.passes.manager import run_passes

    proofs = proofs_of(searches, only)
    begun = time.monotonic()
    failed = ""
    try:
        with ttkit.Context() as context:
            module = parse_file(str(path), context)
            stages = STAGES + LOWERING if lowers else STAGES
            run_passes(module, stages.format(path.name.split(".")[1]), subscribers=[proofs])
    except Exception as error:  # the kernel is not one that these passes take
        failed = f"{type(error).__name__}: {error}".splitlines()[0]
    found: list[dict[str, object]] = [
        {
            "file": path.name,
            "pass": one.pass_name,
            "column": column_of(one.verdict),
            "verdict": str(one.verdict),
            "reason": one.verdict.reason,
            "seconds": round(one.verdict.seconds, 3),
        }
        for one in proofs.verdicts
    ]
    return [*found, {"file": path.name, "seconds": round(time.monotonic() - begun, 3), "failed": failed}]


def column_of(verdict) -> str:
    """The column of a verdict in the tables."""
    if verdict.outcome != "proved":
        return verdict.outcome
    if verdict.trips or verdict.programs:
        return "bound"
    return "apart" if verdict.apart else "rounding" if verdict.rounding else "proved"


def kind_of(reason: str) -> str:
    """A reason without what is special to one kernel."""
    reason = re.sub(r" at loc\(.*| at \S*[.:]\S*:\d+.*", "", reason)
    reason = re.sub(r"^with [\d and]+ iterations: ", "", reason)
    reason = re.sub(r"^[\w.]+( before)?( and [\w.]+)?( after)?: (?=it is not known|these numbers)", "", reason)
    if re.match(r"it is not known that these are equal|these numbers may differ", reason):
        reason = reason.partition(":")[0]
    reason = re.sub(r"(a read that was not there before|where it did not before|known to hold):.*", r"\1", reason)
    return re.sub(r"@\w+", "@...", reason)[:110]


def tables(runs: list[dict]) -> str:
    """All runs by verdict; passes with open runs; reasons."""
    files = [one for one in runs if "pass" not in one]
    proofs = [one for one in runs if "pass" in one]
    counts = Counter(one["column"] for one in proofs)
    lines = [f"{len(files)} files, {len(proofs)} runs that changed something"]
    lines += [f"  {name:10} {counts[name]:6} {100 * counts[name] / max(1, len(proofs)):6.1f} %" for name in COLUMNS]
    slowest = max(files, key=lambda one: one["seconds"])
    lines.append(f"slowest file: {slowest['file']}, {slowest['seconds']} s")
    lines += [f"not compiled: {one['file']}: {one['failed']}" for one in files if one.get("failed")]
    by_pass: dict[str, Counter] = {}
    for one in proofs:
        by_pass.setdefault(one["pass"], Counter())[one["column"]] += 1
    lines += ["", f"{'pass':46}{''.join(f'{name:>10}' for name in COLUMNS)}"]
    for name, columns in sorted(by_pass.items(), key=lambda item: (-item[1]["open"], -item[1]["bound"], item[0])):
        if columns["open"] + columns["bound"] + columns["refuted"]:
            lines.append(f"{name:46}{''.join(f'{columns[column]:10}' for column in COLUMNS)}")
    reasons: dict[str, list[str]] = {}
    for one in proofs:
        if one["column"] in ("open", "refuted"):
            reasons.setdefault(kind_of(one["reason"]), []).append(f"{one['file']} {one['pass']}")
    lines += ["", "reasons"]
    for reason, where in sorted(reasons.items(), key=lambda item: -len(item[1])):
        lines.append(f"{len(where):5}  {reason}")
        lines += [f"         {place}" for place in where[:6]]
    return "\n".join(lines)


def main() -> None:
    """Runs the passes, or shows the runs of a file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", action="append", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--search", action="store_true")
    parser.add_argument("--lowering", action="store_true")
    parser.add_argument("--only", metavar="PASS", default="")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--show", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if options.show:
        print(tables([json.loads(line) for line in options.show.read_text().splitlines()]))
        return
    paths = [path for folder in options.folder or FOLDERS for path in sorted(folder.glob("*.ttir"))]
    paths = [path for path in paths if not options.names or path.name.startswith(tuple(options.names))]
    if not paths:
        sys.exit("no files (python test/data/archives.py unpack)")
    runs: list[dict] = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for done in as_completed(
            [pool.submit(runs_of, path, options.search, options.lowering, options.only) for path in paths]
        ):
            runs += done.result()
            if options.output:
                options.output.write_text("".join(json.dumps(one) + "\n" for one in runs))
    print(tables(runs))


if __name__ == "__main__":
    main()
