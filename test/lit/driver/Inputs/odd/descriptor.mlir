tt.func public @shift(%d: !tt.tensordesc<tensor<16x16xf32>>, %s0: i32, %s1: i32, %t0: i64, %t1: i64, %n: i32) {
  %zero = arith.constant 0 : i32
  %x = tt.descriptor_load %d[%zero, %zero] : !tt.tensordesc<tensor<16x16xf32>> -> tensor<16x16xf32>
  tt.descriptor_store %d[%n, %n], %x : !tt.tensordesc<tensor<16x16xf32>>, tensor<16x16xf32>
  tt.return
}
