"""A pass of your own in the pipeline of a kernel that is being compiled.

`passes/strength_reduction.py` replaces products by powers of two.  Here it joins the stage ttir of one kernel, and the
results are checked: the interpreter runs the kernel before and after each pass, on the arguments of the launch.
"""

import os
from pathlib import Path

import numpy as np
from showing import gpu_name

import ttkit
import ttkit.language as tl
from ttkit import pipelines

PASS = Path(__file__).parent / "passes" / "strength_reduction.py"


@ttkit.jit
def every_fourth(x_ptr, out_ptr, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets * 4))


def main():
    if gpu_name() is None:
        os.environ.setdefault("TRITON_OVERRIDE_ARCH", "sm90")
    x, out = np.arange(256, dtype=np.int32), np.zeros(64, np.int32)
    plain = every_fourth.warmup(x, out, grid=(1,), BLOCK=64)
    with pipelines.insert_after("triton-combine", PASS, kernel=every_fourth), pipelines.checked() as checking:
        changed = every_fourth.warmup(x, out, grid=(1,), BLOCK=64)
    print("every_fourth, and with strength-reduction after triton-combine")
    for compiled in (plain, changed):
        line = next(line for line in compiled.asm["ttir"].splitlines() if "muli" in line or "shli" in line)
        print(f"  {' '.join(line.partition(' loc(')[0].split())}")
    (checked,) = checking.launches
    assert "strength-reduction" in checked.passes and not checked.skipped
    print(f"  {len(checked.passes)} passes changed the kernel, none its result\n")


if __name__ == "__main__":
    main()
