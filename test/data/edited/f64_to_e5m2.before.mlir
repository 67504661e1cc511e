#blocked = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
"builtin.module"() ({
  "tt.func"() <{function_type = (!tt.ptr<f64>, !tt.ptr<f8E5M2>) -> (), sym_name = "convert", sym_visibility = "public"}> ({
  ^bb0(%arg0: !tt.ptr<f64>, %arg1: !tt.ptr<f8E5M2>):
    %0 = "tt.make_range"() <{end = 128 : i32, start = 0 : i32}> : () -> tensor<128xi32, #blocked>
    %1 = "tt.splat"(%arg0) : (!tt.ptr<f64>) -> tensor<128x!tt.ptr<f64>, #blocked>
    %2 = "tt.addptr"(%1, %0) : (tensor<128x!tt.ptr<f64>, #blocked>, tensor<128xi32, #blocked>) -> tensor<128x!tt.ptr<f64>, #blocked>
    %3 = "tt.splat"(%arg1) : (!tt.ptr<f8E5M2>) -> tensor<128x!tt.ptr<f8E5M2>, #blocked>
    %4 = "tt.addptr"(%3, %0) : (tensor<128x!tt.ptr<f8E5M2>, #blocked>, tensor<128xi32, #blocked>) -> tensor<128x!tt.ptr<f8E5M2>, #blocked>
    %5 = "tt.load"(%2) <{boundaryCheck = array<i32>, cache = 1 : i32, evict = 1 : i32, isVolatile = false, operandSegmentSizes = array<i32: 1, 0, 0>}> : (tensor<128x!tt.ptr<f64>, #blocked>) -> tensor<128xf64, #blocked>
    %6 = "tt.fp_to_fp"(%5) <{rounding = 0 : i32}> : (tensor<128xf64, #blocked>) -> tensor<128xf8E5M2, #blocked>
    "tt.store"(%4, %6) <{boundaryCheck = array<i32>, cache = 1 : i32, evict = 1 : i32}> : (tensor<128x!tt.ptr<f8E5M2>, #blocked>, tensor<128xf8E5M2, #blocked>) -> ()
    "tt.return"() : () -> ()
  }) {ttg.global_scratch_memory_alignment = 1 : i32, ttg.global_scratch_memory_size = 0 : i32} : () -> ()
}) {ttg.global_scratch_memory_alignment = 1 : i32, ttg.global_scratch_memory_size = 0 : i32, "ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.shared = 0 : i32, ttg.target = "cuda:90", ttg.tensor_memory_size = 0 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.total-num-warps" = 4 : i32, "ttng.two-ctas" = false} : () -> ()
