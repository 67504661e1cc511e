"""Sets of operations by meaning: the one vocabulary of passes, analyses and interpreters.

A set stands here when two files ask for the same meaning.  A set that only one pass needs stands in that pass, built
from these where it contains one of them.  An operation that has a constant here is named by it; any other by its name.
"""

# --- Dots ---

DOTS = ("tt.dot", "tt.dot_scaled")
"""Dot operations before an instruction is chosen; on sm_80 they stay until they are lowered to mma.sync."""
WGMMA, WGMMA_WAIT = "ttng.warp_group_dot", "ttng.warp_group_dot_wait"
TCGEN5_MMAS = ("ttng.tc_gen5_mma", "ttng.tc_gen5_mma_scaled")
"""Their accumulator is in tensor memory (sm_100)."""
ASYNC_MMAS = (WGMMA, *TCGEN5_MMAS)
"""Dot operations that run asynchronously and read operands in shared memory."""
ALL_DOTS = (*DOTS, *ASYNC_MMAS)
REGISTER_DOTS = (*DOTS, WGMMA)
"""Their accumulator is in registers."""
UNSCALED_DOTS = ("tt.dot", WGMMA)
"""Dots whose operands have no scales."""
EXPONENTIALS = ("math.exp", "math.exp2")
"""Attention has one between its dots."""

# --- Global memory ---

ATOMICS = ("tt.atomic_rmw", "tt.atomic_cas", "tt.atomic_load", "tt.atomic_store", "tt.atomic_poll")
POINTER_ACCESSES = ("tt.load", "tt.store", *ATOMICS)
"""Accesses by a pointer for each element, with the value in registers."""
DESCRIPTOR_LOADS = ("tt.descriptor_load", "tt.descriptor_gather")
DESCRIPTOR_STORES = ("tt.descriptor_store", "tt.descriptor_reduce", "tt.descriptor_scatter")
LOADS = ("tt.load", *DESCRIPTOR_LOADS)
BLOCK_LOADS = ("tt.load", "tt.descriptor_load")
"""Loads of a tensor that has the order of elements in memory: a gather picks rows."""
BLOCK_STORES = ("tt.store", "tt.descriptor_store")
BLOCK_DESCRIPTOR_ACCESSES = ("tt.descriptor_load", "tt.descriptor_store")
CHOSEN_ROWS = ("tt.descriptor_gather", "tt.descriptor_scatter")
BLOCK_POINTERS = ("tt.make_tensor_ptr", "tt.advance")
"""Operations that make block pointers."""

# --- Copies between global and shared memory ---

ASYNC_COPY = "ttg.async_copy_global_to_local"
"""cp.async: a pointer for each element."""
ASYNC_COMMIT, ASYNC_WAIT = "ttg.async_commit_group", "ttg.async_wait"
TMA_LOADS = ("ttng.async_tma_copy_global_to_local", "ttng.async_tma_gather")
TMA_STORES = ("ttng.async_tma_copy_local_to_global", "ttng.async_tma_scatter", "ttng.async_tma_reduce")
COPIES_TO_SHARED = (ASYNC_COPY, *TMA_LOADS)
ALL_POINTER_ACCESSES = (*POINTER_ACCESSES, ASYNC_COPY)
"""Accesses by a pointer for each element, with the value in registers or in shared memory."""
MASKS = {"tt.load": 1, "tt.store": 2, "tt.atomic_rmw": 2, "tt.atomic_load": 1, "tt.atomic_store": 2, ASYNC_COPY: 2}
"""Name of an access by pointers -> the number of the operand group of its mask."""

# --- Shared and tensor memory ---

MEMDESC_VIEWS = tuple(f"ttg.memdesc_{kind}" for kind in ("index", "subslice", "trans", "reshape", "reinterpret"))
"""Other descriptors of the same shared memory."""
TYPED_MEMDESC_VIEWS = tuple(view for view in MEMDESC_VIEWS if view != "ttg.memdesc_reinterpret")
"""Views that keep the element type."""
SHARED_ACCESSES = ("ttg.local_load", "ttg.local_store", "ttg.local_alloc")
"""Accesses to shared memory with the value in registers."""
TMEM_ALLOC, TMEM_LOAD, TMEM_STORE = "ttng.tmem_alloc", "ttng.tmem_load", "ttng.tmem_store"
TMEM_ACCESSES = (TMEM_ALLOC, TMEM_LOAD, TMEM_STORE)
ACCUMULATOR_USES = (TMEM_LOAD, TMEM_STORE, *TCGEN5_MMAS)
"""Reads and writes of accumulators in tensor memory after their allocation."""
ACCUMULATOR_ACCESSES = (TMEM_ALLOC, *ACCUMULATOR_USES)
BUFFER_VIEWS = (*MEMDESC_VIEWS, "ttng.tmem_subslice")
"""Other descriptors of the same shared or tensor memory."""
TRANSPOSITIONS = ("tt.trans", "ttg.memdesc_trans")
ALLOCATIONS = ("ttg.local_alloc", TMEM_ALLOC)

# --- Tensors in registers ---

CONVERT_LAYOUT = "ttg.convert_layout"
TENSOR_VIEWS = ("tt.expand_dims", "tt.reshape", "tt.trans", "tt.join", "tt.split")
"""The same elements in another shape."""
ALONG_AXIS = ("tt.reduce", "tt.scan")
"""Operations that combine the elements along an axis by their region."""
CONSTANTS = ("arith.constant", "ub.poison")
SIGNED_DIVISIONS = ("arith.divsi", "arith.remsi", "arith.ceildivsi", "arith.floordivsi")
DIVISIONS = (*SIGNED_DIVISIONS, "arith.divui", "arith.remui", "arith.ceildivui")
"""Quotients and remainders of integers, which have no value where the divisor is 0."""
ASSERTIONS = ("tt.assert", "cf.assert")
"""The launch fails where an element of the operand is false."""

# --- Synchronization ---

BLOCK_BARRIERS = ("ttg.local_barrier", "ttg.barrier", "gpu.barrier")
"""All warps of a block, or of a partition, synchronize."""
CLUSTER_BARRIERS = ("ttng.cluster_barrier", "ttng.cluster_wait")
"""All threads of a cluster synchronize; with `ttng.cluster_wait`, they have arrived before."""
NAMED_BARRIERS = ("ttng.arrive_barrier_named", "ttng.wait_barrier_named")
ARRIVE_BARRIER, WAIT_BARRIER = "ttng.arrive_barrier", "ttng.wait_barrier"
"""mbarriers, in shared memory."""

AREF_EXITS = ("nvws.aref.put.exit", "nvws.aref.get.exit")

FENCE = "ttng.fence_async_shared"
"""Orders what threads wrote to shared memory before what tensor cores and TMA read there."""

# --- Control flow ---

LOOPS = ("scf.for", "scf.while")
CONDITIONALS = ("scf.if", "scf.index_switch")
CONTROL_FLOW = (*LOOPS, *CONDITIONALS)
FOR_AND_IF = ("scf.for", "scf.if")
"""Control flow that passes about warp groups and layouts follow values through."""
LOOPS_AND_IF = (*LOOPS, "scf.if")
YIELDING = (*CONDITIONALS, "scf.execute_region")
"""Operations whose results are the operands of their scf.yields."""
CARRYING = ("scf.for", "scf.yield")
"""Operations that make a value a carried one or a result."""
CFG_BRANCHES = ("cf.br", "cf.cond_br", "cf.switch")
WARP_SPECIALIZE, PARTITIONS = "ttg.warp_specialize", "ttg.warp_specialize.partitions"
