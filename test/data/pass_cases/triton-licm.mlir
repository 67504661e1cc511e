tt.func @a(%p: tensor<64x!tt.ptr<f32>>, %s: !tt.ptr<f32>, %m: tensor<64xi1>, %o: tensor<64xf32>, %lb: i32, %ub: i32, %step: i32, %sm: i1, %sf : f32) -> (tensor<64xf32>, f32) {
  %z = arith.constant dense<0.0> : tensor<64xf32>
  %zf = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%acc = %z, %acc2 = %zf) -> (tensor<64xf32>, f32) : i32 {
    %0 = tt.load %p : tensor<64x!tt.ptr<f32>>
    %1 = tt.load %p, %m : tensor<64x!tt.ptr<f32>>
    %2 = tt.load %p, %m, %o : tensor<64x!tt.ptr<f32>>
    %3 = tt.load %s : !tt.ptr<f32>
    %4 = tt.load %s, %sm : !tt.ptr<f32>
    %5 = tt.load %s, %sm, %sf : !tt.ptr<f32>
    %6 = tt.load %p {isVolatile = true} : tensor<64x!tt.ptr<f32>>
    %a0 = arith.addf %0, %1 : tensor<64xf32>
    %a1 = arith.addf %a0, %2 : tensor<64xf32>
    %a2 = arith.addf %a1, %acc : tensor<64xf32>
    %a3 = arith.addf %6, %a2 : tensor<64xf32>
    %b0 = arith.addf %3, %4 : f32
    %b1 = arith.addf %b0, %5 : f32
    %b2 = arith.addf %b1, %acc2 : f32
    scf.yield %a3, %b2 : tensor<64xf32>, f32
  }
  tt.return %r#0, %r#1 : tensor<64xf32>, f32
}

// -----

tt.func @a(%p: tensor<64x!tt.ptr<f32>>, %s: !tt.ptr<f32>, %m: tensor<64xi1>, %o: tensor<64xf32>, %lb: i32, %ub: i32, %step: i32, %sm: i1, %sf : f32) -> (tensor<64xf32>, f32) {
  %z = arith.constant dense<0.0> : tensor<64xf32>
  %zf = arith.constant 0.0 : f32
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%acc = %z, %acc2 = %zf) -> (tensor<64xf32>, f32) : i32 {
    %0 = tt.load %p : tensor<64x!tt.ptr<f32>>
    %1 = tt.load %p, %m : tensor<64x!tt.ptr<f32>>
    %2 = tt.load %p, %m, %o : tensor<64x!tt.ptr<f32>>
    %3 = tt.load %s : !tt.ptr<f32>
    %4 = tt.load %s, %sm : !tt.ptr<f32>
    %5 = tt.load %s, %sm, %sf : !tt.ptr<f32>
    %6 = tt.load %p : tensor<64x!tt.ptr<f32>>
    %a0 = arith.addf %0, %1 : tensor<64xf32>
    %a1 = arith.addf %a0, %2 : tensor<64xf32>
    %a2 = arith.addf %a1, %acc : tensor<64xf32>
    %a3 = arith.addf %6, %a2 : tensor<64xf32>
    %b0 = arith.addf %3, %4 : f32
    %b1 = arith.addf %b0, %5 : f32
    %b2 = arith.addf %b1, %acc2 : f32
    scf.yield %a3, %b2 : tensor<64xf32>, f32
  }
  tt.return %r#0, %r#1 : tensor<64xf32>, f32
}

// -----

tt.func @a(%p: tensor<64x!tt.ptr<f32>>, %s: !tt.ptr<f32>, %q: !tt.ptr<i32>) -> (tensor<64xf32>, f32) {
  %z = arith.constant dense<0.0> : tensor<64xf32>
  %zf = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %r:2 = scf.for %i = %c0 to %c10 step %c1 iter_args(%acc = %z, %acc2 = %zf) -> (tensor<64xf32>, f32) {
    %n = tt.load %q : !tt.ptr<i32>
    %s2 = tt.addptr %s, %n : !tt.ptr<f32>, i32
    %0 = tt.load %p evictionPolicy = evict_last {tt.latency = 2 : i32} : tensor<64x!tt.ptr<f32>>
    %3 = tt.load %s2 : !tt.ptr<f32>
    %r2:2 = scf.for %j = %c0 to %c10 step %c1 iter_args(%acc3 = %acc, %acc4 = %acc2) -> (tensor<64xf32>, f32) {
      %6 = tt.load %p : tensor<64x!tt.ptr<f32>>
      %a3 = arith.addf %6, %acc3 : tensor<64xf32>
      %b2 = arith.addf %3, %acc4 : f32
      scf.yield %a3, %b2 : tensor<64xf32>, f32
    }
    %a4 = arith.addf %0, %r2#0 : tensor<64xf32>
    scf.yield %a4, %r2#1 : tensor<64xf32>, f32
  }
  tt.return %r#0, %r#1 : tensor<64xf32>, f32
}

// -----

tt.func @w(%p: tensor<64x!tt.ptr<f32>>, %s: !tt.ptr<f32>, %q: i32) -> (f32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %zf = arith.constant 0.0 : f32
  %r:2 = scf.while (%i = %c0, %acc = %zf) : (i32, f32) -> (i32, f32) {
    %x = arith.muli %q, %q : i32
    %c = arith.cmpi slt, %i, %x : i32
    scf.condition(%c) %i, %acc : i32, f32
  } do {
   ^bb0(%i: i32, %acc: f32):
    %3 = tt.load %s : !tt.ptr<f32>
    %e = math.exp %zf : f32
    %a = arith.addf %acc, %3 : f32
    %a1 = arith.addf %a, %e : f32
    %n = arith.addi %i, %c1 : i32
    scf.yield %n, %a1 : i32, f32
  }
  tt.return %r#1 : f32
}

// -----

tt.func @st(%p: tensor<64x!tt.ptr<f32>>, %s: !tt.ptr<f32>, %q: i32, %lb: i64, %ub: i64) -> (f32) {
  %c1 = arith.constant 1 : i64
  %zf = arith.constant 0.0 : f32
  %r = scf.for unsigned %i = %lb to %ub step %c1 iter_args(%acc = %zf) -> f32 : i64 {
    %x = arith.divsi %q, %q : i32
    %y = arith.divsi %lb, %c1 : i64
    %3 = tt.load %s : !tt.ptr<f32>
    tt.store %s, %acc : !tt.ptr<f32>
    %a = arith.addf %acc, %3 : f32
    scf.yield %a : f32
  }
  %r1 = scf.for %i = %lb to %ub step %c1 iter_args(%acc = %zf) -> f32 : i64 {
    %3 = tt.load %s : !tt.ptr<f32>
    %cc = arith.cmpi eq, %i, %lb : i64
    %4 = scf.if %cc -> f32 {
     %5 = tt.load %s : !tt.ptr<f32>
     %6 = math.exp %5 : f32
     scf.yield %6 : f32
    } else { 
     scf.yield %3 : f32
    }
    %a = arith.addf %acc, %4 : f32
    scf.yield %a : f32
  }
  tt.return %r1 : f32
}
