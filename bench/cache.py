"""Time of a kernel that the cache has, beside Triton's: in a fresh process, and again in the same one.

    .venv/bin/python bench/cache.py [--oracle-python PYTHON] [--repeat 5]

"fresh": the first `compile` of a process, after the imports that the kernel's own file needs.  "again": the median of
200 in that process.  Wall time in milliseconds, the least of all processes.  PYTHON has Triton
(docs/compare_with_triton.md).
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle-python", metavar="PYTHON", help="the Python that has Triton")
    parser.add_argument("--repeat", type=int, default=5, help="processes of each (default 5)")
    options = parser.parse_args()
    pythons = {"ttkit": sys.executable, **({"triton": options.oracle_python} if options.oracle_python else {})}
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in pythons}
    with tempfile.TemporaryDirectory(prefix="ttkit-bench-") as folder:
        for count in range(options.repeat + 1):  # the first fills the cache
            for name, python in pythons.items():
                environment = {**os.environ, "TRITON_CACHE_DIR": os.path.join(folder, name)}
                command = [python, __file__, name]
                done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
                if count:
                    found[name].append(tuple(float(text) for text in done.stdout.split()))
    for name, times in found.items():
        fresh, again = (min(column) for column in zip(*times))
        print(f"{name:7} fresh {1e3 * fresh:8.2f} ms   again {1e3 * again:6.3f} ms")


def measure(name: str) -> None:
    """Prints the times of this process, in seconds."""
    if name == "ttkit":
        import ttkit as package
        import ttkit.language as tl
        from ttkit import ASTSource, GPUTarget, compile
    else:
        import triton as package
        import triton.language as tl
        from triton.backends.compiler import GPUTarget
        from triton.compiler import ASTSource, compile
    globals()["tl"] = tl
    kernel = package.jit(add)
    signature = {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}

    def once() -> float:
        source = ASTSource(kernel, signature, {"BLOCK": 1024}, {(0,): [["tt.divisibility", 16]]})
        started = time.perf_counter()
        compile(source, GPUTarget("cuda", 90, 32), {"num_warps": 8})
        return time.perf_counter() - started

    print(once(), statistics.median(once() for _ in range(200)))


def add(x, y, out, n, BLOCK: tl.constexpr):  # type: ignore[name-defined, no-untyped-def]  # noqa: F821
    """A kernel of three lines."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)  # noqa: F821
    m = i < n
    tl.store(out + i, tl.load(x + i, mask=m) + tl.load(y + i, mask=m), mask=m)  # noqa: F821


if __name__ == "__main__":
    if len(sys.argv) == 2 and sys.argv[1] in ("ttkit", "triton"):
        measure(sys.argv[1])
    else:
        main()
