tt.func private @g(%x: i32) -> i32
tt.func public @k(%n: i32) {
  %0 = tt.call @g(%n) : (i32) -> i32
  tt.return
}
