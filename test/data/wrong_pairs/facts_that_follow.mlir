// --- a product with a constant
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %c = arith.constant 48 : i32
  %r = arith.muli %n, %c [[||{tt.divisibility = dense<16> : tensor<1xi32>}]] : i32
  tt.store %x, %r : !tt.ptr<i32>
  tt.return
}
// --- a sum of an argument that is divisible
tt.func public @k(%x: !tt.ptr<i32>, %n: i32 {tt.divisibility = 16 : i32}) {
  %c = arith.constant 32 : i32
  %r = arith.addi %n, %c [[||{tt.divisibility = dense<16> : tensor<1xi32>}]] : i32
  tt.store %x, %r : !tt.ptr<i32>
  tt.return
}
// --- neighbours of a range
tt.func public @k(%x: !tt.ptr<i32>, %n: i32 {tt.divisibility = 16 : i32}) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %c = arith.constant dense<16> : tensor<64xi32>
  %r = arith.addi %i, %ns [[||{tt.contiguity = dense<64> : tensor<1xi32>}]] : tensor<64xi32>
  %q = arith.divsi %i, %c [[||{tt.constancy = dense<16> : tensor<1xi32>}]] : tensor<64xi32>
  %m = arith.cmpi slt, %i, %ns [[||{tt.constancy = dense<16> : tensor<1xi32>}]] : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %r [[||{tt.contiguity = dense<16> : tensor<1xi32>}]] : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %xp, %q, %m : tensor<64x!tt.ptr<i32>>
  tt.return
}
// --- a fact of a callee follows from the call
module {
tt.func public @k(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32) {
  %c = arith.constant 16 : i32
  %m = arith.muli %n, %c : i32
  %p = tt.addptr %x, %m : !tt.ptr<f32>, i32
  tt.call @f(%p) : (!tt.ptr<f32>) -> ()
  tt.return
}
tt.func private @f(%x: !tt.ptr<f32> [[||{tt.divisibility = 16 : i32}]]) {
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %x, %v : !tt.ptr<f32>
  tt.return
}
}
// --- a fact stays at a value that moves
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  [[%r = arith.addi %n, %m {tt.divisibility = dense<16> : tensor<1xi32>} : i32||]]
  %z = arith.constant 0 : i32
  [[||%r = arith.addi %m, %n {tt.divisibility = dense<16> : tensor<1xi32>} : i32]]
  tt.store %x, %r : !tt.ptr<i32>
  tt.return
}
