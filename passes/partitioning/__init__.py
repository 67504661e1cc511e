"""Dividing the operations of loops among groups of warps.

Hopper: each operation notes the tasks that need it; a task becomes a group of four warps.  In this order:
  task_partition      loads by TMA are task 0, products and stores those that consume
  task_propagation    everything else belongs to the tasks of what uses it
  data_partition      products of several tasks are cut, one slice for each (slice_dimensions, slicing)
  code_partition      what crosses tasks goes through buffers and tokens (channels, counters, communication), and
                      each task gets its own copy of the code (specialization)
  token_lowering      tokens become mbarriers

tasks has the attribute that says which tasks an operation belongs to.
"""
