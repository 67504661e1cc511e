// passes: 75 8 1
module attributes {"ttg.num-ctas" = 7 : i32, "ttg.num-warps" = 16 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @unused_result_of_several_yields(%arg0: i1, %arg1: i32, %arg2: !tt.ptr<i32>) {
    %0 = ttg.warp_specialize(%arg1, %arg2)
    default {
      cf.cond_br %arg0, ^bb1, ^bb2
    ^bb1:  // pred: ^bb0
      tt.store %arg2, %arg1 : !tt.ptr<i32>
      ttg.warp_yield %arg1 : i32
    ^bb2:  // pred: ^bb0
      ttg.warp_yield %arg1 : i32
    }
    partition0(%arg3: i32, %arg4: !tt.ptr<i32>) num_warps(4) {
      tt.store %arg4, %arg3 : !tt.ptr<i32>
      ttg.warp_return
    } : (i32, !tt.ptr<i32>) -> i32
    tt.return
  }
}
