// passes: 90 4 1
tt.func public @k(%x: !tt.ptr<i32>) {
  %v = arith.constant 1 : i16
  %r = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=h,{memory}d", packed_element = 1 : i32, pure = false} %v : i16 -> f16
  tt.return
}
