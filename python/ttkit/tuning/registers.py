"""Thresholds for registers of a thread, and for programs of a multiprocessor at once."""

from __future__ import annotations

from ttkit.tuning.switches import Switch

REGISTER_LIMITS = Switch(
    "register-limits",
    "11 kernels for sm_80 and sm_90 run at 1.04 to 1.33 times their speed; three whose registers grow by less at 0.96 "
    "to 0.99, those without dot operations at 0.74 at worst.  Four that spill 20 to 32 bytes more: 1.05 to 1.28.  Of "
    "402 kernels of attention, four spill 40 to 48 bytes, at two sizes each: 0.97 to 1.35, 1.23 in the mean (H200).  "
    "A tenth of the registers for 1.2 and 1.3 times the programs: two kernels at 0.981 and 0.992 (H200)",
    "2026-11-23, 2026-11-24, 2026-11-30, 2026-12-01",
)
LEAST_GAIN = REGISTER_LIMITS.threshold(
    "LEAST_GAIN", 1.3, "registers of all programs at once, at least so many times as many as without the limit"
)
MOST_SPILLED = REGISTER_LIMITS.threshold("MOST_SPILLED", 48, "more bytes that a thread spills, at most")

LOADS_TOGETHER = Switch(
    "loads-together",
    "of 60 kernels of rows and scans four change, to 1.07, 1.20, 1.29 and 1.36 times their speed; of 200 of vLLM, fla "
    "and torchao one of 6 us, to 0.94 (H200)",
    "2026-11-29",
)
KEPT_PROGRAMS = LOADS_TOGETHER.threshold(
    "KEPT_PROGRAMS", 0.75, "programs of a multiprocessor, at least this share of those without the limit"
)

TENSOR_MEMORY_REGISTERS = Switch(
    "tensor-memory-registers",
    "attention_backward with D = 128 by 64x64 spills nothing instead of 32 bytes, by 32x128 48 instead of 192 (ptxas "
    "13.0; not timed)",
    "2026-11-23",
)
FEWER_REGISTERS = TENSOR_MEMORY_REGISTERS.threshold(
    "FEWER_REGISTERS", (248, 232, 216), "registers of a thread, limits that are tried"
)

PROGRAMS_AT_ONCE = Switch(
    "programs-at-once",
    "306 kernels, each with ten numbers of programs: 186 that informed the choice run at 1.012 of Triton's speed, 120 "
    "that only judge it at 1.088; where ptxas decides at 1.005 and 1.038 (H100).  With one warp 16 programs are as "
    "fast as 8; a kernel with 138 registers for 8 programs and 121 for 16 runs at 1.48 times its speed.  A convolution "
    "of 7x7 taps, unrolled, has 168 registers where ptxas takes 80, and runs at 0.76 of its speed; eleven with loops "
    "of smaller loads than MANY_LOADED at 0.91 to 1.01, 0.981 in the geometric mean (H200)",
    "2026-11-27, 2026-11-28, 2026-12-01",
)
MANY_LOADED = PROGRAMS_AT_ONCE.threshold(
    "MANY_LOADED", 12, "registers of a thread that loads of a block fill, from which on programs are asked for"
)
MOST_LOADED = PROGRAMS_AT_ONCE.threshold(
    "MOST_LOADED", 255, "registers of a thread that small loads without a loop fill, beyond which ptxas decides"
)
MOST_PROGRAMS = PROGRAMS_AT_ONCE.threshold("MOST_PROGRAMS", 3, "programs of a multiprocessor, asked for at most")
FEW_SPILLED = PROGRAMS_AT_ONCE.threshold(
    "FEW_SPILLED", 32, "bytes that a thread of the programs asked for spills, at most"
)
LEAST_HELD = PROGRAMS_AT_ONCE.threshold(
    "LEAST_HELD", 0.67, "of a spilling kernel's registers and places on the stack, registers of the next one at least"
)
CERTAIN_SPILLS = PROGRAMS_AT_ONCE.threshold(
    "CERTAIN_SPILLS",
    1.03,
    "values that outlive a barrier for each register of a thread, from which on all kernels spill",
)
FEW_WARPS = PROGRAMS_AT_ONCE.threshold(
    "FEW_WARPS", 16, "warps of a multiprocessor, asked for with programs of fewer than four warps"
)
OTHER_REGISTERS = PROGRAMS_AT_ONCE.threshold(
    "OTHER_REGISTERS", 16, "registers of a thread beside loaded and carried values"
)

STREAMING_PROGRAMS = Switch(
    "streaming-programs",
    "of 60 kernels of rows and scans two change by more than noise, to 1.04 and 1.07 times their speed; five of 200 "
    "of vLLM and torchao to 0.986 to 1.042, 1.006 in the geometric mean (H200)",
    "2026-11-29",
)
STREAMING_WARPS = STREAMING_PROGRAMS.threshold(
    "STREAMING_WARPS", 32, "warps of a multiprocessor, asked for with programs without loops that load much"
)
