// --prove-passes says for each pass that changes a kernel whether it is proved, refuted or open.

// RUN: tt-opt %s --prove-passes --split-input-file --pass-pipeline="builtin.module(triton-combine,canonicalize,cse)" 2>&1 >%t.out | FileCheck %s --check-prefix=FINE
// FINE: prove-passes: triton-combine: @subtract: proved ({{[0-9]+}} ms)
// FINE: prove-passes: triton-combine: @sum_of_products: proved, up to rounding (fusion of a product and a sum) ({{[0-9]+}} ms)

// A wrong pass is refuted by a case that the interpreter has run.
// RUN: not tt-opt %s --prove-passes --prove-dump=%t --split-input-file --load-pass=%S/../../../examples/passes/broken.py --swap-operands -o %t.none 2>&1 | FileCheck %s --check-prefix=SWAP
// SWAP: prove-passes: swap-operands: @subtract: refuted: program (0, 0, 0): out[0] is {{.*}} before and {{.*}} after (
// SWAP: prove_passes.mlir:[[# @LINE + 47]]:{{[0-9]+}}: error: pass 'swap-operands' is refuted: program (0, 0, 0): out[0] is
// RUN: not ttkit prove --passes %t.before.mlir --after %t.after.mlir | FileCheck %s --check-prefix=FILES
// RUN: ttkit prove --passes %t.before.mlir --after %t.before.mlir | FileCheck %s --check-prefix=SAME
// RUN: not ttkit prove --passes %t.before.mlir --after %t.gone.mlir 2>&1 | FileCheck %s --check-prefix=GONE
// RUN: not ttkit prove %t.before.mlir --after %t.after.mlir 2>&1 | FileCheck %s --check-prefix=ONLY
// FILES: .after.mlir: @subtract: refuted: program (0, 0, 0): out[0] is
// SAME: .before.mlir: @subtract: proved (
// GONE: no such file: {{.*}}.gone.mlir
// ONLY: --after has no effect without --passes
// RUN: ttkit prove --passes --load-pass=%S/../../../examples/passes/broken.py --pipeline=canonicalize %t.before.mlir | FileCheck %s --check-prefix=NONE
// NONE: 0 refuted, 0 open

// A dropped mask: z3 finds an argument for which an element is outside.
// RUN: not tt-opt %s --prove-passes --split-input-file --load-pass=%S/../../../examples/passes/broken.py --drop-mask -o %t.none 2>&1 | FileCheck %s --check-prefix=MASK
// MASK: prove-passes: drop-mask: @subtract: refuted: program (0, 0, 0): it fails after the pass and not before it: tt.store: writes 4 bytes

// What is not known is open, and an error only if it is asked to be.
// RUN: tt-opt %s --prove-passes --split-input-file --load-pass=%S/../../../examples/passes/broken.py --declared-round-trip 2>&1 >%t.out | FileCheck %s --check-prefix=OPEN
// RUN: not tt-opt %s --prove-passes=all --split-input-file --load-pass=%S/../../../examples/passes/broken.py --declared-round-trip -o %t.none 2>&1 | FileCheck %s --check-prefix=OPEN
// OPEN: prove-passes: declared-round-trip: @subtract: open: tt.store: it is not known that these are equal
// RUN: not tt-opt %s --prove-dump=%t 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: --prove-dump has no effect without --prove-passes

// The environment asks for proofs, too: of a suite's RUN lines as they are.  Only what is refuted is said.
// RUN: not env TTKIT_PROVE_PASSES=1 tt-opt %s --split-input-file --load-pass=%S/../../../examples/passes/broken.py --swap-operands -o %t.none 2>&1 | FileCheck %s --check-prefix=QUIET
// RUN: env TTKIT_PROVE_PASSES=1 tt-opt %s --split-input-file --canonicalize -o %t.none 2>&1 | FileCheck %s --check-prefix=NOTHING --allow-empty
// NOTHING-NOT: prove
// QUIET-NOT: prove-passes:
// QUIET: error: pass 'swap-operands' is refuted: program (0, 0, 0): out[0] is

// Through the lowering to the llvm dialect.
// RUN: ttkit prove --passes --lowering %t.before.mlir | FileCheck %s --check-prefix=LOWERED
// RUN: not ttkit prove --lowering %t.before.mlir 2>&1 | FileCheck %s --check-prefix=ONLY-PASSES
// LOWERED: convert-triton-gpu-to-llvm: @subtract: proved (
// LOWERED-NEXT: {{[0-9]+}} proved, 0 refuted, 0 open
// ONLY-PASSES: --lowering has no effect without --passes

// The file of a refuted run says how to reduce it.
// RUN: FileCheck %s --check-prefix=REDUCE --input-file=%t.before.mlir
// RUN: tt-reduce -q %t.before.mlir --load-pass=%S/../../../examples/passes/broken.py --test-pass swap-operands --refuted -o %t.small.mlir
// RUN: FileCheck %s --check-prefix=SMALL --input-file=%t.small.mlir
// RUN: not tt-reduce -q %t.before.mlir --test-pass canonicalize --refuted 2>&1 | FileCheck %s --check-prefix=SOUND
// REDUCE: // Reduce it: tt-reduce {{.*}}.before.mlir --load-pass={{.*}}broken.py --test-pass 'swap-operands' --refuted
// SMALL: arith.subf
// SMALL-NOT: tt.make_range
// SOUND: it does not show what is looked for: no pass is refuted

tt.func public @subtract(%x: !tt.ptr<f32> loc("x"), %out: !tt.ptr<f32> loc("out"), %n: i32 loc("n")) {
  %i = tt.make_range {start = 0 : i32, end = 64 : i32} : tensor<64xi32>
  %zero = arith.constant dense<0> : tensor<64xi32>
  %same = arith.addi %i, %zero : tensor<64xi32>
  %size = tt.splat %n : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %same, %size : tensor<64xi32>
  %xs = tt.splat %x : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %xp = tt.addptr %xs, %same : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %outp = tt.addptr %outs, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %value = tt.load %xp, %mask : tensor<64x!tt.ptr<f32>>
  %one = arith.constant dense<1.0> : tensor<64xf32>
  %less = arith.subf %value, %one : tensor<64xf32>
  tt.store %outp, %less, %mask : tensor<64x!tt.ptr<f32>>
  tt.return
}

// -----

tt.func public @sum_of_products(%x: !tt.ptr<f16>, %out: !tt.ptr<f32>) {
  %i = tt.make_range {start = 0 : i32, end = 16 : i32} : tensor<16xi32>
  %row = tt.expand_dims %i {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  %column = tt.expand_dims %i {axis = 0 : i32} : tensor<16xi32> -> tensor<1x16xi32>
  %r = tt.broadcast %row : tensor<16x1xi32> -> tensor<16x16xi32>
  %c = tt.broadcast %column : tensor<1x16xi32> -> tensor<16x16xi32>
  %width = arith.constant dense<16> : tensor<16x16xi32>
  %start = arith.muli %r, %width : tensor<16x16xi32>
  %place = arith.addi %start, %c : tensor<16x16xi32>
  %xs = tt.splat %x : !tt.ptr<f16> -> tensor<16x16x!tt.ptr<f16>>
  %xp = tt.addptr %xs, %place : tensor<16x16x!tt.ptr<f16>>, tensor<16x16xi32>
  %outs = tt.splat %out : !tt.ptr<f32> -> tensor<16x16x!tt.ptr<f32>>
  %outp = tt.addptr %outs, %place : tensor<16x16x!tt.ptr<f32>>, tensor<16x16xi32>
  %a = tt.load %xp : tensor<16x16x!tt.ptr<f16>>
  %old = tt.load %outp : tensor<16x16x!tt.ptr<f32>>
  %zero = arith.constant dense<0.0> : tensor<16x16xf32>
  %product = tt.dot %a, %a, %zero : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  %sum = arith.addf %product, %old : tensor<16x16xf32>
  tt.store %outp, %sum : tensor<16x16x!tt.ptr<f32>>
  tt.return
}
