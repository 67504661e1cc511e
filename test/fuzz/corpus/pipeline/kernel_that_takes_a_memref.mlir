// passes: 90 1 1
module {
  tt.func private @abort()
  tt.func private @scribble(i32, i64, memref<128xf32>) -> f64
  tt.func nested @inner(f32)
  tt.func private @argument_attribute(i32 {swift.self})
  tt.func private @result_attribute() -> (f64 {dialectName.attrName = 0 : i64})
  tt.func private @function_attribute() attributes {dialectName.attrName = false}
  tt.func public @kernel(%arg0: memref<128xf32> {tt.divisibility = 16 : i32}, %arg1: i32 {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    tt.return
  }
  tt.func private @least(%arg0: i32, %arg1: i32) -> i32 {
    %0 = arith.cmpi slt, %arg0, %arg1 : i32
    cf.cond_br %0, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    tt.return %arg0 : i32
  ^bb2:  // pred: ^bb0
    tt.return %arg1 : i32
  }
  tt.func private @generic(%arg0: i32 {tt.divisibility = 8 : i32}) -> i32 {
    tt.return %arg0 : i32
  }
}

