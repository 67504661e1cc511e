"""Random matrix products through Triton and ttkit in the same process, compared with each other and with float64.

    python test/gpu/against_triton/random_products.py [--count 320] [--seed 0] [--jobs 12] [--json FILE]
    python test/gpu/against_triton/random_products.py --alone [--count 320] [--part 0/1]

Draws types, shapes, transposes, warps, stages, precisions, chained and batched products.  A result is right if ttkit's
differs from Triton's, or from the product in float64, by no more than rounding: the tolerance is by type.  Exit code 1
if any is wrong, or is refused by ttkit alone.  `--alone` only launches ttkit's, without torch and Triton: for tools
that watch a process (`compute_sanitizer.sh`).
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / "bench"))

TYPES = {
    "float16": 2e-3,
    "bfloat16": 1e-2,
    "float32": 2e-3,
    "float8_e4m3fn": 5e-3,
    "float8_e5m2": 5e-3,
    "int8": 0.0,
    "float64": 1e-12,
}
PRECISIONS = {"tf32": 2e-3, "tf32x3": 2e-5, "ieee": 2e-5, "bf16x3": 1e-4, "bf16x6": 2e-5}


@dataclass(frozen=True)
class Drawn:
    """One product.

    kind: product, chained or batched.  sizes: of the whole matrices (m, n, k).  tile: (BM, BN, BK).
    by_columns: whether a and b are stored column by column.  narrow: the type of b in memory, cast to that of a.
    """

    kind: str
    type: str
    sizes: tuple[int, int, int]
    tile: tuple[int, int, int]
    by_columns: tuple[bool, bool]
    warps: int
    stages: int
    precision: str
    half_sums: bool = False
    narrow: str = ""
    imprecise: int = 0
    branch: bool = False
    softmax: bool = False
    groups: int = 1

    @property
    def tolerance(self) -> float:
        if self.half_sums:
            return 2e-2
        if self.softmax:
            return 1e-2
        return PRECISIONS[self.precision] if self.type == "float32" else TYPES[self.type]


def draw(seed: int) -> Drawn:
    """The product of a seed."""
    r = random.Random(seed)
    kind = r.choices(["product", "chained", "batched"], [8, 3, 1])[0]
    type = r.choices(list(TYPES), [8, 4, 6, 4, 3, 4, 1])[0]
    if kind != "product":
        type = r.choice(["float16", "bfloat16", "float32"])
    least = 32 if type in ("int8", "float8_e4m3fn", "float8_e5m2") else 16
    most = 64 if type in ("float32", "float64") else 256
    bm, bn = r.choice([16, 32, 64, 64, 128, 128, 256]), r.choice([8, 16, 32, 64, 128, 128, 256])
    bk = r.choice([size for size in (16, 32, 64, 128) if size >= least])
    bn = max(bn, 16)
    if type == "float64":
        bm, bn, bk = min(bm, 64), min(bn, 64), min(bk, 32)
    while (bm + bn) * bk > 128 * most or bm * bn > 128 * 256:
        bm, bn, bk = (max(bm // 2, 16), bn, bk) if bm >= bn else (bm, max(bn // 2, 16), max(bk // 2, least))
    warps = r.choice([1, 2, 4, 4, 4, 8, 8, 16])
    while bm * bn > warps * 32 * 256:
        warps *= 2
    precision = r.choice(list(PRECISIONS)) if type == "float32" else "tf32"
    common: dict[str, Any] = {"warps": warps, "stages": r.choice([1, 1, 2, 3, 4]), "precision": precision}
    if kind == "batched":
        tile = (r.choice([16, 32, 64]), r.choice([16, 32, 64]), r.choice([16, 32, 64]))
        return Drawn(kind, type, tile, tile, (False, False), **common, groups=r.choice([2, 4]))
    if kind == "chained":
        tile = (r.choice([64, 128]), r.choice([32, 64, 128]), r.choice([32, 64, 128]))
        common["warps"] = r.choice([4, 4, 8])
        return Drawn(
            kind, type, (tile[0] * 2, tile[1] * 4, tile[2]), tile, (False, True), **common, softmax=r.random() < 0.6
        )
    m, n, k = (r.choice([size, 2 * size, 3 * size, size + 5 * r.choice([0, 1, 3])]) for size in (bm, bn, bk))
    narrow = ""
    if type in ("float16", "bfloat16") and r.random() < 0.2:
        narrow = r.choice(["int8", "float8_e5m2", "float8_e4m3fn"])
    return Drawn(
        kind, type, (m, n, k), (bm, bn, bk), (r.random() < 0.4, r.random() < 0.4), **common,
        half_sums=type == "float16" and r.random() < 0.2, narrow=narrow,
        imprecise=r.choice([0, 0, 32, 64]) if type.startswith("float8") else 0, branch=r.random() < 0.1,
    )  # fmt: skip


# --- In a process with a GPU ------------------------------------------------------------------------------------------


def serve(seeds: list[int]) -> None:
    """Prints a row for each seed, as JSON."""
    import torch
    import triton
    import triton.language
    from both_languages import load

    import ttkit
    import ttkit.language

    source = HERE / "random_product_kernels.py"
    modules = {
        "triton": load("random_of_triton", source, triton.jit, triton.language),
        "ttkit": load("random_of_ttkit", source, ttkit.jit, ttkit.language),
    }
    for seed in seeds:
        drawn = draw(seed)
        row: dict[str, Any] = {"seed": seed, **asdict(drawn)}
        print(json.dumps(row | {"status": "the process ended"}), flush=True)  # the last word if it does
        row |= one(torch, modules, drawn, seed)
        print(json.dumps(row), flush=True)


def one(torch: Any, modules: dict[str, Any], drawn: Drawn, seed: int) -> dict[str, Any]:
    torch.manual_seed(seed)
    arrays, exact = inputs(torch, drawn)
    found: dict[str, Any] = {}
    row: dict[str, Any] = {}
    for who, module in modules.items():
        out = torch.full(exact.shape, 77, device="cuda", dtype=result_type(torch, drawn))
        try:
            launch(module, drawn, arrays, out)
            torch.cuda.synchronize()
        except Exception as error:
            row[f"{who}_error"] = f"{type(error).__name__}: {error}"[:500]
            continue
        found[who] = out.double()
        row[f"{who}_off"] = error_of(found[who], exact)
    if len(found) == 2:
        row["apart"] = error_of(found["ttkit"], found["triton"])
        right = row["ttkit_off"] <= max(drawn.tolerance, 1.5 * row["triton_off"]) or row["apart"] <= drawn.tolerance
        row["status"] = "equal" if row["apart"] == 0 else "close" if right else "wrong"
    else:
        row["status"] = {0: "both refuse", 1: "ttkit refuses" if "triton" in found else "triton refuses"}[len(found)]
    return row


def error_of(found: Any, expected: Any) -> float:
    norm = float(expected.norm())
    return float((found - expected).norm()) / (norm or 1.0)


def result_type(torch: Any, drawn: Drawn) -> Any:
    if drawn.half_sums:
        return torch.float16
    return {"int8": torch.int32, "float64": torch.float64}.get(drawn.type, torch.float32)


def random_matrix(torch: Any, type: str, shape: tuple[int, ...]) -> Any:
    if type == "int8":
        return torch.randint(-128, 128, shape, device="cuda", dtype=torch.int8)
    return torch.randn(shape, device="cuda").to(getattr(torch, type))


def inputs(torch: Any, drawn: Drawn) -> tuple[list[Any], Any]:
    """The operands, and the result in float64."""
    m, n, k = drawn.sizes
    type = drawn.type
    if drawn.kind == "batched":
        a, b = (random_matrix(torch, type, (drawn.groups, *shape)) for shape in ((m, k), (k, n)))
        return [a, b], a.double() @ b.double()
    if drawn.kind == "chained":
        d = drawn.tile[2]
        a, b, v = (random_matrix(torch, type, shape) for shape in ((m, k), (n, k), (n, d)))
        p = a.double() @ b.double().T
        p = torch.exp(p - p.max(1, keepdim=True).values) if drawn.softmax else p
        return [a, b, v], p.to(getattr(torch, type)).double() @ v.double()
    a = random_matrix(torch, type, (k, m)).T if drawn.by_columns[0] else random_matrix(torch, type, (m, k))
    type = drawn.narrow or type
    b = random_matrix(torch, type, (n, k)).T if drawn.by_columns[1] else random_matrix(torch, type, (k, n))
    return [a, b], a.double() @ b.double()


def launch(module: Any, drawn: Drawn, arrays: list[Any], out: Any) -> None:
    tl, (bm, bn, bk) = module.tl, drawn.tile
    options = {"num_warps": drawn.warps, "num_stages": drawn.stages}
    m, n, k = drawn.sizes
    if drawn.kind == "batched":
        module.batched[(1,)](*arrays, out, G=drawn.groups, BM=bm, BN=bn, BK=bk, PRECISION=drawn.precision, **options)
        return
    language_type = {"float8_e4m3fn": "float8e4nv", "float8_e5m2": "float8e5"}.get(drawn.type, drawn.type)
    if drawn.kind == "chained":
        module.chained[(m // bm,)](
            *arrays, out, n, BM=bm, BN=bn, BK=bk, D=bk, PRECISION=drawn.precision,
            CAST=getattr(tl, language_type), SOFTMAX=drawn.softmax, **options,
        )  # fmt: skip
        return
    by_columns = drawn.by_columns
    strides = (*((1, m) if by_columns[0] else (k, 1)), *((1, k) if by_columns[1] else (n, 1)))
    sums = {"int8": "int32", "float64": "float64"}.get(drawn.type, "float16" if drawn.half_sums else "float32")
    module.product[(-(-m // bm), -(-n // bn))](
        *arrays, out, m, n, k, *strides, n, BM=bm, BN=bn, BK=bk, PRECISION=drawn.precision,
        SUMS=getattr(tl, sums), CAST=getattr(tl, language_type) if drawn.narrow else None, IMPRECISE=drawn.imprecise,
        BRANCH=drawn.branch, **options,
    )  # fmt: skip


def alone(seeds: range) -> None:
    """Launches ttkit's kernels on NumPy arrays."""
    import ml_dtypes
    import numpy as np
    from both_languages import load

    import ttkit
    import ttkit.language
    from ttkit.kernel_errors import TritonError

    def matrix(name: str, shape: tuple[int, ...]) -> Any:
        if name == "int8":
            return rng.integers(-128, 128, shape, np.int8)
        return rng.standard_normal(shape).astype(np.dtype(getattr(np, name, None) or getattr(ml_dtypes, name)))

    module = load("random_of_ttkit", HERE / "random_product_kernels.py", ttkit.jit, ttkit.language)
    refused = 0
    for seed in seeds:
        drawn, rng = draw(seed), np.random.default_rng(seed)
        (m, n, k), d = drawn.sizes, drawn.tile[2]
        groups = (drawn.groups,) if drawn.kind == "batched" else ()
        shapes = [(m, k), (n, k), (n, d)] if drawn.kind == "chained" else [(*groups, m, k), (*groups, k, n)]
        types = [drawn.type, drawn.narrow or drawn.type, drawn.type]
        result = {"int8": np.int32, "float64": np.float64}.get(
            drawn.type, np.float16 if drawn.half_sums else np.float32
        )
        print(f"product.{seed}", flush=True)
        out = np.zeros((m, d) if drawn.kind == "chained" else (*groups, m, n), result)
        try:
            launch(module, drawn, [matrix(*operand) for operand in zip(types, shapes)], out)
        except TritonError as error:
            refused += 1
            print(f"left out product.{seed}: {' '.join(str(error).split())[:200]}")
    print(f"launched {len(seeds) - refused} products", flush=True)


# --- All of them ------------------------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=320)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=12)
    parser.add_argument("--limit", type=float, default=420, help="seconds for all")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--alone", action="store_true", help="launches ttkit's, and compares nothing")
    parser.add_argument("--part", default="0/1", help="of those that --alone launches")
    parser.add_argument("--serve", type=int, nargs="*", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve is not None:
        serve(options.serve)
        return
    seeds = range(options.seed, options.seed + options.count)
    if options.alone:
        part, _, parts = options.part.partition("/")
        alone(seeds[int(part) :: int(parts)])
        return
    running = []
    for job in range(options.jobs):
        command = [sys.executable, __file__, "--serve", *map(str, seeds[job :: options.jobs])]
        running.append(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
    rows: dict[int, dict[str, Any]] = {}
    for process in running:
        try:
            text, _ = process.communicate(timeout=options.limit)
        except subprocess.TimeoutExpired:
            process.kill()
            text, _ = process.communicate()
        for line in text.splitlines():
            row = json.loads(line)
            rows[row["seed"]] = row
    for seed in seeds:
        rows.setdefault(seed, {"seed": seed, "status": "not run"})
    counts = Counter(row["status"] for row in rows.values())
    for row in rows.values():
        if row["status"] not in ("equal", "close", "both refuse", "triton refuses", "not run"):
            print(json.dumps({key: value for key, value in row.items() if value}))
    print(dict(counts))
    if options.json:
        options.json.write_text(json.dumps(list(rows.values()), indent=1))
    sys.exit(any(counts[status] for status in ("wrong", "ttkit refuses", "the process ended")))


if __name__ == "__main__":
    main()
