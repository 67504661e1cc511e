// --- a callee gets a fact in a copy of its own
module {
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  tt.call [[@f||@g]](%x, %out) : (!tt.ptr<f32>, !tt.ptr<f32>) -> ()
  tt.return
}
tt.func private @f(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %out, %v : !tt.ptr<f32>
  tt.return
}
tt.func private @g(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %out: !tt.ptr<f32>) {
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %out, %v : !tt.ptr<f32>
  tt.return
}
}
// --- a new callee with a fact
module {
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  tt.call [[@f||@g]](%x, %out) : (!tt.ptr<f32>, !tt.ptr<f32>) -> ()
  tt.return
}
tt.func private [[@f||@g]](%x: !tt.ptr<f32> [[||{tt.divisibility = 16 : i32}]], %out: !tt.ptr<f32>) {
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %out, %v : !tt.ptr<f32>
  tt.return
}
}
// --- an assumption before the assertion that makes it hold
tt.func public @k(%n: i32, %out: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %c = arith.cmpi sgt, %n, %z : i32
  [[cf.assert %c, "positive"||llvm.intr.assume %c : i1]]
  [[llvm.intr.assume %c : i1||cf.assert %c, "positive"]]
  tt.store %out, %n : !tt.ptr<i32>
  tt.return
}
// --- an argument is promised to be read only
tt.func public @k(%x: !tt.ptr<f32> [[||{llvm.readonly}]], %out: !tt.ptr<f32>) {
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %out, %v : !tt.ptr<f32>
  tt.return
}
// --- an argument is promised to be aligned
tt.func public @k(%x: !tt.ptr<f32> [[||{llvm.align = 16 : i64}]], %out: !tt.ptr<f32>) {
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %out, %v : !tt.ptr<f32>
  tt.return
}
// --- an argument is promised to be defined memory
tt.func public @k(%x: !tt.ptr<f32> [[||{llvm.dereferenceable = 64 : i64}]], %out: !tt.ptr<f32>) {
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %out, %v : !tt.ptr<f32>
  tt.return
}
// --- a promise moves to another sum of a loop
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  scf.for %i = %z to %n step %o : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    %v = tt.load %p : !tt.ptr<i32>
    %a = arith.addi %i, %o [[overflow<nsw>||]] : i32
    %b = arith.addi %v, %m [[||overflow<nsw>]] : i32
    %q = tt.addptr %x, %b : !tt.ptr<i32>, i32
    tt.store %q, %a : !tt.ptr<i32>
  }
  tt.return
}
// --- a fact moves to another sum of a loop
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  scf.for %i = %z to %n step %o : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    %v = tt.load %p : !tt.ptr<i32>
    %a = arith.addi %i, %o [[{tt.divisibility = dense<4> : tensor<1xi32>}||]] : i32
    %b = arith.addi %v, %m [[||{tt.divisibility = dense<4> : tensor<1xi32>}]] : i32
    %q = tt.addptr %x, %b : !tt.ptr<i32>, i32
    tt.store %q, %a : !tt.ptr<i32>
  }
  tt.return
}
// --- a fact of a value of a loop
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %r = scf.for %i = %z to %n step %o iter_args(%a = %m) -> i32 : i32 {
    %b = arith.addi %a, %n : i32
    scf.yield %b : i32
  } [[||{tt.divisibility = dense<16> : tensor<1xi32>}]]
  tt.store %x, %r : !tt.ptr<i32>
  tt.return
}
// --- the scope of an atomic update
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %t = arith.constant true
  %r = tt.atomic_rmw add, acq_rel, [[sys||gpu]], %x, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
  tt.store %x, %r : !tt.ptr<i32>
  tt.return
}
// --- the order of an atomic update
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %t = arith.constant true
  %r = tt.atomic_rmw add, [[acq_rel||relaxed]], gpu, %x, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
  tt.store %x, %r : !tt.ptr<i32>
  tt.return
}
// --- the order of a compare and swap
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %r = tt.atomic_cas [[acq_rel||acquire]], gpu, %x, %n, %m : (!tt.ptr<i32>, i32, i32) -> i32
  tt.store %x, %r : !tt.ptr<i32>
  tt.return
}
// --- a volatile load is plain
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %a = tt.load %x [[{isVolatile = true}||]] : !tt.ptr<i32>
  tt.store %out, %a : !tt.ptr<i32>
  tt.return
}
// --- a load moves before an acquire
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  %t = arith.constant true
  [[||%v = tt.load %y : !tt.ptr<i32>]]
  %r = tt.atomic_rmw add, acquire, gpu, %x, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
  [[%v = tt.load %y : !tt.ptr<i32>||]]
  tt.store %y, %v : !tt.ptr<i32>
  tt.return
}
// --- a store moves behind a release
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  %t = arith.constant true
  [[tt.store %y, %n : !tt.ptr<i32>||]]
  %r = tt.atomic_rmw add, release, gpu, %x, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
  [[||tt.store %y, %n : !tt.ptr<i32>]]
  tt.return
}
// --- a barrier is lost
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  tt.store %x, %n : !tt.ptr<i32>
  [[gpu.barrier||]]
  %v = tt.load %y : !tt.ptr<i32>
  tt.store %y, %v : !tt.ptr<i32>
  tt.return
}
// --- a boolean is extended with sign
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %c = arith.cmpi slt, %n, %m : i32
  %v = arith.[[extui||extsi]] %c : i1 to i32
  tt.store %x, %v : !tt.ptr<i32>
  tt.return
}
// --- booleans are compared with sign
tt.func public @k(%x: !tt.ptr<i1>, %a: i1, %b: i1) {
  %c = arith.cmpi [[ult||slt]], %a, %b : i1
  tt.store %x, %c : !tt.ptr<i1>
  tt.return
}
// --- the larger boolean with sign
tt.func public @k(%x: !tt.ptr<i1>, %a: i1, %b: i1) {
  %c = arith.[[maxui||maxsi]] %a, %b : i1
  tt.store %x, %c : !tt.ptr<i1>
  tt.return
}
// --- a boolean becomes a float with sign
tt.func public @k(%x: !tt.ptr<f32>, %a: i1) {
  %c = arith.[[uitofp||sitofp]] %a : i1 to f32
  tt.store %x, %c : !tt.ptr<f32>
  tt.return
}
// --- booleans are shifted
tt.func public @k(%x: !tt.ptr<i1>, %a: i1, %b: i1) {
  %c = arith.[[andi %a, %b||muli %a, %a]] : i1
  tt.store %x, %c : !tt.ptr<i1>
  tt.return
}
// --- a product is narrow
tt.func public @k(%x: !tt.ptr<i64>, %n: i32, %m: i32) {
  [[%a = arith.extsi %n : i32 to i64||%d = arith.muli %n, %m : i32]]
  [[%b = arith.extsi %m : i32 to i64||]]
  [[%c = arith.muli %a, %b : i64||%c = arith.extsi %d : i32 to i64]]
  tt.store %x, %c : !tt.ptr<i64>
  tt.return
}
// --- an address in 32 bits
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  [[%a = arith.extsi %n : i32 to i64||%d = arith.addi %n, %m : i32]]
  [[%b = arith.extsi %m : i32 to i64||]]
  [[%c = arith.addi %a, %b : i64||%c = arith.extsi %d : i32 to i64]]
  %p = tt.addptr %x, %c : !tt.ptr<i32>, i64
  tt.store %p, %n : !tt.ptr<i32>
  tt.return
}
// --- offsets are added without sign
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %c = arith.[[extsi||extui]] %n : i32 to i64
  %p = tt.addptr %x, %c : !tt.ptr<i32>, i64
  tt.store %p, %n : !tt.ptr<i32>
  tt.return
}
// --- another inner type of a pointer cast
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %q = tt.bitcast %x : !tt.ptr<i32> -> !tt.ptr<[[i16||i8]]>
  %p = tt.addptr %q, %n : !tt.ptr<[[i16||i8]]>, i32
  %r = tt.bitcast %p : !tt.ptr<[[i16||i8]]> -> !tt.ptr<i32>
  tt.store %r, %n : !tt.ptr<i32>
  tt.return
}
// --- a store of another width
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %q = tt.bitcast %x : !tt.ptr<i32> -> !tt.ptr<[[i16||i8]]>
  %v = arith.trunci %n : i32 to [[i16||i8]]
  tt.store %q, %v : !tt.ptr<[[i16||i8]]>
  tt.return
}
// --- operands of a region change places
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %a = tt.load %xp : tensor<64x!tt.ptr<f32>>
  %r = "tt.scan"(%a) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.subf [[%p, %q||%q, %p]] : f32
    tt.scan.return %s : f32
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %op = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %op, %r : tensor<64x!tt.ptr<f32>>
  tt.return
}
// --- a mask of a histogram is lost
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %m = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %b = tt.histogram %i [[, %m||]] : tensor<64xi32> -> tensor<64xi32>
  %os = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %op = tt.addptr %os, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %op, %b : tensor<64x!tt.ptr<i32>>
  tt.return
}
// --- effects of an assembly are lost
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.elementwise_inline_asm "mov.u32 $0, %clock; // $1" {constraints = "=r,r", packed_element = 1 : i32, pure = [[false||true]]} %i : tensor<64xi32> -> tensor<64xi32>
  %os = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %op = tt.addptr %os, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %op, %b : tensor<64x!tt.ptr<i32>>
  tt.return
}
// --- two assemblies with effects are one
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %b = tt.elementwise_inline_asm "mov.u32 $0, %clock; // $1" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %i : tensor<64xi32> -> tensor<64xi32>
  [[%c = tt.elementwise_inline_asm "mov.u32 $0, %clock; // $1" {constraints = "=r,r", packed_element = 1 : i32, pure = false} %i : tensor<64xi32> -> tensor<64xi32>||%c = tt.bitcast %b : tensor<64xi32> -> tensor<64xi32>]]
  %d = arith.subi %c, %b : tensor<64xi32>
  %os = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %op = tt.addptr %os, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %op, %d : tensor<64x!tt.ptr<i32>>
  tt.return
}
// --- an external function of another name
tt.func public @k(%x: !tt.ptr<f32>, %f: f32) {
  %b = tt.extern_elementwise %f {libname = "", libpath = "", pure = true, symbol = [["__nv_sinf"||"__nv_cosf"]]} : (f32) -> f32
  tt.store %x, %b : !tt.ptr<f32>
  tt.return
}
// --- padding of a descriptor
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %one = arith.constant 1 : i64
  %z = arith.constant 0 : i32
  %d = tt.make_tensor_descriptor %x, [%n], [%one] {padding = [[1||2]] : i32} : !tt.ptr<f32>, !tt.tensordesc<64xf32>
  %v = tt.descriptor_load %d[%z] : !tt.tensordesc<64xf32> -> tensor<64xf32>
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %op = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %op, %v : tensor<64x!tt.ptr<f32>>
  tt.return
}
// --- the kind of a descriptor's update
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %one = arith.constant 1 : i64
  %z = arith.constant 0 : i32
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %d = tt.make_tensor_descriptor %x, [%n], [%one] : !tt.ptr<i32>, !tt.tensordesc<64xi32>
  tt.descriptor_reduce [[add||or]], %d[%z], %i : !tt.tensordesc<64xi32>, tensor<64xi32>
  tt.return
}
// --- a descriptor's store becomes an update with zero in it
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %one = arith.constant 1 : i64
  %z = arith.constant 0 : i32
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %d = tt.make_tensor_descriptor %x, [%n], [%one] : !tt.ptr<i32>, !tt.tensordesc<64xi32>
  [[tt.descriptor_store %d[%z], %i : !tt.tensordesc<64xi32>, tensor<64xi32>||tt.descriptor_reduce add, %d[%z], %i : !tt.tensordesc<64xi32>, tensor<64xi32>]]
  tt.return
}
// --- the size of a descriptor
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %one = arith.constant 1 : i64
  %z = arith.constant 0 : i32
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %d = tt.make_tensor_descriptor %x, [[[%n]||[%m]]], [%one] : !tt.ptr<i32>, !tt.tensordesc<64xi32>
  tt.descriptor_store %d[%z], %i : !tt.tensordesc<64xi32>, tensor<64xi32>
  tt.return
}
// --- a print moves behind another
tt.func public @k(%n: i32) {
  [[tt.print "a: " {hex = false, isSigned = array<i32: 1>} : %n : i32||tt.print "b: " {hex = false, isSigned = array<i32: 1>} : %n : i32]]
  [[tt.print "b: " {hex = false, isSigned = array<i32: 1>} : %n : i32||tt.print "a: " {hex = false, isSigned = array<i32: 1>} : %n : i32]]
  tt.return
}
// --- a print without sign
tt.func public @k(%n: i32) {
  tt.print "a: " {hex = false, isSigned = array<i32: [[1||0]]>} : %n : i32
  tt.return
}
// --- an assertion of other text
tt.func public @k(%n: i32, %m: i32) {
  %c = arith.cmpi slt, %n, %m : i32
  cf.assert %c, [["below"||"above"]]
  tt.return
}
// --- an assertion only in one branch
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %c = arith.cmpi slt, %n, %m : i32
  %d = arith.cmpi sgt, %n, %z : i32
  [[cf.assert %c, "below"||]]
  scf.if %d {
    [[||cf.assert %c, "below"]]
    tt.store %x, %n : !tt.ptr<i32>
  }
  tt.return
}
// --- targets of a branch change places
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>) {
  %c = arith.cmpi slt, %n, %m : i32
  cf.cond_br %c, [[^a, ^b||^b, ^a]]
^a:
  tt.store %x, %n : !tt.ptr<i32>
  tt.return
^b:
  tt.store %x, %m : !tt.ptr<i32>
  tt.return
}
// --- an argument of a block
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>) {
  %c = arith.cmpi slt, %n, %m : i32
  cf.cond_br %c, ^a, ^c([[%m||%n]] : i32)
^a:
  tt.store %x, %n : !tt.ptr<i32>
  cf.br ^c(%n : i32)
^c(%v: i32):
  %p = tt.addptr %x, %v : !tt.ptr<i32>, i32
  tt.store %p, %v : !tt.ptr<i32>
  tt.return
}
// --- an early return is lost
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>) {
  %c = arith.cmpi slt, %n, %m : i32
  cf.cond_br %c, ^a, ^b
^a:
  tt.store %x, %n : !tt.ptr<i32>
  [[tt.return||cf.br ^b]]
^b:
  %p = tt.addptr %x, %m : !tt.ptr<i32>, i32
  tt.store %p, %m : !tt.ptr<i32>
  tt.return
}
// --- a while loop tests after its body
tt.func public @k(%n: i32, %x: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %r = scf.while (%i = %z) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, %n : i32
    %j = arith.addi %i, %o : i32
    scf.condition(%c) [[%i||%j]] : i32
  } do {
  ^bb0(%i: i32):
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %i : !tt.ptr<i32>
    [[%j = arith.addi %i, %o : i32||%j = arith.addi %i, %z : i32]]
    scf.yield %j : i32
  }
  tt.return
}
// --- the bound of a while loop
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %r = scf.while (%i = %z) : (i32) -> i32 {
    %c = arith.cmpi slt, %i, [[%n||%m]] : i32
    scf.condition(%c) %i : i32
  } do {
  ^bb0(%i: i32):
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %i : !tt.ptr<i32>
    %j = arith.addi %i, %o : i32
    scf.yield %j : i32
  }
  tt.return
}
// --- an unsigned loop becomes signed
tt.func public @k(%n: i32, %x: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  scf.for [[unsigned||]] %i = %z to %n step %o : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %i : !tt.ptr<i32>
  }
  tt.return
}
// --- a store moves out of its loop
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  scf.for %i = %z to %n step %o : i32 {
    [[tt.store %x, %m : !tt.ptr<i32>||]]
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %i : !tt.ptr<i32>
  }
  [[||tt.store %x, %m : !tt.ptr<i32>]]
  tt.return
}
// --- a carried value of the iteration before
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %r:2 = scf.for %i = %z to %n step %o iter_args(%a = %z, %b = %m) -> (i32, i32) : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %b : !tt.ptr<i32>
    %c = arith.addi %a, %i : i32
    scf.yield %c, [[%a||%c]] : i32, i32
  }
  tt.store %x, %r#1 : !tt.ptr<i32>
  tt.return
}
// --- loops are interchanged that do not commute
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  scf.for %i = %z to [[%n||%m]] step %o : i32 {
    scf.for %j = %z to [[%m||%n]] step %o : i32 {
      [[%v = arith.subi %i, %j : i32||%v = arith.subi %j, %i : i32]]
      %p = tt.addptr %x, [[%i||%j]] : !tt.ptr<i32>, i32
      %q = tt.addptr %p, [[%j||%i]] : !tt.ptr<i32>, i32
      tt.store %q, %v : !tt.ptr<i32>
    }
  }
  tt.return
}
// --- two loops are fused although one reads what the other writes
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  scf.for %i = %z to %n step %o : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %m : !tt.ptr<i32>
  [[}||]]
  [[scf.for %i = %z to %n step %o : i32 {||]]
    %j = arith.addi %i, %o : i32
    %q = tt.addptr %x, %j : !tt.ptr<i32>, i32
    %v = tt.load %q : !tt.ptr<i32>
    %w = arith.addi %v, %i : i32
    [[%s = tt.addptr %x, %i||%s = tt.addptr %p, %z]] : !tt.ptr<i32>, i32
    tt.store %s, %w : !tt.ptr<i32>
  }
  tt.return
}
// --- a case of a switch
tt.func public @k(%n: index, %m: i32, %x: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %r = scf.index_switch %n -> i32
  case [[2||3]] { scf.yield %m : i32 }
  default { scf.yield %z : i32 }
  tt.store %x, %r : !tt.ptr<i32>
  tt.return
}
// --- results of a call change places
module {
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>) {
  %r:2 = tt.call @f(%n, %m) : (i32, i32) -> (i32, i32)
  tt.store %x, %r#0 : !tt.ptr<i32>
  tt.return
}
tt.func private @f(%n: i32, %m: i32) -> (i32, i32) attributes {noinline = true} {
  tt.return [[%n, %m||%m, %n]] : i32, i32
}
}
// --- a store of the callee is lost
module {
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>) {
  tt.call @f(%n, %x) : (i32, !tt.ptr<i32>) -> ()
  tt.return
}
tt.func private @f(%n: i32, %x: !tt.ptr<i32>) attributes {noinline = true} {
  [[tt.store %x, %n : !tt.ptr<i32>||]]
  tt.return
}
}
// --- minimum without sign of mixed zeros
tt.func public @k(%x: !tt.ptr<f32>, %a: f32) {
  %z = arith.constant 0.0 : f32
  %n = arith.constant -0.0 : f32
  %b = arith.maximumf [[%z, %n||%n, %n]] : f32
  tt.store %x, %b : !tt.ptr<f32>
  tt.return
}
// --- a sum and a difference cancel
tt.func public @k(%x: !tt.ptr<f32>, %a: f32, %b: f32) {
  %c = arith.addf %a, %b : f32
  %d = arith.subf %c, %b : f32
  tt.store %x, [[%d||%a]] : !tt.ptr<f32>
  tt.return
}
// --- rounding to half and back
tt.func public @k(%x: !tt.ptr<f16>, %a: f64) {
  [[%c = arith.truncf %a : f64 to f16||%b = arith.truncf %a : f64 to f32]]
  [[||%c = arith.truncf %b : f32 to f16]]
  tt.store %x, %c : !tt.ptr<f16>
  tt.return
}
// --- a large integer through a float
tt.func public @k(%x: !tt.ptr<i32>, %a: i32) {
  %f = arith.sitofp %a : i32 to f32
  %b = arith.fptosi %f : f32 to i32
  tt.store %x, [[%b||%a]] : !tt.ptr<i32>
  tt.return
}
// --- a remainder of a product
tt.func public @k(%x: !tt.ptr<i32>, %a: i32, %b: i32) {
  %c = arith.constant 6 : i32
  %d = arith.muli %a, %c : i32
  %e = arith.divsi %d, %c : i32
  tt.store %x, [[%e||%a]] : !tt.ptr<i32>
  tt.return
}
// --- a negative remainder
tt.func public @k(%x: !tt.ptr<i32>, %a: i32) {
  %c = arith.constant 8 : i32
  %d = arith.constant 7 : i32
  [[%e = arith.remsi %a, %c : i32||%e = arith.andi %a, %d : i32]]
  tt.store %x, %e : !tt.ptr<i32>
  tt.return
}
// --- a shift by as many bits as there are
tt.func public @k(%x: !tt.ptr<i32>, %a: i32, %b: i32) {
  %c = arith.constant 32 : i32
  %z = arith.constant 0 : i32
  %s = arith.shli %a, %b : i32
  %in = arith.cmpi ult, %b, %c : i32
  %e = arith.select %in, %s, %z : i32
  tt.store %x, [[%e||%s]] : !tt.ptr<i32>
  tt.return
}
// --- assume with an alignment bundle of numbers
tt.func public @k(%x: i64, %out: !tt.ptr<i64>) {
  %true = arith.constant true
  %c16 = arith.constant 16 : i64
  [[||llvm.intr.assume %true ["align"(%x, %c16 : i64, i64)] : i1]]
  tt.store %out, %x : !tt.ptr<i64>
  tt.return
}
// --- two volatile loads are one
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %a = tt.load %x {isVolatile = true} : !tt.ptr<i32>
  [[%b = tt.load %x {isVolatile = true} : !tt.ptr<i32>||%b = arith.addi %a, %z : i32]]
  %c = arith.addi %a, %b : i32
  tt.store %out, %c : !tt.ptr<i32>
  tt.return
}
// --- a division before the assertion of its divisor
tt.func public @k(%n: i32, %m: i32, %out: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %c = arith.cmpi sgt, %n, %z : i32
  [[cf.assert %c, "positive"||%q = arith.divsi %m, %n : i32]]
  [[%q = arith.divsi %m, %n : i32||cf.assert %c, "positive"]]
  tt.store %out, %q : !tt.ptr<i32>
  tt.return
}
// --- a load before the assertion of its index
tt.func public @k(%n: i32, %m: i32, %x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  %c = arith.cmpi slt, %n, %m : i32
  %p = tt.addptr %x, %n : !tt.ptr<i32>, i32
  [[cf.assert %c, "below"||%q = tt.load %p : !tt.ptr<i32>]]
  [[%q = tt.load %p : !tt.ptr<i32>||cf.assert %c, "below"]]
  tt.store %out, %q : !tt.ptr<i32>
  tt.return
}
// --- a function is given to LLVM with a promise
tt.func public @k(%n: i32, %out: !tt.ptr<i32>) [[||attributes {passthrough = ["willreturn"]}]] {
  tt.store %out, %n : !tt.ptr<i32>
  tt.return
}
// --- a function for other threads
tt.func public @k(%n: i32, %out: !tt.ptr<i32>) [[||attributes {nvvm.reqntid = array<i32: 32>}]] {
  tt.store %out, %n : !tt.ptr<i32>
  tt.return
}
// --- a fact of a load
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %q = tt.load %x [[||{tt.divisibility = dense<16> : tensor<1xi32>}]] : !tt.ptr<i32>
  tt.store %out, %q : !tt.ptr<i32>
  tt.return
}
// --- a loop waits for a flag that it reads once
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %z = arith.constant 0 : i32
  [[||%v = tt.load %x {isVolatile = true} : !tt.ptr<i32>]]
  scf.while : () -> () {
    [[%v = tt.load %x {isVolatile = true} : !tt.ptr<i32>||]]
    %c = arith.cmpi eq, %v, %z : i32
    scf.condition(%c) } do { scf.yield }
  tt.store %out, %z : !tt.ptr<i32>
  tt.return
}
// --- NaN padding of a block pointer
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i64) {
  %one = arith.constant 1 : i64
  %z = arith.constant 0 : i32
  %d = tt.make_tensor_ptr %x, [%n], [%one], [%z] {order = array<i32: 0>} : <tensor<64xf32>>
  %v = tt.load %d {boundaryCheck = array<i32: 0>, padding = [[1||2]] : i32} : !tt.ptr<tensor<64xf32>>
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %op = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %op, %v : tensor<64x!tt.ptr<f32>>
  tt.return
}
// --- bounds of a block pointer are not checked
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i64, %o: f32) {
  %one = arith.constant 1 : i64
  %z = arith.constant 0 : i32
  %d = tt.make_tensor_ptr %x, [%n], [%one], [%z] {order = array<i32: 0>} : <tensor<64xf32>>
  %v = tt.splat %o : f32 -> tensor<64xf32>
  tt.store %d, %v [[{boundaryCheck = array<i32: 0>}||]] : !tt.ptr<tensor<64xf32>>
  tt.return
}
// --- imprecise sums
tt.func public @k(%x: !tt.ptr<f32>, %f: f8E5M2, %a: f32) {
  %l = tt.splat %f : f8E5M2 -> tensor<32x32xf8E5M2>
  %c = tt.splat %a : f32 -> tensor<32x32xf32>
  %d = tt.dot %l, %l, %c {maxNumImpreciseAcc = [[0||1073741824]] : i32} : tensor<32x32xf8E5M2> * tensor<32x32xf8E5M2> -> tensor<32x32xf32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  tt.store %xs, %d : tensor<32x32x!tt.ptr<f32>>
  tt.return
}
// --- a product in tf32
tt.func public @k(%x: !tt.ptr<f32>, %f: f32, %a: f32) {
  %l = tt.splat %f : f32 -> tensor<32x32xf32>
  %c = tt.splat %a : f32 -> tensor<32x32xf32>
  %d = tt.dot %l, %l, %c, inputPrecision = [[ieee||tf32]] : tensor<32x32xf32> * tensor<32x32xf32> -> tensor<32x32xf32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  tt.store %xs, %d : tensor<32x32x!tt.ptr<f32>>
  tt.return
}
// --- scaled product ignores NaN scales
tt.func public @k(%x: !tt.ptr<f32>, %f: f8E4M3FN, %s: i8, %a: f32) {
  %l = tt.splat %f : f8E4M3FN -> tensor<32x32xf8E4M3FN>
  %sc = tt.splat %s : i8 -> tensor<32x1xi8>
  %c = tt.splat %a : f32 -> tensor<32x32xf32>
  %d = tt.dot_scaled %l scale %sc, %l, %c lhs = e4m3 rhs = e4m3 {fastMath = [[false||true]]} : tensor<32x32xf8E4M3FN>, tensor<32x1xi8> * tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  tt.store %xs, %d : tensor<32x32x!tt.ptr<f32>>
  tt.return
}
// --- a join and a split change halves
tt.func public @k(%x: !tt.ptr<i32>, %f: i32, %a: i32) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %r = tt.reshape %i : tensor<64xi32> -> tensor<[[32x2||2x32]]xi32>
  [[%q = tt.reshape %r : tensor<32x2xi32> -> tensor<32x2xi32>||%q = tt.trans %r {order = array<i32: 1, 0>} : tensor<2x32xi32> -> tensor<32x2xi32>]]
  %u, %v = tt.split %q : tensor<32x2xi32> -> tensor<32xi32>
  %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<32x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %j : tensor<32x!tt.ptr<i32>>, tensor<32xi32>
  tt.store %xp, %u : tensor<32x!tt.ptr<i32>>
  tt.return
}
// --- a reshape that may reorder
tt.func public @k(%x: !tt.ptr<i32>, %f: i32, %a: i32) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %r = tt.reshape %i [[||allow_reorder]] : tensor<64xi32> -> tensor<2x32xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<2x32x!tt.ptr<i32>>
  %j = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %e = tt.expand_dims %j {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %b = tt.broadcast %e : tensor<1x32xi32> -> tensor<2x32xi32>
  %xp = tt.addptr %xs, %b : tensor<2x32x!tt.ptr<i32>>, tensor<2x32xi32>
  tt.store %xp, %r : tensor<2x32x!tt.ptr<i32>>
  tt.return
}
// --- ties of an argmin by the last index
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %a = tt.load %xp : tensor<64x!tt.ptr<i32>>
  %r:2 = "tt.reduce"(%a, %i) <{axis = 0 : i32}> ({
  ^bb0(%p: i32, %pi: i32, %q: i32, %qi: i32):
    %c = arith.cmpi slt, %p, %q : i32
    %e = arith.cmpi eq, %p, %q : i32
    %l = arith.cmpi [[slt||sgt]], %pi, %qi : i32
    %el = arith.andi %e, %l : i1
    %t = arith.ori %c, %el : i1
    %v = arith.select %t, %p, %q : i32
    %w = arith.select %t, %pi, %qi : i32
    tt.reduce.return %v, %w : i32, i32
  }) : (tensor<64xi32>, tensor<64xi32>) -> (i32, i32)
  tt.store %out, %r#1 : !tt.ptr<i32>
  tt.return
}
// --- a scan in reverse
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %r = "tt.scan"(%i) <{axis = 0 : i32, reverse = [[false||true]]}> ({
  ^bb0(%p: i32, %q: i32):
    %s = arith.addi %p, %q : i32
    tt.scan.return %s : i32
  }) : (tensor<64xi32>) -> tensor<64xi32>
  %os = tt.splat %out : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %op = tt.addptr %os, %i : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  tt.store %op, %r : tensor<64x!tt.ptr<i32>>
  tt.return
}
// --- a masked update's result where the mask is false
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %z = arith.constant 0 : i32
  %c = arith.cmpi slt, %n, %z : i32
  %r = tt.atomic_rmw add, acq_rel, gpu, %x, %n, %c : (!tt.ptr<i32>, i32, i1) -> i32
  %s = arith.select %c, %r, %n : i32
  tt.store %out, [[%s||%r]] : !tt.ptr<i32>
  tt.return
}
// --- float update in another precision
tt.func public @k(%x: !tt.ptr<f32>, %n: f32) {
  %t = arith.constant true
  %z = arith.constant 0.0 : f32
  [[%r = tt.atomic_rmw fadd, relaxed, gpu, %x, %n, %t : (!tt.ptr<f32>, f32, i1) -> f32||%h = arith.truncf %n : f32 to f16]]
  [[||%g = arith.extf %h : f16 to f32]]
  [[||%r = tt.atomic_rmw fadd, relaxed, gpu, %x, %g, %t : (!tt.ptr<f32>, f32, i1) -> f32]]
  tt.return
}
// --- two updates of one place change places
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32, %out: !tt.ptr<i32>) {
  %t = arith.constant true
  %r = tt.atomic_rmw [[exch||add]], relaxed, gpu, %x, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
  %s = tt.atomic_rmw [[add||exch]], relaxed, gpu, %x, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32
  tt.return
}
// --- the number of programs along another axis
tt.func public @k(%x: !tt.ptr<i32>) {
  %n = tt.get_num_programs [[x||y]] : i32
  tt.store %x, %n : !tt.ptr<i32>
  tt.return
}
// --- mask of a load under a false branch
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %z = arith.constant 0 : i32
  %c = arith.cmpi slt, %n, %z : i32
  [[%r = scf.if %c -> i32 {||%q = tt.load %x : !tt.ptr<i32>]]
    [[%q = tt.load %x : !tt.ptr<i32>||%r = scf.if %c -> i32 {]]
    scf.yield %q : i32
  } else { scf.yield %z : i32 }
  tt.store %out, %r : !tt.ptr<i32>
  tt.return
}
// --- a dead load with volatile is lost
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  [[%q = tt.load %x {isVolatile = true} : !tt.ptr<i32>||]]
  tt.store %out, %n : !tt.ptr<i32>
  tt.return
}
// --- an exact shift loses bits
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %o = arith.constant 1 : i32
  [[%q = arith.shrui %n, %o : i32||%q = arith.shrsi %n, %o : i32]]
  tt.store %x, %q : !tt.ptr<i32>
  tt.return
}
// --- truncation without overflow
tt.func public @k(%x: !tt.ptr<i16>, %n: i32) {
  %q = arith.trunci %n [[||overflow<nsw>]] : i32 to i16
  tt.store %x, %q : !tt.ptr<i16>
  tt.return
}
// --- fast math of a sum
tt.func public @k(%x: !tt.ptr<f32>, %n: f32) {
  %q = arith.addf %n, %n [[||fastmath<nnan>]] : f32
  tt.store %x, %q : !tt.ptr<f32>
  tt.return
}
// --- fast math of a math function
tt.func public @k(%x: !tt.ptr<f32>, %n: f32) {
  %q = math.exp %n [[||fastmath<ninf>]] : f32
  tt.store %x, %q : !tt.ptr<f32>
  tt.return
}
// --- fast math of a comparison
tt.func public @k(%x: !tt.ptr<i1>, %n: f32, %m: f32) {
  %q = arith.cmpf olt, %n, %m [[||fastmath<nnan>]] : f32
  tt.store %x, %q : !tt.ptr<i1>
  tt.return
}
// --- fast math of a choice
tt.func public @k(%x: !tt.ptr<f32>, %n: f32, %c: i1) {
  %z = arith.constant 0.0 : f32
  %q = "arith.select"(%c, %n, %z) [[||{fastmath = #arith.fastmath<nnan>}]] : (i1, f32, f32) -> f32
  tt.store %x, %q : !tt.ptr<f32>
  tt.return
}
// --- fast math in the region of a reduction
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %a = tt.load %xp : tensor<64x!tt.ptr<f32>>
  %r = "tt.reduce"(%a) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.addf %p, %q [[||fastmath<nnan>]] : f32
    tt.reduce.return %s : f32
  }) : (tensor<64xf32>) -> f32
  tt.store %out, %r : !tt.ptr<f32>
  tt.return
}
// --- a division in the region of a reduction
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>, %n: i32) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %z = arith.constant 0 : i32
  %c = arith.cmpi ne, %n, %z : i32
  %r = "tt.reduce"(%i) <{axis = 0 : i32}> ({
  ^bb0(%p: i32, %q: i32):
    %s = arith.addi %p, %q : i32
    [[%v = scf.if %c -> i32 {||%d = arith.divsi %p, %n : i32]]
      [[%d = arith.divsi %p, %n : i32||%v = scf.if %c -> i32 {]]
      scf.yield %d : i32
    } else { scf.yield %s : i32 }
    tt.reduce.return %v : i32
  }) : (tensor<64xi32>) -> i32
  tt.store %out, %r : !tt.ptr<i32>
  tt.return
}
// --- atomic on another width
tt.func public @k(%x: !tt.ptr<i64>, %y: !tt.ptr<i32>, %n: i32) {
  %t = arith.constant true
  %e = arith.extsi %n : i32 to i64
  [[%r = tt.atomic_rmw add, relaxed, gpu, %x, %e, %t : (!tt.ptr<i64>, i64, i1) -> i64||%p = tt.bitcast %x : !tt.ptr<i64> -> !tt.ptr<i32>]]
  [[||%r = tt.atomic_rmw add, relaxed, gpu, %p, %n, %t : (!tt.ptr<i32>, i32, i1) -> i32]]
  tt.return
}
// --- a wait for another grid is lost
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %n: i32) {
  [["tt.grid_dependency_wait"() : () -> ()||]]
  tt.store %x, %n : !tt.ptr<i32>
  tt.return
}
// --- a dead load that is wider
tt.func public @k(%x: !tt.ptr<i32>, %out: !tt.ptr<i32>) {
  %v = tt.load %x : !tt.ptr<i32>
  [[||%q = tt.bitcast %x : !tt.ptr<i32> -> !tt.ptr<i64>]]
  [[||%w = tt.load %q : !tt.ptr<i64>]]
  tt.store %out, %v : !tt.ptr<i32>
  tt.return
}
// --- a maximum of products with a factor of unknown sign
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %s: f32) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %a = tt.load %xp : tensor<64x!tt.ptr<f32>>
  %ss = tt.splat %s : f32 -> tensor<64xf32>
  %b = arith.mulf %a, %ss : tensor<64xf32>
  %r = "tt.reduce"([[%b||%a]]) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %m = arith.maxnumf %p, %q : f32
    tt.reduce.return %m : f32
  }) : (tensor<64xf32>) -> f32
  [[%one = arith.constant 1.0 : f32||]]
  %t = arith.mulf %r, [[%one||%s]] : f32
  tt.store %out, %t : !tt.ptr<f32>
  tt.return
}
// --- a maximum of products with a negative factor
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %a = tt.load %xp : tensor<64x!tt.ptr<f32>>
  %ss = arith.constant dense<-0.125> : tensor<64xf32>
  %s = arith.constant [[1.0||-0.125]] : f32
  %b = arith.mulf %a, %ss : tensor<64xf32>
  %r = "tt.reduce"([[%b||%a]]) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %m = arith.maxnumf %p, %q : f32
    tt.reduce.return %m : f32
  }) : (tensor<64xf32>) -> f32
  %t = arith.mulf %r, %s : f32
  tt.store %out, %t : !tt.ptr<f32>
  tt.return
}
// --- a minimum of products becomes a maximum
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %a = tt.load %xp : tensor<64x!tt.ptr<f32>>
  %ss = arith.constant dense<0.125> : tensor<64xf32>
  %s = arith.constant [[1.0||0.125]] : f32
  %b = arith.mulf %a, %ss : tensor<64xf32>
  %r = "tt.reduce"([[%b||%a]]) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %m = arith.[[minnumf||maxnumf]] %p, %q : f32
    tt.reduce.return %m : f32
  }) : (tensor<64xf32>) -> f32
  %t = arith.mulf %r, %s : f32
  tt.store %out, %t : !tt.ptr<f32>
  tt.return
}
// --- a sum of sums forgets a sign
tt.func public @k(%out: !tt.ptr<f32>, %a: f32, %b: f32, %c: f32) {
  %d = arith.addf %a, %b : f32
  [[%e = arith.subf %d, %c : f32||%f = arith.subf %b, %c : f32]]
  [[||%e = arith.subf %a, %f : f32]]
  tt.store %out, %e : !tt.ptr<f32>
  tt.return
}
// --- a product is distributed over one term
tt.func public @k(%out: !tt.ptr<f32>, %a: f32, %b: f32, %c: f32) {
  [[%d = arith.addf %a, %b : f32||%d = arith.mulf %a, %c : f32]]
  [[%e = arith.mulf %d, %c : f32||%e = arith.addf %d, %b : f32]]
  tt.store %out, %e : !tt.ptr<f32>
  tt.return
}
// --- a fused product takes the wrong sum
tt.func public @k(%out: !tt.ptr<f32>, %a: f32, %b: f32, %c: f32) {
  [[%d = arith.mulf %a, %b : f32||]]
  [[%e = arith.addf %d, %c : f32||%e = math.fma %a, %c, %b : f32]]
  tt.store %out, %e : !tt.ptr<f32>
  tt.return
}
// --- a product of matrices is turned
tt.func public @k(%x: !tt.ptr<f16>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %r = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %c = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %w = arith.constant dense<32> : tensor<32x1xi32>
  %rw = arith.muli %r, %w : tensor<32x1xi32>
  %rb = tt.broadcast %rw : tensor<32x1xi32> -> tensor<32x32xi32>
  %cb = tt.broadcast %c : tensor<1x32xi32> -> tensor<32x32xi32>
  %at = arith.addi %rb, %cb : tensor<32x32xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %xp = tt.addptr %xs, %at : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %a = tt.load %xp : tensor<32x32x!tt.ptr<f16>>
  %b = tt.trans %a {order = array<i32: 1, 0>} : tensor<32x32xf16> -> tensor<32x32xf16>
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  %d = tt.dot %a, [[%a||%b]], %z : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %op = tt.addptr %os, %at : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  tt.store %op, %d : tensor<32x32x!tt.ptr<f32>>
  tt.return
}
// --- a product of matrices is transposed at its end
tt.func public @k(%x: !tt.ptr<f16>, %y: !tt.ptr<f16>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %r = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %c = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %w = arith.constant dense<32> : tensor<32x1xi32>
  %rw = arith.muli %r, %w : tensor<32x1xi32>
  %rb = tt.broadcast %rw : tensor<32x1xi32> -> tensor<32x32xi32>
  %cb = tt.broadcast %c : tensor<1x32xi32> -> tensor<32x32xi32>
  %at = arith.addi %rb, %cb : tensor<32x32xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %xp = tt.addptr %xs, %at : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %a = tt.load %xp : tensor<32x32x!tt.ptr<f16>>
  %ys = tt.splat %y : !tt.ptr<f16> -> tensor<32x32x!tt.ptr<f16>>
  %yp = tt.addptr %ys, %at : tensor<32x32x!tt.ptr<f16>>, tensor<32x32xi32>
  %b = tt.load %yp : tensor<32x32x!tt.ptr<f16>>
  %z = arith.constant dense<0.0> : tensor<32x32xf32>
  [[%d = tt.dot %a, %b, %z : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>||%e = tt.dot %b, %a, %z : tensor<32x32xf16> * tensor<32x32xf16> -> tensor<32x32xf32>]]
  [[||%d = tt.trans %e {order = array<i32: 1, 0>} : tensor<32x32xf32> -> tensor<32x32xf32>]]
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %op = tt.addptr %os, %at : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  tt.store %op, %d : tensor<32x32x!tt.ptr<f32>>
  tt.return
}
// --- a sum along the other axis
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %r = tt.expand_dims %i {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
  %c = tt.expand_dims %i {axis = 0 : i32} : tensor<32xi32> -> tensor<1x32xi32>
  %w = arith.constant dense<32> : tensor<32x1xi32>
  %rw = arith.muli %r, %w : tensor<32x1xi32>
  %rb = tt.broadcast %rw : tensor<32x1xi32> -> tensor<32x32xi32>
  %cb = tt.broadcast %c : tensor<1x32xi32> -> tensor<32x32xi32>
  %at = arith.addi %rb, %cb : tensor<32x32xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<32x32x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %at : tensor<32x32x!tt.ptr<f32>>, tensor<32x32xi32>
  %a = tt.load %xp : tensor<32x32x!tt.ptr<f32>>
  %s = "tt.reduce"(%a) <{axis = [[0||1]] : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %m = arith.addf %p, %q : f32
    tt.reduce.return %m : f32
  }) : (tensor<32x32xf32>) -> tensor<32xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %op = tt.addptr %os, %i : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  tt.store %op, %s : tensor<32x!tt.ptr<f32>>
  tt.return
}
// --- a sum of half of the elements, twice
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %h = tt.make_range {start = 0 : i32, end = 32 : i32} : tensor<32xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %xh = tt.splat %x : !tt.ptr<f32> -> tensor<32x!tt.ptr<f32>>
  %xhp = tt.addptr %xh, %h : tensor<32x!tt.ptr<f32>>, tensor<32xi32>
  %a = tt.load %xp : tensor<64x!tt.ptr<f32>>
  %b = tt.load %xhp : tensor<32x!tt.ptr<f32>>
  %s = "tt.reduce"([[%a||%b]]) <{axis = 0 : i32}> ({
  ^bb0(%p: f32, %q: f32):
    %m = arith.addf %p, %q : f32
    tt.reduce.return %m : f32
  }) : ([[tensor<64xf32>||tensor<32xf32>]]) -> f32
  [[%o = arith.constant 1.0 : f32||%o = arith.constant 2.0 : f32]]
  %t = arith.mulf %s, %o : f32
  tt.store %out, %t : !tt.ptr<f32>
  tt.return
}
// --- a sum in a loop starts with another value
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %f = arith.constant 0.0 : f32
  %g = arith.constant 1.0 : f32
  %r = scf.for %i = %z to %n step %o iter_args(%a = [[%g||%f]]) -> f32 : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<f32>, i32
    %v = tt.load %p : !tt.ptr<f32>
    %b = arith.addf %a, %v : f32
    scf.yield %b : f32
  }
  tt.store %out, %r : !tt.ptr<f32>
  tt.return
}
// --- a sum of products in a loop is scaled once too often
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %n: i32, %s: f32) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %f = arith.constant 0.0 : f32
  %r = scf.for %i = %z to %n step %o iter_args(%a = %f) -> f32 : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<f32>, i32
    %v = tt.load %p : !tt.ptr<f32>
    [[%w = arith.mulf %v, %s : f32||]]
    %b = arith.addf %a, [[%w||%v]] : f32
    [[%c = arith.addf %b, %f : f32||%c = arith.mulf %b, %s : f32]]
    scf.yield %c : f32
  }
  tt.store %out, %r : !tt.ptr<f32>
  tt.return
}
// --- an unrolled loop takes an index twice
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  [[scf.for %i = %z to %n step %o : i32 {||%h = arith.divsi %n, %two : i32]]
  [[%p = tt.addptr %x, %i : !tt.ptr<i32>, i32||%m = arith.muli %h, %two : i32]]
  [[tt.store %p, %i : !tt.ptr<i32>||scf.for %i = %z to %m step %two : i32 {]]
  [[}||  %p = tt.addptr %x, %i : !tt.ptr<i32>, i32]]
  [[||  tt.store %p, %i : !tt.ptr<i32>]]
  [[||  tt.store %p, %i : !tt.ptr<i32>]]
  [[||}]]
  [[||scf.for %i = %m to %n step %o : i32 {]]
  [[||  %p = tt.addptr %x, %i : !tt.ptr<i32>, i32]]
  [[||  tt.store %p, %i : !tt.ptr<i32>]]
  [[||}]]
  tt.return
}
// --- a loop is split at an index outside of it
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  scf.for %i = %z to [[%n||%m]] step %o : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.store %p, %i : !tt.ptr<i32>
  }
  [[||scf.for %i = %m to %n step %o : i32 {]]
  [[||  %p = tt.addptr %x, %i : !tt.ptr<i32>, i32]]
  [[||  tt.store %p, %i : !tt.ptr<i32>]]
  [[||}]]
  tt.return
}
// --- an integer narrower than its bits
tt.func public @k(%x: !tt.ptr<i64>, %n: i64) {
  [[%a = arith.addi %n, %n : i64||%t = arith.trunci %n : i64 to i32]]
  [[||%u = arith.addi %t, %t : i32]]
  [[||%a = arith.extsi %u : i32 to i64]]
  tt.store %x, %a : !tt.ptr<i64>
  tt.return
}
// --- bits of a float lose their sign
tt.func public @k(%x: !tt.ptr<i32>, %f: f32) {
  [[%g = arith.negf %f : f32||%g = math.absf %f : f32]]
  %b = tt.bitcast %g : f32 -> i32
  %m = arith.constant [[-1||2147483647]] : i32
  %c = arith.andi %b, %m : i32
  tt.store %x, %c : !tt.ptr<i32>
  tt.return
}
// --- the high half of a product without sign
tt.func public @k(%x: !tt.ptr<i32>, %n: i32, %m: i32) {
  %a, %b = arith.[[mulsi||mului]]_extended %n, %m : i32
  tt.store %x, %b : !tt.ptr<i32>
  tt.return
}
// --- a ceiling is a quotient of a sum that wraps
tt.func public @k(%x: !tt.ptr<i32>, %n: i32) {
  %c = arith.constant 16 : i32
  %d = arith.constant 15 : i32
  [[%q = arith.ceildivsi %n, %c : i32||%s = arith.addi %n, %d : i32]]
  [[||%q = arith.divsi %s, %c : i32]]
  tt.store %x, %q : !tt.ptr<i32>
  tt.return
}
// --- a select of pointers takes the other one
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %c: i1, %n: i32) {
  %p = arith.select %c, [[%x, %y||%y, %x]] : !tt.ptr<i32>
  tt.store %p, %n : !tt.ptr<i32>
  tt.return
}
// --- a load of what a branch may have stored
tt.func public @k(%x: !tt.ptr<i32>, %y: !tt.ptr<i32>, %c: i1, %n: i32) {
  [[||%v = tt.load %x : !tt.ptr<i32>]]
  scf.if %c { tt.store %x, %n : !tt.ptr<i32> }
  [[%v = tt.load %x : !tt.ptr<i32>||]]
  tt.store %y, %v : !tt.ptr<i32>
  tt.return
}
// --- a store under the other condition
tt.func public @k(%x: !tt.ptr<i32>, %c: i1, %d: i1, %n: i32) {
  scf.if %c {
    scf.if %d { tt.store %x, %n : !tt.ptr<i32> }
  } [[||else { tt.store %x, %n : !tt.ptr<i32> }]]
  tt.return
}
// --- a scan of products is inclusive of the next
tt.func public @k(%x: !tt.ptr<f32>, %out: !tt.ptr<f32>, %f: f32) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %v = arith.[[sitofp||uitofp]] %i : tensor<64xi32> to tensor<64xf32>
  %r = "tt.scan"(%v) <{axis = 0 : i32, reverse = false}> ({
  ^bb0(%p: f32, %q: f32):
    %s = arith.[[addf||mulf]] %p, %q : f32
    tt.scan.return %s : f32
  }) : (tensor<64xf32>) -> tensor<64xf32>
  %os = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %op = tt.addptr %os, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %op, %r : tensor<64x!tt.ptr<f32>>
  tt.return
}
// --- a quotient is a product with a rounded reciprocal
tt.func public @k(%out: !tt.ptr<f32>, %a: f32) {
  %c = arith.constant [[3.0||0.333333343]] : f32
  [[%d = arith.divf %a, %c : f32||%d = arith.mulf %a, %c : f32]]
  tt.store %out, %d : !tt.ptr<f32>
  tt.return
}
// --- a quotient of two sums cancels one
tt.func public @k(%out: !tt.ptr<f32>, %a: f32, %b: f32) {
  %p = arith.mulf %a, %b : f32
  %q = arith.divf %p, %b : f32
  tt.store %out, [[%q||%a]] : !tt.ptr<f32>
  tt.return
}
// --- an exponential of a sum loses its factor
tt.func public @k(%out: !tt.ptr<f32>, %a: f32, %b: f32) {
  [[%s = arith.addf %a, %b : f32||%u = math.exp %a : f32]]
  [[%e = math.exp %s : f32||%v = math.exp %b : f32]]
  [[||%e = arith.addf %u, %v : f32]]
  tt.store %out, %e : !tt.ptr<f32>
  tt.return
}
// --- a fact of a callee in a loop
module {
tt.func public @k(%x: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %n: i32) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  scf.for %i = %z to %n step %o : i32 {
    %p = tt.addptr %x, %i : !tt.ptr<i32>, i32
    tt.call @f(%p) : (!tt.ptr<i32>) -> ()
  }
  tt.return
}
tt.func private @f(%x: !tt.ptr<i32> [[||{tt.divisibility = 16 : i32}]]) attributes {noinline = true} {
  %v = tt.load %x : !tt.ptr<i32>
  tt.store %x, %v : !tt.ptr<i32>
  tt.return
}
}
// --- a fact of an argument of a callee is that of another
module {
tt.func public @k(%x: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<i32>) {
  tt.call @f([[%x, %y||%y, %x]]) : (!tt.ptr<i32>, !tt.ptr<i32>) -> ()
  tt.return
}
tt.func private @f([[%x: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %y: !tt.ptr<i32>||%y: !tt.ptr<i32> {tt.divisibility = 16 : i32}, %x: !tt.ptr<i32>]]) attributes {noinline = true} {
  %v = tt.load %x : !tt.ptr<i32>
  tt.store %y, %v : !tt.ptr<i32>
  tt.return
}
}
// --- a store to a buffer that is read later
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
tt.func public @k(%out: !tt.ptr<f32>, %n: i32) {
  %one = arith.constant dense<1.0> : tensor<128xf32, #row>
  %two = arith.constant dense<2.0> : tensor<128xf32, #row>
  %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #row>
  %s = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
  %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
  %b = ttg.local_alloc %one : (tensor<128xf32, #row>) -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
  [[%v = ttg.local_load %b : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #row>||]]
  ttg.local_store %two, %b : tensor<128xf32, #row> -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
  [[||%v = ttg.local_load %b : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #row>]]
  tt.store %p, %v : tensor<128x!tt.ptr<f32>, #row>
  tt.return
}
}
// --- two buffers are one
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
tt.func public @k(%out: !tt.ptr<f32>, %n: i32) {
  %one = arith.constant dense<1.0> : tensor<128xf32, #row>
  %two = arith.constant dense<2.0> : tensor<128xf32, #row>
  %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #row>
  %s = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
  %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
  %b = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
  %c = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
  ttg.local_store %one, %b : tensor<128xf32, #row> -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
  ttg.local_store %two, [[%c||%b]] : tensor<128xf32, #row> -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
  %v = ttg.local_load %b : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #row>
  tt.store %p, %v : tensor<128x!tt.ptr<f32>, #row>
  tt.return
}
}
// --- a slot of a buffer is another
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
tt.func public @k(%out: !tt.ptr<f32>, %x: !tt.ptr<f32>, %n: i32) {
  %z = arith.constant 0 : i32
  %o = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #row>
  %s = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
  %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
  %xp = tt.addptr %xs, %i : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
  %b = ttg.local_alloc : () -> !ttg.memdesc<2x128xf32, #shared, #smem, mutable>
  scf.for %k = %z to %n step %o : i32 {
    %slot = arith.remsi %k, %two : i32
    %a = tt.load %xp : tensor<128x!tt.ptr<f32>, #row>
    %w = ttg.memdesc_index %b[%slot] : !ttg.memdesc<2x128xf32, #shared, #smem, mutable> -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    ttg.local_store %a, %w : tensor<128xf32, #row> -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    %r = ttg.memdesc_index %b[ [[%slot||%z]] ] : !ttg.memdesc<2x128xf32, #shared, #smem, mutable> -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
    %v = ttg.local_load %r : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #row>
    tt.store %p, %v : tensor<128x!tt.ptr<f32>, #row>
  }
  tt.return
}
}
// --- a barrier of threads moves before the store that it orders
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
tt.func public @k(%out: !tt.ptr<f32>, %x: !tt.ptr<f32>, %n: i32) {
  %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #row>
  %s = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
  %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
  %a = tt.load %p : tensor<128x!tt.ptr<f32>, #row>
  [[||gpu.barrier]]
  tt.store %p, %a : tensor<128x!tt.ptr<f32>, #row>
  [[gpu.barrier||]]
  %v = tt.load %x : !tt.ptr<f32>
  tt.store %x, %v : !tt.ptr<f32>
  tt.return
}
}
// --- a copy reads after the store that follows it
#row = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:80"} {
tt.func public @k(%out: !tt.ptr<f32>, %x: !tt.ptr<f32>, %n: i32) {
  %one = arith.constant dense<1.0> : tensor<128xf32, #row>
  %i = tt.make_range {start = 0 : i32, end = 128 : i32} : tensor<128xi32, #row>
  %s = tt.splat %out : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
  %p = tt.addptr %s, %i : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>, #row>
  %xp = tt.addptr %xs, %i : tensor<128x!tt.ptr<f32>, #row>, tensor<128xi32, #row>
  %b = ttg.local_alloc : () -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
  %t = ttg.async_copy_global_to_local %xp, %b : tensor<128x!tt.ptr<f32>, #row> -> !ttg.memdesc<128xf32, #shared, #smem, mutable>
  %g = ttg.async_commit_group tokens %t
  [[%w = ttg.async_wait %g {num = 0 : i32}||]]
  tt.store %xp, %one : tensor<128x!tt.ptr<f32>, #row>
  [[||%w = ttg.async_wait %g {num = 0 : i32}]]
  %v = ttg.local_load %b token %w : !ttg.memdesc<128xf32, #shared, #smem, mutable> -> tensor<128xf32, #row>
  tt.store %p, %v : tensor<128x!tt.ptr<f32>, #row>
  tt.return
}
}
