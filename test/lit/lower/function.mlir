// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#b = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A function that is called takes pointers to shared and global scratch memory.
  // CHECK-LABEL: llvm.func internal @twice
  // CHECK-SAME: (%{{.*}}: f32, %{{.*}}: !llvm.ptr<3>, %{{.*}}: !llvm.ptr<1>, %{{.*}}: !llvm.ptr<1>) -> !llvm.struct<(f32, f32)>
  // CHECK-SAME: passthrough = ["noinline"], sym_visibility = "private"
  tt.func private @twice(%x: f32) -> (f32, f32) attributes {noinline = true} {
    // CHECK: llvm.insertvalue
    tt.return %x, %x : f32, f32
  }

  // A kernel passes its own on.  One warp has up to 128 registers.
  // CHECK-LABEL: llvm.func @kernel
  // CHECK-SAME: nvvm.kernel = 1 : ui1, nvvm.minctasm = 16 : i32, nvvm.reqntid = array<i32: 32>
  tt.func public @kernel(%x: f32, %p: !tt.ptr<f32>) {
    // CHECK: %[[SMEM:.*]] = llvm.mlir.addressof @global_smem
    // CHECK: %[[R:.*]] = llvm.call @twice(%{{.*}}, %[[SMEM]]
    // CHECK: llvm.extractvalue %[[R]][0]
    %0, %1 = tt.call @twice(%x) : (f32) -> (f32, f32)
    tt.store %p, %1 : !tt.ptr<f32>
    tt.return
  }

  // What a function and its parameters say of themselves stays.
  // CHECK-LABEL: llvm.func @attributes(
  // CHECK-SAME: %arg0: !llvm.ptr<1> {tt.divisibility = 16 : i32}, %arg1: i32, %arg2: !llvm.ptr<1>, %arg3: !llvm.ptr<1>)
  // CHECK-SAME: attributes {my.own = 3 : i32, noinline = false, nvvm.kernel = 1 : ui1, nvvm.minctasm = 16 : i32, nvvm.reqntid
  tt.func public @attributes(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) attributes {my.own = 3 : i32, noinline = false} {
    tt.return
  }
}

// -----

// Loads that fill 12 registers leave room for 32 warps at once, and for fewer where one needs more registers.  Loads that
// fill fewer than 12, in each of two blocks, leave it to ptxas.
#four = #ttg.blocked<{sizePerThread = [4], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#eight = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#wide = #ttg.blocked<{sizePerThread = [256], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @three_loads
  // CHECK-SAME: nvvm.kernel = 1 : ui1, nvvm.minctasm = 8 : i32, nvvm.reqntid = array<i32: 128>
  tt.func public @three_loads(%p: tensor<512x!tt.ptr<f32>, #four>) {
    %0 = tt.load %p : tensor<512x!tt.ptr<f32>, #four>
    %1 = tt.load %p : tensor<512x!tt.ptr<f32>, #four>
    %2 = tt.load %p : tensor<512x!tt.ptr<f32>, #four>
    tt.return
  }

  // CHECK-LABEL: llvm.func @wide_load
  // CHECK-SAME: nvvm.minctasm = 2 : i32
  tt.func public @wide_load(%p: tensor<32768x!tt.ptr<f32>, #wide>) {
    %0 = tt.load %p : tensor<32768x!tt.ptr<f32>, #wide>
    tt.return
  }

  // 264 registers of small loads are more than a thread has: those of an unrolled loop, which leave it to ptxas.
  // CHECK-LABEL: llvm.func @unrolled
  // CHECK-SAME: nvvm.kernel = 1 : ui1, nvvm.reqntid = array<i32: 128>
  tt.func public @unrolled(%p: tensor<1024x!tt.ptr<f32>, #eight>) {
    %0 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %1 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %2 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %3 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %4 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %5 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %6 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %7 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %8 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %9 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %10 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %11 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %12 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %13 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %14 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %15 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %16 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %17 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %18 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %19 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %20 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %21 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %22 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %23 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %24 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %25 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %26 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %27 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %28 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %29 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %30 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %31 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %32 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    tt.return
  }

  // CHECK-LABEL: llvm.func @two_loads_each
  // CHECK-SAME: nvvm.kernel = 1 : ui1, nvvm.reqntid = array<i32: 128>
  tt.func public @two_loads_each(%p: tensor<512x!tt.ptr<f32>, #four>) {
    %0 = tt.load %p : tensor<512x!tt.ptr<f32>, #four>
    %1 = tt.load %p : tensor<512x!tt.ptr<f32>, #four>
    cf.br ^next
  ^next:
    %2 = tt.load %p : tensor<512x!tt.ptr<f32>, #four>
    %3 = tt.load %p : tensor<512x!tt.ptr<f32>, #four>
    tt.return
  }
}

// -----

// A tensor that is in registers before and after a reduction takes all that two programs leave, though its load fills
// half as many; a reduction that is the last to take one leaves three.
#wide = #ttg.blocked<{sizePerThread = [128], threadsPerWarp = [32], warpsPerCTA = [8], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @outlives
  // CHECK-SAME: nvvm.minctasm = 1 : i32
  tt.func public @outlives(%p: tensor<32768x!tt.ptr<f16>, #wide>, %q: tensor<32768x!tt.ptr<f32>, #wide>) {
    %0 = tt.load %p : tensor<32768x!tt.ptr<f16>, #wide>
    %1 = arith.extf %0 : tensor<32768xf16, #wide> to tensor<32768xf32, #wide>
    %2 = tt.reshape %1 allow_reorder : tensor<32768xf32, #wide> -> tensor<32768xf32, #wide>
    %3 = "tt.reduce"(%2) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.maxnumf %a, %b : f32
      tt.reduce.return %s : f32
    }) {allocation.offset = 0 : i32} : (tensor<32768xf32, #wide>) -> f32
    %4 = tt.splat %3 : f32 -> tensor<32768xf32, #wide>
    %5 = arith.subf %1, %4 : tensor<32768xf32, #wide>
    tt.store %q, %5 : tensor<32768x!tt.ptr<f32>, #wide>
    tt.return
  }

  // CHECK-LABEL: llvm.func @ends
  // CHECK-SAME: nvvm.minctasm = 3 : i32
  tt.func public @ends(%p: tensor<32768x!tt.ptr<f16>, #wide>, %q: !tt.ptr<f32>) {
    %0 = tt.load %p : tensor<32768x!tt.ptr<f16>, #wide>
    %1 = arith.extf %0 : tensor<32768xf16, #wide> to tensor<32768xf32, #wide>
    %2 = "tt.reduce"(%1) <{axis = 0 : i32}> ({
    ^bb0(%a: f32, %b: f32):
      %s = arith.maxnumf %a, %b : f32
      tt.reduce.return %s : f32
    }) {allocation.offset = 0 : i32} : (tensor<32768xf32, #wide>) -> f32
    tt.store %q, %2 : !tt.ptr<f32>
    tt.return
  }
}

// -----

// A loop that loads as much beside a dot operation has the registers that three programs leave, as many as shared
// memory admits.  Loads before a loop don't count, nor loops whose programs shared memory does not limit.
#four = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#fma = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #fma}>
#b = #ttg.dot_op<{opIdx = 1, parent = #fma}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @loads_beside_a_dot
  // CHECK-SAME: nvvm.kernel = 1 : ui1, nvvm.minctasm = 3 : i32, nvvm.reqntid = array<i32: 128>
  tt.func public @loads_beside_a_dot(%p: tensor<2048x!tt.ptr<f32>, #four>, %x: tensor<16x8xf32, #a>, %y: tensor<8x8xf32, #b>,
                                     %z: tensor<16x8xf32, #fma>, %again: i1) {
    %s = ttg.local_alloc : () -> !ttg.memdesc<64x512xf16, #shared, #smem, mutable>
    cf.br ^loop
  ^loop:
    %0 = tt.load %p : tensor<2048x!tt.ptr<f32>, #four>
    %1 = tt.dot %x, %y, %z : tensor<16x8xf32, #a> * tensor<8x8xf32, #b> -> tensor<16x8xf32, #fma>
    cf.cond_br %again, ^loop, ^end
  ^end:
    tt.return
  }
}

// -----

#four = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#fma = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #fma}>
#b = #ttg.dot_op<{opIdx = 1, parent = #fma}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @little_shared_memory
  // CHECK-SAME: nvvm.kernel = 1 : ui1, nvvm.reqntid = array<i32: 128>
  tt.func public @little_shared_memory(%p: tensor<2048x!tt.ptr<f32>, #four>, %x: tensor<16x8xf32, #a>, %y: tensor<8x8xf32, #b>,
                                     %z: tensor<16x8xf32, #fma>, %again: i1) {
    cf.br ^loop
  ^loop:
    %0 = tt.load %p : tensor<2048x!tt.ptr<f32>, #four>
    %1 = tt.dot %x, %y, %z : tensor<16x8xf32, #a> * tensor<8x8xf32, #b> -> tensor<16x8xf32, #fma>
    cf.cond_br %again, ^loop, ^end
  ^end:
    tt.return
  }
}

// -----

#four = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#fma = #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #fma}>
#b = #ttg.dot_op<{opIdx = 1, parent = #fma}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @loads_before_a_loop
  // CHECK-SAME: nvvm.kernel = 1 : ui1, nvvm.reqntid = array<i32: 128>
  tt.func public @loads_before_a_loop(%p: tensor<2048x!tt.ptr<f32>, #four>, %x: tensor<16x8xf32, #a>, %y: tensor<8x8xf32, #b>,
                                      %z: tensor<16x8xf32, #fma>, %again: i1) {
    %s = ttg.local_alloc : () -> !ttg.memdesc<64x512xf16, #shared, #smem, mutable>
    %0 = tt.load %p : tensor<2048x!tt.ptr<f32>, #four>
    cf.br ^loop
  ^loop:
    %1 = tt.dot %x, %y, %z : tensor<16x8xf32, #a> * tensor<8x8xf32, #b> -> tensor<16x8xf32, #fma>
    cf.cond_br %again, ^loop, ^end
  ^end:
    tt.return
  }
}

// -----

// One and two warps get registers for 16 warps, or for fewer where a loop carries many.
#two = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
#carried = #ttg.blocked<{sizePerThread = [128], threadsPerWarp = [32], warpsPerCTA = [2], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 2 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @two_warps
  // CHECK-SAME: nvvm.kernel = 1 : ui1, nvvm.minctasm = 8 : i32, nvvm.reqntid = array<i32: 64>
  tt.func public @two_warps(%p: tensor<1024x!tt.ptr<f32>, #two>) {
    %0 = tt.load %p : tensor<1024x!tt.ptr<f32>, #two>
    tt.return
  }

  // CHECK-LABEL: llvm.func @carries_128_registers
  // CHECK-SAME: nvvm.minctasm = 6 : i32
  tt.func public @carries_128_registers(%p: tensor<1024x!tt.ptr<f32>, #two>, %v: tensor<8192xf32, #carried>, %again: i1) {
    cf.br ^loop(%v : tensor<8192xf32, #carried>)
  ^loop(%w: tensor<8192xf32, #carried>):
    cf.br ^body
  ^body:
    %0 = tt.load %p : tensor<1024x!tt.ptr<f32>, #two>
    %1 = arith.addf %w, %w : tensor<8192xf32, #carried>
    cf.cond_br %again, ^loop(%1 : tensor<8192xf32, #carried>), ^end
  ^end:
    tt.return
  }
}

// -----

// Who says how many registers there are is not overruled.
#four = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {ttg.maxnreg = 64 : i32, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @registers_are_chosen
  // CHECK-SAME: nvvm.kernel = 1 : ui1, nvvm.maxnreg = 64 : i32, nvvm.reqntid = array<i32: 128>
  tt.func public @registers_are_chosen(%p: tensor<2048x!tt.ptr<f32>, #four>) {
    %0 = tt.load %p : tensor<2048x!tt.ptr<f32>, #four>
    tt.return
  }
}

// -----

// Loads of a loop that fill twelve registers only together leave the number of programs to ptxas.
#eight = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#sixteen = #ttg.blocked<{sizePerThread = [16], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @small_loads_of_a_loop
  // CHECK-SAME: nvvm.kernel = 1 : ui1, nvvm.reqntid = array<i32: 128>
  tt.func public @small_loads_of_a_loop(%p: tensor<1024x!tt.ptr<f32>, #eight>, %again: i1) {
    cf.br ^loop
  ^loop:
    %0 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    %1 = tt.load %p : tensor<1024x!tt.ptr<f32>, #eight>
    cf.cond_br %again, ^loop, ^end
  ^end:
    tt.return
  }

  // CHECK-LABEL: llvm.func @a_load_of_a_loop
  // CHECK-SAME: nvvm.minctasm = 3 : i32
  tt.func public @a_load_of_a_loop(%p: tensor<2048x!tt.ptr<f32>, #sixteen>, %again: i1) {
    cf.br ^loop
  ^loop:
    %0 = tt.load %p : tensor<2048x!tt.ptr<f32>, #sixteen>
    cf.cond_br %again, ^loop, ^end
  ^end:
    tt.return
  }
}
