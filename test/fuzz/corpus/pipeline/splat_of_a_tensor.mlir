// passes: 80 1 1
tt.func @k(%p: tensor<4x!tt.ptr<i32>>) {
  %a = arith.constant dense<3> : tensor<1xi32>
  %0 = tt.splat %a : tensor<1xi32> -> tensor<4xi32>
  tt.store %p, %0 : tensor<4x!tt.ptr<i32>>
  tt.return
}
