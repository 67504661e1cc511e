// RUN: tt-opt %s --convert-triton-gpu-to-llvm="compute-capability=103 ptx-version=88" | FileCheck %s --check-prefixes=CHECK,BY-LOAD
// RUN: tt-opt %s --convert-triton-gpu-to-llvm="compute-capability=100" | FileCheck %s --check-prefixes=CHECK,IN-REGISTERS

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#wide = #ttg.blocked<{sizePerThread = [1, 256], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tmem2 = #ttng.tensor_memory_encoding<blockM = 128, blockN = 256, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.tensor_memory_size = 512 : i32, ttg.shared = 16 : i32} {
  // One message has the row: the instruction on sm_103 gives what is computed of it.
  // CHECK-LABEL: llvm.func @one_message
  tt.func public @one_message(%p: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>) {
    %d = ttng.tmem_alloc {tensor_memory_col_offset = 0 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    // BY-LOAD:          tcgen05.ld.red.sync.aligned.32x32b.x64.max.abs.NaN.f32 {$0, $1,
    // BY-LOAD-SAME:     $63}, $64, [$65 + 0];
    // IN-REGISTERS:     tcgen05.ld.sync.aligned.32x32b.x64.b32
    // IN-REGISTERS-COUNT-64: llvm.intr.fabs
    // IN-REGISTERS-COUNT-63: llvm.intr.maximum
    %x, %red = ttng.tmem_load %d {NaN = true, abs = true, redOp = #ttng.redOp<max>} : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #rows>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    tt.store %p, %red : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #rows}>>
    tt.return
  }

  // Several messages have parts of the row, which are combined.
  // CHECK-LABEL: llvm.func @several_messages
  tt.func public @several_messages(%p: tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #wide}>>) {
    %d = ttng.tmem_alloc {tensor_memory_col_offset = 64 : i32, tensor_memory_row_offset = 0 : i32} : () -> !ttg.memdesc<128x256xf32, #tmem2, #tm, mutable>
    // BY-LOAD-COUNT-4:     tcgen05.ld.red.sync.aligned.32x32b.x64.min.f32
    // BY-LOAD-COUNT-3:     llvm.intr.minnum
    // IN-REGISTERS-NOT:    ld.red
    // IN-REGISTERS-COUNT-255: llvm.intr.minnum
    %x, %red = ttng.tmem_load %d {redOp = #ttng.redOp<min>} : !ttg.memdesc<128x256xf32, #tmem2, #tm, mutable> -> tensor<128x256xf32, #wide>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #wide}>>
    tt.store %p, %red : tensor<128x!tt.ptr<f32>, #ttg.slice<{dim = 1, parent = #wide}>>
    tt.return
  }
}
