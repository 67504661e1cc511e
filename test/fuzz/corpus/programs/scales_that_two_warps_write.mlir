// seed: 336496066665
// passes: inline,ttkit-locate-inlined-code,triton-rewrite-tensor-pointer,canonicalize,triton-combine,triton-reorder-broadcast,cse,symbol-dce,triton-loop-unroll; ttkit-decompose-dot-scaled{leave-regular=true tcgen05-warps=8},convert-triton-to-tritongpu{target=cuda:100 num-warps=8 num-ctas=1},tritongpu-coalesce,tritongpu-F32DotTC{emu-tf32=true},triton-nvidia-gpu-plan-cta,tritongpu-remove-layout-conversions,tritongpu-optimize-thread-locality,tritongpu-accelerate-matmul,ttkit-spread-transposed-loads,tritongpu-remove-layout-conversions,tritongpu-optimize-dot-operands{hoist-layout-conversion=true},triton-nvidia-optimize-descriptor-encoding,triton-loop-aware-cse,tritongpu-fuse-nested-loops,canonicalize,triton-licm,tritongpu-optimize-accumulator-init,tritongpu-hoist-tmem-alloc{hoist-out-of-if=false},tritongpu-promote-lhs-to-tmem,tritongpu-assign-latencies{num-stages=1},tritongpu-schedule-loops,tritongpu-automatic-warp-specialization{num-stages=1},tritongpu-pipeline{num-stages=1},tritongpu-optimize-partition-warps,tritongpu-combine-tensor-select-and-if,tritongpu-hoist-tmem-alloc{hoist-out-of-if=true},triton-nvidia-gpu-remove-tmem-tokens,canonicalize,triton-loop-aware-cse,tritongpu-prefetch,tritongpu-optimize-dot-operands{hoist-layout-conversion=true},tritongpu-coalesce-async-copy,triton-nvidia-optimize-tmem-layouts,triton-nvidia-tma-lowering,tritongpu-remove-layout-conversions,triton-nvidia-interleave-tmem,tritongpu-reduce-data-duplication,tritongpu-reorder-instructions,triton-loop-aware-cse,symbol-dce,triton-nvidia-gpu-fence-insertion{compute-capability=100},triton-nvidia-mma-lowering,sccp,cse,canonicalize; ttkit-divide-large-products,ttkit-overlap-products,tritongpu-combine-tensor-select-and-if,tritongpu-allocate-warp-groups,ttkit-divide-long-blocks,convert-scf-to-cf,inline,ttkit-locate-inlined-code,ttkit-place-dot-operands,allocate-shared-memory-nv{compute-capability=100 ptx-version=87},triton-tensor-memory-allocation,triton-nvidia-check-matmul-two-cta,tritongpu-global-scratch-memory-allocation,convert-proton-to-protongpu{max-shared-mem-size=232448},allocate-proton-shared-memory,allocate-proton-global-scratch-buffer,triton-nvidia-gpu-proxy-fence-insertion{compute-capability=100},convert-triton-gpu-to-llvm{compute-capability=100 ptx-version=87},canonicalize,cse,symbol-dce,ensure-debug-info-scope-on-llvm-func{emission-kind=LineTablesOnly}
module {
  tt.func public @random(%arg0: !tt.ptr<i8>, %arg1: !tt.ptr<i16>, %arg2: !tt.ptr<i32>, %arg3: !tt.ptr<i64>, %arg4: !tt.ptr<f16>, %arg5: !tt.ptr<bf16>, %arg6: !tt.ptr<f32>, %arg7: !tt.ptr<f64>, %arg8: !tt.ptr<i8>, %arg9: !tt.ptr<i16>, %arg10: !tt.ptr<i32>, %arg11: !tt.ptr<i64>, %arg12: !tt.ptr<f16>, %arg13: !tt.ptr<bf16>, %arg14: !tt.ptr<f32>, %arg15: !tt.ptr<f64>, %arg16: i32, %arg17: f32) {
    %cst = arith.constant dense<0.000000e+00> : tensor<128x32xf32>
    %cst_0 = arith.constant dense<126> : tensor<32x2xi8>
    %cst_1 = arith.constant dense<3> : tensor<32x2xi8>
    %cst_2 = arith.constant dense<2947> : tensor<32x2xi32>
    %cst_3 = arith.constant dense<4788> : tensor<32x64xi32>
    %cst_4 = arith.constant dense<126> : tensor<128x2xi8>
    %cst_5 = arith.constant dense<3> : tensor<128x2xi8>
    %cst_6 = arith.constant dense<1419> : tensor<128x2xi32>
    %cst_7 = arith.constant dense<593> : tensor<128x32xi32>
    %c8192_i32 = arith.constant 8192 : i32
    %0 = tt.get_program_id x : i32
    %1 = arith.muli %0, %c8192_i32 : i32
    %2 = tt.make_range {end = 4096 : i32, start = 0 : i32} : tensor<4096xi32>
    %3 = tt.reshape %2 : tensor<4096xi32> -> tensor<128x32xi32>
    %4 = arith.addi %3, %cst_7 : tensor<128x32xi32>
    %5 = tt.addptr %arg0, %1 : !tt.ptr<i8>, i32
    %6 = tt.splat %5 : !tt.ptr<i8> -> tensor<128x32x!tt.ptr<i8>>
    %7 = tt.addptr %6, %4 : tensor<128x32x!tt.ptr<i8>>, tensor<128x32xi32>
    %8 = tt.load %7 : tensor<128x32x!tt.ptr<i8>>
    %9 = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32>
    %10 = tt.reshape %9 : tensor<256xi32> -> tensor<128x2xi32>
    %11 = arith.addi %10, %cst_6 : tensor<128x2xi32>
    %12 = tt.splat %5 : !tt.ptr<i8> -> tensor<128x2x!tt.ptr<i8>>
    %13 = tt.addptr %12, %11 : tensor<128x2x!tt.ptr<i8>>, tensor<128x2xi32>
    %14 = tt.load %13 cacheModifier = ca : tensor<128x2x!tt.ptr<i8>>
    %15 = arith.andi %14, %cst_5 : tensor<128x2xi8>
    %16 = arith.addi %15, %cst_4 : tensor<128x2xi8>
    %17 = tt.make_range {end = 2048 : i32, start = 0 : i32} : tensor<2048xi32>
    %18 = tt.reshape %17 : tensor<2048xi32> -> tensor<32x64xi32>
    %19 = arith.addi %18, %cst_3 : tensor<32x64xi32>
    %20 = tt.addptr %arg4, %1 : !tt.ptr<f16>, i32
    %21 = tt.splat %20 : !tt.ptr<f16> -> tensor<32x64x!tt.ptr<f16>>
    %22 = tt.addptr %21, %19 : tensor<32x64x!tt.ptr<f16>>, tensor<32x64xi32>
    %23 = tt.load %22 : tensor<32x64x!tt.ptr<f16>>
    %24 = tt.trans %23 {order = array<i32: 1, 0>} : tensor<32x64xf16> -> tensor<64x32xf16>
    %25 = tt.fp_to_fp %24, rounding = rtne : tensor<64x32xf16> -> tensor<64x32xf8E4M3FN>
    %all = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
    %26 = tt.reshape %all : tensor<64xi32> -> tensor<32x2xi32>
    %27 = arith.addi %26, %cst_2 : tensor<32x2xi32>
    %28 = tt.splat %5 : !tt.ptr<i8> -> tensor<32x2x!tt.ptr<i8>>
    %29 = tt.addptr %28, %27 : tensor<32x2x!tt.ptr<i8>>, tensor<32x2xi32>
    %30 = tt.load %29 : tensor<32x2x!tt.ptr<i8>>
    %31 = arith.andi %30, %cst_1 : tensor<32x2xi8>
    %32 = arith.addi %31, %cst_0 : tensor<32x2xi8>
    %33 = tt.dot_scaled %8 scale %16, %25 scale %32, %cst lhs = e2m1 rhs = e4m3 {fastMath = false} : tensor<128x32xi8>, tensor<128x2xi8> * tensor<64x32xf8E4M3FN>, tensor<32x2xi8> -> tensor<128x32xf32>
    %34 = tt.addptr %arg14, %1 : !tt.ptr<f32>, i32
    %35 = tt.splat %34 : !tt.ptr<f32> -> tensor<128x32x!tt.ptr<f32>>
    %36 = tt.addptr %35, %3 : tensor<128x32x!tt.ptr<f32>>, tensor<128x32xi32>
    tt.store %36, %33 : tensor<128x32x!tt.ptr<f32>>
    tt.return
  }
}
