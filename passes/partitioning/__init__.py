"""Dividing the operations of loops among groups of warps.

On Hopper an attribute of each operation lists the tasks that need it (`tasks`).  A task becomes a group of four warps.
The steps, in order:

- task_partition: assigns TMA loads to task 0, and wgmmas and stores to the consumer tasks.
- task_propagation: assigns all other operations to the tasks of their users.
- data_partition: cuts the wgmmas of several tasks into slices, one for each task (`slice_dimensions`, `slicing`).
- code_partition: passes values between tasks through buffers and tokens (`channels`, `counters`, `communication`).
  Later loops use the buffers of earlier ones (`buffer_owners`), and stores go through them (`staged_stores`).  Each
  task then gets its own copy of the code (`task_regions`, `cloning`).
- token_lowering: replaces tokens by mbarriers.

`divided_bytes` tells in advance how much shared memory this takes.

On Blackwell attributes of loops and operations list their partitions (`partitions`), which become regions of a
ttg.warp_specialize.  The steps, in order:

- partition_scheduling: assigns loads, MMAs and users of accumulators to partitions, then all other operations
  (`unassigned_operations`).
- insert_aref: passes values between partitions through asynchronous references, multi-buffered (`buffer_uses`).
- insert_tmem_aref: does so for buffers in tensor memory (`tensor_memory_accesses` has the order of their accesses,
  `hand_over_places` their stages).
- lower_aref: gives buffers slots (`reference_slots`), and replaces references by buffers and mbarriers, after
  assign_stage_phase has chosen slots and phases.
- partition_loops: gives each partition its own copy of the loop.
- nvws_lower_warp_group: passes captured values to partitions as arguments.

After tritongpu-pipeline:

- optimize_partition_warps: gives each partition as few warps as it needs.
- convert_warp_specialize_to_llvm: has waiting warps run the partitions, in llvm functions (`lowered_captures`).
"""
