"""Every kernel of test/data, from source to a cubin, for every target: which can't be compiled, and why.

.venv/bin/python test/compile_kernels.py [--targets 80 90 ...] [--only NAME ...] [--jobs 2] [--output FILE]
"""

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

HERE = Path(__file__).parent
sys.path.append(str(HERE / "oracle"))
# What the message says -> why it has to be so: Triton 3.6 compiles none of these either.
REFUSED = {
    "type fp8e4nv not supported in this architecture": "fp8e4nv is of sm_89",
    "num_ctas > 1 requires": "clusters are of sm_90",
    "16-bit float types require native tma support": "reductions to memory of 16-bit floats are of sm_90",
    "griddepcontrol' requires .target sm_90": "the kernel's own assembly is of sm_90",
    "copies of chosen rows by the tensor memory accelerator need sm_100": "gathers of rows by TMA are of sm_100",
    "which 2 does not divide": "threads have fewer elements than tl.map_elementwise packs",
}
FOLDERS = (HERE / "data" / "kernels", HERE / "data" / "language")
TARGETS = (75, 80, 86, 89, 90, 100, 120)
COMPILED = "cubin"


def load() -> dict:
    """The cases by name; of several with one name the later ones as folder.name."""
    import kernel_sources

    found: dict = {}
    with kernel_sources.as_triton():  # not longer: commands that run in this process would refuse it
        for folder in FOLDERS:
            for case in kernel_sources.load_cases(folder):
                found[f"{folder.name}.{case.name}" if case.name in found else case.name] = case
    return found


CASES: dict = {}


def outcome(name: str, capability: int) -> dict:
    """What becomes of a kernel: the stage that was reached, the message if that is not the last, and the figures."""
    import kernel_sources

    from ttkit.compiler.compilation import Compilation
    from ttkit.compiler.sources import IRSource
    from ttkit.options import CompileOptions
    from ttkit.target import GPUTarget

    CASES.update(CASES or load())
    found: dict = {"kernel": name, "target": capability, "reached": "source", "seconds": {}}
    try:
        case = CASES[name]
        options = CompileOptions.for_capability(capability, **case.options)
        module = kernel_sources.prepared_ttkit(case, capability)()
        found["reached"] = "ttir"
        with module.context:
            source = IRSource(f"{name}.ttir", capability, module)
            made = Compilation(source, GPUTarget("cuda", capability, 32), options).run()
        found |= {"reached": COMPILED, "resources": vars(made.asm["cubin"].resources), "seconds": made.seconds}
    except Exception as error:
        messages = [str(error)]
        while error.__cause__ is not None:
            error = error.__cause__
            messages.append(str(error))
        found["error"] = type(error).__name__ + ": " + "\n".join(messages)
    return found


def reason(error: str) -> str | None:
    """Why a kernel can't be compiled, by the message; None if there is no good reason."""
    return next((why for text, why in REFUSED.items() if text in error), None)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", nargs="*", type=int, default=TARGETS)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    CASES.update(load())
    names = given.only or sorted(CASES)
    work = [(name, target) for name in names for target in given.targets]
    with ProcessPoolExecutor(given.jobs) as pool:
        results = list(pool.map(outcome, *zip(*work, strict=True), chunksize=4))
    unexplained = 0
    for one in results:
        if one["reached"] == COMPILED:
            continue
        why = reason(one["error"])
        unexplained += why is None
        print(f"{one['kernel']:32} {one['target']:4}  {why or one['error'].strip().splitlines()[0][:150]}")
    for target in given.targets:
        compiled = sum(one["target"] == target and one["reached"] == COMPILED for one in results)
        print(f"sm_{target}: {compiled} of {len(names)} kernels compile")
    if given.output:
        given.output.write_text(json.dumps(results, indent=1) + "\n")
    return int(unexplained > 0)


if __name__ == "__main__":
    sys.exit(main())
