// RUN: tt-opt %s --split-input-file --tritongpu-coalesce-async-copy | FileCheck %s

#wide = #ttg.blocked<{sizePerThread = [1, 16], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#flat = #ttg.slice<{dim = 0, parent = #wide}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#smem = #ttg.shared_memory
// CHECK-DAG: #[[WIDE:.*]] = #ttg.blocked<{sizePerThread = [1, 16], {{.*}}
// CHECK-DAG: #[[NARROW:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// The buffer keeps 8 neighbours together, a thread has 16: pointers, mask and other values are converted.
// CHECK-LABEL: @narrower
tt.func @narrower(%p: tensor<32x64x!tt.ptr<i8>, #wide>, %mask: tensor<32x64xi1, #wide>, %other: tensor<32x64xi8, #wide>,
                  %buffer: !ttg.memdesc<32x64xi8, #shared, #smem, mutable>) {
  // CHECK-NEXT: %[[P:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<32x64x!tt.ptr<i8>, #[[NARROW]]>
  // CHECK-NEXT: %[[M:.*]] = ttg.convert_layout %arg1 : {{.*}} -> tensor<32x64xi1, #[[NARROW]]>
  // CHECK-NEXT: %[[O:.*]] = ttg.convert_layout %arg2 : {{.*}} -> tensor<32x64xi8, #[[NARROW]]>
  // CHECK-NEXT: ttg.async_copy_global_to_local %[[P]], %arg3 mask %[[M]] other %[[O]] cacheModifier = cg : tensor<32x64x!tt.ptr<i8>, #[[NARROW]]>
  %0 = ttg.async_copy_global_to_local %p, %buffer mask %mask other %other cacheModifier = cg {contiguity = 16 : i32} : tensor<32x64x!tt.ptr<i8>, #wide> -> <32x64xi8, #shared, #smem, mutable>
  tt.return
}
}

// -----

// Left alone: a buffer that keeps enough together, one that is not swizzled, and pointers whose layout is not blocked.
#wide = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#flat = #ttg.slice<{dim = 0, parent = #wide}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#nvmma = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#narrow = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 2, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @left_alone
// CHECK-NOT: ttg.convert_layout
// CHECK-COUNT-3: {contiguity = 8 : i32}
tt.func @left_alone(%p: tensor<32x64x!tt.ptr<i8>, #wide>, %row: tensor<64x!tt.ptr<i8>, #flat>, %a: !ttg.memdesc<32x64xi8, #shared, #smem, mutable>,
                    %b: !ttg.memdesc<32x64xi8, #nvmma, #smem, mutable>, %c: !ttg.memdesc<64xi8, #narrow, #smem, mutable>) {
  %0 = ttg.async_copy_global_to_local %p, %a {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<i8>, #wide> -> <32x64xi8, #shared, #smem, mutable>
  %1 = ttg.async_copy_global_to_local %p, %b {contiguity = 8 : i32} : tensor<32x64x!tt.ptr<i8>, #wide> -> <32x64xi8, #nvmma, #smem, mutable>
  %2 = ttg.async_copy_global_to_local %row, %c {contiguity = 8 : i32} : tensor<64x!tt.ptr<i8>, #flat> -> <64xi8, #narrow, #smem, mutable>
  tt.return
}
}

// -----

// In a cluster each thread copies to its own CTA: the pointers are divided as the buffer, of which each CTA has all rows.
#halves = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0], CGALayout = [[0, 0]]}>
#same = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>
#smem = #ttg.shared_memory
// CHECK-DAG: #[[HALVES:.*]] = #ttg.blocked<{{.*}}CGALayout = {{\[\[1, 0\]\]}}}>
// CHECK-DAG: #[[WHOLE:.*]] = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0], CGALayout = {{\[\[0, 0\]\]}}}>
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:90", "ttg.threads-per-warp" = 32 : i32} {
// CHECK-LABEL: @divided
// CHECK: %[[P:.*]] = ttg.convert_layout %arg0 : {{.*}} -> tensor<64x32x!tt.ptr<f16>, #[[WHOLE]]>
// CHECK-NEXT: ttg.async_copy_global_to_local %[[P]], %arg1
// CHECK: ttg.async_copy_global_to_local %arg0, %arg2
tt.func @divided(%p: tensor<64x32x!tt.ptr<f16>, #halves>, %a: !ttg.memdesc<64x32xf16, #shared, #smem, mutable>, %b: !ttg.memdesc<64x32xf16, #same, #smem, mutable>) {
  %0 = ttg.async_copy_global_to_local %p, %a {contiguity = 8 : i32} : tensor<64x32x!tt.ptr<f16>, #halves> -> <64x32xf16, #shared, #smem, mutable>
  %1 = ttg.async_copy_global_to_local %p, %b {contiguity = 8 : i32} : tensor<64x32x!tt.ptr<f16>, #halves> -> <64x32xf16, #same, #smem, mutable>
  tt.return
}
}

// -----

// What nobody uses goes, as from modules with copies.
// CHECK-LABEL: @unused
// CHECK-NEXT: tt.return
tt.func @unused(%x: i32) {
  %0 = arith.addi %x, %x : i32
  tt.return
}
