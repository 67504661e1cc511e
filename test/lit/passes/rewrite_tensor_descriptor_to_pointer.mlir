// RUN: tt-opt %s -split-input-file -verify-diagnostics --triton-rewrite-tensor-descriptor-to-pointer | FileCheck %s --implicit-check-not=tt.descriptor --implicit-check-not=tt.make_tensor_descriptor

// A load: offsets as i64, what is read outside, addresses, bounds.  Its caching and annotations are kept.
// CHECK-LABEL: @load(
// CHECK-SAME: %arg0: !tt.ptr<f32> {tt.nv_tma_desc = 1 : i32}, %arg1: i64, %arg2: i64, %arg3: i1, %arg4: i32)
// CHECK-NEXT: %[[FIRST:.*]] = arith.extsi %arg4 : i32 to i64
// CHECK-NEXT: %[[NAN:.*]] = arith.constant dense<0x7FC00000> : tensor<16xf32>
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16xf32>
// CHECK-NEXT: %[[OTHER:.*]] = arith.select %arg3, %[[NAN]], %[[ZERO]] : tensor<16xf32>
// CHECK-NEXT: %[[START:.*]] = tt.splat %[[FIRST]] : i64 -> tensor<16xi64>
// CHECK-NEXT: %[[RANGE:.*]] = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
// CHECK-NEXT: %[[STEPS:.*]] = arith.extsi %[[RANGE]] : tensor<16xi32> to tensor<16xi64>
// CHECK-NEXT: %[[INDEX:.*]] = arith.addi %[[START]], %[[STEPS]] : tensor<16xi64>
// CHECK-NEXT: %[[BASE:.*]] = tt.splat %arg0 : !tt.ptr<f32> -> tensor<16x!tt.ptr<f32>>
// CHECK-NEXT: %[[STRIDE:.*]] = tt.splat %arg2 : i64 -> tensor<16xi64>
// CHECK-NEXT: %[[DISTANCE:.*]] = arith.muli %[[INDEX]], %[[STRIDE]] : tensor<16xi64>
// CHECK-NEXT: %[[ALL:.*]] = tt.broadcast %[[DISTANCE]] : tensor<16xi64> -> tensor<16xi64>
// CHECK-NEXT: %[[POINTERS:.*]] = tt.addptr %[[BASE]], %[[ALL]] : tensor<16x!tt.ptr<f32>>, tensor<16xi64>
// CHECK: %[[INDEX:.*]] = arith.addi
// CHECK-NEXT: %[[C0:.*]] = arith.constant 0 : i64
// CHECK-NEXT: %[[LOWEST:.*]] = tt.splat %[[C0]] : i64 -> tensor<16xi64>
// CHECK-NEXT: %[[ABOVE:.*]] = arith.cmpi sge, %[[INDEX]], %[[LOWEST]] : tensor<16xi64>
// CHECK-NEXT: %[[SIZE:.*]] = tt.splat %arg1 : i64 -> tensor<16xi64>
// CHECK-NEXT: %[[BELOW:.*]] = arith.cmpi slt, %[[INDEX]], %[[SIZE]] : tensor<16xi64>
// CHECK-NEXT: %[[BOTH:.*]] = arith.andi %[[ABOVE]], %[[BELOW]] : tensor<16xi1>
// CHECK-NEXT: %[[MASK:.*]] = tt.broadcast %[[BOTH]] : tensor<16xi1> -> tensor<16xi1>
// CHECK-NEXT: tt.load %[[POINTERS]], %[[MASK]], %[[OTHER]] evictionPolicy = evict_first {kept} : tensor<16x!tt.ptr<f32>>
tt.func public @load(%d: !tt.tensordesc<tensor<16xf32>> {tt.nv_tma_desc = 1 : i32}, %i: i32) -> tensor<16xf32> {
  %0 = tt.descriptor_load %d[%i] evictionPolicy = evict_first {kept} : !tt.tensordesc<tensor<16xf32>> -> tensor<16xf32>
  tt.return %0 : tensor<16xf32>
}

// -----

// Sizes and offsets that are constants or widened already take one operation; integers are padded with zero.
// CHECK-LABEL: @folded(
// CHECK: %[[SIZE0:.*]] = arith.constant 100 : i64
// CHECK: %[[SIZE1:.*]] = arith.extsi %arg3 : i16 to i64
// CHECK: %false = arith.constant false
// CHECK: %[[I:.*]] = arith.constant -2 : i64
// CHECK: %[[J:.*]] = arith.extsi %arg3 : i16 to i64
// CHECK: %[[OTHER:.*]] = arith.constant dense<0> : tensor<8x16xi8>
// CHECK: tt.splat %[[I]] : i64 -> tensor<8xi64>
// CHECK: tt.splat %[[J]] : i64 -> tensor<16xi64>
// CHECK: tt.splat %arg1 : i64 -> tensor<8x1xi64>
// CHECK: tt.splat %[[SIZE0]] : i64 -> tensor<8x1xi64>
// CHECK: tt.splat %[[SIZE1]] : i64 -> tensor<1x16xi64>
// CHECK: %[[X:.*]] = tt.load %{{.*}}, %{{.*}}, %[[OTHER]] :
// CHECK: tt.store %{{.*}}, %[[X]], %{{.*}} {kept} : tensor<8x16x!tt.ptr<i8>>
tt.func public @folded(%p: !tt.ptr<i8>, %n: i64, %i: i32, %h: i16) {
  %one = arith.constant 1 : i64
  %c100 = arith.constant 100 : i32
  %cm2 = arith.constant -2 : i32
  %wide = arith.extsi %h : i16 to i32
  %0 = tt.make_tensor_descriptor %p, [%c100, %wide], [%n, %one] : <i8>, <tensor<8x16xui8>>
  %1 = tt.descriptor_load %0[%cm2, %wide] : !tt.tensordesc<tensor<8x16xui8>> -> tensor<8x16xi8>
  tt.descriptor_store %0[%i, %i], %1 {kept} : !tt.tensordesc<tensor<8x16xui8>>, tensor<8x16xi8>
  tt.return
}

// -----

// Many dimensions.
// CHECK-LABEL: @five_dimensions(
// CHECK: %[[PADS:.*]] = arith.constant true
// CHECK: %[[NAN:.*]] = arith.constant dense<0x7F> : tensor<1x2x1x4x8xf8E4M3FN>
// CHECK: arith.select %[[PADS]], %[[NAN]]
// CHECK: tt.expand_dims %{{.*}} {axis = 4 : i32} : tensor<1x2x1x1xi64> -> tensor<1x2x1x1x1xi64>
// CHECK: %[[X:.*]] = tt.load %{{.*}} : tensor<1x2x1x4x8x!tt.ptr<f8E4M3FN>>
// CHECK: tt.store %{{.*}}, %[[X]], %{{.*}} : tensor<1x2x1x4x8x!tt.ptr<f8E4M3FN>>
tt.func public @five_dimensions(%p: !tt.ptr<f8E4M3FN>, %n: i64, %i: i32) {
  %0 = tt.make_tensor_descriptor %p, [%i, %i, %i, %i, %i], [%n, %n, %n, %n, %n] {padding = 2 : i32} : <f8E4M3FN>, <tensor<1x2x1x4x8xf8E4M3FN>>
  %1 = tt.descriptor_load %0[%i, %i, %i, %i, %i] : !tt.tensordesc<tensor<1x2x1x4x8xf8E4M3FN>> -> tensor<1x2x1x4x8xf8E4M3FN>
  tt.descriptor_store %0[%i, %i, %i, %i, %i], %1 : !tt.tensordesc<tensor<1x2x1x4x8xf8E4M3FN>>, tensor<1x2x1x4x8xf8E4M3FN>
  tt.return
}

// -----

// Rows from anywhere.
// CHECK-LABEL: @rows(
// CHECK-NEXT: %[[ROWS:.*]] = tt.expand_dims %arg6 {axis = 1 : i32} : tensor<32xi32> -> tensor<32x1xi32>
// CHECK-NEXT: %[[COLUMN:.*]] = arith.extsi %arg7 : i32 to i64
// CHECK-NEXT: %[[X:.*]] = arith.extsi %[[ROWS]] : tensor<32x1xi32> to tensor<32x1xi64>
// CHECK-NEXT: tt.splat %[[COLUMN]] : i64 -> tensor<16xi64>
// CHECK: arith.muli %[[X]], %{{.*}} : tensor<32x1xi64>
// CHECK: arith.cmpi sge, %[[X]]
// CHECK: %[[OTHER:.*]] = arith.select %arg5, %{{.*}}, %{{.*}} : tensor<32x16xbf16>
// CHECK-NEXT: %[[Y:.*]] = tt.load %{{.*}}, %{{.*}}, %[[OTHER]] {kept} : tensor<32x16x!tt.ptr<bf16>>
// CHECK: tt.store %{{.*}}, %[[Y]], %{{.*}} {kept} : tensor<32x16x!tt.ptr<bf16>>
tt.func public @rows(%d: !tt.tensordesc<tensor<1x16xbf16>>, %x: tensor<32xi32>, %i: i32) {
  %1 = tt.descriptor_gather %d[%x, %i] {kept} : (!tt.tensordesc<tensor<1x16xbf16>>, tensor<32xi32>, i32) -> tensor<32x16xbf16>
  tt.descriptor_scatter %d[%x, %i], %1 {kept} : !tt.tensordesc<tensor<1x16xbf16>>, tensor<32xi32>, i32, tensor<32x16xbf16>
  tt.return
}

// -----

// CHECK-LABEL: @reduce_floats(
// CHECK: %[[POINTERS:.*]] = tt.addptr
// CHECK: %[[MASK:.*]] = tt.broadcast %{{.*}} : tensor<8xi1> -> tensor<8xi1>
// CHECK-NEXT: tt.atomic_rmw fadd, release, gpu, %[[POINTERS]], %arg4, %[[MASK]] : (tensor<8x!tt.ptr<f32>>, tensor<8xf32>, tensor<8xi1>) -> tensor<8xf32>
tt.func public @reduce_floats(%d: !tt.tensordesc<tensor<8xf32>>, %v: tensor<8xf32>, %i: i32) {
  tt.descriptor_reduce add, %d[%i], %v {gone} : !tt.tensordesc<tensor<8xf32>>, tensor<8xf32>
  tt.return
}

// -----

// CHECK-LABEL: @reduce_unsigned(
// CHECK: tt.atomic_rmw add,
// CHECK: tt.atomic_rmw umin,
// CHECK: tt.atomic_rmw umax,
// CHECK: tt.atomic_rmw and,
// CHECK-LABEL: @reduce_signed(
// CHECK: tt.atomic_rmw min,
// CHECK: tt.atomic_rmw max,
// CHECK: tt.atomic_rmw or,
// CHECK-LABEL: @reduce_signless(
// CHECK: tt.atomic_rmw add,
// CHECK: tt.atomic_rmw xor,
tt.func public @reduce_unsigned(%d: !tt.tensordesc<tensor<8xui32>>, %v: tensor<8xi32>, %i: i32) {
  tt.descriptor_reduce add, %d[%i], %v : !tt.tensordesc<tensor<8xui32>>, tensor<8xi32>
  tt.descriptor_reduce min, %d[%i], %v : !tt.tensordesc<tensor<8xui32>>, tensor<8xi32>
  tt.descriptor_reduce max, %d[%i], %v : !tt.tensordesc<tensor<8xui32>>, tensor<8xi32>
  tt.descriptor_reduce and, %d[%i], %v : !tt.tensordesc<tensor<8xui32>>, tensor<8xi32>
  tt.return
}
tt.func public @reduce_signed(%d: !tt.tensordesc<tensor<8xsi32>>, %v: tensor<8xi32>, %i: i32) {
  tt.descriptor_reduce min, %d[%i], %v : !tt.tensordesc<tensor<8xsi32>>, tensor<8xi32>
  tt.descriptor_reduce max, %d[%i], %v : !tt.tensordesc<tensor<8xsi32>>, tensor<8xi32>
  tt.descriptor_reduce or, %d[%i], %v : !tt.tensordesc<tensor<8xsi32>>, tensor<8xi32>
  tt.return
}
tt.func public @reduce_signless(%d: !tt.tensordesc<tensor<8xi64>>, %v: tensor<8xi64>, %i: i32) {
  tt.descriptor_reduce add, %d[%i], %v : !tt.tensordesc<tensor<8xi64>>, tensor<8xi64>
  tt.descriptor_reduce xor, %d[%i], %v : !tt.tensordesc<tensor<8xi64>>, tensor<8xi64>
  tt.return
}

// -----

// A loop carries all parts, though they don't change.
// CHECK-LABEL: @loop(
// CHECK: %[[N:.*]] = arith.extsi %arg2 : i32 to i64
// CHECK: %[[LOOP:.*]]:9 = scf.for {{.*}} iter_args(%[[A:.*]] = %arg0, %[[AN:.*]] = %[[N]], %[[AS:.*]] = %c1_i64, %[[AP:.*]] = %false, %[[X:.*]] = %arg2, %[[B:.*]] = %arg3, %[[BN:.*]] = %arg4, %[[BS:.*]] = %arg5, %[[BP:.*]] = %arg6) -> (!tt.ptr<f32>, i64, i64, i1, i32, !tt.ptr<f32>, i64, i64, i1) : i32 {
// CHECK: arith.select %[[AP]]
// CHECK: tt.splat %[[A]] : !tt.ptr<f32>
// CHECK: tt.load
// CHECK: tt.splat %[[B]] : !tt.ptr<f32>
// CHECK: tt.store
// CHECK: scf.yield %[[B]], %[[BN]], %[[BS]], %[[BP]], %{{.*}}, %[[A]], %[[AN]], %[[AS]], %[[AP]] :
// CHECK: } {tt.num_stages = 2 : i32}
// CHECK: tt.splat %[[LOOP]]#5 : !tt.ptr<f32>
tt.func public @loop(%p: !tt.ptr<f32>, %n: i64, %i: i32, %d: !tt.tensordesc<tensor<8xf32>>) -> tensor<8xf32> {
  %c1 = arith.constant 1 : i64
  %c0 = arith.constant 0 : i32
  %0 = tt.make_tensor_descriptor %p, [%i], [%c1] : <f32>, <tensor<8xf32>>
  %r:3 = scf.for %k = %c0 to %i step %i iter_args(%a = %0, %x = %i, %b = %d) -> (!tt.tensordesc<tensor<8xf32>>, i32, !tt.tensordesc<tensor<8xf32>>) : i32 {
    %1 = tt.descriptor_load %a[%k] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
    tt.descriptor_store %b[%x], %1 : !tt.tensordesc<tensor<8xf32>>, tensor<8xf32>
    scf.yield %b, %k, %a : !tt.tensordesc<tensor<8xf32>>, i32, !tt.tensordesc<tensor<8xf32>>
  } {tt.num_stages = 2 : i32}
  %2 = tt.descriptor_load %r#2[%r#1] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.return %2 : tensor<8xf32>
}

// -----

// Branches, with the choice of a case too.
// CHECK-LABEL: @branches(
// CHECK: %[[IF:.*]]:5 = scf.if %arg7 -> (!tt.ptr<f32>, i64, i64, i1, i32) {
// CHECK: %[[N:.*]] = arith.extsi %arg1 : i32 to i64
// CHECK: scf.yield %arg0, %[[N]], %arg2, %{{.*}}, %arg1 :
// CHECK: scf.yield %arg3, %arg4, %arg5, %arg6, %{{.*}} :
// CHECK: %[[SWITCH:.*]]:4 = scf.index_switch %arg8 -> !tt.ptr<f32>, i64, i64, i1
// CHECK: scf.yield %[[IF]]#0, %[[IF]]#1, %[[IF]]#2, %[[IF]]#3 :
// CHECK: scf.yield %arg3, %arg4, %arg5, %arg6 :
// CHECK: tt.splat %[[SWITCH]]#0 : !tt.ptr<f32>
tt.func public @branches(%p: !tt.ptr<f32>, %i: i32, %n: i64, %d: !tt.tensordesc<tensor<8xf32>>, %c: i1, %case: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : i32
  %r:2 = scf.if %c -> (!tt.tensordesc<tensor<8xf32>>, i32) {
    %0 = tt.make_tensor_descriptor %p, [%i], [%n] : <f32>, <tensor<8xf32>>
    scf.yield %0, %i : !tt.tensordesc<tensor<8xf32>>, i32
  } else {
    scf.yield %d, %c0 : !tt.tensordesc<tensor<8xf32>>, i32
  }
  %s = scf.index_switch %case -> !tt.tensordesc<tensor<8xf32>>
  case 2 {
    scf.yield %r#0 : !tt.tensordesc<tensor<8xf32>>
  }
  default {
    scf.yield %d : !tt.tensordesc<tensor<8xf32>>
  }
  %1 = tt.descriptor_load %s[%r#1] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// -----

// CHECK-LABEL: @while(
// CHECK: scf.while (%[[A:.*]] = %arg0, %[[N:.*]] = %arg1, %[[S:.*]] = %arg2, %[[P:.*]] = %arg3, %[[K:.*]] = %arg4) : (!tt.ptr<f32>, i64, i64, i1, i32) -> (i32, !tt.ptr<f32>, i64, i64, i1) {
// CHECK: scf.condition(%{{.*}}) %[[K]], %[[A]], %[[N]], %[[S]], %[[P]] :
// CHECK: ^bb0(%{{.*}}: i32, %[[B:.*]]: !tt.ptr<f32>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i1):
// CHECK: tt.splat %[[B]] : !tt.ptr<f32>
tt.func public @while(%d: !tt.tensordesc<tensor<8xf32>>, %i: i32) {
  %c1 = arith.constant 1 : i32
  %r:2 = scf.while (%a = %d, %x = %i) : (!tt.tensordesc<tensor<8xf32>>, i32) -> (i32, !tt.tensordesc<tensor<8xf32>>) {
    %c = arith.cmpi sgt, %x, %c1 : i32
    scf.condition(%c) %x, %a : i32, !tt.tensordesc<tensor<8xf32>>
  } do {
  ^bb0(%y: i32, %b: !tt.tensordesc<tensor<8xf32>>):
    %1 = tt.descriptor_load %b[%y] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
    tt.descriptor_store %b[%c1], %1 : !tt.tensordesc<tensor<8xf32>>, tensor<8xf32>
    %z = arith.subi %y, %c1 : i32
    scf.yield %b, %z : !tt.tensordesc<tensor<8xf32>>, i32
  }
  tt.return
}

// -----

// One condition chooses all parts.
// CHECK-LABEL: @select(
// CHECK: %[[IF:.*]]:4 = scf.if %arg9 -> (!tt.ptr<f32>, i64, i64, i1) {
// CHECK-NEXT: scf.yield %arg0, %arg1, %arg2, %arg3 :
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg4, %arg5, %arg6, %arg7 :
// CHECK-NEXT: } {kept}
// CHECK: arith.select %[[IF]]#3
tt.func public @select(%d: !tt.tensordesc<tensor<8xf32>>, %e: !tt.tensordesc<tensor<8xf32>>, %i: i32, %c: i1) -> tensor<8xf32> {
  %0 = arith.select %c, %d, %e {kept} : !tt.tensordesc<tensor<8xf32>>
  %1 = tt.descriptor_load %0[%i] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// -----

// What folds is folded first, if it chooses a descriptor or is of another dialect: a select of one, a branch on a
// negated condition, a square root.
// CHECK-LABEL: @folded_choices(
// CHECK: arith.constant 3.000000e+00 : f32
// CHECK-NOT: {{math.sqrt|arith.select}}
// CHECK: scf.if %arg9 -> (!tt.ptr<f32>, i64, i64, i1) {
// CHECK-NEXT: scf.yield %arg4, %arg5, %arg6, %arg7 :
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %arg0, %arg1, %arg2, %arg3 :
tt.func public @folded_choices(%d: !tt.tensordesc<tensor<8xf32>>, %e: !tt.tensordesc<tensor<8xf32>>, %i: i32, %c: i1) -> tensor<8xf32> {
  %nine = arith.constant 9.0 : f32
  %three = math.sqrt %nine : f32
  %true = arith.constant true
  %same = arith.select %c, %d, %d : !tt.tensordesc<tensor<8xf32>>
  %first = arith.select %true, %same, %e : !tt.tensordesc<tensor<8xf32>>
  %not = arith.xori %c, %true : i1
  %0 = scf.if %not -> (!tt.tensordesc<tensor<8xf32>>) {
    scf.yield %first : !tt.tensordesc<tensor<8xf32>>
  } else {
    scf.yield %e : !tt.tensordesc<tensor<8xf32>>
  }
  %1 = tt.descriptor_load %0[%i] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// -----

// Functions take and give the parts; attributes stay with the first part, and with the other arguments.
// CHECK-LABEL: tt.func private @declared(!tt.ptr<f32>, i64, i64, i1, i32) -> (!tt.ptr<f32>, i64, i64, i1)
// CHECK-LABEL: tt.func private @callee(
// CHECK-SAME: %arg0: !tt.ptr<f32>, %arg1: !tt.ptr<f32> {tt.x = 1 : i32}, %arg2: i64, %arg3: i64, %arg4: i1, %arg5: i32 {tt.divisibility = 4 : i32}) -> (i32, !tt.ptr<f32>, i64, i64, i1) attributes {noinline = true} {
// CHECK: tt.return {kept} %arg5, %arg1, %arg2, %arg3, %arg4 :
// CHECK-LABEL: @call(
// CHECK: %[[A:.*]]:5 = tt.call @callee(%arg0, %arg1, %arg2, %arg3, %arg4, %arg5) {kept} : (!tt.ptr<f32>, !tt.ptr<f32>, i64, i64, i1, i32) -> (i32, !tt.ptr<f32>, i64, i64, i1)
// CHECK: %[[B:.*]]:4 = tt.call @declared(%[[A]]#1, %[[A]]#2, %[[A]]#3, %[[A]]#4, %[[A]]#0) :
// CHECK: arith.select %[[B]]#3
tt.func private @declared(!tt.tensordesc<tensor<8xf32>>, i32) -> !tt.tensordesc<tensor<8xf32>>
tt.func private @callee(%p: !tt.ptr<f32>, %d: !tt.tensordesc<tensor<8xf32>> {tt.x = 1 : i32}, %i: i32 {tt.divisibility = 4 : i32}) -> (i32, !tt.tensordesc<tensor<8xf32>>) attributes {noinline = true} {
  %1 = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.descriptor_store %d[%i], %1 : !tt.tensordesc<tensor<8xf32>>, tensor<8xf32>
  tt.return {kept} %i, %d : i32, !tt.tensordesc<tensor<8xf32>>
}
tt.func public @call(%p: !tt.ptr<f32>, %d: !tt.tensordesc<tensor<8xf32>>, %i: i32) -> tensor<8xf32> {
  %0:2 = tt.call @callee(%p, %d, %i) {kept} : (!tt.ptr<f32>, !tt.tensordesc<tensor<8xf32>>, i32) -> (i32, !tt.tensordesc<tensor<8xf32>>)
  %1 = tt.call @declared(%0#1, %0#0) : (!tt.tensordesc<tensor<8xf32>>, i32) -> !tt.tensordesc<tensor<8xf32>>
  %2 = tt.descriptor_load %1[%i] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.return %2 : tensor<8xf32>
}

// -----

// Left alone: everything without descriptors; and a descriptor that nothing uses leaves its parts.
// CHECK-LABEL: @left_alone(
// CHECK-NEXT: %[[X:.*]] = tt.load %arg0, %arg1 : tensor<8x!tt.ptr<f32>>
// CHECK-NEXT: arith.select %arg3, %[[X]], %[[X]] : tensor<8xf32>
// CHECK-LABEL: @unused(
// CHECK-NEXT: arith.extsi %arg1 : i32 to i64
// CHECK-NEXT: arith.constant true
// CHECK-NEXT: tt.return
tt.func public @left_alone(%p: tensor<8x!tt.ptr<f32>>, %m: tensor<8xi1>, %n: i32, %c: i1) -> tensor<8xf32> {
  %0 = tt.load %p, %m : tensor<8x!tt.ptr<f32>>
  %1 = arith.select %c, %0, %0 : tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}
tt.func public @unused(%p: !tt.ptr<f32>, %i: i32, %n: i64) {
  %0 = tt.make_tensor_descriptor %p, [%i], [%n] {padding = 2 : i32} : <f32>, <tensor<8xf32>>
  tt.return
}

// -----

// Operations of other dialects get a descriptor made of the parts.
// CHECK-LABEL: @other_dialect(
// CHECK-NEXT: %[[D:.*]] = builtin.unrealized_conversion_cast %arg0, %arg1, %arg2, %arg3 : !tt.ptr<f32>, i64, i64, i1 to !tt.tensordesc<tensor<8xf32>>
// CHECK-NEXT: builtin.unrealized_conversion_cast %[[D]] : !tt.tensordesc<tensor<8xf32>> to i64
tt.func public @other_dialect(%d: !tt.tensordesc<tensor<8xf32>>) -> i64 {
  %0 = builtin.unrealized_conversion_cast %d : !tt.tensordesc<tensor<8xf32>> to i64
  tt.return %0 : i64
}

// -----

// Differs from Triton: it makes a store of another shape, which it refuses.
// CHECK-LABEL: @leading_ones(
// CHECK: %[[X:.*]] = tt.load %{{.*}} : tensor<1x16x!tt.ptr<f32>>
// CHECK: %[[Y:.*]] = tt.reshape %[[X]] : tensor<1x16xf32> -> tensor<16xf32>
// CHECK: %[[Z:.*]] = tt.reshape %[[Y]] : tensor<16xf32> -> tensor<1x16xf32>
// CHECK: tt.store %{{.*}}, %[[Z]], %{{.*}} : tensor<1x16x!tt.ptr<f32>>
tt.func public @leading_ones(%d: !tt.tensordesc<tensor<1x16xf32>>, %i: i32) {
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<1x16xf32>> -> tensor<16xf32>
  tt.descriptor_store %d[%i, %i], %0 : !tt.tensordesc<tensor<1x16xf32>>, tensor<16xf32>
  tt.return
}

// -----

// Differs from Triton: it makes branches with too few operands, which it refuses.
// CHECK-LABEL: @blocks(
// CHECK: cf.cond_br %arg9, ^bb1(%arg0, %arg1, %arg2, %arg3 : !tt.ptr<f32>, i64, i64, i1), ^bb1(%arg4, %arg5, %arg6, %arg7 : !tt.ptr<f32>, i64, i64, i1)
// CHECK: ^bb1(%[[P:.*]]: !tt.ptr<f32>, %{{.*}}: i64, %{{.*}}: i64, %{{.*}}: i1):
// CHECK: tt.splat %[[P]] : !tt.ptr<f32>
tt.func public @blocks(%d: !tt.tensordesc<tensor<8xf32>>, %e: !tt.tensordesc<tensor<8xf32>>, %i: i32, %c: i1) -> tensor<8xf32> {
  cf.cond_br %c, ^next(%d : !tt.tensordesc<tensor<8xf32>>), ^next(%e : !tt.tensordesc<tensor<8xf32>>)
^next(%x: !tt.tensordesc<tensor<8xf32>>):
  %1 = tt.descriptor_load %x[%i] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.return %1 : tensor<8xf32>
}

// -----

// Differs from Triton: it gives the attributes of the later results to parts of the first.
// CHECK-LABEL: tt.func private @result_attributes(
// CHECK-SAME: -> (!tt.ptr<f32> {tt.y = 1 : i32}, i64, i64, i1, i32 {tt.z = 2 : i32})
tt.func private @result_attributes(%d: !tt.tensordesc<tensor<8xf32>>, %i: i32) -> (!tt.tensordesc<tensor<8xf32>> {tt.y = 1 : i32}, i32 {tt.z = 2 : i32}) {
  tt.return %d, %i : !tt.tensordesc<tensor<8xf32>>, i32
}

// -----

// Differs from Triton: it leaves a cast of the poisoned descriptor.
// CHECK-LABEL: @poison(
// CHECK: %[[P:.*]] = ub.poison : !tt.ptr<f32>
// CHECK: tt.splat %[[P]] : !tt.ptr<f32>
tt.func public @poison(%i: i32) -> tensor<8xf32> {
  %d = ub.poison : !tt.tensordesc<tensor<8xf32>>
  %0 = tt.descriptor_load %d[%i] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.return %0 : tensor<8xf32>
}

// -----

tt.func public @reduce_by_min(%d: !tt.tensordesc<tensor<8xi32>>, %v: tensor<8xi32>, %i: i32) {
  // expected-error @+1 {{Cannot fallback on descriptor atomic op, unsupported for type i32: there is no atomic 'min' of it}}
  tt.descriptor_reduce min, %d[%i], %v : !tt.tensordesc<tensor<8xi32>>, tensor<8xi32>
  tt.return
}

// -----

tt.func public @reduce_by_inc(%d: !tt.tensordesc<tensor<8xui32>>, %v: tensor<8xi32>, %i: i32) {
  // expected-error @+1 {{Cannot fallback on descriptor atomic op, unsupported for type ui32: there is no atomic 'inc' of it}}
  tt.descriptor_reduce inc, %d[%i], %v : !tt.tensordesc<tensor<8xui32>>, tensor<8xi32>
  tt.return
}

// -----

// Differs from Triton: it makes a bitwise atomic operation of floats, which has no meaning.
tt.func public @bits_of_floats(%d: !tt.tensordesc<tensor<8xf16>>, %v: tensor<8xf16>, %i: i32) {
  // expected-error @+1 {{Cannot fallback on descriptor atomic op, unsupported for type f16: there is no atomic 'and' of it}}
  tt.descriptor_reduce and, %d[%i], %v : !tt.tensordesc<tensor<8xf16>>, tensor<8xf16>
  tt.return
}

// -----

tt.func public @more_indices(%d: !tt.tensordesc<tensor<8xf32>>, %i: i32) -> tensor<8xf32> {
  // expected-error @+1 {{pointers need an index for each of the block's 1 dimensions, found 2}}
  %0 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<tensor<8xf32>> -> tensor<8xf32>
  tt.return %0 : tensor<8xf32>
}
