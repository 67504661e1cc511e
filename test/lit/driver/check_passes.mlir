// --check-passes runs the kernels before and after each pass, and names the first one that changes a result.

// Correct passes, upstream's and ours, nested or not, change nothing and say nothing.
// RUN: tt-opt %s --check-passes --pass-pipeline="builtin.module(canonicalize,tt.func(cse,loop-invariant-code-motion),triton-combine,triton-reorder-broadcast,sccp,symbol-dce)" 2>%t.err | FileCheck %s --check-prefix=FINE
// RUN: FileCheck %s --check-prefix=QUIET --allow-empty < %t.err
// QUIET-NOT: {{.}}
// FINE: tt.func public @subtract

// The swap is found although two correct passes come before it, and one after it.
// RUN: not tt-opt %s --check-passes --load-pass=%S/../../../examples/passes/broken.py --pass-pipeline="builtin.module(canonicalize,tt.func(cse,swap-operands),canonicalize)" -o %t.none 2>&1 | FileCheck %s --check-prefix=SWAP
// SWAP: check_passes.mlir:[[# @LINE + 40]]:{{[0-9]+}}: error: pass 'swap-operands' changes what @subtract does: out[0] is {{.*}} before and {{.*}} after (
// SWAP: inputs grid (3, 1, 1), x: {{[0-9]+}} bytes, y: {{[0-9]+}} bytes, out: {{[0-9]+}} bytes, n = {{[0-9]+}}, seed 0
// SWAP: IR before pass 'swap-operands'
// SWAP: [[X:%[0-9]+]] = tt.load
// SWAP: [[Y:%[0-9]+]] = tt.load
// SWAP: arith.subf [[X]], [[Y]]
// SWAP: IR after pass 'swap-operands'
// SWAP: [[X2:%[0-9]+]] = tt.load
// SWAP: [[Y2:%[0-9]+]] = tt.load
// SWAP: arith.subf [[Y2]], [[X2]]
// SWAP-NOT: error
// RUN: not ls %t.none

// A kernel that now fails: buffers are just as large as the kernel needed them before.
// RUN: not tt-opt %s --check-passes --load-pass=%S/../../../examples/passes/broken.py --canonicalize --drop-mask --cse --check-dump=%t 2>&1 | FileCheck %s --check-prefix=MASK
// MASK: error: pass 'drop-mask' changes what @subtract does: it fails after the pass and not before it: tt.store: writes 4 bytes at offset [[SIZE:[0-9]+]] of buffer 'out', which has [[SIZE]] bytes
// RUN: FileCheck %s --check-prefix=BEFORE < %t.before.mlir
// RUN: FileCheck %s --check-prefix=AFTER < %t.after.mlir
// BEFORE: tt.store %{{.*}}, %{{.*}}, %{{.*}} :
// AFTER: tt.store %{{[^,]*}}, %{{[^,]*}} :

// RUN: not tt-opt %s --check-passes --load-pass=%S/../../../examples/passes/broken.py --shift-index --check-arg=n=16 --check-grid=1 --check-runs 1 --check-seed=7 2>&1 | FileCheck %s --check-prefix=INDEX
// INDEX: error: pass 'shift-index' changes what @subtract does: out[0] is {{.*}} before and {{.*}} after (1 of 16 elements differ)
// INDEX: inputs grid (1, 1, 1), x: 64 bytes, y: 64 bytes, out: 64 bytes, n as given, seed 7

// A pass that changes the rounding must say so.
// RUN: not tt-opt %s --check-passes --load-pass=%S/../../../examples/passes/broken.py --round-trip 2>&1 | FileCheck %s --check-prefix=ROUND
// ROUND: error: pass 'round-trip' changes what @subtract does
// RUN: tt-opt %s --check-passes --load-pass=%S/../../../examples/passes/broken.py --declared-round-trip -o %t.fine

// Other errors are what they are without the flag.
// RUN: not tt-opt %s --check-passes --load-pass=%S/Inputs/probe.py --fail=how=bug 2>&1 | FileCheck %s --check-prefix=FAIL
// FAIL: error: pass 'fail' raised KeyError
// RUN: not tt-opt %s --check-passes --no-such-pass 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: Unknown command line argument '--no-such-pass'

// What can't be checked is named.
// RUN: not tt-opt %s --check-passes --canonicalize --check-arg=z=3 -o %t.fine 2>&1 | FileCheck %s --check-prefix=SKIP
// SKIP: warning: @subtract is not checked: @subtract has no argument 'z'; it takes x, y, out, n

tt.func public @subtract(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32} loc("x"), %y: !tt.ptr<f32> loc("y"), %out: !tt.ptr<f32> loc("out"), %n: i32 loc("n")) {
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %base = arith.muli %pid, %c64 : i32
  %range = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %bases = tt.splat %base : i32 -> tensor<64xi32>
  %offsets = arith.addi %bases, %range : tensor<64xi32>
  %ns = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %offsets, %ns : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %offsets : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %xv = tt.load %xp, %mask : tensor<64x!tt.ptr<f32>>
  %ys = tt.splat %y : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %yp = tt.addptr %ys, %offsets : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %yv = tt.load %yp, %mask : tensor<64x!tt.ptr<f32>>
  %difference = arith.subf %xv, %yv : tensor<64xf32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %outp = tt.addptr %outs, %offsets : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  tt.store %outp, %difference, %mask : tensor<64x!tt.ptr<f32>>
  tt.return
}

// A module whose attributes can't be read is not checked; that is said once.
// RUN: echo 'module attributes {"ttg.num-ctas" = "x"} { tt.func public @f() { tt.return } }' | not tt-opt --check-passes --canonicalize 2>&1 | FileCheck %s --check-prefix=MODULE
// MODULE: warning: nothing is checked: the module's ttg.num-ctas is "x"; it must be an integer
// MODULE-NOT: error
// MODULE: error: --check-passes: no pass ran on a function that can be run, so nothing was checked
// MODULE-NOT: error
