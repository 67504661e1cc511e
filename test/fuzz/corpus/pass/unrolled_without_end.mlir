// passes: triton-loop-unroll
tt.func @unrolled(%x: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %sum = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %x) -> i32 {
    %next = arith.addi %acc, %x : i32
    scf.yield %next : i32
  } {tt.loop_unroll_factor = 0x7FC00000 : i32}
  tt.return %sum : i32
}
