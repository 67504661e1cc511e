// RUN: tt-opt %s --canonicalize -split-input-file | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A copy of a buffer that nobody writes is that buffer.
  // CHECK-LABEL: @alloc_of_load
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
  tt.func @alloc_of_load(%b: !ttg.memdesc<64x64xf16, #shared, #smem>) -> !ttg.memdesc<64x64xf16, #shared, #smem> {
    %0 = ttg.local_load %b : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return %1 : !ttg.memdesc<64x64xf16, #shared, #smem>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @alloc_of_load_of_mutable_left_alone
  // CHECK-NEXT: ttg.local_load %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
  // CHECK-SAME: -> tensor<64x64xf16, #blocked{{[0-9]*}}>
  // CHECK-NEXT: ttg.local_alloc %{{[a-z0-9_]+}}
  // CHECK-SAME: : (tensor<64x64xf16, #blocked{{[0-9]*}}>) -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
  tt.func @alloc_of_load_of_mutable_left_alone(%b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>)
      -> !ttg.memdesc<64x64xf16, #shared, #smem> {
    %0 = ttg.local_load %b : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    tt.return %1 : !ttg.memdesc<64x64xf16, #shared, #smem>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @mutable_alloc_of_load_left_alone
  // CHECK-NEXT: ttg.local_load %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
  // CHECK-SAME: -> tensor<64x64xf16, #blocked{{[0-9]*}}>
  // CHECK-NEXT: ttg.local_alloc %{{[a-z0-9_]+}}
  // CHECK-SAME: : (tensor<64x64xf16, #blocked{{[0-9]*}}>)
  // CHECK-SAME: -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
  tt.func @mutable_alloc_of_load_left_alone(%b: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>)
      -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable> {
    %0 = ttg.local_load %b : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return %1 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @alloc_of_load_in_another_layout_left_alone
  // CHECK-NEXT: ttg.local_load %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem> -> tensor<64x64xf16, #blocked{{[0-9]*}}>
  // CHECK-NEXT: ttg.local_alloc %{{[a-z0-9_]+}}
  // CHECK-SAME: : (tensor<64x64xf16, #blocked{{[0-9]*}}>) -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
  tt.func @alloc_of_load_in_another_layout_left_alone(%b: !ttg.memdesc<64x64xf16, #shared, #smem>)
      -> !ttg.memdesc<64x64xf16, #plain, #smem> {
    %0 = ttg.local_load %b : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
    %1 = ttg.local_alloc %0 : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #plain, #smem>
    tt.return %1 : !ttg.memdesc<64x64xf16, #plain, #smem>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @load_of_alloc_left_alone
  // CHECK-NEXT: ttg.local_alloc %{{[a-z0-9_]+}}
  // CHECK-SAME: : (tensor<64x64xf16, #blocked{{[0-9]*}}>) -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-NEXT: ttg.local_load %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem> -> tensor<64x64xf16, #blocked{{[0-9]*}}>
  // CHECK-NEXT: tt.return %{{.*}} : tensor<64x64xf16, #blocked{{[0-9]*}}>
  tt.func @load_of_alloc_left_alone(%x: tensor<64x64xf16, #blocked>) -> tensor<64x64xf16, #blocked> {
    %1 = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %0 = ttg.local_load %1 : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
    tt.return %0 : tensor<64x64xf16, #blocked>
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Allocations, loads and views that nobody uses go; waits, groups, stores and deallocations stay.
  // CHECK-LABEL: @unused_allocations
  // CHECK-NEXT: tt.return
  tt.func @unused_allocations(%x: tensor<64x64xf16, #blocked>) {
    %0 = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %1 = ttg.local_alloc %x {allocation.offset = 0 : i32}
        : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem>
    %2 = ttg.local_alloc %x : (tensor<64x64xf16, #blocked>) -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    %3 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @unused_accesses
  // CHECK-NEXT: ttg.async_wait {num = 0 : i32}
  // CHECK-NEXT: ttg.async_commit_group
  // CHECK-NEXT: tt.return
  tt.func @unused_accesses(%b: !ttg.memdesc<64x64xf16, #shared, #smem>, %i: tensor<64x64xi32, #blocked>) {
    %0 = ttg.local_load %b : !ttg.memdesc<64x64xf16, #shared, #smem> -> tensor<64x64xf16, #blocked>
    %1 = ttg.global_scratch_alloc {alignment = 128 : i32, nbytes = 1024 : i32} : !tt.ptr<i8>
    %2 = ttg.async_wait {num = 0 : i32}
    %3 = ttg.async_commit_group
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @stored_buffer_left_alone
  // CHECK-NEXT: ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
  // CHECK-NEXT: ttg.local_store %{{.*}}, %{{[a-z0-9_]+}}
  // CHECK-SAME: : tensor<64x64xf16, #blocked{{[0-9]*}}>
  // CHECK-SAME: -> !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
  // CHECK-NEXT: ttg.local_dealloc %{{.*}} : !ttg.memdesc<64x64xf16, #shared{{[0-9]*}}, #smem, mutable>
  // CHECK-NEXT: tt.return
  tt.func @stored_buffer_left_alone(%x: tensor<64x64xf16, #blocked>) {
    %3 = ttg.local_alloc : () -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttg.local_store %x, %3 : tensor<64x64xf16, #blocked> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    ttg.local_dealloc %3 : !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#a = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1], [0, 0]]}>
#b = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 0], [0, 1]]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0], CGALayout = [[0, 0], [0, 1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 4 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Other CTAs have each half before the conversion, though as much of it.
  // CHECK-LABEL: @store_of_other_ctas_left_alone
  // CHECK-NEXT: %[[HALF:.*]] = ttg.convert_layout
  // CHECK-NEXT: ttg.local_store %[[HALF]],
  tt.func @store_of_other_ctas_left_alone(%x: tensor<64x64xf16, #a>, %m: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
    %0 = ttg.convert_layout %x : tensor<64x64xf16, #a> -> tensor<64x64xf16, #b>
    ttg.local_store %0, %m : tensor<64x64xf16, #b> -> !ttg.memdesc<64x64xf16, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @unused_views
  // CHECK-NEXT: tt.return
  tt.func @unused_views(%b: !ttg.memdesc<2x64x32xf16, #plain, #smem>, %i: i32) {
    %0 = ttg.memdesc_index %b[%i] : !ttg.memdesc<2x64x32xf16, #plain, #smem> -> !ttg.memdesc<64x32xf16, #plain, #smem>
    %1 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>}
        : !ttg.memdesc<64x32xf16, #plain, #smem>
          -> !ttg.memdesc<32x64xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 1]}>, #smem>
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#wide = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @unused_computations
  // CHECK-NEXT: tt.return
  tt.func @unused_computations(%x: tensor<64x32xi8, #blocked>, %i: i32) {
    %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<64x32xi8, #blocked> -> tensor<64x64xbf16, #wide>
    %17 = ttg.predicate_stage %i, %i, %i maxStage 2 stage 0 : i32 -> i1
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @trans_identity
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  tt.func @trans_identity(%b: !ttg.memdesc<64x32xf16, #shared, #smem>) -> !ttg.memdesc<64x32xf16, #shared, #smem> {
    %0 = ttg.memdesc_trans %b {order = array<i32: 0, 1>}
        : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<64x32xf16, #shared, #smem>
    tt.return %0 : !ttg.memdesc<64x32xf16, #shared, #smem>
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#sharedt = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [0, 1]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @trans_of_trans
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  tt.func @trans_of_trans(%b: !ttg.memdesc<64x32xf16, #shared, #smem>) -> !ttg.memdesc<64x32xf16, #shared, #smem> {
    %0 = ttg.memdesc_trans %b {order = array<i32: 1, 0>}
        : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x64xf16, #sharedt, #smem>
    %1 = ttg.memdesc_trans %0 {order = array<i32: 1, 0>}
        : !ttg.memdesc<32x64xf16, #sharedt, #smem> -> !ttg.memdesc<64x32xf16, #shared, #smem>
    tt.return %1 : !ttg.memdesc<64x32xf16, #shared, #smem>
  }
}

// -----

#cube = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [2, 1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Result dimension i of the second is dimension order[i] of the first's result.
  // CHECK-LABEL: @trans_of_trans_of_rank_3
  // CHECK-NEXT: ttg.memdesc_trans %{{[a-z0-9_]+}} {order = array<i32: 2, 0, 1>}
  // CHECK-SAME: : !ttg.memdesc<16x32x64xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-SAME: -> !ttg.memdesc<64x16x32xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x16x32xf16, #shared{{[0-9]*}}, #smem>
  tt.func @trans_of_trans_of_rank_3(%b: !ttg.memdesc<16x32x64xf16, #cube, #smem>)
      -> !ttg.memdesc<64x16x32xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 2, 1]}>, #smem> {
    %0 = ttg.memdesc_trans %b {order = array<i32: 1, 2, 0>}
        : !ttg.memdesc<16x32x64xf16, #cube, #smem>
          -> !ttg.memdesc<32x64x16xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0, 2]}>, #smem>
    %1 = ttg.memdesc_trans %0 {order = array<i32: 1, 2, 0>}
        : !ttg.memdesc<32x64x16xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0, 2]}>, #smem> -> !ttg.memdesc<64x16x32xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 2, 1]}>, #smem>
    tt.return %1
        : !ttg.memdesc<64x16x32xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0, 2, 1]}>, #smem>
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @reinterpret_to_same
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  tt.func @reinterpret_to_same(%b: !ttg.memdesc<64x32xf16, #shared, #smem>)
      -> !ttg.memdesc<64x32xf16, #shared, #smem> {
    %0 = ttg.memdesc_reinterpret %b
        : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<64x32xf16, #shared, #smem>
    tt.return %0 : !ttg.memdesc<64x32xf16, #shared, #smem>
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @reinterpret_there_and_back_left_alone
  // CHECK-NEXT: ttg.memdesc_reinterpret %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-SAME: -> !ttg.memdesc<32x32xf32, #shared{{[0-9]*}}, #smem>
  // CHECK-NEXT: ttg.memdesc_reinterpret %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<32x32xf32, #shared{{[0-9]*}}, #smem>
  // CHECK-SAME: -> !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  tt.func @reinterpret_there_and_back_left_alone(%b: !ttg.memdesc<64x32xf16, #shared, #smem>)
      -> !ttg.memdesc<64x32xf16, #shared, #smem> {
    %0 = ttg.memdesc_reinterpret %b
        : !ttg.memdesc<64x32xf16, #shared, #smem> -> !ttg.memdesc<32x32xf32, #shared, #smem>
    %1 = ttg.memdesc_reinterpret %0
        : !ttg.memdesc<32x32xf32, #shared, #smem> -> !ttg.memdesc<64x32xf16, #shared, #smem>
    tt.return %1 : !ttg.memdesc<64x32xf16, #shared, #smem>
  }
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @reshape_to_same_left_alone
  // CHECK-NEXT: ttg.memdesc_reshape %{{[a-z0-9_]+}}
  // CHECK-SAME: : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-SAME: -> !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  tt.func @reshape_to_same_left_alone(%b: !ttg.memdesc<64x32xf16, #plain, #smem>)
      -> !ttg.memdesc<64x32xf16, #plain, #smem> {
    %0 = ttg.memdesc_reshape %b : !ttg.memdesc<64x32xf16, #plain, #smem> -> !ttg.memdesc<64x32xf16, #plain, #smem>
    tt.return %0 : !ttg.memdesc<64x32xf16, #plain, #smem>
  }
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @subslice_of_all_left_alone
  // CHECK-NEXT: ttg.memdesc_subslice %{{[a-z0-9_]+}}[0, 0]
  // CHECK-SAME: : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-SAME: -> !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  // CHECK-NEXT: tt.return %{{.*}} : !ttg.memdesc<64x32xf16, #shared{{[0-9]*}}, #smem>
  tt.func @subslice_of_all_left_alone(%b: !ttg.memdesc<64x32xf16, #plain, #smem>)
      -> !ttg.memdesc<64x32xf16, #plain, #smem> {
    %0 = ttg.memdesc_subslice %b[0, 0]
        : !ttg.memdesc<64x32xf16, #plain, #smem> -> !ttg.memdesc<64x32xf16, #plain, #smem>
    tt.return %0 : !ttg.memdesc<64x32xf16, #plain, #smem>
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: @unused_mask_left_alone
  // CHECK: "ttg.mask"(%{{.*}}) ({
  // CHECK: ttg.mask.return %{{.*}} : i32
  // CHECK: }) : (i1) -> i32
  // CHECK: tt.return
  tt.func @unused_mask_left_alone(%p: i1, %i: i32) {
    %18 = "ttg.mask"(%p) ({
      ttg.mask.return %i : i32
    }) : (i1) -> i32
    tt.return
  }
}
