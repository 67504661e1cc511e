"""Moving accesses to accumulators in tensor memory, for hoist_tmem_alloc.py.

accesses    which accesses have tokens, and what they are
forwarding  loads and stores that undo each other
rotation    tensors that a loop carries only to store them, or only because it loaded them
sinking     loads right in front of what needs them

Each rewrite takes one access and says whether it changed anything.  Tokens tell them which access comes before which.
"""
