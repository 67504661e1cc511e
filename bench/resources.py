"""Registers, spills, shared memory and instructions of every kernel, beside Triton's, with the same ptxas.

    .venv/bin/python bench/resources.py --oracle-python PYTHON [--ptxas PTXAS ...] [--target 90] [--jobs 2]
        [--output FILE] [--cubins FOLDER_OF_TTKIT FOLDER_OF_TRITON] [KERNEL ...]

Kernels are the cases of test/data/kernels and test/data/language.  PYTHON has Triton (docs/compare_with_triton.md): its
frontend, which makes the same tt, and its passes make PTX there.  Every PTX is then assembled by each PTXAS, by default
ttkit's own; registers of ttkit's kernels are limited as when they are compiled (compiler/occupancy.py).  Instructions
are those of the code without the padding at its end; `kinds` counts those of products, with what moves their operands.
`tensor_cores` says that Triton multiplies by them; `--only-products` takes those alone.  `--cubins` takes the kernels
that bench/cubins.py has compiled by both.
"""

import argparse
import json
import os
import re
import struct
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from result_file import as_text

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "test"), str(ROOT / "test" / "oracle")]
FOLDERS = [ROOT / "test" / "data" / name for name in ("kernels", "language")]
FIGURES = ("registers", "spill_bytes", "instructions", "shared")
# An instruction takes 16 bytes, of which the lowest bits of the first two are its kind.  Code ends in an endless loop
# and padding.
INSTRUCTION_BYTES = 16
NOP, BRANCH = 0x918, 0x947
# The lowest nine bits of instructions, the same from sm_80 to sm_120 (nvdisasm 13.0 and 12.9, 2026-11).
KINDS = {
    0x37: "IMMA", 0x3B: "LDSM", 0x3C: "HMMA", 0x3F: "DMMA", 0x44: "STSM", 0x7A: "QMMA", 0x7F: "OMMA",
    0x1EA: "UTCMMA", 0x1ED: "STTM", 0x1EE: "LDTM",
    0x1F0: "HGMMA", 0x1F1: "IGMMA", 0x1F3: "QGMMA", 0x02: "MOV", 0x16: "PRMT", 0x184: "LDS", 0x188: "STS",
    0x1AE: "LDGSTS",
}  # fmt: skip
KIND_BITS = 0x1FF
MORE = 1.1
WHICH = ("ttkit", "triton")


def write_triton(folder: Path, target: int, names: list[str]) -> None:
    """PTX of each kernel, and JSON of what a launch gives it; what fails has its message instead."""
    import kernel_sources
    from triton._C.libtriton import ir  # noqa: F401
    from triton.backends.compiler import GPUTarget, Language
    from triton.compiler.compiler import make_backend

    backend = make_backend(GPUTarget("cuda", target, 32))
    for name, case in cases(kernel_sources, names):
        found: dict[str, Any] = {}
        try:
            made = kernel_sources.prepared_triton(case, target)()
            options = backend.parse_options(dict(case.options))
            stages: dict[str, Any] = {}
            backend.add_stages(stages, options, Language.TRITON)
            metadata: dict[str, Any] = dict(vars(options))
            for level in ("ttir", "ttgir", "llir", "ptx"):
                made = stages[level](made, metadata)
                if level == "ttgir":
                    found["tensor_cores"] = "mma" in str(made)
            found["shared"] = metadata["shared"]
            (folder / f"{name}.triton.ptx").write_text(made)
        except Exception as error:
            found["error"] = str(error).strip().splitlines()[-1] if str(error).strip() else type(error).__name__
        (folder / f"{name}.triton.json").write_text(json.dumps(found))


def write_ttkit(folder: Path, target: int, names: list[str]) -> None:
    """As write_triton, with ttkit."""
    import kernel_sources

    from ttkit.compiler.compilation import Compilation
    from ttkit.compiler.sources import IRSource
    from ttkit.options import CompileOptions
    from ttkit.target import GPUTarget

    kernel_sources.stand_in_for_triton()
    for name, case in cases(kernel_sources, names):
        found: dict[str, Any] = {}
        try:
            options = CompileOptions.for_capability(target, **case.options)
            module = kernel_sources.prepared_ttkit(case, target)()
            with module.context:
                source = IRSource(f"{name}.ttir", target, module)
                compiled = Compilation(source, GPUTarget("cuda", target, 32), options, until="ptx").run()
            found |= {key: compiled.metadata[key] for key in ("shared", "facts")}
            (folder / f"{name}.ttkit.ptx").write_text(compiled.asm["ptx"])
        except Exception as error:
            found["error"] = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        (folder / f"{name}.ttkit.json").write_text(json.dumps(found))


def cases(kernel_sources: Any, names: list[str]) -> list[tuple[str, Any]]:
    """The cases by name; of several with one name the later ones as folder.name."""
    found: dict[str, Any] = {}
    for folder in FOLDERS:
        for case in kernel_sources.load_cases(folder):
            found[f"{folder.name}.{case.name}" if case.name in found else case.name] = case
    return [(name, case) for name, case in found.items() if not names or name in names]


def instructions(cubin: bytes) -> list[int]:
    """The kinds of the instructions in the sections .text.* of an ELF file, the lowest 12 bits of each."""
    (table,) = struct.unpack_from("<Q", cubin, 0x28)
    size, count, names = struct.unpack_from("<HHH", cubin, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", cubin, table + size * index) for index in range(count)]
    total: list[int] = []
    for name, _, _, _, offset, length in sections:
        start = sections[names][4] + name
        if not cubin[start : cubin.index(b"\0", start)].startswith(b".text"):
            continue
        kinds = [
            struct.unpack_from("<H", cubin, at)[0] & 0xFFF for at in range(offset, offset + length, INSTRUCTION_BYTES)
        ]
        while kinds and kinds[-1] in (NOP, BRANCH):
            kinds.pop()
        total += kinds
    return total


def assembled(path: Path, ptxas: Path, target: int, limits: tuple[list[str], int] | None = None) -> dict[str, Any]:
    """What a kernel takes, by its PTX.

    Args:
        limits: facts and bytes of shared memory of a kernel of ttkit, by which ttkit limits registers.
    """
    from ttkit.analysis.kernel_facts import KernelFacts
    from ttkit.compiler.occupancy import with_best_limit
    from ttkit.compiler.ptxas import Cubin, PTXASError, assemble
    from ttkit.target import Target

    def made(ptx: str) -> Cubin:
        """The kernel of this PTX."""
        return assemble(ptx, Target(target), ptxas=ptxas)

    ptx = path.read_text()
    try:
        cubin = made(ptx)
        if limits is not None:
            facts, shared = limits
            cubin = with_best_limit(cubin, ptx, KernelFacts.named(facts), shared, Target(target), made)
    except PTXASError as error:
        return {"error": str(error).splitlines()[1]}
    resources = cubin.resources
    spilled = resources.spill_stores + resources.spill_loads
    found = instructions(bytes(cubin))
    kinds = Counter(KINDS[kind & KIND_BITS] for kind in found if kind & KIND_BITS in KINDS)
    return {
        "registers": resources.registers,
        "spill_bytes": spilled,
        "instructions": len(found),
        "kinds": dict(sorted(kinds.items())),
    }


def measured(folder: Path, name: str, programs: list[Path], target: int) -> dict[str, Any]:
    """One row: the figures of both compilers, by version of ptxas."""
    row: dict[str, Any] = {"kernel": name}
    for which in WHICH:
        known = json.loads((folder / f"{name}.{which}.json").read_text())
        row["tensor_cores"] = row.get("tensor_cores", False) | known.pop("tensor_cores", False)
        facts = known.pop("facts", [])
        row[which] = known
        if "error" not in known:
            for program in programs:
                limits = (facts, known["shared"]) if which == "ttkit" else None
                found = assembled(folder / f"{name}.{which}.ptx", program, target, limits)
                known[ptxas_version(program)] = found
    return row


def take_cubins(folder: Path, compiled: list[Path]) -> None:
    """Takes the PTX of kernels that cubins.py has compiled by both."""
    both = set.intersection(*({path.stem for path in one.glob("*.ptx")} for one in compiled))
    for which, source in zip(WHICH, compiled, strict=True):
        for name in both:
            ptx, about = ((source / name).with_suffix(f".{kind}").read_text() for kind in ("ptx", "json"))
            known = {"shared": json.loads(about)["shared"], "tensor_cores": re.search(r"mma[._]", ptx) is not None}
            (folder / f"{name}.{which}.ptx").write_text(ptx)
            (folder / f"{name}.{which}.json").write_text(json.dumps(known))


def ptxas_version(program: Path) -> str:
    """The version that a ptxas says."""
    text = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"V([\d.]+)", text)
    return found[1] if found else "unknown"


def worse(row: dict[str, Any], ptxas: str) -> list[str]:
    """In what a kernel takes more than Triton's."""
    ours, theirs = row["ttkit"].get(ptxas, {}), row["triton"].get(ptxas, {})
    if "registers" not in ours or "registers" not in theirs:
        return []
    found = [name for name in ("registers", "spill_bytes") if ours[name] > theirs[name]]
    found += ["shared"] * (row["ttkit"]["shared"] > row["triton"]["shared"])
    return found + ["instructions"] * (ours["instructions"] > MORE * theirs["instructions"])


def show(row: dict[str, Any], ptxas: str) -> None:
    """Prints a row: ours/theirs of each figure, instructions of products, and what is worse."""
    ours, theirs = row["ttkit"].get(ptxas, {}), row["triton"].get(ptxas, {})
    pairs = [
        f"{ours.get(name, '-')}/{theirs.get(name, '-')}" if name != "shared"
        else f"{row['ttkit'].get(name, '-')}/{row['triton'].get(name, '-')}"
        for name in FIGURES
    ]  # fmt: skip
    kinds = ours.get("kinds", {}), theirs.get("kinds", {})
    products = [
        f"{kind} {kinds[0].get(kind, 0)}/{kinds[1].get(kind, 0)}"
        for kind in (KINDS.values() if row["tensor_cores"] else ())
        if kinds[0].get(kind) or kinds[1].get(kind)
    ]
    notes = " ".join([*products, *worse(row, ptxas)])
    print(f"{row['kernel']:34}" + "".join(f"{pair:>14}" for pair in pairs), notes, flush=True)


def summary(rows: list[dict[str, Any]], ptxas: str) -> dict[str, Any]:
    """Sums over the kernels that both compile, and which are worse in what."""
    both = [
        (row["ttkit"][ptxas], row["triton"][ptxas])
        for row in rows
        if all("registers" in row[which].get(ptxas, {}) for which in WHICH)
    ]
    sums = {
        name: [sum(pair[side][name] for pair in both) for side in (0, 1)]
        for name in ("registers", "spill_bytes", "instructions")
    }
    found = {row["kernel"]: worse(row, ptxas) for row in rows if worse(row, ptxas)}
    return {"kernels": len(both), "sums_ttkit_triton": sums, "worse": found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", metavar="KERNEL")
    parser.add_argument("--oracle-python", default=os.environ.get("TTKIT_ORACLE_PYTHON"), help="a Python with Triton")
    parser.add_argument("--ptxas", type=Path, nargs="*", default=[])
    parser.add_argument("--target", type=int, default=90)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where the PTX is kept; what is there is not made again")
    parser.add_argument("--only-products", action="store_true", help="kernels that Triton uses tensor cores for")
    parser.add_argument("--cubins", type=Path, nargs=2, metavar=("TTKIT", "TRITON"), help="folders of bench/cubins.py")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    from ttkit.compiler.ptxas import toolkit_path

    programs = given.ptxas or [toolkit_path("bin", "ptxas")]
    folder = given.folder or Path(tempfile.mkdtemp(prefix="ttkit-resources-"))
    folder.mkdir(parents=True, exist_ok=True)
    if given.cubins:
        take_cubins(folder, given.cubins)
    for which, python in (("ttkit", sys.executable), ("triton", given.oracle_python)):
        made = {path.name.removesuffix(f".{which}.json") for path in folder.glob(f"*.{which}.json")}
        if not made or not set(given.kernels) <= made:
            work = [str(Path(__file__)), "--write", str(folder), str(given.target), which, *given.kernels]
            subprocess.run([python, *work], check=True)
    made = [{path.name.removesuffix(f".{which}.json") for path in folder.glob(f"*.{which}.json")} for which in WHICH]
    names = given.kernels or sorted(set.intersection(*made))
    if given.only_products:
        names = [n for n in names if json.loads((folder / f"{n}.triton.json").read_text()).get("tensor_cores")]
    first = ptxas_version(programs[0])
    print(f"{'kernel':34}" + "".join(f"{name:>14}" for name in FIGURES) + f"   ttkit/Triton, ptxas {first}")
    with ThreadPoolExecutor(given.jobs) as pool:
        rows = []
        for row in pool.map(lambda name: measured(folder, name, programs, given.target), names):
            rows.append(row)
            show(row, first)
    summaries = {ptxas_version(program): summary(rows, ptxas_version(program)) for program in programs}
    for program, totals in summaries.items():
        print(program, totals["kernels"], totals["sums_ttkit_triton"], len(totals["worse"]), "worse")
    if given.output:
        results = {
            "date": date.today().isoformat(),
            "command": "python bench/resources.py",
            "target": given.target,
            "versions": {"ttkit": version("ttkit"), "ptxas": list(summaries)},
            "summary": summaries,
            "kernels": rows,
        }
        given.output.write_text(as_text(results))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        _, _, where, capability, which, *names = sys.argv
        (write_triton if which == "triton" else write_ttkit)(Path(where), int(capability), names)
    else:
        main()
