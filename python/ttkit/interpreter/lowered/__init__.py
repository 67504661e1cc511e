r"""Runs lowered kernels, those in the llvm and nvvm dialects with inline PTX, thread by thread.

    launch.py        a batch of programs: their CTAs and threads, arguments, scratch memory
    batch.py         programs that run together, and what belongs to them
    threads.py       threads that are at one place: they run together until they part, wait or end
    schedule.py      which threads go on, who waits, who hangs
    llvm_ops.py      operations of the llvm dialect
    nvvm_ops.py      operations of the nvvm dialect, and intrinsics by name
    ptx_text.py      inline assembly as a list of instructions
    number_types.py  types of numbers by PTX's names
    ptx.py           the meaning of loads, stores and atomic updates: `@ptx("ld")`
    ptx_arithmetic.py  of scalar instructions
    cta_shared_memory.py  shared memory of CTAs and clusters, and races between warps
    lanes.py         races between the lanes of a warp
    barriers.py      barriers of CTAs and clusters, mbarriers
    copies.py        asynchronous copies: cp.async, and what the tensor memory accelerator moves
    tensor_maps.py   the maps by which it moves tiles
    matrices.py      ldmatrix, stmatrix
    mma.py, wgmma.py products on tensor cores
    cta_tensor_memory.py  tensor memory of CTAs, its loads and stores
    tcgen5.py        products that accumulate there, copies to it, commits

They follow PTX's description of each instruction, never the code that emits it.  An operation, intrinsic or instruction
without a meaning is an error that names it, NotInterpretable.  A family of instructions is added as a file of its own
with `@interprets("nvvm.op")`, `@intrinsic(r"llvm\.nvvm\.name")` or `@ptx("mnemonic")`, and its name in LOWERED_FAMILIES
of `ops/registry.py`.
"""
