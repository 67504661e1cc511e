// RUN: tt-opt %s --split-input-file --allow-unregistered-dialect --tritongpu-optimize-partition-warps | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#blocked8 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>

// The layouts that are chosen: four elements a thread, as one instruction moves, and one warp.
// CHECK: #[[VECTORS:.+]] = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
// CHECK: #[[EIGHT:.+]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // A small tensor, none, and one for which eight warps are few; the pointer's divisibility counts inside.
  // CHECK-LABEL: @tensors
  // CHECK:       ttg.warp_specialize({{.*}}) attributes {requestedRegisters = array<i32: 88, 24, 88>}
  // CHECK:       partition0(%{{.*}}: !tt.ptr<f32>, %{{.*}}: !tt.ptr<f32>) num_warps(1) {
  // CHECK:         tt.load %{{.*}} : tensor<256x!tt.ptr<f32>, #[[VECTORS]]>
  // CHECK-NOT:     ttg.convert_layout
  // CHECK:         tt.store %{{.*}} : tensor<256x!tt.ptr<f32>, #[[VECTORS]]>
  // CHECK-NEXT:    ttg.warp_return
  // CHECK:       partition1({{.*}}) num_warps(1) {
  // CHECK:         tt.store %{{.*}} : !tt.ptr<f32>
  // CHECK:       partition2({{.*}}) num_warps(8) {
  // CHECK:         tt.store %{{.*}} : tensor<32768x!tt.ptr<f32>, #[[EIGHT]]>
  tt.func @tensors(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    ttg.warp_specialize(%p, %q)
    default { ttg.warp_yield }
    partition0(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) num_warps(4) {
      %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
      %s = tt.splat %a : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %t = tt.addptr %s, %r : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      %x = tt.load %t : tensor<256x!tt.ptr<f32>, #blocked>
      %one = arith.constant dense<1.0> : tensor<256xf32, #blocked>
      %y = arith.addf %x, %one : tensor<256xf32, #blocked>
      %u = tt.splat %b : !tt.ptr<f32> -> tensor<256x!tt.ptr<f32>, #blocked>
      %v = tt.addptr %u, %r : tensor<256x!tt.ptr<f32>, #blocked>, tensor<256xi32, #blocked>
      tt.store %v, %y : tensor<256x!tt.ptr<f32>, #blocked>
      ttg.warp_return
    }
    partition1(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) num_warps(4) {
      %zero = arith.constant 0.0 : f32
      tt.store %b, %zero : !tt.ptr<f32>
      ttg.warp_return
    }
    partition2(%a: !tt.ptr<f32>, %b: !tt.ptr<f32>) num_warps(8) {
      %r = tt.make_range {end = 32768 : i32, start = 0 : i32} : tensor<32768xi32, #blocked8>
      %u = tt.splat %b : !tt.ptr<f32> -> tensor<32768x!tt.ptr<f32>, #blocked8>
      %v = tt.addptr %u, %r : tensor<32768x!tt.ptr<f32>, #blocked8>, tensor<32768xi32, #blocked8>
      %zero = arith.constant dense<0.0> : tensor<32768xf32, #blocked8>
      tt.store %v, %zero : tensor<32768x!tt.ptr<f32>, #blocked8>
      ttg.warp_return
    } : (!tt.ptr<f32>, !tt.ptr<f32>) -> ()
    tt.return
  }
}

// -----

#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#barrier = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#linear = #ttg.linear<{register = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [16, 0]], warp = [[32, 0], [64, 0], [0, 32]], block = []}>
// CHECK: #linear = {{.*}}warp = {{.*}}32, 0], [64, 0{{\]\]}}, block = []}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // Four warps reach tensor memory, also of a partition that copies behind that; two are left to what copies.
  // CHECK-LABEL: @memories
  // CHECK:       requestedRegisters = array<i32: 88, 24>
  // CHECK:       partition0({{.*}}) num_warps(4) {
  // CHECK:         ttng.tmem_load {{.*}} -> tensor<128x64xf32, #linear>
  // CHECK-NEXT:    arith.addf
  // CHECK-NEXT:    ttng.tmem_store
  // CHECK:       partition1({{.*}}) num_warps(2) {
  tt.func @memories(%sum: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %room: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %full: !ttg.memdesc<1xi64, #barrier, #smem, mutable>, %matrix: !tt.tensordesc<tensor<32x64xf16, #shared>>, %i: i32) {
    ttg.warp_specialize(%sum, %room, %full, %matrix, %i)
    default { ttg.warp_yield }
    partition0(%a: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %b: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %c: !ttg.memdesc<1xi64, #barrier, #smem, mutable>, %d: !tt.tensordesc<tensor<32x64xf16, #shared>>, %j: i32) num_warps(8) {
      %true = arith.constant true
      %x = ttng.tmem_load %a : !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable> -> tensor<128x64xf32, #linear>
      %y = arith.addf %x, %x : tensor<128x64xf32, #linear>
      ttng.tmem_store %y, %a, %true : tensor<128x64xf32, #linear> -> !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
      ttng.async_tma_copy_global_to_local %d[%j, %j] %b, %c, %true : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #barrier, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      ttg.warp_return
    }
    partition1(%a: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %b: !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, %c: !ttg.memdesc<1xi64, #barrier, #smem, mutable>, %d: !tt.tensordesc<tensor<32x64xf16, #shared>>, %j: i32) num_warps(8) {
      %true = arith.constant true
      ttng.async_tma_copy_global_to_local %d[%j, %j] %b, %c, %true : !tt.tensordesc<tensor<32x64xf16, #shared>>, !ttg.memdesc<1xi64, #barrier, #smem, mutable> -> !ttg.memdesc<32x64xf16, #shared, #smem, mutable>
      ttg.warp_return
    } : (!ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<32x64xf16, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #barrier, #smem, mutable>, !tt.tensordesc<tensor<32x64xf16, #shared>>, i32) -> ()
    tt.return
  }

  // Left alone.
  // CHECK-LABEL: @unspecialized
  // CHECK-NEXT:    tt.return
  tt.func @unspecialized() {
    tt.return
  }
}

// -----

// Operations that nobody knows take the new layouts too.
// CHECK: #[[ONE:.+]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
#blocked8 = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @unknown_operations
  // CHECK: partition0({{.*}}) num_warps(1) {
  // CHECK: "use"(%{{.*}}) : (tensor<256xi32, #[[ONE]]>) -> ()
  // CHECK: partition1({{.*}}) num_warps(1) {
  tt.func @unknown_operations(%n: i32) {
    ttg.warp_specialize(%n)
    default {
      ttg.warp_yield
    }
    partition0(%x: i32) num_warps(8) {
      %0 = tt.splat %x : i32 -> tensor<256xi32, #blocked8>
      "use"(%0) : (tensor<256xi32, #blocked8>) -> ()
      ttg.warp_return
    }
    partition1(%x: i32) num_warps(4) {
      "use"(%x) : (i32) -> ()
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }
}

// -----

#layout = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // The layout of a captured tensor is for four warps.
  // CHECK-LABEL: @captured_tensor
  // CHECK: partition0({{.*}}) num_warps(4) {
  // CHECK: partition1({{.*}}) num_warps(4) {
  tt.func @captured_tensor(%x: tensor<128xf32, #layout>, %p: tensor<128x!tt.ptr<f32>, #layout>) {
    ttg.warp_specialize(%x, %p)
    default {
      ttg.warp_yield
    }
    partition0(%y: tensor<128xf32, #layout>, %q: tensor<128x!tt.ptr<f32>, #layout>) num_warps(4) {
      tt.store %q, %y : tensor<128x!tt.ptr<f32>, #layout>
      ttg.warp_return
    }
    partition1(%y: tensor<128xf32, #layout>, %q: tensor<128x!tt.ptr<f32>, #layout>) num_warps(4) {
      ttg.warp_return
    } : (tensor<128xf32, #layout>, tensor<128x!tt.ptr<f32>, #layout>) -> ()
    tt.return
  }
}

// -----

#packed = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 8], order = [0, 1]}>
#unpacked = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [1, 32], warpsPerCTA = [1, 8], order = [0, 1]}>
#rows = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#shared_memory = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // What is unpacked has the layout of its operand, which a buffer or a load gives.
  // CHECK-LABEL: @unpacked
  // CHECK: partition0({{.*}}) num_warps(1) {
  // CHECK: %[[BUFFERED:.+]] = ttg.local_load %{{.+}} -> tensor<8x32xi8, #[[IN:.+]]>
  // CHECK: ttg.fp4_to_fp %[[BUFFERED]] {axis = 0 : i32} : tensor<8x32xi8, #[[IN]]> -> tensor<16x32xbf16, #{{.+}}>
  // CHECK: ttg.fp4_to_fp %{{.+}} {axis = 0 : i32} : tensor<8x32xi8, #{{.+}}> -> tensor<16x32xbf16, #{{.+}}>
  tt.func @unpacked(%buffer: !ttg.memdesc<8x32xi8, #rows, #shared_memory, mutable>, %a: i8, %p: !tt.ptr<bf16>) {
    ttg.warp_specialize(%buffer, %a, %p)
    default { ttg.warp_yield }
    partition0(%room: !ttg.memdesc<8x32xi8, #rows, #shared_memory, mutable>, %b: i8, %q: !tt.ptr<bf16>) num_warps(8) {
      %x = ttg.local_load %room : !ttg.memdesc<8x32xi8, #rows, #shared_memory, mutable> -> tensor<8x32xi8, #packed>
      %u = ttg.fp4_to_fp %x {axis = 0 : i32} : tensor<8x32xi8, #packed> -> tensor<16x32xbf16, #unpacked>
      %y = tt.splat %b : i8 -> tensor<8x32xi8, #packed>
      %v = ttg.fp4_to_fp %y {axis = 0 : i32} : tensor<8x32xi8, #packed> -> tensor<16x32xbf16, #unpacked>
      %z = arith.addf %u, %v : tensor<16x32xbf16, #unpacked>
      %to = tt.splat %q : !tt.ptr<bf16> -> tensor<16x32x!tt.ptr<bf16>, #unpacked>
      tt.store %to, %z : tensor<16x32x!tt.ptr<bf16>, #unpacked>
      ttg.warp_return
    } : (!ttg.memdesc<8x32xi8, #rows, #shared_memory, mutable>, i8, !tt.ptr<bf16>) -> ()
    tt.return
  }
}
