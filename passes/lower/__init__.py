"""Lower ttg to the llvm and nvvm dialects: what one thread does.

A walk with a handler per operation, no dialect conversion.  A tensor becomes one LLVM vector: the elements that a
thread holds, in register order of the tensor's layout (`ttkit.layout`).  An elementwise operation is then one LLVM
operation, whatever the number of registers; views pick or renumber vector elements; all data movement between threads
comes from linear layouts.

registry.py         from the name of an operation to its handler
lowering.py         the walk: functions, blocks, values
operations.py       making llvm operations by their names
emitter.py          the same named like instructions: constants, vectors, arithmetic, memory
types.py            what a value of each type becomes
lowered_module.py   the objects that handlers ask: lowered_values.py, elements.py, owners.py, warps.py, symbols.py,
                    function_memory.py
cluster.py          CTAs of a cluster synchronize, and read each other's shared memory
thread_index.py     which coordinates a thread's registers have
<family>.py         the handlers of a family of operations, named as in dialects/
"""
