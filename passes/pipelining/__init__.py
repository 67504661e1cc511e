"""The parts of the passes that pipeline loops, in the order in which the passes use them.

All passes use these files:

- pipelinable_loops: the loops that can be pipelined
- dependencies: operands and users of the operations of a loop's body
- memory_order: the order of accesses to global memory, which a schedule keeps
- schedule: the stage and the cluster of each operation of a loop, in Python and as attributes
- scheduled_builder: building operations together with their place in the schedule
- tcgen5_overlap: whether a tcgen05.mma can overlap the next iteration

The pass tritongpu-pipeline uses these:

- uses: the users of a result, and how many stages later they run
- buffers: buffers in shared memory with a slot for each iteration in flight
- tcgen5_waits: barriers for tcgen05.mma, and where to wait for them
- accumulators: accumulators in tensor memory with several slots
- lower_tcgen5_mmas: every tcgen05.mma of a loop
- buffer_slots: how many slots a buffer needs for all its readers
- early_loads: the loads that are started early
- async_copies: loads through pointers as cp.async
- tma_copies: loads through descriptors as copies by TMA
- lower_loads: all loads of a loop
- loop_tensor_maps: descriptors that a loop makes in each iteration
- lower_loops: all loops
- predication: operations that run only if a condition holds
- runs: operations that are copied together
- expansion: prologue and pipelined loop
- expanded_body: the body of the pipelined loop
- waits: waits for cp.async merged, with the number of copies that may be in flight
- wgmma_waits: waits for wgmma, and the values and buffers that they hold
- split_wgmmas: wgmmas with an operand in registers, split along K
- async_wgmmas: wgmmas of two iterations in flight at once
- tma_stores: asynchronous stores through descriptors

Other passes use these:

- loads: the loads that tritongpu-assign-latencies chooses
- single_buffers: buffers in shared memory that get no further slots
- key_operations: the first operations that tritongpu-schedule-loops schedules
- fused_loop: the loop that tritongpu-fuse-nested-loops builds
- described: schedules for people to read
- by_hand: those of loops that kernels in Gluon pipeline by hand
"""
