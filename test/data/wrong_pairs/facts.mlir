// --- a product with too small a constant
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %c = arith.constant 24 : i32
  %r = arith.muli %n, %c [[||{tt.divisibility = dense<16> : tensor<1xi32>}]] : i32
  tt.store %x, %r : !tt.ptr<i32>
  tt.return
}
// --- neighbours of a range with a step
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %r = arith.addi %i, %i [[||{tt.contiguity = dense<64> : tensor<1xi32>}]] : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %r : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %xp, %i : tensor<64x!tt.ptr<i32>>
  tt.return
}
// --- a mask whose bound is no multiple
tt.func public @k(%x: !tt.ptr<i32>, %n: i32 {tt.divisibility = 8 : i32}) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %ns [[||{tt.constancy = dense<16> : tensor<1xi32>}]] : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %xp, %i, %m : tensor<64x!tt.ptr<i32>>
  tt.return
}
// --- offsets that begin one late
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %i = tt.make_range {start = 1 : i32, end = 65 : i32} : tensor<64xi32>
  %c = arith.constant dense<16> : tensor<64xi32>
  %q = arith.divsi %i, %c [[||{tt.constancy = dense<16> : tensor<1xi32>}]] : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %xp, %q : tensor<64x!tt.ptr<i32>>
  tt.return
}
// --- a fact of a callee that one call breaks
module {
tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %p = tt.addptr %x, %n : !tt.ptr<f32>, i32
  tt.call @f(%x) : (!tt.ptr<f32>) -> ()
  tt.call @f(%p) : (!tt.ptr<f32>) -> ()
  tt.return
}
tt.func private @f(%x: !tt.ptr<f32> [[||{tt.divisibility = 16 : i32}]]) {
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %x, %v : !tt.ptr<f32>
  tt.return
}
}
// --- a fact at another value
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %r = arith.addi %n, %m [[{tt.divisibility = dense<16> : tensor<1xi32>}||]] : i32
  %s = arith.addi %r, %m [[||{tt.divisibility = dense<16> : tensor<1xi32>}]] : i32
  tt.store %x, %s : !tt.ptr<i32>
  tt.return
}
