// --layout-ledger counts what layouts cost after each pass: a table on stderr, and the numbers in a file.
// RUN: tt-opt %s --layout-ledger=%t.json --pass-pipeline="builtin.module(canonicalize,cse,tt.func(canonicalize),allocate-shared-memory)" -o /dev/null 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: tt-opt %s --layout-ledger --cse 2>/dev/null | FileCheck %s --check-prefix=OUTPUT
// RUN: not tt-opt %s --layout-ledger=%t/none/such.json --cse -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILE

// What a pass leaves as it was is a dot; the second conversion is the same as the first, and goes with cse.
// CHECK:      pass                    conversions  no-op  registers  shuffles  shared  shared bytes  bank conflicts
// CHECK-NEXT: (input)                           5      1          1         1       2         16384             128
// CHECK-NEXT: canonicalize                      4      0          .         .       .             .               .
// CHECK-NEXT: cse                               3      .          .         .       1             .               .
// CHECK-NEXT: canonicalize                      .      .          .         .       .             .               .
// CHECK-NEXT: allocate-shared-memory            .      .          .         .       .             .               .

// JSON: "pass": "(input)",
// JSON-NEXT: "conversions": 5,
// JSON-NEXT: "no_ops": 1,
// JSON-NEXT: "registers": 1,
// JSON-NEXT: "shuffles": 1,
// JSON-NEXT: "shared": 2,
// JSON-NEXT: "shared_bytes": 16384,
// JSON-NEXT: "conflicts": 128

// OUTPUT: tt.func public @kernel
// FILE: error: --layout-ledger: {{.*}}such.json

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#columns = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#line = #ttg.linear<{register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], block = []}>
#other_registers = #ttg.linear<{register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = [[128], [256]], block = []}>
#other_lanes = #ttg.linear<{register = [[1], [2]], lane = [[8], [4], [16], [32], [64]], warp = [[128], [256]], block = []}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @kernel(%x: tensor<64x64xf32, #rows>, %p: tensor<64x64x!tt.ptr<f32>, #columns>, %y: tensor<512xf32, #line>,
                         %q: tensor<512x!tt.ptr<f32>, #line>, %r: tensor<512x!tt.ptr<f32>, #other_registers>,
                         %s: tensor<512x!tt.ptr<f32>, #other_lanes>) {
    %0 = ttg.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    %1 = ttg.convert_layout %x : tensor<64x64xf32, #rows> -> tensor<64x64xf32, #columns>
    tt.store %p, %0 : tensor<64x64x!tt.ptr<f32>, #columns>
    tt.store %p, %1 : tensor<64x64x!tt.ptr<f32>, #columns>
    %2 = ttg.convert_layout %y : tensor<512xf32, #line> -> tensor<512xf32, #line>
    tt.store %q, %2 : tensor<512x!tt.ptr<f32>, #line>
    %3 = ttg.convert_layout %y : tensor<512xf32, #line> -> tensor<512xf32, #other_registers>
    tt.store %r, %3 : tensor<512x!tt.ptr<f32>, #other_registers>
    %4 = ttg.convert_layout %y : tensor<512xf32, #line> -> tensor<512xf32, #other_lanes>
    tt.store %s, %4 : tensor<512x!tt.ptr<f32>, #other_lanes>
    // Columns of a buffer without a swizzle: 4 lanes of a warp meet in a bank when it is read, 2 when it is written.
    %m = ttg.local_alloc %x : (tensor<64x64xf32, #rows>) -> !ttg.memdesc<64x64xf32, #shared, #smem>
    %5 = ttg.local_load %m : !ttg.memdesc<64x64xf32, #shared, #smem> -> tensor<64x64xf32, #columns>
    tt.store %p, %5 : tensor<64x64x!tt.ptr<f32>, #columns>
    tt.return
  }
}
