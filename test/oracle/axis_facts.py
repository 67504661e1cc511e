"""Axis facts of all pointers of loads, stores and atomics, beside those of Triton 3.6.

    TTKIT_ORACLE_PYTHON=oracle/bin/python .venv/bin/python test/oracle/axis_facts.py test/data/ir

Triton's pass tritongpu-coalesce tells what it found when it runs with TRITON_LLVM_DEBUG_ONLY.  Modules of tt are first
converted by Triton; those that it can't convert are left out.  Ends with 0 if all facts are equal.
"""

import os
import re
import sys
from collections import Counter
from pathlib import Path

from compare import modules_of, parse_pipeline, triton_worker
from mlir import ir

import ttkit
from ttkit.analysis.axis_analysis import AxisInfoAnalysis
from ttkit.inspection import collect

ACCESSES = ("tt.load", "tt.store", "tt.atomic_rmw", "tt.atomic_cas", "ttg.async_copy_global_to_local")
TO_TTG = "inline,canonicalize,triton-rewrite-tensor-pointer,convert-triton-to-tritongpu"


def facts(text: str) -> list[tuple[str, str]]:
    """What is known here of each access's pointers: (the operation, facts)."""
    with ttkit.Context():
        module, analysis = ttkit.parse(text), AxisInfoAnalysis()
        pointers = [op.operands[0] for op in collect(module.operation, ACCESSES)]
        tensors = [pointer for pointer in pointers if isinstance(pointer.type, ir.RankedTensorType)]
        return [(str(pointer.owner), str(analysis.info(pointer))) for pointer in tensors]


def main() -> int:
    os.environ["TRITON_LLVM_DEBUG_ONLY"] = "tritongpu-coalesce"
    triton = triton_worker(os.environ["TTKIT_ORACLE_PYTHON"])
    counts: Counter[str] = Counter()
    for path in sys.argv[1:]:
        for name, text in modules_of(Path(path)):
            if "ttg.num-warps" not in text:
                converted = triton.run(text, parse_pipeline(TO_TTG))
                if "error" in converted:
                    counts["not converted"] += 1
                    continue
                text = converted["text"]
            answer = triton.run(text, parse_pipeline("tritongpu-coalesce"))
            theirs = re.findall(r"axis info of pointer: (.*)", answer.get("debug", ""))
            ours = facts(text)
            if len(ours) != len(theirs):
                counts["not looked at by Triton"] += len(ours)
                continue
            for (access, here), there in zip(ours, theirs, strict=True):
                counts["equal" if here == there else "different"] += 1
                if here != there:
                    print(f"{name}: {access}\n  ttkit:  {here}\n  Triton: {there}")
    print(", ".join(f"{count} {status}" for status, count in counts.items()))
    return int(counts["different"] > 0)


if __name__ == "__main__":
    sys.exit(main())
