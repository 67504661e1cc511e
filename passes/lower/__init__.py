"""Lower ttg to the llvm and nvvm dialects: the program of one thread.

The lowering walks the operations and calls a handler for each, without a dialect conversion.  A tensor becomes one LLVM
vector: the elements that a thread holds, in the register order of the tensor's layout (`ttkit.layout`).  An elementwise
operation is then one LLVM operation for any number of registers.  Views pick or renumber elements of the vector.
Linear layouts determine all data movement between threads.

- registry.py: from the name of an operation to its handler
- lowering.py: the walk: functions, blocks, values
- operations.py: building llvm operations by their names
- emitter.py: the same with functions named like instructions: constants, vectors, arithmetic, memory
- types.py: the lowered form of values of each type
- lowered_module.py: the objects that handlers use, which are in lowered_values.py, elements.py, owners.py, warps.py,
  symbols.py, function_memory.py
- cluster.py: barriers between the CTAs of a cluster, and reads of each other's shared memory
- thread_index.py: the coordinates of a thread's registers
- <family>.py: the handlers of a family of operations, named as in dialects/
"""
