"""Dividing the operations of loops among groups of warps.

Hopper: each operation notes the tasks that need it; a task becomes a group of four warps.  In this order:
  task_partition      loads by TMA are task 0, products and stores those that consume
  task_propagation    everything else belongs to the tasks of what uses it
  data_partition      products of several tasks are cut, one slice for each (slice_dimensions, slicing)
  code_partition      what crosses tasks goes through buffers and tokens (channels, counters, communication), and
                      each task gets its own copy of the code (specialization)
  token_lowering      tokens become mbarriers

tasks has the attribute that says which tasks an operation belongs to.

Blackwell: each operation notes its partitions, which become regions of a ttg.warp_specialize.  In this order:
  partition_scheduling  chooses them: loads, products, what uses products, the rest (clusters)
  insert_aref           what crosses partitions goes through asynchronous references: rings of buffers (buffer_uses)
  insert_tmem_aref      buffers in tensor memory too (tensor_memory_accesses: in which order they are used)
  lower_aref            references become buffers and mbarriers (assign_stage_phase: which part, in which round)
  partition_loops       each partition gets its own copy of the loop
  nvws_lower_warp_group partitions take what they use as arguments
and after tritongpu-pipeline
  optimize_partition_warps  partitions get as few warps as they can do with
  convert_warp_specialize_to_llvm  in functions of llvm, they become tasks of waiting warps (lowered_captures)

partitions has the attributes of loops and operations.
"""
