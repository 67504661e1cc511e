tt.func @f(%x: i32) -> i32 {
  %0:2 = scf.if %c -> (i32, i32) {
    scf.yield %x, %x : i32, i32
  } else {
    scf.yield %x, %x : i32, i32
  }
  tt.return %0#2147483647 : i32
}
