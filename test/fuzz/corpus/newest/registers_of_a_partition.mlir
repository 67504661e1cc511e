// passes: 90 8 2
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func private @unused_result(%arg0: i32, %arg1: f32, %arg2: !tt.ptr<i32>) -> f32 {
    %0:3 = ttg.warp_specialize(%arg0, %arg2) attributes {requestedRegisters = array<i32: 3>}
    default {
      tt.store %arg2, %arg0 : !tt.ptr<i32>
      ttg.warp_yield %arg0, %arg1, %arg0 : i32, f32, i32
    }
    partition0(%arg3: i32, %arg4: !tt.ptr<i32>) num_warps(4) {
      tt.store %arg4, %arg3 : !tt.ptr<i32>
      ttg.warp_return
    } : (i32, !tt.ptr<i32>) -> (i32, f32, i32)
    tt.return %0#1 : f32
  }
  tt.func @kernel_that_calls(%arg0: i32, %arg1: f32, %arg2: !tt.ptr<i32>) {
    %0 = tt.call @unused_result(%arg0, %arg1, %arg2) : (i32, f32, !tt.ptr<i32>) -> f32
    tt.return
  }
}
