"""Time of each stage of compilation, from tt to a cubin, beside Triton's on the same tt.

    .venv/bin/python bench/compile_time.py [--oracle-python PYTHON] [--repeat 5] [--output FILE] [--passes] [KERNEL ...]

Kernels are those of test/data/ir.  A process of its own compiles each: the first time is "cold" (with the modules that
are loaded on first use: here those of all passes), the least of the others "warm".  CPU time with that of ptxas, in
milliseconds.  PYTHON has Triton (docs/compare_with_triton.md), which runs its own ptxas and has more passes in ttgir:
pipelining, tensor cores.  `--passes`: the share of each pass, and of each step after them, in cold compilation.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from datetime import date
from importlib.metadata import version
from pathlib import Path

from clocks import cpu_clock
from result_file import as_text

IR = Path(__file__).resolve().parents[1] / "test" / "data" / "ir"
KERNELS = (
    "scale_and_shift.80",
    "row_softmax.90",
    "layer_norm.80",
    "layer_norm_gradient.90",
    "scans.90",
    "library_functions.90",
    "random_integers.90",
    "casts_from_float.80",
)
STAGES = ("ttir", "ttgir", "llir", "ptx", "cubin")
CAPABILITY = 90


def times_of_ttkit(path: str, num_warps: int) -> dict[str, float]:
    """CPU milliseconds of each stage, from a file of ttir to a cubin, by ttkit.

    As in its compilations of kernels in Python, no garbage is collected meanwhile, a stage is verified at its end, and
    the context is that of an earlier kernel.
    """
    from mlir import ir

    import ttkit
    import ttkit.garbage_collection as garbage_collection
    from ttkit.compiler import levels
    from ttkit.compiler.pass_inspection import trusting
    from ttkit.context import leave, take
    from ttkit.options import CompileOptions

    options = CompileOptions.for_capability(CAPABILITY, num_warps=num_warps)
    metadata: dict = {}
    times = [cpu_clock()]
    with garbage_collection.paused(), trusting(True), take() as context, ir.Location.unknown():
        text = Path(path).read_text()
        module = ttkit.parse(text)
        levels.make_ttir(module, metadata, options)
        times.append(cpu_clock())
        levels.make_ttgir(module, metadata, options)
        times.append(cpu_clock())
        lowered = levels.make_llir(module, metadata, options)
        times.append(cpu_clock())
        ptx = levels.make_ptx(lowered, metadata, options, CAPABILITY)
        times.append(cpu_clock())
        if not isinstance(lowered, str):
            lowered.close()
    leave(context, len(text))
    levels.make_cubin(ptx, metadata, options, CAPABILITY)
    times.append(cpu_clock())
    return {stage: end - start for stage, start, end in zip(STAGES, times, times[1:])}


def times_of_passes(path: str, num_warps: int) -> dict[str, float]:
    """Seconds of each pass, all of its runs together, and of the steps after them."""
    from mlir import ir

    import ttkit
    from ttkit.compiler import levels
    from ttkit.compiler.module_metadata import of_lowered
    from ttkit.options import CompileOptions
    from ttkit.passes.infra.events import PassEvent, PassSubscriber
    from ttkit.passes.manager import run_passes
    from ttkit.passes.stages import stage_passes

    found: dict[str, float] = {}
    began: list[float] = []

    class Times(PassSubscriber):
        def before(self, event: PassEvent) -> None:
            began.append(cpu_clock())

        def after(self, event: PassEvent) -> None:
            found[event.pass_name] = found.get(event.pass_name, 0.0) + cpu_clock() - began.pop()

    options, metadata = CompileOptions.for_capability(CAPABILITY, num_warps=num_warps), {}
    with ttkit.Context(), ir.Location.unknown():
        module = ttkit.parse(Path(path).read_text())
        for stage in ("ttkit-ttir", "ttkit-ttgir", "ttkit-llir"):
            run_passes(module, ",".join(stage_passes(stage, options, module)), subscribers=[Times()])
        metadata |= of_lowered(module)
        times = [cpu_clock()]
        with levels.translate(module, options) as lowered:
            times.append(cpu_clock())
            ptx = levels.make_ptx(lowered, metadata, options, CAPABILITY)
            times.append(cpu_clock())
    levels.make_cubin(ptx, metadata, options, CAPABILITY)
    times.append(cpu_clock())
    steps = ("LLVM, optimization", "LLVM, emission of PTX", "ptxas")
    return found | {step: end - start for step, start, end in zip(steps, times, times[1:])}


def times_of_triton(path: str, num_warps: int) -> dict[str, float]:
    """CPU milliseconds of each stage, from a file of ttir to a cubin, by Triton."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget, Language
    from triton.compiler.compiler import IRSource, make_backend

    backend = make_backend(GPUTarget("cuda", CAPABILITY, 32))
    start = cpu_clock()
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = IRSource(path, context, backend)
    options = backend.parse_options({"num_warps": num_warps})
    made = source.make_ir(backend.target, options, {}, {}, context)
    stages: dict = {}
    backend.add_stages(stages, options, Language.TRITON)
    metadata, times = {**vars(options)}, {}
    for stage, make in stages.items():
        made = make(made, metadata)
        end = cpu_clock()
        times[stage], start = end - start, end
    return times


def work(which: str, path: str, num_warps: int, repeat: int) -> None:
    """Prints the times of a kernel: of the first run, and the least of the others for each stage."""
    measure = {"ttkit": times_of_ttkit, "triton": times_of_triton, "passes": times_of_passes}[which]
    cold, *warm = [measure(path, num_warps) for _ in range(repeat + 1)]
    print(json.dumps({"cold": cold, "warm": {stage: min(times[stage] for times in warm) for stage in cold}}))


def measured(python: str, which: str, path: Path, num_warps: int, repeat: int) -> dict[str, dict[str, float]]:
    """The first and the best times of one kernel, in a process of a Python: `which` is ttkit or triton."""
    command = [python, __file__, "--work", which, str(path), str(num_warps), str(repeat)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{which} fails on {path.name}:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def row(kernel: str, oracle: str | None, repeat: int, passes: bool = False) -> dict[str, object]:
    """The times of a kernel, in milliseconds, their ratios, and the shares of passes if they are asked for."""
    path = IR / f"{kernel}.ttir"
    warps = re.search(r'"ttg.num-warps" = (\d+)', path.with_suffix(".ttgir").read_text())
    num_warps = int(warps[1]) if warps else 4
    found: dict[str, object] = {"kernel": kernel, "num_warps": num_warps}
    compilers = {"ttkit": sys.executable, **({"triton": oracle} if oracle else {})}
    times = {which: measured(python, which, path, num_warps, repeat) for which, python in compilers.items()}
    for kind in ("cold", "warm"):
        for which in compilers:
            milliseconds = {stage: round(1e3 * seconds, 1) for stage, seconds in times[which][kind].items()}
            total = round(1e3 * sum(times[which][kind].values()), 1)
            found[f"{which}_{kind}_ms"] = {**milliseconds, "total": total}
            print(f"{kernel:28} {which:7} {kind}  {milliseconds}, in all {total}", flush=True)
        if oracle:
            ratio = sum(times["ttkit"][kind].values()) / sum(times["triton"][kind].values())
            found[f"{kind}_ratio"] = round(ratio, 2)
            print(f"{kernel:28} ttkit / Triton, {kind}: {ratio:.2f}", flush=True)
    if passes:
        found["percent_cold"] = shares(kernel, num_warps)
    return found


def shares(kernel: str, num_warps: int) -> dict[str, float]:
    """Percent of cold compilation that each pass takes, the largest first; those of less than 1 % together."""
    times = measured(sys.executable, "passes", IR / f"{kernel}.ttir", num_warps, 1)["cold"]
    total = sum(times.values())
    percent = {name: round(100 * seconds / total, 1) for name, seconds in times.items()}
    found = {name: share for name, share in sorted(percent.items(), key=lambda item: -item[1]) if share >= 1}
    found["others"] = round(sum(share for share in percent.values() if share < 1), 1)
    for name, share in found.items():
        print(f"{kernel:28} {share:5.1f} %  {name}", flush=True)
    return found


def versions(oracle: str | None) -> dict[str, str]:
    """The versions of what is measured; ptxas says its own, which may be a toolkit's.

    oracle: a Python with Triton.
    """
    from ttkit import knobs

    found = {name: version(package) for name, package in (("ttkit", "ttkit"), ("mlir", "xtc-mlir-python-bindings"))}
    found["ptxas"] = knobs.nvidia.ptxas.version
    if oracle:
        script = "from importlib.metadata import version; print(version('triton'))"
        done = subprocess.run([oracle, "-c", script], check=True, capture_output=True, text=True)
        found["triton"] = done.stdout.strip()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL", help="such as row_softmax.90")
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--passes", action="store_true", help="the share of each pass too")
    parser.add_argument("--output", type=Path, help="a JSON file for the results")
    options = parser.parse_args()
    oracle = options.oracle_python
    results = {
        "date": date.today().isoformat(),
        "command": " ".join(["python", *sys.argv]),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the start",
        "times": "CPU, milliseconds",
        "versions": versions(oracle),
        "kernels": [row(kernel, oracle, options.repeat, options.passes) for kernel in options.kernels or KERNELS],
    }
    if options.output:
        options.output.write_text(as_text(results))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--work"]:
        work(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    else:
        main()
