# command: ttkit schedule FILE
tt.func @f(%d: !tt.tensordesc<tensor<32xf16>>, %s: tensor<32xf16>, %i: i32) {
  tt.descriptor_store %d[%i], %s : !tt.tensordesc<tensor<32xf16>>, tensor<32xf16>
  %0 = tt.call @callee(%i) : (i32) -> f32
  tt.return
}
tt.func private @callee(i32) -> f32
