"""Pieces of kernels that add rows of 64 numbers in a loop, for proofs about other forms of the loop.

What stands between TYPES and LOOP is the beginning of a function with %c0, %c1, %n, %x, %out, %wide and %zero.
"""

TYPES = """
#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
!rows = tensor<64x!tt.ptr<f32>, #blocked>
!row = tensor<64xf32, #blocked>
!slot = !ttg.memdesc<64xf32, #shared, #smem, mutable>"""
LOOP = """
  %sum, %at = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %p = %x) -> (!row, !rows) : i32 {
    %v = tt.load %p : !rows
    %next = arith.addf %acc, %v : !row
    %q = tt.addptr %p, %wide : !rows, tensor<64xi32, #blocked>
    scf.yield %next, %q : !row, !rows
  }
"""
END = """
  tt.store %out, %sum : !rows
  tt.return
}
}
"""
