// RUN: tt-opt %s --allow-unregistered-dialect --convert-triton-to-tritongpu=target=cuda:90 --verify-diagnostics

// An operation of another dialect can be given a tensor in a layout, by a conversion; there is none for block pointers.
tt.func @block_pointer(%p: !tt.ptr<f32>, %n: i64, %i: i32) {
  %0 = tt.make_tensor_ptr %p, [%n], [%n], [%i] {order = array<i32: 0>} : <tensor<64xf32>>
  // expected-error@+1 {{'other.same' makes !tt.ptr<tensor<64xf32>>, whose layout only tt operations can have; triton-rewrite-tensor-pointer makes tensors of pointers of it}}
  %1 = "other.same"(%0) : (!tt.ptr<tensor<64xf32>>) -> !tt.ptr<tensor<64xf32>>
  %2 = tt.load %1 : !tt.ptr<tensor<64xf32>>
  tt.return
}
