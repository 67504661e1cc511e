// passes: 90 4 1
tt.func public @k(%x: !tt.ptr<i32>) {
  %v = arith.constant 1 : i32
  %r = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,{r1}", packed_element = 1 : i32, pure = false} %v : i32 -> i32
  tt.return
}
