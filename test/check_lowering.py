"""Every kernel of test/data through all passes, from source to llvm, and the interpreter before and after each of them:
which passes change what a kernel computes, and which kernels can't be checked.

.venv/bin/python test/check_lowering.py [--targets 80 90 ...] [--only NAME ...] [--jobs 2] [--all-passes]
"""

import argparse
import sys
import time
import warnings
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "oracle")]


OPEN = {
    "gathers": "indices beyond the tensor have no defined result",
    "scaled_dots_e5m2_fp16": "elements times their scales are beyond f16, as which accelerate-matmul multiplies them",
}
"""Kernels whose results on generated inputs are not defined."""


def check(name: str, target: int, all_passes: bool, runs: int = 1) -> tuple[str, int, str, str, float]:
    """Kernel, target, "same", "different", "unchecked" or "refused", why, seconds."""
    import compile_kernels
    import kernel_sources

    from ttkit.interpreter.check.check_passes import Checker, PassChangedResult, Settings
    from ttkit.interpreter.check.pipelines import PassChecks
    from ttkit.options import CompileOptions
    from ttkit.passes.manager import run_passes
    from ttkit.passes.stages import STAGES, stage_passes

    start = time.monotonic()
    compile_kernels.CASES.update(compile_kernels.CASES or compile_kernels.load())
    case = compile_kernels.CASES[name]
    skipped: list[str] = []
    try:
        options = CompileOptions.for_capability(target, **case.options)
        module = kernel_sources.prepared_ttkit(case, target)()
        with module.context:
            passes = {stage: stage_passes(stage, options) for stage in STAGES}
            checker = Checker(Settings(runs), lambda _, text: skipped.append(text))
            watch = [PassChecks(checker)]
            for stage in STAGES:
                whole = all_passes or stage == "ttkit-llir"
                # Of what comes before only the outcome: one run of the interpreter.
                run_passes(module, ",".join(passes[stage]), subscribers=watch if whole else [])
    except PassChangedResult as error:
        return name, target, "different", error.message, time.monotonic() - start
    except Exception as error:
        return name, target, "refused", f"{type(error).__name__}: {error}", time.monotonic() - start
    if checker.found is not None:
        return name, target, "different", checker.found.message, time.monotonic() - start
    return name, target, "unchecked" if skipped else "same", "; ".join(skipped), time.monotonic() - start


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", nargs="*", type=int, default=[80, 90])
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--all-passes", action="store_true", help="also those of ttir and ttgir")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    import compile_kernels

    names = sorted(arguments.only or compile_kernels.load())
    counts: Counter[str] = Counter()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        jobs = [
            pool.submit(check, name, target, arguments.all_passes) for target in arguments.targets for name in names
        ]
        for job in jobs:
            name, target, outcome, why, seconds = job.result()
            if outcome == "different" and name in OPEN:
                outcome, why = "unchecked", OPEN[name]
            counts[outcome] += 1
            if outcome != "same" or seconds > 10:
                print(f"{outcome:9} {name} sm_{target} {seconds:.1f} s: {why}", flush=True)
    print(dict(counts))
    return 1 if counts["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
