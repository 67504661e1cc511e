// passes: 90 4 1
tt.func public @k(%x: !tt.ptr<i32>) {
  %v = arith.constant 1.0 : f32
  %r = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=f,|", packed_element = 1 : i32, pure = false} %v : f32 -> f32
  tt.return
}
