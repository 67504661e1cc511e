"""The tuning table: each threshold that was fitted by measuring, with a switch that turns off what it is for.

    TTKIT_TUNING_OFF=programs-at-once,ttkit-ping-pong python script.py      # off, in this process and its children

A threshold is a constant here, and a row of `TABLE`: name, value, unit, what it was measured on, date, switch.  A
switch covers the thresholds of one mechanism.  One with the name of a pass takes the pass out of its stage.  The
variable is part of the cache key.

Not in the table: limits of the hardware (`ttkit.target`), limits that keep memory and time finite, such as
`MAX_ELEMENTS`, and numbers that choose what Triton chooses, such as the costs of layout propagation.
"""

from __future__ import annotations

from ttkit.tuning_switches import SWITCHES as SWITCHES
from ttkit.tuning_switches import TABLE as TABLE
from ttkit.tuning_switches import Switch
from ttkit.tuning_switches import switched_off as switched_off

# --- Registers and programs -------------------------------------------------------------------------------------------

REGISTER_LIMITS = Switch(
    "register-limits",
    "11 kernels for sm_80 and sm_90 run at 1.04 to 1.33 times their speed; three whose registers grow by less at 0.96 "
    "to 0.99, those without dot operations at 0.74 at worst.  Four that spill 20 to 32 bytes more: 1.05 to 1.28.  Of "
    "402 kernels of attention, four spill 40 to 48 bytes, at two sizes each: 0.97 to 1.35, 1.23 in the mean (H200)",
    "2026-11-23, 2026-11-24, 2026-11-30",
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
    "fast as 8; a kernel with 138 registers for 8 programs and 121 for 16 runs at 1.48 times its speed (H200)",
    "2026-11-27, 2026-11-28",
)
MANY_LOADED = PROGRAMS_AT_ONCE.threshold(
    "MANY_LOADED", 12, "registers of a thread that loads of a block fill, from which on programs are asked for"
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

SPLIT_MASKED_LOOPS = Switch(
    "ttkit-split-masked-loops",
    "84 kernels of attention and its gradients whose loops have a causal mask, 1,024 to 16,384 tokens: 0.85 to 1.18 "
    "times their speed, 1.060 in the geometric mean; from 4,096 tokens on 0.96 to 1.18, 1.087 (H200)",
    "2026-11-30",
)
SPLIT_ELEMENTS = SPLIT_MASKED_LOOPS.threshold("SPLIT_ELEMENTS", 256, "elements of a masked tensor, at least")

RUN_LONGEST_FIRST = Switch(
    "ttkit-run-longest-first",
    "156 kernels of attention with a causal mask and of its gradients, 1,024 to 16,384 tokens: 0.95 to 1.50 times "
    "their speed, 1.124 in the geometric mean (H200)",
    "2026-11-30",
)
LAST_PROGRAMS = RUN_LONGEST_FIRST.threshold(
    "LAST_PROGRAMS", 512, "programs that start last, sorted by their work, at most"
)
ONE_WAVE = RUN_LONGEST_FIRST.threshold(
    "ONE_WAVE", 132, "programs that start at once in any order: one for each multiprocessor"
)
CACHED_BYTES = RUN_LONGEST_FIRST.threshold(
    "CACHED_BYTES", 32 << 20, "bytes that the programs sorted by their work load, at most: the L2 cache holds them"
)

# --- LLVM -------------------------------------------------------------------------------------------------------------

FEW_REGISTERS_ORDER = Switch(
    "few-registers-order",
    "16 kernels of attention by wgmma run at 1.012 times their speed in the geometric mean, 1.08 at most; a kernel "
    "without dot operations at 0.8; without copies 16 kernels at 0.93 to 1.19 in the usual order, 1.017 (H200)",
    "2026-11-23",
)
FEW_REGISTERS_FLAG = FEW_REGISTERS_ORDER.threshold(
    "FEW_REGISTERS_FLAG", "-nvptx-sched4reg", "flag of LLVM, for wgmma beside asynchronous copies"
)

LOOP_ADDRESSES = Switch(
    "loop-addresses",
    "of 29 kernels for sm_80 eight change, to 0.98 to 1.12 times their speed, 1.028 in the mean; of five for sm_90 "
    "without pipelining one, to 1.048; without dot operations one of two runs at 0.88 (H200, bench/cubins.py)",
    "2026-11",
)
LOOP_ADDRESSES_FLAG = LOOP_ADDRESSES.threshold(
    "LOOP_ADDRESSES_FLAG", "-lsr-drop-solution", "flag of LLVM, for wgmma and mma.sync"
)

HIDDEN_THREAD_RANGE = Switch(
    "hidden-thread-range",
    "without dot operations recurrences and products by vectors run at up to 1.04, once 1.28 times their speed, others "
    "at 0.97 at least, once 0.91; with dot operations matmul_ptr at 0.95 (H200, bench/cubins.py)",
    "2026-11",
)
THREAD_RANGE = HIDDEN_THREAD_RANGE.threshold(
    "THREAD_RANGE", (0, 0xFFFFFFFF), "numbers of a thread that LLVM takes for possible, the last one not"
)

BRANCHES = Switch("branches", "erf of 2**20 numbers with warm caches: 3.0 us, 3.8 with selects (H200)", "2026-11")
CONSTANTS_OF_A_SELECT = BRANCHES.threshold(
    "CONSTANTS_OF_A_SELECT", 1, "constants that a branch chooses between, from which on it stays a branch"
)

SCALARS_FIRST = Switch(
    "scalars-first",
    "77 kernels without dot operations run at 1.004 times their speed, 0.978 to 1.047, one that gathers rows at 1.15, "
    "and without the target's costs at 1.20 more; with 8 elements and more 171 at 0.955 to 1.074, with dot operations "
    "89 at 0.995, 0.908 at worst (H200)",
    "2026-11-28",
)
FEW_ELEMENTS = SCALARS_FIRST.threshold("FEW_ELEMENTS", 4, "elements of a tensor that a thread holds, at most")

# --- Time that LLVM takes ---------------------------------------------------------------------------------------------

CUT_EXPRESSIONS = Switch("cut-expressions", "an expression of 3,300 terms: 10.3 s of optimization (CPU)", "2026-11")
MANY_OPERATIONS = CUT_EXPRESSIONS.threshold("MANY_OPERATIONS", 1000, "integer operations of a module, more than")
MOST_TERMS = CUT_EXPRESSIONS.threshold("MOST_TERMS", 500, "terms of an expression, at most")

CUT_CHAINS = Switch("cut-chains", "4,000 lines `x = x * n + i`: emission in 0.9 s instead of 20 (CPU)", "2026-11")
LONGEST_CHAIN = CUT_CHAINS.threshold("LONGEST_CHAIN", 64, "integer operations that use each other, at most")
MANY_INTEGERS = CUT_CHAINS.threshold(
    "MANY_INTEGERS", 400, "integer operations of a function, from which on chains and expressions are looked for"
)

ISOLATED_ADDRESSES = Switch(
    "isolated-addresses", "two of LLVM's passes take 2 s at 1,000 addresses, 28 s at 3,000 (CPU)", "2026-11"
)
MANY_ADDRESSES = ISOLATED_ADDRESSES.threshold("MANY_ADDRESSES", 1000, "addresses of a module, more than")

WIDE_TENSORS = Switch(
    "wide-tensors", "LLVM takes 20 s for 2,048 elements a thread, four times as long for twice as many (CPU)", "2026-11"
)
MANY_ELEMENTS = WIDE_TENSORS.threshold("MANY_ELEMENTS", 1 << 10, "elements of a tensor that a thread holds, at least")

WIDE_VECTORS = Switch(
    "wide-vectors", "LLVM's scalarizer: 3 s for a vector of 512 bytes, minutes for one of 2,048 elements", "2026-11"
)
MANY_BYTES = WIDE_VECTORS.threshold("MANY_BYTES", 16, "bytes of a vector, from which on it is made of words")
WIDE_VECTOR = WIDE_VECTORS.threshold("WIDE_VECTOR", 512, "elements of a vector, from which on it is made of parts")
VECTOR_PART = WIDE_VECTORS.threshold("VECTOR_PART", 64, "elements of such a part")

SCALAR_COMPARISONS = Switch(
    "scalar-comparisons",
    "84 kernels of flash-linear-attention, vLLM and torchao with dot operations have 0.948 times their instructions in "
    "the geometric mean, 0.70 to 1.02; with comparisons of vectors alone 106 kernels ran at 1.006 times their speed, "
    "0.95 to 1.16, and causal attention by wgmma at 0.90 to 0.98 (H200)",
    "2026-11-28",
)
MOST_COMPARED = SCALAR_COMPARISONS.threshold("MOST_COMPARED", 256, "elements of a comparison of vectors, at most")
DEEPEST_COMPARED = SCALAR_COMPARISONS.threshold(
    "DEEPEST_COMPARED", 32, "operations before a comparison that are done for its elements again, at most"
)

# --- Lowering ---------------------------------------------------------------------------------------------------------

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

# --- Passes -----------------------------------------------------------------------------------------------------------

ORDER_PRODUCTS = Switch(
    "ttkit-order-products",
    "attention runs at 1.00 to 1.08 times its speed with 128 columns, at 0.95 to 1.03 with 64 (H200)",
    "2026-11-23",
)
ORDERED_COLUMNS = ORDER_PRODUCTS.threshold("ORDERED_COLUMNS", 128, "columns of the first wgmma's result, at least")

PING_PONG = Switch(
    "ttkit-ping-pong",
    "attention with a mask: with D = 64 and 128 columns 0.92 to 0.95 times its speed; with D = 128 0.97 to 0.99 with "
    "two stages of 64 columns, else 1.02 to 1.06 (H200)",
    "2026-11-23",
)
PING_PONG_DEPTH = PING_PONG.threshold("PING_PONG_DEPTH", 128, "depth of the first wgmma, at least")
PING_PONG_WORK = PING_PONG.threshold("PING_PONG_WORK", 2 * 64 * 128, "columns times depth of all wgmmas, at least")
# Groups that alternate are half an iteration apart, and a slot is filled again when the last of them has read it: two
# slots of 64 columns come late.
PING_PONG_BUFFERED = PING_PONG.threshold(
    "PING_PONG_BUFFERED", 3 * 64, "columns of all slots that the first wgmma reads, at least"
)

OVERLAP_PRODUCTS = Switch(
    "ttkit-overlap-products", "attention by specialized warps: docs/pipelining.md has TFLOP/s (H200)", "2026-11-23"
)
# Groups that compute have 232 registers; indices, masks and what one row has take the others.
OVERLAPPED_REGISTERS = OVERLAP_PRODUCTS.threshold(
    "OVERLAPPED_REGISTERS", 180, "registers of a thread for scores, two iterations' numerators and the accumulator"
)

CHOOSE_WARP_GROUPS = Switch(
    "ttkit-choose-warp-groups",
    "attention forward by TMA: with D = 128 (tensor cores take twice as long as exponentials) 16 configurations of 8 "
    "warps run at 1.00 to 1.36 times the speed of the pipelined loop.  With D = 64 (as long) they run at 0.81 to 1.04. "
    "With D = 128 by pointers 4 warps run at 1.36 to 3.39, 8 warps, with D = 256 too, at 0.87 to 1.43 (84, 1.11 "
    "in the geometric mean).  4 warps whose results do not fit into registers: forward with D = 256 at 4.4 to 6.7, "
    "gradients with D = 128 at 2.4 to 3.9, with D = 64 by 64 columns at 0.97 to 1.97 (H200)",
    "2026-11-28, 2026-11-29",
)
TENSOR_SHARE = CHOOSE_WARP_GROUPS.threshold(
    "TENSOR_SHARE", 1.5, "cycles of tensor cores for each cycle of exponentials, at least"
)
DIVIDED_COLUMNS = CHOOSE_WARP_GROUPS.threshold("DIVIDED_COLUMNS", 64, "columns of both results, at least")
DIVIDED_REGISTERS = CHOOSE_WARP_GROUPS.threshold(
    "DIVIDED_REGISTERS", 180, "registers of a thread for the results of both dot operations and the second's operand"
)

RELEASE_LATE = Switch(
    "ttkit-release-late",
    "products by TMA, f16, 64x256 by one group that computes: 1.07 to 1.21 times their speed; by two groups (128x256, "
    "128x128), which the pass leaves alone, 0.90 to 1.06 (H200)",
    "2026-11-28",
)
# With two slots the next one would be filled when it is needed.
RELEASED_SLOTS = RELEASE_LATE.threshold("RELEASED_SLOTS", 3, "slots of the operands' buffers, at least")

START_PRODUCTS_EARLY = Switch(
    "ttkit-start-products-early",
    "gradients of attention by groups of warps, 44 kernels: 0.98 to 1.17 times their speed, 1.09 in the mean (H200)",
    "2026-11-29",
)
STARTED_REGISTERS = START_PRODUCTS_EARLY.threshold(
    "STARTED_REGISTERS", 180, "registers of a thread for the results of all wgmmas and the left operands it computes"
)

START_COPIES_EARLY = Switch(
    "ttkit-start-copies-early",
    "attention and its gradients with two stages run at 0.94 to 1.23 times their speed (H200)",
    "2026-11-24",
)
EARLY_SLOTS = START_COPIES_EARLY.threshold("EARLY_SLOTS", 2, "slots of a buffer, at most")
EARLY_REGISTERS = START_COPIES_EARLY.threshold(
    "EARLY_REGISTERS", 32, "registers of a thread for loads issued before the first wgmma is done, at most"
)

COPY_EARLY = Switch(
    "ttkit-copy-early",
    "28 kernels of flash-linear-attention, vLLM and torchao differ by more than 4 % from those that only load early: "
    "0.92 to 1.72 times their speed; a loop whose tensors fit into registers 0.92, one that spilled 1.44 (H200)",
    "2026-11-28",
)
COPIED_ABOVE = COPY_EARLY.threshold("COPIED_ABOVE", 255, "registers of a thread for tensors of a loop, more than")

LOAD_EARLY = Switch(
    "ttkit-load-early",
    "71 kernels of flash-linear-attention, vLLM and torchao run at 1.057 times their speed (34 that inform) and 1.081 "
    "(37 that judge), 0.92 to 1.64; loops above 191 registers at 0.74 to 0.91, loops of wgmma at 0.95 to 0.99, rows "
    "without loops at 0.91 to 1.03 (H200)",
    "2026-11-28",
)
EARLY_WARPS = LOAD_EARLY.threshold(
    "EARLY_WARPS", 16, "warps of a multiprocessor whose registers moved loads leave alone, at most"
)
EARLY_REGISTERS_OF_LOOPS = LOAD_EARLY.threshold(
    "EARLY_REGISTERS_OF_LOOPS", 191, "registers of a thread for tensors in a loop where loads move, at most"
)

PREFETCH_LOADS = Switch(
    "ttkit-prefetch-loads",
    "recurrences run at 1.1 to 1.6 times their speed, those of others at 1.02 to 1.66; loops that stream at 0.90 to "
    "1.14 (H200)",
    "2026-11-28",
)
PREFETCHED_ELEMENTS = PREFETCH_LOADS.threshold(
    "PREFETCHED_ELEMENTS", 32, "elements that a thread loads in an iteration, at most"
)
PREFETCHED_OPERATIONS = PREFETCH_LOADS.threshold(
    "PREFETCHED_OPERATIONS", 24, "operations for the next address and mask of a load, at most"
)

DIVIDE_LONG_BLOCKS = Switch(
    "ttkit-divide-long-blocks", "convert-scf-to-cf takes 3.7 s for 5,000 branches in a block (CPU)", "2026-11"
)
LONG_BLOCK = DIVIDE_LONG_BLOCKS.threshold("LONG_BLOCK", 500, "branches and loops of a module, at least")
BRANCHES_OF_A_BLOCK = DIVIDE_LONG_BLOCKS.threshold("BRANCHES_OF_A_BLOCK", 100, "branches and loops of a block, at most")
