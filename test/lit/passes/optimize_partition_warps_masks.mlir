// RUN: tt-opt %s "--tritongpu-optimize-partition-warps=count-masks=true" | FileCheck %s
// RUN: tt-opt %s --tritongpu-optimize-partition-warps | FileCheck %s --check-prefix=WIDE

#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
// CHECK-DAG: #[[ONE:.+]] = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
// CHECK-DAG: #[[EIGHT:.+]] = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
// WIDE: #[[EIGHT:.+]] = #ttg.blocked<{sizePerThread = [8], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100", "ttg.threads-per-warp" = 32 : i32} {
  // The mask of the first partition decides about each element, as in tritongpu-coalesce; the second one has no mask.
  // CHECK-LABEL: @masked
  // CHECK:       partition0({{.*}}) num_warps(1) {
  // CHECK:         tt.store {{.*}} : tensor<256x!tt.ptr<f16>, #[[ONE]]>
  // CHECK:       partition1({{.*}}) num_warps(1) {
  // CHECK:         tt.store {{.*}} : tensor<256x!tt.ptr<f16>, #[[EIGHT]]>
  // WIDE-LABEL: @masked
  // WIDE:        partition0({{.*}}) num_warps(1) {
  // WIDE:          tt.store {{.*}} : tensor<256x!tt.ptr<f16>, #[[EIGHT]]>
  tt.func @masked(%p: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %n: i32) {
    ttg.warp_specialize(%p, %n)
    default { ttg.warp_yield }
    partition0(%a: !tt.ptr<f16>, %m: i32) num_warps(4) {
      %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
      %e = tt.splat %m : i32 -> tensor<256xi32, #blocked>
      %k = arith.cmpi slt, %r, %e : tensor<256xi32, #blocked>
      %s = tt.splat %a : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>, #blocked>
      %t = tt.addptr %s, %r : tensor<256x!tt.ptr<f16>, #blocked>, tensor<256xi32, #blocked>
      %x = tt.load %t, %k : tensor<256x!tt.ptr<f16>, #blocked>
      tt.store %t, %x, %k : tensor<256x!tt.ptr<f16>, #blocked>
      ttg.warp_return
    }
    partition1(%a: !tt.ptr<f16>, %m: i32) num_warps(4) {
      %r = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
      %s = tt.splat %a : !tt.ptr<f16> -> tensor<256x!tt.ptr<f16>, #blocked>
      %t = tt.addptr %s, %r : tensor<256x!tt.ptr<f16>, #blocked>, tensor<256xi32, #blocked>
      %x = tt.load %t : tensor<256x!tt.ptr<f16>, #blocked>
      tt.store %t, %x : tensor<256x!tt.ptr<f16>, #blocked>
      ttg.warp_return
    } : (!tt.ptr<f16>, i32) -> ()
    tt.return
  }
}
