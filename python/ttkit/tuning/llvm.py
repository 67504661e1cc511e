"""Thresholds for LLVM: what it is told, and what is simplified for it to take less time."""

from __future__ import annotations

from ttkit.tuning.switches import Switch

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
    "without pipelining one, to 1.048; without dot operations one of two runs at 0.88 (H200, bench/cubins.py).  19 of "
    "327 kernels change: with 15 pointers at most to 0.84 to 1.05 times the instructions of their loops, with 42 "
    "pointers to 392 from 327, and 0.86 times its speed (H200)",
    "2026-11, 2026-12-01",
)
MOST_POINTERS = LOOP_ADDRESSES.threshold("MOST_POINTERS", 24, "pointers that a loop carries, with the flag at most")
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
    "89 at 0.995, 0.908 at worst; not with sine and cosine, whose kernels run at 0.77 and 0.95 of their time since "
    "(H200)",
    "2026-11-28, 2026-11-30",
)
FEW_ELEMENTS = SCALARS_FIRST.threshold("FEW_ELEMENTS", 4, "elements of a tensor that a thread holds, at most")

EXPRESSION_ORDER = Switch(
    "expression-order",
    "of 327 kernels two change, which decode nf4: at 1.17 and 1.25 times their speed (H200)",
    "2026-12-01",
)
TESTED_BITS = EXPRESSION_ORDER.threshold("TESTED_BITS", 3, "bits of a thread's elements that are tested, at least")

BRANCH_ARMS = Switch(
    "branch-arms",
    "of 327 kernels one changes: stream-K by four warps spills by 48 instructions instead of 574, and runs at 1.29 "
    "times its speed.  From 32 on three more change, none of which spills: stream-K by eight warps at 0.998 (H200)",
    "2026-12-01",
)
MANY_IN_ARMS = BRANCH_ARMS.threshold(
    "MANY_IN_ARMS", 128, "instructions before a branch that only its arms need, from which on they are moved"
)

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
PICKED_SINGLY = WIDE_VECTORS.threshold(
    "PICKED_SINGLY", 64, "elements of a vector of scalars, from which on an eighth and less are picked one by one"
)

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
