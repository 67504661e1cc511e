// RUN: tt-opt %s -split-input-file --triton-nvidia-tmem-load-reduce | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#other = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [2, 16], warpsPerCTA = [4, 1], order = [1, 0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:103"} {
  // CHECK-LABEL: @largest
  tt.func @largest(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %t: !ttg.async.token) -> (tensor<128x64xf32, #rows>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>, !ttg.async.token) {
    // CHECK-NEXT: %[[X:.*]], %[[T:.*]], %[[RED:.*]] = ttng.tmem_load %{{.*}}[%{{.*}}] {redOp = #ttng.redOp<max>}
    // CHECK-NEXT: tt.return %[[X]], %[[RED]], %[[T]]
    %x, %u = ttng.tmem_load %d[%t] : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #rows>
    %m = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128x64xf32, #rows>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    tt.return %x, %m, %u : tensor<128x64xf32, #rows>, tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>, !ttg.async.token
  }

  // The reduction is of a conversion: what it gives is converted.
  // CHECK-LABEL: @converted
  tt.func @converted(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #other}>> {
    // CHECK: %{{.*}}, %[[RED:.*]] = ttng.tmem_load %{{.*}} {NaN = true, redOp = #ttng.redOp<min>}
    // CHECK: %[[M:.*]] = ttg.convert_layout %[[RED]]
    // CHECK: tt.return %[[M]]
    %x = ttng.tmem_load %d : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #rows>
    %y = ttg.convert_layout %x : tensor<128x64xf32, #rows> -> tensor<128x64xf32, #other>
    %m = "tt.reduce"(%y) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.minimumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128x64xf32, #other>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #other}>>
    tt.return %m : tensor<128xf32, #ttg.slice<{dim = 1, parent = #other}>>
  }

  // Sums, and reductions along columns.
  // CHECK-LABEL: @left_alone
  tt.func @left_alone(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) -> (tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<64xf32, #ttg.slice<{dim = 0, parent = #rows}>>) {
    // CHECK-NOT: redOp
    // CHECK: tt.return
    %x = ttng.tmem_load %d : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #rows>
    %m = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.addf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128x64xf32, #rows>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    %n = "tt.reduce"(%x) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128x64xf32, #rows>) -> tensor<64xf32, #ttg.slice<{dim = 0, parent = #rows}>>
    tt.return %m, %n : tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>, tensor<64xf32, #ttg.slice<{dim = 0, parent = #rows}>>
  }
}

// -----

// sm_100 has no such loads.
#rows = #ttg.blocked<{sizePerThread = [1, 64], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [0, 1]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: @other_gpu
  tt.func @other_gpu(%d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>> {
    // CHECK-NOT: redOp
    // CHECK: tt.return
    %x = ttng.tmem_load %d : !ttg.memdesc<128x64xf32, #tmem, #tm, mutable> -> tensor<128x64xf32, #rows>
    %m = "tt.reduce"(%x) <{axis = 1 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %c = arith.maxnumf %a, %b : f32
      tt.reduce.return %c : f32
    }) : (tensor<128x64xf32, #rows>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
    tt.return %m : tensor<128xf32, #ttg.slice<{dim = 1, parent = #rows}>>
  }
}
