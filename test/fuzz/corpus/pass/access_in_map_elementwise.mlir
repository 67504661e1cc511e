// passes: ttkit-instrument-memory
tt.func @f(%p: !tt.ptr<f16>, %t: tensor<8xf16>) {
  %0 = "tt.map_elementwise"(%t) <{pack = 1 : i32}> ({
  ^bb0(%a: f16):
    %b = tt.load %p : !tt.ptr<f16>
    tt.map_elementwise.return %b : f16
  }) : (tensor<8xf16>) -> tensor<8xf16>
  tt.return
}
