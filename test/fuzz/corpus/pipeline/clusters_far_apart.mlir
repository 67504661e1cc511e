// passes: 120 8 1
module {
  tt.func private @left_alone(%arg0: !tt.ptr<f16>, %arg1: i32) -> f16 {
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %cst = arith.constant 0.000000e+00 : f16
    scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32  : i32 {
      %1 = tt.load %arg0 : !tt.ptr<f16>
      tt.store %arg0, %1 : !tt.ptr<f16>
    }
    %0:2 = scf.for %arg2 = %c0_i32 to %arg1 step %c1_i32 iter_args(%arg3 = %cst, %arg4 = %cst) -> (f16, f16)  : i32 {
      %1 = tt.load %arg0 {loop.cluster = 2147483647 : i32, loop.stage = 0 : i32} : !tt.ptr<f16>
      tt.store %arg0, %arg4 {loop.cluster = 0 : i32, loop.stage = 1 : i32} : !tt.ptr<f16>
      scf.yield %1, %arg3 : f16, f16
    } {tt.scheduled_max_stage = 1 : i32}
    tt.return %0#1 : f16
  }
  tt.func @kernel_that_calls(%arg0: !tt.ptr<f16>, %arg1: i32) {
    %0 = tt.call @left_alone(%arg0, %arg1) : (!tt.ptr<f16>, i32) -> f16
    tt.return
  }
}
