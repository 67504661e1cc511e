// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  // CHECK-LABEL: @clc
  tt.func @clc(%answer: !ttg.memdesc<2xi64, #shared, #smem, mutable>, %bar: !ttg.memdesc<1xi64, #shared, #smem, mutable>) {
    // CHECK: ttng.clc_try_cancel %{{[a-z0-9_]+}}, %{{[a-z0-9_]+}}
    // CHECK-SAME: : !ttg.memdesc<2xi64, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    ttng.clc_try_cancel %answer, %bar
        : !ttg.memdesc<2xi64, #shared, #smem, mutable>, !ttg.memdesc<1xi64, #shared, #smem, mutable>
    // CHECK: ttng.clc_load_result %{{.*}} : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
    %0 = ttng.clc_load_result %answer : !ttg.memdesc<2xi64, #shared, #smem, mutable> -> i128
    // CHECK: ttng.clc_is_canceled %{{.*}} : i128 -> i1
    %1 = ttng.clc_is_canceled %0 : i128 -> i1
    // CHECK: ttng.clc_get_program_id %{{.*}}, x : i128 -> i32
    %2 = ttng.clc_get_program_id %0, x : i128 -> i32
    // CHECK: ttng.clc_get_program_id %{{.*}}, z : i128 -> i32
    %3 = ttng.clc_get_program_id %0, z : i128 -> i32
    // CHECK: ttng.clc_try_cancel_sync : tensor<2xi64>
    %4 = ttng.clc_try_cancel_sync : tensor<2xi64>
    tt.return
  }
}
