#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f32>, !tt.ptr<f8E4M3FN>) -> (), sym_name = "convert", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f8E4M3FN>):
    %0 = "tt.make_range"() <{end = 128 : i32, start = 0 : i32}> : () -> tensor<128xi32, #blocked>
    %1 = "tt.splat"(%arg0) : (!tt.ptr<f32>) -> tensor<128x!tt.ptr<f32>, #blocked>
    %2 = "tt.addptr"(%1, %0) : (tensor<128x!tt.ptr<f32>, #blocked>, tensor<128xi32, #blocked>) -> tensor<128x!tt.ptr<f32>, #blocked>
    %3 = "tt.splat"(%arg1) : (!tt.ptr<f8E4M3FN>) -> tensor<128x!tt.ptr<f8E4M3FN>, #blocked>
    %4 = "tt.addptr"(%3, %0) : (tensor<128x!tt.ptr<f8E4M3FN>, #blocked>, tensor<128xi32, #blocked>) -> tensor<128x!tt.ptr<f8E4M3FN>, #blocked>
    %5 = "tt.load"(%2) <{boundaryCheck = array<i32>, cache = 1 : i32, evict = 1 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<128x!tt.ptr<f32>, #blocked>) -> tensor<128xf32, #blocked>
    %6 = "tt.fp_to_fp"(%5) <{rounding = 1 : i32}> : (tensor<128xf32, #blocked>) -> tensor<128xf8E4M3FN, #blocked>
    "tt.store"(%4, %6) <{boundaryCheck = array<i32>, cache = 1 : i32, evict = 1 : i32}> : (tensor<128x!tt.ptr<f8E4M3FN>, #blocked>, tensor<128xf8E4M3FN, #blocked>) -> ()
    "tt.return"() : () -> ()
  }) {ttg.global_scratch_memory_alignment = 1 : i32, ttg.global_scratch_memory_size = 0 : i32} : () -> ()
}) {ttg.global_scratch_memory_alignment = 1 : i32, ttg.global_scratch_memory_size = 0 : i32, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:80", ttg.tensor_memory_size = 0 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 4 : i32, "ttng.two-ctas" = false} : () -> ()
