// RUN: tt-opt %s --split-input-file --triton-nvidia-gpu-optimize-cta-locality | FileCheck %s

#rows = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#columns = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[0, 1]]}>
#other = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0], CGALayout = [[1, 0]]}>
// CHECK-DAG: #[[ROWS:.*]] = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}1, 0]]}>
// CHECK-DAG: #[[COLUMNS:.*]] = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[}}0, 1]]}>
// CHECK-DAG: #[[STORE:.*]] = #ttg.blocked<{sizePerThread = [1, 2], threadsPerWarp = [1, 32], warpsPerCTA = [2, 2], order = [1, 0], CGALayout = {{\[\[}}1, 0]]}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
// The pointers are computed for the CTAs that hold the tensor; the rest of the conversion is within each CTA.
// CHECK-LABEL: @store
tt.func @store(%p: !tt.ptr<f32>, %x: tensor<64x128xf32, #rows>) {
  // CHECK: %[[Q:.*]] = tt.splat
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #columns>
  %y = ttg.convert_layout %x : tensor<64x128xf32, #rows> -> tensor<64x128xf32, #columns>
  // CHECK-DAG: %[[P:.*]] = ttg.convert_layout %[[Q]] : tensor<64x128x!tt.ptr<f32>, #[[COLUMNS]]> -> tensor<64x128x!tt.ptr<f32>, #[[STORE]]>
  // CHECK-DAG: %[[Y:.*]] = ttg.convert_layout %{{.*}} : tensor<64x128xf32, #[[ROWS]]> -> tensor<64x128xf32, #[[STORE]]>
  // CHECK: tt.store %[[P]], %[[Y]] : tensor<64x128x!tt.ptr<f32>, #[[STORE]]>
  tt.store %q, %y : tensor<64x128x!tt.ptr<f32>, #columns>
  tt.return
}
// Left alone: pointers or masks that come from elsewhere would be exchanged instead.
// CHECK-LABEL: @given_pointers
tt.func @given_pointers(%q: tensor<64x128x!tt.ptr<f32>, #columns>, %x: tensor<64x128xf32, #rows>) {
  %y = ttg.convert_layout %x : tensor<64x128xf32, #rows> -> tensor<64x128xf32, #columns>
  // CHECK: tt.store %{{.*}}, %{{.*}} : tensor<64x128x!tt.ptr<f32>, #[[COLUMNS]]>
  tt.store %q, %y : tensor<64x128x!tt.ptr<f32>, #columns>
  tt.return
}
// CHECK-LABEL: @given_mask
tt.func @given_mask(%p: !tt.ptr<f32>, %m: tensor<64x128xi1, #columns>, %x: tensor<64x128xf32, #rows>) {
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #columns>
  %y = ttg.convert_layout %x : tensor<64x128xf32, #rows> -> tensor<64x128xf32, #columns>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x128x!tt.ptr<f32>, #[[COLUMNS]]>
  tt.store %q, %y, %m : tensor<64x128x!tt.ptr<f32>, #columns>
  tt.return
}
// Left alone: a conversion within each CTA.
// CHECK-LABEL: @within_ctas
tt.func @within_ctas(%p: !tt.ptr<f32>, %x: tensor<64x128xf32, #rows>) {
  // CHECK-NEXT: tt.splat
  // CHECK-NEXT: ttg.convert_layout
  // CHECK-NEXT: tt.store
  %q = tt.splat %p : !tt.ptr<f32> -> tensor<64x128x!tt.ptr<f32>, #other>
  %y = ttg.convert_layout %x : tensor<64x128xf32, #rows> -> tensor<64x128xf32, #other>
  tt.store %q, %y : tensor<64x128x!tt.ptr<f32>, #other>
  tt.return
}
}
