"""Proofs of lowering: what the threads of a program do in the llvm dialect is what the kernel does in ttg.

All threads of a program go through the lowered code together.  A register is a term for each thread, so what a shuffle,
a swizzle or ldmatrix moves is known exactly: threads and addresses in shared memory are numbers here, and only
arguments, programs and what stands in memory are symbols.  Each access to global memory is looked up among those of the
kernel, element by element.

* `places.py`: which register of which thread holds which element.
* `registers.py`: registers of all threads, vectors and structs of them.
* `bits.py`: values as bits: parts of words, words of parts.
* `shared_memory.py`: shared and tensor memory by bytes, with races between threads; `joined_memory.py`: where paths
  join.
* `source.py`: the kernel in ttg: its effects in order; `synchronous.py`: what it does in the background, at once.
* `flow.py`: blocks in order, and loops in copies; `kernel_loops.py`: what each iteration of the kernel's begins with.
* `buffers.py`: what buffers that live through loops hold, and where.
* `register_order.py`: operations whose elements come in the order of registers.
* `combining.py`: reductions and scans by regions, in the order of threads.
* `invariants.py`: what holds for the values of loops; `alignment.py`: what divides addresses.
* `effects.py`: which accesses the kernel makes, to find those of threads in.
* `machine.py`: walks lowered code; `arrivals.py`: joins of paths; `lowered_loops.py`: its loops, of which `relation.py`
  says what they carry.
* `accesses.py`, `atomics.py`, `order.py`: accesses to memory, which updates are which, in which order.
* `elementwise.py`, `llvm_meanings.py`, `nvvm_meanings.py`, `assembly.py`: the terms of operations, of inline PTX.
* `products.py`, `warp_group.py`: products by mma.sync and wgmma; `copies.py`: cp.async; `same_products.py`: products
  compared by rows and columns.
* `tensor_memory.py`, `tensor_cores.py`, `scaled_operands.py`: tcgen05; `kernel_products.py`: its products in the
  kernel, `scaled_products.py`: one form of those with scales; `background_reads.py`: what is in the background.
* `signals.py`: what the kernel says at mbarriers and copies by TMA; `mbarriers.py`, `tiles.py`, `tensor_maps.py`: the
  same of lowered code; `tile_memory.py`: what these copies do to shared memory.
* `groups.py`: groups of warps, each with its region of the kernel (`kernel_groups.py`); `early_leave.py`: programs that
  leave before these begin.
* `flights.py`: wgmma that a later iteration waits for; `histograms.py`: counts in shared memory; `gathers.py`: lanes
  that depend on data.
* `normal_forms.py`, `reductions.py`, `conversions.py`: what lowering may write differently, as one form.
* `small_functions.py`, `float_circuits.py`: functions of one number, compared for all its values;
  `numbers_in_words.py`: those of numbers that are parts of words.
* `messages.py`: prints and assertions; tables of constants.
* `promises.py`: attributes by which LLVM goes.
* `proof.py`: the verdict on a function.
"""
