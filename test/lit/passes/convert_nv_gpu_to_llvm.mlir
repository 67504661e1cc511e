// RUN: tt-opt %s --split-input-file --convert-nv-gpu-to-llvm --verify-diagnostics | FileCheck %s

!registers = !llvm.struct<(f32, f32, f32, f32)>

module {
  // CHECK-LABEL: @identities
  // CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
  // CHECK: %[[WARP:.*]] = llvm.udiv %[[THREAD]]
  // CHECK: nvvm.shfl.sync idx %{{.*}}, %[[WARP]]
  // CHECK: nvvm.read.ptx.sreg.cluster.ctarank
  llvm.func @identities() -> i32 {
    %0 = nvg.warp_id
    %1 = nvg.cluster_id
    %2 = llvm.add %0, %1 : i32
    llvm.return %2 : i32
  }

  // CHECK-LABEL: @loads
  // CHECK: "mov.u16 $0, 0x0;\0A\09@$2 ld.global.gpu.acquire.b16 $0, [ $1 + 0 ];", "=c,l,b" %{{.*}} : (!llvm.ptr<1>, i1) -> i16
  // CHECK: "ld.global.sys.relaxed.b64 $0, [ $1 + 0 ];", "=l,l" %{{.*}} : (!llvm.ptr<1>) -> i64
  // CHECK: llvm.bitcast %{{.*}} : i64 to f64
  llvm.func @loads(%p: !llvm.ptr<1>, %mask: i1, %out: !llvm.ptr) {
    %0 = nvg.ld_acquire acquire, gpu, %p, %mask : (!llvm.ptr<1>) -> i16
    llvm.store %0, %out : i16, !llvm.ptr
    %1 = nvg.ld_acquire relaxed, sys, %p : (!llvm.ptr<1>) -> f64
    llvm.store %1, %out : f64, !llvm.ptr
    llvm.return
  }

  // CHECK-LABEL: @registers_of_f32
  // CHECK: "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0,$1,$2,$3}, {$4,$5}, $6, 0, 1, 1;", "=f,=f,=f,=f,r,r,l"
  llvm.func @registers_of_f32(%a: !llvm.struct<(f32, f32)>, %b: i64, %use: i1) -> !registers {
    %0 = nvg.wgmma %a, %b, %use {eltTypeA = 6 : i32, eltTypeB = 6 : i32, eltTypeC = 7 : i32, k = 8 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32} : (!llvm.struct<(f32, f32)>, i64, i1) -> !registers
    llvm.return %0 : !registers
  }

  // Buffers wait too; what nobody uses has no instruction.
  // CHECK-LABEL: @waited
  // CHECK-NOT: nvvm
  // CHECK: "// wait for regs: $0,$1,$2,$3\0A\09wgmma.wait_group.sync.aligned 0;", "=f,=l,=r,=h,0,1,2,3"
  llvm.func @waited(%s: !llvm.struct<(f32, ptr<3>, i32, f16)>) -> !llvm.struct<(f32, ptr<3>, i32, f16)> {
    %0 = nvg.warp_id
    %1 = nvg.wgmma_wait_group %s {pendings = 0 : i32} : !llvm.struct<(f32, ptr<3>, i32, f16)>
    llvm.return %1 : !llvm.struct<(f32, ptr<3>, i32, f16)>
  }

  // CHECK-LABEL: @products
  // CHECK: "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {$0,$1,$2,$3}, $8, $9, $10, 1, 1, 0, 0;", "=f,=f,=f,=f,0,1,2,3,l,l,b"
  // CHECK: "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {$0,$1,$2,$3}, $8, $9, $10, 1, 1, 1, 1;"
  // CHECK: "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e5m2 {$0,$1,$2,$3}, $4, $5, 0, 1, 1;", "=f,=f,=f,=f,l,l"
  // CHECK: "wgmma.mma_async.sync.aligned.m64n8k8.f32.tf32.tf32 {$0,$1,$2,$3}, {$8,$9}, $10, $11, 1, 1;", "=f,=f,=f,=f,0,1,2,3,r,r,l,b"
  // CHECK: "// wait for regs: $0,$1,$2,$3\0A\09wgmma.wait_group.sync.aligned 1;", "=f,=f,=f,=f,0,1,2,3"
  llvm.func @products(%a: i64, %r: !llvm.struct<(i32, i32)>, %use: i1, %c: !registers) -> !registers {
    %0 = nvg.wgmma %a, %a, %use, %c {eltTypeA = 5 : i32, eltTypeB = 5 : i32, eltTypeC = 7 : i32, k = 16 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32} : (i64, i64, i1, !registers) -> !registers
    %1 = nvg.wgmma %a, %a, %use, %0 {eltTypeA = 4 : i32, eltTypeB = 4 : i32, eltTypeC = 7 : i32, k = 16 : i32, layoutA = 1 : i32, layoutB = 0 : i32, m = 64 : i32, n = 8 : i32} : (i64, i64, i1, !registers) -> !registers
    %2 = nvg.wgmma %a, %a, %use {eltTypeA = 2 : i32, eltTypeB = 3 : i32, eltTypeC = 7 : i32, k = 32 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32} : (i64, i64, i1) -> !registers
    %3 = nvg.wgmma %r, %a, %use, %2 {eltTypeA = 6 : i32, eltTypeB = 6 : i32, eltTypeC = 7 : i32, k = 8 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32} : (!llvm.struct<(i32, i32)>, i64, i1, !registers) -> !registers
    %4 = nvg.wgmma_wait_group %3 {pendings = 1 : i32} : !registers
    llvm.return %4 : !registers
  }
}

// -----

module attributes {ttg.tensor_memory_size = 128 : i32} {
  llvm.mlir.global external @global_smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

  // CHECK-LABEL: @base
  // CHECK: "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 128;", "b,r"
  // CHECK: nvvm.barrier0
  // CHECK-NEXT: %[[ADDRESS:.*]] = llvm.load %{{.*}} : !llvm.ptr<3> -> i32
  // CHECK: %[[BASE:.*]] = llvm.inttoptr %[[ADDRESS]]
  // CHECK: tcgen05.relinquish_alloc_permit
  // CHECK: llvm.ptrtoint %[[BASE]]
  // CHECK: nvvm.barrier0
  // CHECK: "@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 128;", "b,r" %{{.*}}, %[[BASE]]
  // CHECK-NEXT: llvm.return
  llvm.func @base(%out: !llvm.ptr) {
    %0 = nvg.tensor_memory_base
    %1 = llvm.ptrtoint %0 : !llvm.ptr<6> to i32
    llvm.store %1, %out : i32, !llvm.ptr
    llvm.return
  }
}

// -----

llvm.func @unsupported(%a: i64, %use: i1) {
  // expected-error @below {{WGMMA type or shape is not supported: f32 by f32 to f32, 64x8x8}}
  %0 = nvg.wgmma %a, %a, %use {eltTypeA = 7 : i32, eltTypeB = 7 : i32, eltTypeC = 7 : i32, k = 8 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32} : (i64, i64, i1) -> !llvm.struct<(f32, f32, f32, f32)>
  llvm.return
}

// -----

llvm.func @no_size(%out: !llvm.ptr) {
  // expected-error @below {{needs the module's attribute ttg.tensor_memory_size}}
  %0 = nvg.tensor_memory_base
  %1 = llvm.ptrtoint %0 : !llvm.ptr<6> to i32
  llvm.store %1, %out : i32, !llvm.ptr
  llvm.return
}

// -----

// What ttkit's own lowering leaves: nothing else changes, and constants stand where the function begins.
module {
  // CHECK-LABEL: @identities_alone
  // CHECK-COUNT-4: llvm.mlir.constant
  // CHECK-NEXT: llvm.mlir.constant(7
  // CHECK-NEXT: nvvm.read.ptx.sreg.cluster.ctarank
  // CHECK: nvvm.shfl.sync
  llvm.func @identities_alone() -> i32 {
    %unused = llvm.mlir.constant(7 : i32) : i32
    %0 = nvg.cluster_id
    %1 = nvg.warp_id
    %2 = llvm.add %0, %1 : i32
    llvm.return %2 : i32
  }

  // Edge: the operation at which the function began is gone when constants are made, and warps are asked for twice.
  // CHECK-LABEL: @at_the_beginning
  // CHECK-COUNT-4: llvm.mlir.constant
  // CHECK-NEXT: nvvm.read.ptx.sreg.cluster.ctarank
  // CHECK-COUNT-2: nvvm.shfl.sync
  llvm.func @at_the_beginning() -> i32 {
    %0 = nvg.cluster_id
    %1 = nvg.warp_id
    %2 = nvg.warp_id
    %3 = llvm.add %0, %1 : i32
    %4 = llvm.add %2, %3 : i32
    llvm.return %4 : i32
  }
}

// -----

// The warp in its partition: of one warp, 0; of several, counted from the partition's first thread.
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 11 : i32} {
  // CHECK-LABEL: @warps_of_partitions
  llvm.func @warps_of_partitions(%p: !llvm.ptr) {
    // CHECK: ttg.warp_specialize
    ttg.warp_specialize(%p) attributes {warpGroupStartIds = array<i32: 8, 4, 10>}
    // CHECK: default
    default {
      // CHECK-NEXT: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
      // CHECK-NEXT: %[[WARP:.*]] = llvm.udiv %[[THREAD]]
      // CHECK-NEXT: nvvm.shfl.sync idx %{{.*}}, %[[WARP]]
      %0 = nvg.warp_id
      llvm.store %0, %p : i32, !llvm.ptr
      ttg.warp_yield
    }
    // CHECK: partition0
    partition0(%arg0: !llvm.ptr) num_warps(2) {
      // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(256 : i32)
      // CHECK: %[[THREAD:.*]] = nvvm.read.ptx.sreg.tid.x
      // CHECK-NEXT: %[[INSIDE:.*]] = llvm.sub %[[THREAD]], %[[FIRST]]
      // CHECK-NEXT: %[[WARP:.*]] = llvm.udiv %[[INSIDE]]
      // CHECK-NEXT: nvvm.shfl.sync idx %{{.*}}, %[[WARP]]
      %0 = nvg.warp_id
      llvm.store %0, %arg0 : i32, !llvm.ptr
      ttg.warp_return
    }
    // CHECK: partition1
    partition1(%arg0: !llvm.ptr) num_warps(4) {
      // CHECK: %[[FIRST:.*]] = llvm.mlir.constant(128 : i32)
      // CHECK: llvm.sub %{{.*}}, %[[FIRST]]
      %0 = nvg.warp_id
      llvm.store %0, %arg0 : i32, !llvm.ptr
      ttg.warp_return
    }
    // CHECK: partition2
    partition2(%arg0: !llvm.ptr) num_warps(1) {
      // CHECK-NEXT: %[[ZERO:.*]] = llvm.mlir.constant(0 : i32)
      // CHECK-NEXT: llvm.store %[[ZERO]]
      %0 = nvg.warp_id
      llvm.store %0, %arg0 : i32, !llvm.ptr
      ttg.warp_return
    } : (!llvm.ptr) -> ()
    llvm.return
  }
}

// -----

module attributes {"ttg.num-warps" = 4 : i32} {
  llvm.func @partitions_of_unknown_warps() {
    // expected-error @below {{nobody chose the warps of its partitions; run tritongpu-allocate-warp-groups}}
    ttg.warp_specialize()
    default {
      ttg.warp_yield
    }
    partition0() num_warps(2) {
      %0 = nvg.warp_id
      ttg.warp_return
    } : () -> ()
    llvm.return
  }
}
