// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s -mlir-print-op-generic | tt-opt | FileCheck %s

!registers = !llvm.struct<(f32, f32, f32, f32)>

// CHECK-LABEL: @instructions
llvm.func @instructions(%p: !llvm.ptr<1>, %mask: i1, %a: i64, %c: !registers) {
  // CHECK: nvg.warp_id
  %0 = nvg.warp_id
  // CHECK: nvg.cluster_id
  %1 = nvg.cluster_id
  // CHECK: nvg.tensor_memory_base
  %2 = nvg.tensor_memory_base
  // CHECK: nvg.ld_acquire acquire, gpu, %{{.*}}, %{{.*}} : (!llvm.ptr<1>) -> i32
  %3 = nvg.ld_acquire acquire, gpu, %p, %mask : (!llvm.ptr<1>) -> i32
  // CHECK: nvg.ld_acquire relaxed, sys, %{{.*}} : (!llvm.ptr<1>) -> i64
  %4 = nvg.ld_acquire relaxed, sys, %p : (!llvm.ptr<1>) -> i64
  // CHECK: nvg.wgmma %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} {eltTypeA = 4 : i32, eltTypeB = 4 : i32, eltTypeC = 7 : i32, k = 16 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32} : (i64, i64, i1, !llvm.struct<(f32, f32, f32, f32)>) -> !llvm.struct<(f32, f32, f32, f32)>
  %5 = nvg.wgmma %a, %a, %mask, %c {eltTypeA = 4 : i32, eltTypeB = 4 : i32, eltTypeC = 7 : i32, k = 16 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32} : (i64, i64, i1, !registers) -> !registers
  // CHECK: nvg.wgmma %{{.*}}, %{{.*}}, %{{.*}} {
  %6 = nvg.wgmma %a, %a, %mask {eltTypeA = 4 : i32, eltTypeB = 4 : i32, eltTypeC = 7 : i32, k = 16 : i32, layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32} : (i64, i64, i1) -> !registers
  // CHECK: nvg.wgmma_wait_group %{{.*}} {pendings = 0 : i32} : !llvm.struct<(f32, f32, f32, f32)>
  %7 = nvg.wgmma_wait_group %5 {pendings = 0 : i32} : !registers
  llvm.return
}
