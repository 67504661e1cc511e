// RUN: tt-opt %s -split-input-file -verify-diagnostics

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-note @+1 {{prior use here}}
  tt.func @async_copy_global_to_local_c1(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %m: tensor<64x64xi1, #blocked1>,
                                         %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{use of value '%m' expects different type than prior uses}}
    %0 = ttg.async_copy_global_to_local %p, %b mask %m
        : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#blocked1 = #ttg.blocked<{sizePerThread = [8, 1], threadsPerWarp = [4, 8], warpsPerCTA = [1, 4], order = [0, 1]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_copy_global_to_local_c1_generic(%p: tensor<64x64x!tt.ptr<f16>, #blocked>,
                                                 %m: tensor<64x64xi1, #blocked1>,
                                                 %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{failed to verify that infer mask type from src type}}
    %0 = "ttg.async_copy_global_to_local"(%p, %b, %m) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}>
        : (tensor<64x64x!tt.ptr<f16>, #blocked>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, tensor<64x64xi1, #blocked1>) -> !ttg.async.token
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_copy_global_to_local_c1_element(%p: tensor<64x64x!tt.ptr<f16>, #blocked>,
                                                 %m: tensor<64x64xi8, #blocked>,
                                                 %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{operand #2 must be tensor of 1-bit signless integer values}}
    %0 = "ttg.async_copy_global_to_local"(%p, %b, %m) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}>
        : (tensor<64x64x!tt.ptr<f16>, #blocked>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, tensor<64x64xi8, #blocked>) -> !ttg.async.token
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_copy_global_to_local_c2(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %m: tensor<64x64xf32, #blocked>,
                                         %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{failed to verify that infer other type from src type}}
    %0 = "ttg.async_copy_global_to_local"(%p, %b, %m) <{operandSegmentSizes = array<i32: 1, 1, 0, 1>}>
        : (tensor<64x64x!tt.ptr<f16>, #blocked>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, tensor<64x64xf32, #blocked>) -> !ttg.async.token
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_copy_global_to_local_c3(%p: tensor<64x64x!tt.ptr<f16>, #blocked>,
                                         %b: !ttg.memdesc<64x64xf16, #shared, #smem>) {
    // expected-error @+1 {{Cannot store into immutable memory}}
    %0 = ttg.async_copy_global_to_local %p, %b : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_copy_global_to_local_source(%p: tensor<64x64xf16, #blocked>, %m: tensor<64x64xi1, #blocked>,
                                             %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{'src' must be ranked tensor of ptr values}}
    %0 = ttg.async_copy_global_to_local %p, %b mask %m other %p
        : tensor<64x64xf16, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_copy_global_to_local_scalar(%p: !tt.ptr<f16>, %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{invalid kind of type specified: expected builtin.tensor, but}}
    %0 = ttg.async_copy_global_to_local %p, %b : !tt.ptr<f16> -> <64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_copy_global_to_local_segments(%p: tensor<64x64x!tt.ptr<f16>, #blocked>,
                                               %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{operand count (2) does not match with the total size (3) specified in attribute 'operandSegmentSizes'}}
    %0 = "ttg.async_copy_global_to_local"(%p, %b) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}>
        : (tensor<64x64x!tt.ptr<f16>, #blocked>, !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) -> !ttg.async.token
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_copy_global_to_local_cache(%p: tensor<64x64x!tt.ptr<f16>, #blocked>,
                                            %b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'cache' [none, ca, cg, wb, cs, wt, cv]}}
    %0 = ttg.async_copy_global_to_local %p, %b cacheModifier = xx
        : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_wait_operand(%x: i32) {
    // expected-error @+1 {{operand #0 must be variadic of async token type}}
    %0 = "ttg.async_wait"(%x) {num = 0 : i32} : (i32) -> !ttg.async.token
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @async_commit_group_operand(%x: i32) {
    // expected-error @+1 {{operand #0 must be variadic of async token type}}
    %0 = "ttg.async_commit_group"(%x) : (i32) -> !ttg.async.token
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @barrier_unknown() {
    // expected-error @+1 {{'shared' is not an address space; expected none, local, global_read, global_write, tensor_read, tensor_write or all}}
    ttg.barrier shared
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @barrier_none_and_more() {
    // expected-error @+1 {{'none' cannot be combined with other address spaces}}
    ttg.barrier local|none
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @barrier_nothing() {
    // expected-error @+1 {{expected valid keyword}}
    ttg.barrier {foo}
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // expected-note @+1 {{prior use here}}
  tt.func @prefetch_c1(%p: tensor<64x!tt.ptr<f16>>, %mask: tensor<32xi1>) {
    // expected-error @+1 {{expects different type than prior uses}}
    ttg.prefetch %p, %mask : tensor<64x!tt.ptr<f16>>
    tt.return
  }
}
