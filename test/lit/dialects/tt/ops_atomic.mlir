// RUN: tt-opt %s | tt-opt | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {

// Every operation, ordering and scope.
// CHECK-LABEL: tt.func @scalar
tt.func @scalar(%p: !tt.ptr<i32>, %v: i32, %q: !tt.ptr<f16>, %f: f16) {
  // CHECK-NEXT: tt.atomic_rmw and, relaxed, gpu, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32) -> i32
  %0 = tt.atomic_rmw and, relaxed, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  // CHECK-NEXT: tt.atomic_rmw or, acquire, cta, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32) -> i32
  %1 = tt.atomic_rmw or, acquire, cta, %p, %v : (!tt.ptr<i32>, i32) -> i32
  // CHECK-NEXT: tt.atomic_rmw xor, release, sys, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32) -> i32
  %2 = tt.atomic_rmw xor, release, sys, %p, %v : (!tt.ptr<i32>, i32) -> i32
  // CHECK-NEXT: tt.atomic_rmw add, acq_rel, gpu, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32) -> i32
  %3 = tt.atomic_rmw add, acq_rel, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  // CHECK-NEXT: tt.atomic_rmw max,
  %4 = tt.atomic_rmw max, acq_rel, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  // CHECK-NEXT: tt.atomic_rmw min,
  %5 = tt.atomic_rmw min, acq_rel, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  // CHECK-NEXT: tt.atomic_rmw umax,
  %6 = tt.atomic_rmw umax, acq_rel, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  // CHECK-NEXT: tt.atomic_rmw umin,
  %7 = tt.atomic_rmw umin, acq_rel, gpu, %p, %v : (!tt.ptr<i32>, i32) -> i32
  // CHECK-NEXT: tt.atomic_rmw exch, acq_rel, gpu, %{{.*}}, %{{.*}} : (!tt.ptr<f16>, f16) -> f16
  %8 = tt.atomic_rmw exch, acq_rel, gpu, %q, %f : (!tt.ptr<f16>, f16) -> f16
  // CHECK-NEXT: tt.atomic_rmw fadd, acq_rel, gpu, %{{.*}}, %{{.*}} : (!tt.ptr<f16>, f16) -> f16
  %9 = tt.atomic_rmw fadd, acq_rel, gpu, %q, %f : (!tt.ptr<f16>, f16) -> f16
  // CHECK-NEXT: tt.atomic_rmw and, acq_rel, gpu, %{{.*}}, %{{.*}} : (!tt.ptr<f16>, f16) -> f16
  %11 = tt.atomic_rmw and, acq_rel, gpu, %q, %f : (!tt.ptr<f16>, f16) -> f16
  // CHECK-NEXT: tt.atomic_rmw umax, release, cta, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32) -> i32
  %10 = "tt.atomic_rmw"(%p, %v) <{atomic_rmw_op = 8 : i32, sem = 3 : i32, scope = 2 : i32}> : (!tt.ptr<i32>, i32) -> i32
  tt.return
}

// CHECK-LABEL: tt.func @tensor
tt.func @tensor(%p: tensor<128x!tt.ptr<f32>>, %v: tensor<128xf32>, %m: tensor<128xi1>,
                %pb: tensor<128x!tt.ptr<i64>, #blocked>, %vb: tensor<128xi64, #blocked>) {
  // CHECK: tt.atomic_rmw fadd, acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} {allocation.offset = 0 : i32} : (tensor<128x!tt.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> tensor<128xf32>
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %v, %m {allocation.offset = 0 : i32} : (tensor<128x!tt.ptr<f32>>, tensor<128xf32>, tensor<128xi1>) -> tensor<128xf32>
  // CHECK: tt.atomic_rmw add, relaxed, sys, %{{.*}}, %{{.*}} : (tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi64, #blocked>) -> tensor<128xi64, #blocked>
  %1 = tt.atomic_rmw add, relaxed, sys, %pb, %vb : (tensor<128x!tt.ptr<i64>, #blocked>, tensor<128xi64, #blocked>) -> tensor<128xi64, #blocked>
  tt.return
}

// CHECK-LABEL: tt.func @cas
tt.func @cas(%p: !tt.ptr<i32>, %v: i32, %ps: tensor<128x!tt.ptr<f32>, #blocked>, %vs: tensor<128xf32, #blocked>) {
  // CHECK: tt.atomic_cas acquire, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32, i32) -> i32
  %0 = tt.atomic_cas acquire, gpu, %p, %v, %v : (!tt.ptr<i32>, i32, i32) -> i32
  // CHECK: tt.atomic_cas relaxed, sys, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked>
  %1 = tt.atomic_cas relaxed, sys, %ps, %vs, %vs : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32, #blocked>, tensor<128xf32, #blocked>) -> tensor<128xf32, #blocked>
  tt.return
}

// CHECK-LABEL: tt.func @ordered
tt.func @ordered(%p: !tt.ptr<i32>, %v: i32, %ps: tensor<128x!tt.ptr<f32>, #blocked>, %vs: tensor<128xf32, #blocked>,
                 %m: tensor<128xi1, #blocked>, %limit: i64) {
  // CHECK: tt.atomic_load acquire, gpu, %{{.*}} : (!tt.ptr<i32>) -> i32
  %0 = tt.atomic_load acquire, gpu, %p : (!tt.ptr<i32>) -> i32
  // CHECK: tt.atomic_load relaxed, cta, %{{.*}}, %{{.*}} : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked>
  %1 = tt.atomic_load relaxed, cta, %ps, %m : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi1, #blocked>) -> tensor<128xf32, #blocked>
  // CHECK: tt.atomic_store release, sys, %{{.*}}, %{{.*}} : !tt.ptr<i32>
  tt.atomic_store release, sys, %p, %v : !tt.ptr<i32>
  // CHECK: tt.atomic_store relaxed, gpu, %{{.*}}, %{{.*}}, %{{.*}} : tensor<128x!tt.ptr<f32>, #blocked>
  tt.atomic_store relaxed, gpu, %ps, %vs, %m : tensor<128x!tt.ptr<f32>, #blocked>
  // CHECK: tt.atomic_poll acquire, gpu, %{{.*}}, %{{.*}} : !tt.ptr<i32>, i32 -> i1
  %2 = tt.atomic_poll acquire, gpu, %p, %v : !tt.ptr<i32>, i32 -> i1
  // CHECK: tt.atomic_poll relaxed, sys, %{{.*}}, %{{.*}} timeout %{{.*}} : !tt.ptr<i32>, i32 -> i1
  %3 = tt.atomic_poll relaxed, sys, %p, %v timeout %limit : !tt.ptr<i32>, i32 -> i1
  // CHECK: tt.atomic_poll acquire, gpu, %{{.*}}, %{{.*}} : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32, #blocked> -> tensor<128xi1, #blocked>
  %4 = tt.atomic_poll acquire, gpu, %ps, %vs : tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xf32, #blocked> -> tensor<128xi1, #blocked>
  tt.return
}

}
