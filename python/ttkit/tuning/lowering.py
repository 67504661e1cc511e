"""Thresholds of the lowering from ttg to llvm and nvvm."""

from __future__ import annotations

from ttkit.tuning.switches import Switch

UNIFORM_SLOTS = Switch(
    "uniform-slots",
    "five kernels with several warp groups and one wgmma run at 0.999 to 1.013 times their speed; with one group "
    "64x128 at 0.98, with two operations, attention, at 0.93 at worst (H200)",
    "2026-11-24",
)
MOST_WGMMAS = UNIFORM_SLOTS.threshold("MOST_WGMMAS", 1, "wgmma operations of a kernel, at most")

EQUAL_PARTITIONS = Switch(
    "equal-partitions",
    "21 kernels with divided loops that carry at most 128 registers run at 0.977 to 1.050 times their speed, 1.007 in "
    "the geometric mean; three that carry 144, attention with D = 256, spill more and run at 0.888 to 1.020 (H200)",
    "2026-11-30",
)
MOST_CARRIED = EQUAL_PARTITIONS.threshold(
    "MOST_CARRIED", 128, "registers of a thread for tensors that a loop carries, at most: more leave none for choices"
)

WGMMA_HALVES = Switch(
    "wgmma-halves",
    "26 kernels of attention run at 0.99 to 1.00 times their speed, with `ttkit-sum-within-threads` at 0.98 to 1.10, "
    "1.025 in the mean; between fewer steps ptxas adds too many instructions (H200)",
    "2026-11-24",
)
HALVED_STEPS = WGMMA_HALVES.threshold(
    "HALVED_STEPS", 4, "steps along K of a wgmma whose operand was just computed, from which on it starts in halves"
)

BYTE_ADDRESSES = Switch(
    "byte-addresses",
    "34 kernels with free registers run at 0.99 to 1.03 times their speed, others at 0.98, a "
    "dot operation of 16 rows by mma.sync at 0.85 (H200)",
    "2026-11",
)
FREE_THREADS = BYTE_ADDRESSES.threshold(
    "FREE_THREADS", 256, "threads of a multiprocessor at once, which then have all registers"
)

SHARED_REDUCTIONS = Switch(
    "shared-reductions",
    "of 232 kernels 22, most with 16 warps, run at 1.03 to 1.26 times their speed, one at 0.97; all at 1.012 in the "
    "geometric mean (H200)",
    "2026-11-28",
)
MANY_TOTALS = SHARED_REDUCTIONS.threshold(
    "MANY_TOTALS", 64, "values of all warps, from which on a thread combines a share of them and gets the rest"
)
MANY_WARPS = SHARED_REDUCTIONS.threshold(
    "MANY_WARPS", 16, "warps, from which on lanes load a total each and combine theirs"
)

DIVIDED_TOTALS = Switch(
    "divided-totals",
    "67 of 130 kernels with reductions of tiles differ: 1.13 times their speed in the geometric mean, 0.99 to 1.62; "
    "with 4 in place of 8 some run at 0.93 (H100)",
    "2026-11-27",
)
LEAST_STORED = DIVIDED_TOTALS.threshold(
    "LEAST_STORED", 2, "totals of a lane, from which on lanes divide those that go to shared memory"
)
LEAST_RETURNED = DIVIDED_TOTALS.threshold(
    "LEAST_RETURNED", 8, "totals of a lane, from which on lanes divide those that come back"
)

SCANNED_TOTALS = Switch(
    "scanned-totals",
    "of twelve kernels with scans three change: from 968 to 744 instructions, from 496 to 448 and from 568 to 504; "
    "from 196 to 93 registers, from 80 to 63 and from 79 to 78.  They were not timed (sm_90a, ptxas 13.0)",
    "2026-11-30",
)
MANY_BLOCKS = SCANNED_TOTALS.threshold(
    "MANY_BLOCKS", 32, "blocks of a scan, from which on the lanes of each warp scan their totals together"
)
LEAST_LANES = SCANNED_TOTALS.threshold("LEAST_LANES", 4, "bits of a lane's number along the axis, at least")

CONSTANT_COMPARISONS = Switch(
    "constant-comparisons",
    "loops of causal attention, eight kernels: 0.99 to 1.06 times their speed, 1.02 in the mean; specialized warps, "
    "six: 0.93 to 1.04, 0.99 (H200, bench/cubins.py)",
    "2026-11-23",
)
# An element costs an addition, a group two subtractions.
LEAST_SHARE = CONSTANT_COMPARISONS.threshold(
    "LEAST_SHARE", 4, "elements for each group of them at constant distances, at least"
)

FMA_SLICES = Switch(
    "fma-slices", "tiles of 128x128 by four warps spill with 1,024 products at once (sm_90a, ptxas 13.0)", "2026-11"
)
HELD_REGISTERS = FMA_SLICES.threshold("HELD_REGISTERS", 64, "registers of a slice of the held operand, at most")
PRODUCTS_AT_ONCE = FMA_SLICES.threshold(
    "PRODUCTS_AT_ONCE", 512, "multiply-adds of one iteration, at most: 8 KiB of instructions"
)

HALF_OF_INTEGERS = Switch(
    "half-of-integers", "eight dot operations on integers that become f16: 1.11 times their speed (H200)", "2026-11-23"
)
FIRST_TIMED = HALF_OF_INTEGERS.threshold(
    "FIRST_TIMED", 90, "capability from which on integers become f16 by way of f32; earlier ones were not timed"
)
