"""Compares ttkit's passes with Triton's on thousands of mutated modules, each at its place in the pipeline.

    ORACLE/bin/python test/oracle/mutation_corpus.py CORPUS.json.gz
    python test/oracle/mutations.py CORPUS.json.gz [--seconds 90] [--jobs 2] [--inputs N] [--seed 0] [--passes REGEX]
                        [--targets 100 ...] [--enough N] [--oracle-python PYTHON] [--output FILE.json] [--only NUMBER]
                        [--show REGEX]
    python test/oracle/mutations.py --merge FILE.json... [--show REGEX]

An experiment takes a module of the corpus (mutation_corpus.py), changes it in up to three ways that keep its syntax
(test/fuzz/ir_changes.py, ir_insertions.py), draws a GPU, numbers of warps, CTAs and stages, and sends it through
Triton's passes from the module's place to the conversion to LLVM.  Every pass is compared on what Triton made so far;
half of the modules are changed once more on the way, layouts among other things.  At its beginning a kernel's module
also goes through the whole stages ttkit-ttir and ttkit-ttgir.  Each input of a pass counts once.  With `--enough N`
the time goes into the passes that have fewer inputs than N.

Experiment N of seed S is the same everywhere: `--seed S --only N`.  The table says for each pass:

    valid       inputs that both read
    changed     those that Triton's pass changes
    reachable   those made by changing what the front end wrote, and by nothing else
    equal, other order (of operations without effects), folded (canonicalization makes the two results one: one folds
    more), different, ttkit/Triton fails, refuse

FILE.json holds what came of each input, and the smallest inputs of each kind of difference; `--merge` puts several
together.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import hashlib
import json
import math
import multiprocessing
import os
import random
import re
import sys
import threading
import time
import traceback
from pathlib import Path
from queue import Empty
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import compare  # noqa: E402
import pass_chain  # noqa: E402
from findings import FOLDED, Findings, Record, kind_of, show  # noqa: E402
from fuzz.ir_changes import MUTATIONS, mutate  # noqa: E402
from fuzz.ir_insertions import INSERTIONS  # noqa: E402

UNCHANGED_TRIES = 6
LAST_ANSWER = 20  # seconds that a process may take when time is over
# What Triton's analysis of pointers writes on the parameters of functions that are called.
FACTS = re.compile(r" \{tt\.constancy = \d+ : i64, tt\.contiguity = \d+ : i64, tt\.divisibility = \d+ : i64\}")
Workers = tuple[compare.Worker, compare.Worker]


def same_folded(text: str, passes: list[compare.Pass], *workers: compare.Worker) -> bool:
    """Whether results that differ are one as soon as both are canonicalized and have no common subexpressions."""
    whole: compare.Pass = ("canonicalize", {"region-simplify": "aggressive"})
    fold: list[compare.Pass] = [whole, ("cse", {}), whole]
    theirs = FACTS.sub("", workers[1].run(text, compare.single_passes(passes)).get("text", ""))
    folded = workers[0].run(text, passes + fold), workers[0].run(theirs, fold)
    return "error" not in folded[0] and folded[0].get("text") == folded[1].get("text")


def weight(text: str) -> int:
    """How often a kernel is taken: those with loops, products and descriptors have more passes with work to do."""
    return 1 + ("scf.for" in text) + 2 * ("tt.dot" in text) + 2 * ("descriptor" in text) + 2 * ("local_" in text)


class Experiments:
    """The experiments of one process."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        with gzip.open(options.corpus, "rt") as file:
            corpus = json.load(file)
        self.kernels = [item for item in corpus if not item["place"]]
        self.weights = [weight(item["text"]) for item in self.kernels]
        self.for_passes = collections.defaultdict(list)
        for item in corpus:
            if item["place"] and (place := pass_chain.compared_place(item["place"])):
                self.for_passes[place].append({**item, "place": place})
        self.workers = compare.ttkit_worker(), compare.triton_worker(options.oracle_python)
        self.findings = Findings()
        self.counts: collections.Counter[str] = collections.Counter()
        self.enough = options.enough / options.jobs
        self.is_over = False

    def stop(self) -> None:
        """Ends what runs, whatever it is, so that `run` returns; what came of it does not count."""
        self.is_over = True
        for worker in self.workers:
            worker.close()

    def run(self, number: int) -> None:
        """Experiment `number`: a module of a kernel, or of those written for a pass."""
        rng = random.Random(f"{self.options.seed} {number}")
        places = sorted(self.for_passes)
        of_kernel = rng.random() < 0.5
        if self.options.passes:
            places = [place for place in places if re.search(self.options.passes, place)]
            of_kernel = (of_kernel and not self.options.written) or not places
        if of_kernel:
            item = rng.choices(self.kernels, self.weights)[0]
            is_wanted = rng.random() * len(places) <= sum(map(self.wanted, places))
        else:
            item = rng.choice(self.for_passes[rng.choice(places)])
            is_wanted = self.wanted(item["place"])
        if not is_wanted:
            return
        text, changed = item["text"], rng.random() < 0.95
        if changed:
            text = self.mutated(rng, text)
        machine = pass_chain.Machine.drawn(rng, item["name"], item["options"], text, self.options.targets)
        steps = pass_chain.chain(machine, item["place"])
        start = pass_chain.place_of(steps, item["place"]) if item["place"] else 0
        if start is None:
            self.compare(number, text, [(item["place"], {})], False)
            return
        if of_kernel and rng.random() < 0.3:
            self.stages(number, text, machine)
        again = rng.randrange(start, start + len(steps)) if rng.random() < 0.6 else None  # behind the end: not
        self.along(rng, number, text, steps[start:], again and again - start, of_kernel)

    def mutated(self, rng: random.Random, text: str) -> str:
        """The text after some mutations, at least one of which found something to change."""
        for _ in range(UNCHANGED_TRIES):
            made = mutate(rng, text, None, (*MUTATIONS, *INSERTIONS))
            if made != text:
                return made
        return text

    def stages(self, number: int, text: str, machine: pass_chain.Machine) -> None:
        """Compares the stages ttir and ttgir, each as a whole."""
        for name in ("ttkit-ttir", "ttkit-ttgir"):
            if not self.wanted(name):
                return
            stage = [pass_chain.stage(name, machine)]
            result = self.compare(number, text, stage, True)
            if not result:
                return
            if name == "ttkit-ttgir":  # without those of ttkit alone
                self.compare(number, text, compare.single_passes(stage), True, "passes of ttgir")
            text = result

    def along(
        self, rng: random.Random, number: int, text: str, steps: list[compare.Pass], again: int | None, reachable: bool
    ) -> None:
        """Compares pass after pass, with another mutation before the one numbered `again`."""
        skipped: list[compare.Pass] = []  # passes that Triton has yet to run
        with_membar = rng.random() < 0.7
        for position, step in enumerate(steps):
            if not (self.is_compared(step) or position == again):
                skipped.append(step)
                continue
            if skipped:
                text, skipped = self.workers[1].run(text, skipped).get("text", ""), []
            if not text:
                return
            if position == again:
                text, reachable = self.mutated(rng, text), False
            if step[0] == pass_chain.SPECIALIZATION and "tt.warp_specialize" in text:
                self.specialization(number, text, reachable)
            result = self.compare(number, text, [step], reachable)
            if step[0] == "allocate-shared-memory-nv" and with_membar:
                self.compare(number, text, [pass_chain.MEMBAR], reachable)
            text = result
            if not text:
                return

    def is_compared(self, step: compare.Pass) -> bool:
        """Whether a pass of the chain, or one that is compared at its place, is wanted."""
        beside = {"allocate-shared-memory-nv": [pass_chain.MEMBAR[0]]}.get(step[0], [])
        if step[0] == pass_chain.SPECIALIZATION:
            beside = [compared for _, compared in pass_chain.STEPS_OF_SPECIALIZATION]
        return any(self.wanted(name) for name in (step[0], *beside))

    def specialization(self, number: int, text: str, reachable: bool) -> None:
        """Compares the steps of warp specialization that Triton runs by themselves, on what ttkit's others make."""
        for ours, compared in pass_chain.STEPS_OF_SPECIALIZATION:
            before = self.workers[0].run(text, compare.parse_pipeline(ours))
            if "text" not in before:
                return
            text = self.compare(number, before["text"], [(compared, {})], reachable)
            if not text:
                return

    def wanted(self, name: str) -> bool:
        """Whether a pass is one of those asked for, and has not enough inputs yet."""
        return self.counts[name] < self.enough and bool(re.search(self.options.passes, name))

    def compare(self, number: int, text: str, passes: list[compare.Pass], reachable: bool, title: str = "") -> str:
        """Compares one pass or stage on one input; what Triton makes of it, "" if nothing."""
        title = title or passes[0][0]
        if self.is_over:
            return ""
        if not self.wanted(title):
            return self.workers[1].run(text, compare.single_passes(passes)).get("text", "")
        key = hashlib.sha1(f"{passes}\n{text}".encode()).hexdigest()[:16]
        outcome = compare.compare(text, passes, *self.workers)
        if outcome.status == compare.DIFFERENT and not self.is_over and same_folded(text, passes, *self.workers):
            outcome.status = FOLDED
        if self.is_over:
            return ""
        if outcome.status == compare.INVALID:
            self.findings.invalid += 1
            return ""
        if outcome.status in (compare.UNREAD, compare.UNREAD_BY_TRITON):
            self.findings.one_sided[f"{outcome.status}: {kind_of(outcome.status, outcome.detail)}"] += 1
            return outcome.triton_text
        record = Record(title, outcome.status, outcome.changed, reachable)
        if outcome.status not in (compare.EQUAL, compare.BOTH_REFUSE):
            kind = kind_of(outcome.status, outcome.detail) or "?"
            passes_line = f"// {compare.pipeline_text(passes)}\n"
            record = Record(
                title, outcome.status, outcome.changed, reachable, kind, number, passes_line + text, outcome.detail
            )
        self.counts[title] += key not in self.findings.records
        self.findings.records[key] = record
        return outcome.triton_text


def job(options: argparse.Namespace, index: int, queue: Any, until: float) -> None:
    """Every `--jobs`th experiment from `index` on, until the time or the inputs end."""
    experiments = Experiments(options)
    end = threading.Timer(until - time.time(), experiments.stop)
    end.daemon = True
    end.start()
    for number in range(index, options.inputs, options.jobs):
        if experiments.is_over:
            break
        try:
            experiments.run(number)
        except Exception:  # whatever it is, what the others found is kept
            traceback.print_exc()
    end.cancel()
    experiments.stop()
    queue.put(experiments.findings)


def run_jobs(options: argparse.Namespace) -> Findings:
    """What all processes found."""
    until = time.time() + options.seconds
    queue: Any = multiprocessing.Queue()
    jobs = [multiprocessing.Process(target=job, args=(options, n, queue, until)) for n in range(options.jobs)]
    for process in jobs:
        process.start()
    found = Findings()
    for _ in jobs:
        try:
            found.merge(queue.get(timeout=max(until - time.time(), 0) + LAST_ANSWER))
        except Empty:
            print("a process did not answer: what it found is missing", file=sys.stderr)
            break
    for process in jobs:
        process.kill()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="?")
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--seconds", type=float, default=1e6)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--inputs", type=int, default=10**9, metavar="N", help="experiments")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", type=int, metavar="NUMBER", help="this experiment alone")
    parser.add_argument("--enough", type=float, default=math.inf, metavar="N", help="inputs of each pass")
    parser.add_argument("--passes", default="", metavar="REGEX", help="compare these alone")
    parser.add_argument("--written", action="store_true", help="with --passes: modules written for them alone")
    parser.add_argument("--targets", type=int, nargs="+", default=pass_chain.CAPABILITIES, help="of kernels")
    parser.add_argument("--output", type=Path)
    parser.add_argument("--merge", type=Path, nargs="+", default=[], help="files of --output, which are put together")
    parser.add_argument("--show", default="$^", metavar="REGEX", help="print the differences of these passes")
    options = parser.parse_args()
    if not (options.oracle_python or options.merge):
        parser.error("no Python with Triton: give --oracle-python or set TTKIT_ORACLE_PYTHON")
    start = time.time()
    if options.only is not None:
        experiments = Experiments(options)
        experiments.run(options.only)
        experiments.stop()
        found = experiments.findings
    elif options.merge:
        found = Findings()
        for path in options.merge:
            with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as file:
                found.merge(Findings.from_json(json.load(file)))
    else:
        found = run_jobs(options)
    print(found.table())
    print(f"{len(found.records)} inputs of passes in {time.time() - start:.0f} s; {found.invalid} invalid modules")
    for text, count in found.one_sided.most_common(40):
        print(f"{count:6} {text}")
    if options.output:
        options.output.write_text(json.dumps(found.to_json()))
    show(found, options.show)


if __name__ == "__main__":
    main()
