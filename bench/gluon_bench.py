"""Kernels in Gluon by Triton and by ttkit, from one source: results and times, beside cuBLAS and SDPA by cuDNN.

    python bench/gluon_bench.py time OUT.json [PATTERN...]      # on a GPU, with torch and Triton
    python bench/gluon_bench.py warm 3/8 [PATTERN...]           # the same kernels into the caches, a part of eight
    python bench/gluon_bench.py compile triton|ttkit FOLDER     # cubins, without a GPU; Triton by a Python that has it
    TTKIT_DEVICE=interpret:sm_90 python bench/gluon_bench.py check        # small sizes, without a GPU

`time` launches all kernels of a subject in random order, the L2 cache flushed before each; a figure is the median, of
microseconds.  Results are compared with torch's in float32.  IMPL=ttkit, IMPL=triton: only one of them.  BUDGET: no
subject begins after so many seconds.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
import types
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from gluon_cases import Array, Block, Case, all_cases, small_cases  # noqa: E402
from gluon_implementations import Implementation, signature_of  # noqa: E402

# --- Times on a GPU ---------------------------------------------------------------------------------------------------


class Subjects:
    """The arrays of a subject, what must come out, and the library's kernel for it."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.arrays: dict[Array, Any] = {}

    def arrays_of(self, cases: list[Case]) -> dict[Array, Any]:
        """Random numbers, always the same; those of other subjects are given up."""
        torch = self.torch
        torch.manual_seed(0)
        wanted = {each for case in cases for each in arrays_named(case)}
        self.arrays = {}
        for each in sorted(wanted, key=lambda each: each.name):
            dtype = torch.float16 if each.dtype == "fp16" else torch.float32
            self.arrays[each] = torch.randn(each.shape, device="cuda", dtype=dtype)
        return self.arrays

    def by_name(self, name: str) -> Any:
        """An array of the subject."""
        return next(value for each, value in self.arrays.items() if each.name == name)

    def rivals(self, subject: tuple[Any, ...]) -> dict[str, Any]:
        """Functions of torch that compute the same."""
        torch = self.torch
        a = self.by_name("q" if subject[0] == "attention" else "a")
        if subject[0] == "copy":
            target = torch.empty_like(a)
            return {"torch": lambda: target.copy_(a)}
        if subject[0] == "transposed":
            target = torch.empty_like(a)
            return {"torch": lambda: target.copy_(a.T)}
        if subject[0] == "sum":
            b, target = self.by_name("b"), torch.empty_like(a)
            return {"torch": lambda: torch.add(a, b, out=target)}
        if subject[0] == "product":
            b, target = self.by_name("b"), torch.empty_like(a)
            return {"cublas": lambda: torch.matmul(a, b.T, out=target)}
        from torch.nn.attention import SDPBackend, sdpa_kernel

        _, D, tokens, heads, causal = subject
        q, k, v = (self.by_name(name).view(1, heads, tokens, D) for name in "qkv")

        def attend(backend: Any) -> Any:
            with sdpa_kernel(backend):
                return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=bool(causal))

        return {
            "cudnn": lambda: attend(SDPBackend.CUDNN_ATTENTION),
            "flash": lambda: attend(SDPBackend.FLASH_ATTENTION),
        }

    def wanted(self, subject: tuple[Any, ...]) -> Any:
        """The result in float32; of attention only the first head and the last."""
        torch = self.torch
        if subject[0] == "attention":
            _, D, tokens, heads, causal = subject
            q, k, v = (self.by_name(name).view(heads, tokens, D)[:: max(1, heads - 1)].float() for name in "qkv")
            scores = q @ k.mT * D**-0.5
            if causal:
                scores.masked_fill_(torch.ones(tokens, tokens, device="cuda", dtype=torch.bool).triu(1), -float("inf"))
            return torch.softmax(scores, -1) @ v
        a = self.by_name("a")
        if subject[0] == "product":
            return a.float() @ self.by_name("b").float().T
        return {"copy": lambda: a, "transposed": lambda: a.T, "sum": lambda: a + self.by_name("b")}[subject[0]]()

    def error(self, subject: tuple[Any, ...], wanted: Any) -> float:
        """The largest difference of `out`, relative to the largest number."""
        out = self.by_name("out")
        if subject[0] == "attention":
            _, D, tokens, heads, _ = subject
            out = out.view(heads, tokens, D)[:: max(1, heads - 1)]
        return ((out.float() - wanted).abs().max() / wanted.abs().max()).item()


def timed(torch: Any, launches: dict[str, Any], flush: Any, rounds: int) -> dict[str, float]:
    """Medians in microseconds of launches in random order."""
    times: dict[str, list[float]] = {name: [] for name in launches}
    for _ in range(rounds):
        events = []
        for name in random.sample(list(launches), len(launches)):
            flush.zero_()
            torch.cuda._sleep(300_000)
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            begin.record()
            launches[name]()
            end.record()
            events.append((name, begin, end))
        torch.cuda.synchronize()
        for name, begin, end in events:
            times[name].append(begin.elapsed_time(end) * 1e3)
    return {name: sorted(each)[len(each) // 2] for name, each in times.items()}


def chosen(cases: list[Case], patterns: list[str]) -> list[Case]:
    """The cases that a pattern finds; all without patterns."""
    return [case for case in cases if not patterns or any(re.search(each, case.name) for each in patterns)]


def arrays_named(case: Case) -> set[Array]:
    """The arrays of a case's arguments."""
    return {
        each.array if isinstance(each, Block) else each for each in case.arguments if isinstance(each, Array | Block)
    }


def implementations_wanted() -> list[Implementation]:
    """Both, or those of IMPL."""
    return [Implementation(name) for name in os.environ.get("IMPL", "triton ttkit").split()]


def warm(part: str, patterns: list[str]) -> None:
    """Compiles a part of the kernels into the caches: arrays are one element, and nothing is launched."""
    import torch

    number, parts = map(int, part.split("/"))
    for case in chosen(all_cases(), patterns)[number::parts]:
        wanted = arrays_named(case)
        arrays = {
            each: torch.empty(1, device="cuda", dtype=torch.float16 if each.dtype == "fp16" else torch.float32).expand(
                each.shape
            )
            for each in wanted
        }
        for each in implementations_wanted():
            try:
                each.compiler(case, arrays)()
            except Exception as error:
                print(f"{each.name}: {case.name}: {type(error).__name__} {str(error)[:300]}", flush=True)


def time_all(path: str, patterns: list[str]) -> None:
    """Times every case that a pattern finds; the file grows subject by subject."""
    import torch

    implementations, cases = implementations_wanted(), chosen(all_cases(), patterns)
    flush = torch.empty(32 << 20, dtype=torch.int32, device="cuda")
    subjects, results = Subjects(torch), {"device": torch.cuda.get_device_name(), "torch": torch.__version__}
    begun, limit = time.time(), float(os.environ.get("BUDGET", "1e9"))
    groups: dict[Any, list[Case]] = {}
    for case in cases:
        groups.setdefault((case.subject, tuple(x.shape for x in case.arguments if isinstance(x, Array))), []).append(
            case
        )
    for (subject, _), members in groups.items():
        if time.time() - begun > limit:
            print(f"no time for {subject}", flush=True)
            continue
        arrays = subjects.arrays_of(members)
        wanted = subjects.wanted(subject)
        launches, about = {}, {}
        for name, launch in subjects.rivals(subject).items():
            try:
                launch()
                torch.cuda.synchronize()
                launches[name] = launch
            except Exception as error:
                about[name] = {"error": str(error)[:200]}
        for case in members:
            for each in implementations:
                key = f"{each.name}: {case.name}"
                try:
                    launch = each.launcher(case, arrays)
                    subjects.by_name("out").fill_(float("nan"))
                    compiled = launch()
                    torch.cuda.synchronize()
                    about[key] = {
                        "error": subjects.error(subject, wanted), "registers": getattr(compiled, "n_regs", None),
                        "spills": getattr(compiled, "n_spills", None), "shared": compiled.metadata.shared,
                    }  # fmt: skip
                    launches[key] = launch
                except Exception as error:
                    about[key] = {"error": f"{type(error).__name__}: {str(error)[:300]}"}
                    if "illegal" in str(error) or "misaligned" in str(error):
                        raise
        rounds = int(os.environ.get("ROUNDS", "9"))
        medians = timed(torch, launches, flush, rounds)
        for key, median in medians.items():
            about.setdefault(key, {})["us"] = median
        results[" ".join(map(str, subject)) + f" {members[0].name.partition(':')[0]}"] = about
        Path(path).write_text(json.dumps(results, indent=1))
        show(subject, members, about)
        print(f"  {time.time() - begun:.0f} s", flush=True)


def show(subject: tuple[Any, ...], members: list[Case], about: dict[str, dict[str, Any]]) -> None:
    """A row a kernel: Triton's and ttkit's speed, their ratio, errors; then the best of each and the libraries."""
    flops, size = members[0].flops, members[0].bytes

    def speed(us: float) -> float:
        return (flops / us / 1e6) if flops else (size / us / 1e3)

    print(f"== {' '.join(map(str, subject))}, {'TFLOP/s' if flops else 'GB/s'}", flush=True)
    best: dict[str, tuple[float, str]] = {}
    for case in members:
        row = []
        for name in ("triton", "ttkit"):
            got = about.get(f"{name}: {case.name}", {})
            row.append(got.get("us"))
            if "us" in got:
                best[name] = min(best.get(name, (1e30, "")), (got["us"], case.name))
        errors = [about.get(f"{name}: {case.name}", {}).get("error") for name in ("triton", "ttkit")]
        words = " ".join(f"{speed(us):7.0f}" if us else "      -" for us in row)
        ratio = f"{row[0] / row[1]:6.3f}" if all(row) else "     -"
        said = " ".join(f"{each:.0e}" if isinstance(each, float) else str(each)[:150] for each in errors)
        print(f"  {words} {ratio}  {case.name}  [{said}]")
    for name in ("cublas", "cudnn", "flash", "torch"):
        if "us" in about.get(name, {}):
            best[name] = about[name]["us"], ""
    for name, (us, case) in best.items():
        print(f"  best {name:7} {us:9.1f} us {speed(us):7.0f}  {case}")


# --- Without a GPU ----------------------------------------------------------------------------------------------------


def compile_all(which: str, folder: Path, patterns: list[str]) -> None:
    """Writes the cubin, PTX and ttgir of every case for sm_90."""
    implementation = Implementation(which)
    if which == "triton":
        from triton.backends.compiler import GPUTarget
        from triton.compiler import compile as build
        from triton.experimental.gluon._runtime import GluonASTSource as Source
    else:
        from ttkit import ASTSource as Source
        from ttkit import GPUTarget
        from ttkit import compile as build
    folder.mkdir(parents=True, exist_ok=True)
    for case in chosen(all_cases(), patterns):
        begun = time.time()
        signature, constants, hints = signature_of(implementation, case)
        try:
            source = Source(implementation.kernel(case), signature, constants, hints)
            options = {"num_warps": case.warps, **case.options}
            made = build(source, target=GPUTarget("cuda", 90, 32), options=options)
        except Exception as error:
            words = [str(error)]
            while error.__cause__ is not None:
                error = error.__cause__
                words.append(str(error))
            said = "\n".join(each[-300:] for each in words)
            print(f"FAILED {case.name}: {type(error).__name__}\n{said}", flush=True)
            continue
        path = folder / re.sub(r"[^\w.]+", "_", case.name)
        for level in ("cubin", "ptx", "ttgir"):
            text = made.asm[level]
            path.with_name(f"{path.name}.{level}").write_bytes(text if isinstance(text, bytes) else str(text).encode())
        print(f"{time.time() - begun:5.1f} s, shared {made.metadata.shared}: {case.name}", flush=True)


def check_all(patterns: list[str]) -> int:
    """Runs the small cases of ttkit by the interpreter, and compares with numpy; gives how many were wrong."""
    import numpy as np

    implementation, wrong = Implementation("ttkit"), 0
    for case in chosen(small_cases(), patterns):
        rng = np.random.default_rng(0)
        wanted = arrays_named(case)
        arrays = {
            each: rng.standard_normal(each.shape).astype(np.float16 if each.dtype == "fp16" else np.float32)
            for each in sorted(wanted, key=lambda each: each.name)
        }
        named = types.SimpleNamespace(**{each.name: value for each, value in arrays.items()})
        named.out.fill(np.nan)
        begun = time.time()
        implementation.launcher(case, arrays)()
        error = float(np.abs(named.out - of_numpy(np, case.subject, named)).max())
        wrong += not error < 0.05
        print(f"{time.time() - begun:5.1f} s, error {error:.1e}: {case.name}", flush=True)
    return wrong


def of_numpy(np: Any, subject: tuple[Any, ...], named: Any) -> Any:
    """What a small case must compute."""
    if subject[0] == "attention":
        _, D, tokens, heads, causal = subject
        q, k, v = (getattr(named, name).reshape(heads, tokens, D).astype(np.float32) for name in "qkv")
        scores = q @ k.transpose(0, 2, 1) * D**-0.5
        scores = np.where(np.tri(tokens, dtype=bool) | (not causal), scores, -np.inf)
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        return (weights / weights.sum(-1, keepdims=True) @ v).reshape(heads * tokens, D)
    if subject[0] == "product":
        return named.a.astype(np.float32) @ named.b.astype(np.float32).T
    return {"copy": lambda: named.a, "transposed": lambda: named.a.T, "sum": lambda: named.a + named.b}[subject[0]]()


def main() -> int:
    """The command line."""
    what, *rest = sys.argv[1:] or [""]
    if what == "time":
        time_all(rest[0], rest[1:])
    elif what == "warm":
        warm(rest[0], rest[1:])
    elif what == "compile":
        compile_all(rest[0], Path(rest[1]), rest[2:])
    elif what == "check":
        return check_all(rest)
    else:
        print(__doc__)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
