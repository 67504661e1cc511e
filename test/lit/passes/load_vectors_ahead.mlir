// RUN: tt-opt %s --split-input-file --ttkit-load-vectors-ahead | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The loop carries what the iteration before has loaded; the last one loads nothing.
  // CHECK-LABEL: @vector
  // CHECK:       %[[EXISTS:.*]] = arith.cmpi slt, %[[ZERO:.*]], %[[COUNT:.*]] : i32
  // CHECK:       %[[MASK:.*]] = tt.splat %[[EXISTS]] : i1 -> tensor<64xi1
  // CHECK:       %[[FIRST:.*]] = tt.load %{{.*}}, %[[MASK]]
  // CHECK:       scf.for %[[I:.*]] = %[[ZERO]] to %[[COUNT]] {{.*}} iter_args(%{{.*}}, %[[AT:.*]] = %[[ZERO]], %[[V:.*]] = %[[FIRST]])
  // CHECK:         %[[SOON:.*]] = arith.addi %[[AT]], %{{.*}} : i32
  // CHECK:         tt.splat %[[SOON]]
  // CHECK:         %[[MORE:.*]] = arith.cmpi slt, %[[I]], %{{.*}} : i32
  // CHECK:         %[[GOES:.*]] = tt.splat %[[MORE]] : i1 -> tensor<64xi1
  // CHECK:         %[[NEXT:.*]] = tt.load %{{.*}}, %[[GOES]]
  // CHECK:         ttng.warp_group_dot
  // CHECK:         tt.expand_dims %[[V]]
  // CHECK:         scf.yield %{{.*}}, %{{.*}}, %[[NEXT]]
  tt.func @vector(%a0: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %a1: !tt.ptr<f32>, %a2: tensor<64x64x!tt.ptr<f32>, #mma>, %a3: i32) {
    ttg.warp_specialize(%a0, %a1, %a2, %a3)
    default {
      ttg.warp_yield
    }
    partition0(%x: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %p: !tt.ptr<f32>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %step = arith.constant 64 : i32
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %r:2 = scf.for %i = %zero to %count step %step iter_args(%acc = %none, %at = %zero) -> (tensor<64x64xf32, #mma>, i32) : i32 {
        %m = tt.splat %at : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %o = arith.addi %m, %range : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %q = tt.addptr %base, %o : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %v = tt.load %q : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
        %d = ttng.warp_group_dot %x, %x, %acc : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e = tt.expand_dims %v {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
        %b = tt.broadcast %e : tensor<1x64xf32, #mma> -> tensor<64x64xf32, #mma>
        %f = arith.addf %d, %b : tensor<64x64xf32, #mma>
        %next = arith.addi %at, %step : i32
        scf.yield %f, %next : tensor<64x64xf32, #mma>, i32
      }
      tt.store %out, %r#0 : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    : (!ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !tt.ptr<f32>, tensor<64x64x!tt.ptr<f32>, #mma>, i32) -> ()
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // The mask of a load holds too.
  // CHECK-LABEL: @with_a_mask
  // CHECK:       %[[FIRST:.*]] = arith.andi %{{.*}}, %{{.*}} : tensor<64xi1
  // CHECK:       tt.load %{{.*}}, %[[FIRST]]
  // CHECK:       scf.for
  // CHECK:         %[[NEXT:.*]] = arith.andi %{{.*}}, %{{.*}} : tensor<64xi1
  // CHECK:         tt.load %{{.*}}, %[[NEXT]]
  tt.func @with_a_mask(%a0: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %a1: !tt.ptr<f32>, %a2: tensor<64x64x!tt.ptr<f32>, #mma>, %a3: i32) {
    ttg.warp_specialize(%a0, %a1, %a2, %a3)
    default {
      ttg.warp_yield
    }
    partition0(%x: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %p: !tt.ptr<f32>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %step = arith.constant 64 : i32
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %r:2 = scf.for %i = %zero to %count step %step iter_args(%acc = %none, %at = %zero) -> (tensor<64x64xf32, #mma>, i32) : i32 {
        %m = tt.splat %at : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %o = arith.addi %m, %range : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %q = tt.addptr %base, %o : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %n = tt.splat %count : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %k = arith.cmpi slt, %o, %n : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %v = tt.load %q, %k : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
        %d = ttng.warp_group_dot %x, %x, %acc : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e = tt.expand_dims %v {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
        %b = tt.broadcast %e : tensor<1x64xf32, #mma> -> tensor<64x64xf32, #mma>
        %f = arith.addf %d, %b : tensor<64x64xf32, #mma>
        %next = arith.addi %at, %step : i32
        scf.yield %f, %next : tensor<64x64xf32, #mma>, i32
      }
      tt.store %out, %r#0 : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    : (!ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !tt.ptr<f32>, tensor<64x64x!tt.ptr<f32>, #mma>, i32) -> ()
    tt.return
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
  // What the loop stores may be what the next iteration loads.
  // CHECK-LABEL: @written
  // CHECK:       scf.for
  // CHECK:         tt.load
  // CHECK:         tt.store
  // CHECK-NOT:     tt.load
  tt.func @written(%a0: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %a1: !tt.ptr<f32>, %a2: tensor<64x64x!tt.ptr<f32>, #mma>, %a3: i32) {
    ttg.warp_specialize(%a0, %a1, %a2, %a3)
    default {
      ttg.warp_yield
    }
    partition0(%x: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>, %p: !tt.ptr<f32>, %out: tensor<64x64x!tt.ptr<f32>, #mma>, %count: i32) num_warps(4) {
      %zero = arith.constant 0 : i32
      %step = arith.constant 64 : i32
      %none = arith.constant dense<0.0> : tensor<64x64xf32, #mma>
      %range = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
      %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
      %r:2 = scf.for %i = %zero to %count step %step iter_args(%acc = %none, %at = %zero) -> (tensor<64x64xf32, #mma>, i32) : i32 {
        %m = tt.splat %at : i32 -> tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %o = arith.addi %m, %range : tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %q = tt.addptr %base, %o : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>, tensor<64xi32, #ttg.slice<{dim = 0, parent = #mma}>>
        %v = tt.load %q : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
        tt.store %q, %v : tensor<64x!tt.ptr<f32>, #ttg.slice<{dim = 0, parent = #mma}>>
        %d = ttng.warp_group_dot %x, %x, %acc : !ttg.memdesc<64x64xf16, #shared, #smem, mutable> * !ttg.memdesc<64x64xf16, #shared, #smem, mutable> -> tensor<64x64xf32, #mma>
        %e = tt.expand_dims %v {axis = 0 : i32} : tensor<64xf32, #ttg.slice<{dim = 0, parent = #mma}>> -> tensor<1x64xf32, #mma>
        %b = tt.broadcast %e : tensor<1x64xf32, #mma> -> tensor<64x64xf32, #mma>
        %f = arith.addf %d, %b : tensor<64x64xf32, #mma>
        %next = arith.addi %at, %step : i32
        scf.yield %f, %next : tensor<64x64xf32, #mma>, i32
      }
      tt.store %out, %r#0 : tensor<64x64x!tt.ptr<f32>, #mma>
      ttg.warp_return
    }
    : (!ttg.memdesc<64x64xf16, #shared, #smem, mutable>, !tt.ptr<f32>, tensor<64x64x!tt.ptr<f32>, #mma>, i32) -> ()
    tt.return
  }
}
