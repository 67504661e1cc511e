tt.func private @f(%x: i32) -> i32 {
  %0 = tt.call @f(%x) : (i32) -> i32
  tt.return %0 : i32
}
tt.func public @k(%p: !tt.ptr<i32>, %n: i32) {
  %0 = tt.call @f(%n) : (i32) -> i32
  tt.store %p, %0 : !tt.ptr<i32>
  tt.return
}
