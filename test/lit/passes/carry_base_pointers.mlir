// RUN: tt-opt %s --ttkit-carry-base-pointers | FileCheck %s
// RUN: tt-opt %s --ttkit-carry-base-pointers --check-passes --check-arg=arg1=3 --check-arg=arg2=64 --check-arg=arg3=64 -o %t

#tile = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#smem = #ttg.shared_memory

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The second loop goes on with the pointer of the first; columns are added first, of which a thread has one chunk.
  // CHECK-LABEL: @two_loops
  // CHECK: default {
  // CHECK: %[[COLUMNS:.*]] = tt.broadcast %{{.*}} : tensor<1x64xi32, #{{.*}}> -> tensor<128x64xi32, #{{.*}}>
  // CHECK: %[[BASE:.*]] = tt.addptr %arg0, %arg2 : !tt.ptr<f16>, i32
  // CHECK: %[[ROWS:.*]] = tt.broadcast %{{.*}} : tensor<128x1xi32, #{{.*}}> -> tensor<128x64xi32, #{{.*}}>
  // CHECK: %[[FIRST:.*]] = scf.for {{.*}} iter_args(%[[P:.*]] = %[[BASE]]) -> (!tt.ptr<f16>)
  // CHECK-NEXT: %[[S:.*]] = tt.splat %[[P]] {ttkit.base_pointer}
  // CHECK-NEXT: %[[C:.*]] = tt.addptr %[[S]], %[[COLUMNS]]
  // CHECK-NEXT: %[[A:.*]] = tt.addptr %[[C]], %[[ROWS]]
  // CHECK: ttg.async_copy_global_to_local %[[A]]
  // CHECK: %[[NEXT:.*]] = tt.addptr %[[P]], %arg3 : !tt.ptr<f16>, i32
  // CHECK: scf.yield %[[NEXT]] : !tt.ptr<f16>
  // CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[FIRST]]) -> (!tt.ptr<f16>)
  // CHECK: partition0
  tt.func public @two_loops(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %start: i32, %step: i32 {tt.divisibility = 16 : i32}, %out: !tt.ptr<f16>) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttg.warp_specialize(%n)
    default {
      %rows = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #tile}>>
      %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #tile}>>
      %r = tt.expand_dims %rows {axis = 1 : i32} : tensor<128xi32, #ttg.slice<{dim = 1, parent = #tile}>> -> tensor<128x1xi32, #tile>
      %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #tile}>> -> tensor<1x64xi32, #tile>
      %stride = tt.splat %step : i32 -> tensor<128x1xi32, #tile>
      %down = arith.muli %r, %stride : tensor<128x1xi32, #tile>
      %base = tt.splat %x : !tt.ptr<f16> -> tensor<128x1x!tt.ptr<f16>, #tile>
      %p0 = tt.addptr %base, %down : tensor<128x1x!tt.ptr<f16>, #tile>, tensor<128x1xi32, #tile>
      %p1 = tt.broadcast %p0 : tensor<128x1x!tt.ptr<f16>, #tile> -> tensor<128x64x!tt.ptr<f16>, #tile>
      %across = tt.broadcast %c : tensor<1x64xi32, #tile> -> tensor<128x64xi32, #tile>
      %p2 = tt.addptr %p1, %across : tensor<128x64x!tt.ptr<f16>, #tile>, tensor<128x64xi32, #tile>
      %begin = tt.splat %start : i32 -> tensor<128x64xi32, #tile>
      %first = tt.addptr %p2, %begin : tensor<128x64x!tt.ptr<f16>, #tile>, tensor<128x64xi32, #tile>
      %steps = tt.splat %step : i32 -> tensor<128x64xi32, #tile>
      %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (tensor<128x64x!tt.ptr<f16>, #tile>) : i32 {
        %t = ttg.async_copy_global_to_local %p, %buffer : tensor<128x64x!tt.ptr<f16>, #tile> -> <128x64xf16, #shared, #smem, mutable>
        %g = ttg.async_commit_group tokens %t
        %w = ttg.async_wait %g {num = 0 : i32}
        %q = tt.addptr %p, %steps : tensor<128x64x!tt.ptr<f16>, #tile>, tensor<128x64xi32, #tile>
        scf.yield %q : tensor<128x64x!tt.ptr<f16>, #tile>
      }
      %last = scf.for %i = %c0 to %n step %c1 iter_args(%p = %end) -> (tensor<128x64x!tt.ptr<f16>, #tile>) : i32 {
        %q = tt.addptr %p, %steps : tensor<128x64x!tt.ptr<f16>, #tile>, tensor<128x64xi32, #tile>
        %t = ttg.async_copy_global_to_local %q, %buffer : tensor<128x64x!tt.ptr<f16>, #tile> -> <128x64xf16, #shared, #smem, mutable>
        %g = ttg.async_commit_group tokens %t
        %w = ttg.async_wait %g {num = 0 : i32}
        scf.yield %q : tensor<128x64x!tt.ptr<f16>, #tile>
      }
      %v = ttg.local_load %buffer : !ttg.memdesc<128x64xf16, #shared, #smem, mutable> -> tensor<128x64xf16, #tile>
      %o = tt.splat %out : !tt.ptr<f16> -> tensor<128x64x!tt.ptr<f16>, #tile>
      %height = arith.constant dense<64> : tensor<128x1xi32, #tile>
      %line = arith.muli %r, %height : tensor<128x1xi32, #tile>
      %lines = tt.broadcast %line : tensor<128x1xi32, #tile> -> tensor<128x64xi32, #tile>
      %o1 = tt.addptr %o, %lines : tensor<128x64x!tt.ptr<f16>, #tile>, tensor<128x64xi32, #tile>
      %o2 = tt.addptr %o1, %across : tensor<128x64x!tt.ptr<f16>, #tile>, tensor<128x64xi32, #tile>
      tt.store %o2, %v : tensor<128x64x!tt.ptr<f16>, #tile>
      ttg.warp_yield
    }
    partition0(%m: i32) num_warps(4) {
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }

  // Each iteration adds a number to the addresses of a tile.
  // CHECK-LABEL: @moved
  // CHECK: default {
  // CHECK: %[[ROWS:.*]] = tt.broadcast
  // CHECK: scf.for %[[I:.*]] = {{.*}} {
  // CHECK: %[[BY:.*]] = arith.muli %[[I]], %arg2
  // CHECK: %[[P:.*]] = tt.addptr %arg0, %[[BY]] : !tt.ptr<f16>, i32
  // CHECK: %[[S:.*]] = tt.splat %[[P]] {ttkit.base_pointer}
  // CHECK: %[[A:.*]] = tt.addptr %[[S]], %[[ROWS]]
  // CHECK: ttg.async_copy_global_to_local %[[A]]
  // CHECK: partition0
  tt.func public @moved(%x: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32, %step: i32 {tt.divisibility = 16 : i32}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttg.warp_specialize(%n)
    default {
      %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #tile}>>
      %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #tile}>> -> tensor<1x64xi32, #tile>
      %base = tt.splat %x : !tt.ptr<f16> -> tensor<1x64x!tt.ptr<f16>, #tile>
      %p0 = tt.addptr %base, %c : tensor<1x64x!tt.ptr<f16>, #tile>, tensor<1x64xi32, #tile>
      %tile = tt.broadcast %p0 : tensor<1x64x!tt.ptr<f16>, #tile> -> tensor<128x64x!tt.ptr<f16>, #tile>
      scf.for %i = %c0 to %n step %c1 : i32 {
        %by = arith.muli %i, %step : i32
        %all = tt.splat %by : i32 -> tensor<128x64xi32, #tile>
        %p = tt.addptr %tile, %all : tensor<128x64x!tt.ptr<f16>, #tile>, tensor<128x64xi32, #tile>
        %t = ttg.async_copy_global_to_local %p, %buffer : tensor<128x64x!tt.ptr<f16>, #tile> -> <128x64xf16, #shared, #smem, mutable>
        %g = ttg.async_commit_group tokens %t
        %w = ttg.async_wait %g {num = 0 : i32}
      }
      ttg.warp_yield
    }
    partition0(%m: i32) num_warps(4) {
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }

  // The steps of columns differ.
  // CHECK-LABEL: @different_steps
  // CHECK: scf.for {{.*}} -> (tensor<128x64x!tt.ptr<f16>, #{{.*}}>)
  // CHECK: partition0
  tt.func private @different_steps(%first: tensor<128x64x!tt.ptr<f16>, #tile>, %n: i32, %step: i32) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %buffer = ttg.local_alloc : () -> !ttg.memdesc<128x64xf16, #shared, #smem, mutable>
    ttg.warp_specialize(%n)
    default {
      %columns = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #tile}>>
      %c = tt.expand_dims %columns {axis = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #tile}>> -> tensor<1x64xi32, #tile>
      %steps = tt.broadcast %c : tensor<1x64xi32, #tile> -> tensor<128x64xi32, #tile>
      %end = scf.for %i = %c0 to %n step %c1 iter_args(%p = %first) -> (tensor<128x64x!tt.ptr<f16>, #tile>) : i32 {
        %t = ttg.async_copy_global_to_local %p, %buffer : tensor<128x64x!tt.ptr<f16>, #tile> -> <128x64xf16, #shared, #smem, mutable>
        %g = ttg.async_commit_group tokens %t
        %w = ttg.async_wait %g {num = 0 : i32}
        %q = tt.addptr %p, %steps : tensor<128x64x!tt.ptr<f16>, #tile>, tensor<128x64xi32, #tile>
        scf.yield %q : tensor<128x64x!tt.ptr<f16>, #tile>
      }
      ttg.warp_yield
    }
    partition0(%m: i32) num_warps(4) {
      ttg.warp_return
    } : (i32) -> ()
    tt.return
  }
}
