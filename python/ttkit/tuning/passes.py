"""Thresholds of passes of tt and ttg."""

from __future__ import annotations

from ttkit.tuning.switches import Switch

SPLIT_MASKED_LOOPS = Switch(
    "ttkit-split-masked-loops",
    "84 kernels of attention and its gradients whose loops have a causal mask, 1,024 to 16,384 tokens: 0.85 to 1.18 "
    "times their speed, 1.060 in the geometric mean; from 4,096 tokens on 0.96 to 1.18, 1.087; with 4 and 8 elements "
    "of a thread two that decode run at 0.87 and 0.96 of Triton's speed; six that ask for warp specialization run at "
    "1.06 to 1.26 times their speed (H200)",
    "2026-11-30, 2026-12-01",
)
SPLIT_ELEMENTS = SPLIT_MASKED_LOOPS.threshold(
    "SPLIT_ELEMENTS", 16, "elements of a masked tensor for each thread, at least"
)
SPLIT_OPERATIONS = SPLIT_MASKED_LOOPS.threshold(
    "SPLIT_OPERATIONS", 64, "operations of an iteration that compute as many elements as its mask has, at most"
)
SPLIT_ITERATIONS = SPLIT_MASKED_LOOPS.threshold(
    "SPLIT_ITERATIONS", 8, "iterations that a loop over a chunk of constant length may have, at least"
)

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

RUN_PERSISTENTLY = Switch(
    "ttkit-run-persistently",
    "72 rows of attention forward by TMA with D = 64 and 128, 1,024 to 16,384 tokens: 0.96 to 1.23 times their speed, "
    "1.055 in the geometric mean; with one slot instead of two about half of that (H200)",
    "2026-11-30",
)
RECEIVED_SLOTS = RUN_PERSISTENTLY.threshold(
    "RECEIVED_SLOTS", 2, "slots of the tiles that a program receives once, at most"
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

START_NEXT_PRODUCT = Switch(
    "ttkit-start-next-product",
    "gradients of attention in one loop: twelve kernels with three stages run at 1.00 to 1.26 times their speed, 1.127 "
    "in the mean; twelve with two at 0.84 to 1.05, 0.977; with more registers ptxas serializes wgmma (H200)",
    "2026-12-01",
)
NEXT_PRODUCT_REGISTERS = START_NEXT_PRODUCT.threshold(
    "NEXT_PRODUCT_REGISTERS", 216, "registers of a thread for carried tensors, results and operands, at most"
)
NEXT_PRODUCT_SLOTS = START_NEXT_PRODUCT.threshold("NEXT_PRODUCT_SLOTS", 3, "slots of the operands' buffers, at least")

START_COPIES_EARLY = Switch(
    "ttkit-start-copies-early",
    "attention and its gradients with two stages run at 0.94 to 1.23 times their speed; 24 kernels of gradients in one "
    "loop, which write in each iteration, at 1.02 to 1.40 (H200)",
    "2026-12-01",
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
    "1.14, and 36 whose stores do not depend on what they carry at 0.76 to 1.12, 0.98 in the mean (H200)",
    "2026-11-28, 2026-12-01",
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
