"""Rewrites of accesses to accumulators in tensor memory, for hoist_tmem_alloc.py.

- accesses: the accesses that have tokens, and their operands.
- forwarding: loads and stores that undo each other.
- carried_tensors: tensors that a loop carries only to store them, or only because it loaded them.
- load_sinking: loads moved to right before their first user.

Each rewrite takes one access and returns whether it changed anything.  Tokens give the order of the accesses.
"""
