// passes: triton-rewrite-tensor-descriptor-to-pointer
module {
  tt.func private @result_attributes(%arg0: !tt.tensordesc<tensor<8xf32>>, %arg1: i32) -> (!tt.tensordesc<tensor<8xf32>> {tt.y = 1 : i32}, i32 {tt.z = 2 : i32}) {
    "unknown.operation"(%arg0, %arg1) : (!tt.tensordesc<tensor<8xf32>>, i32) -> ()
  }
}
