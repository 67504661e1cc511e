// RUN: tt-opt %s -split-input-file -verify-diagnostics

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @predicate_stage_c1(%x: i32, %y: i64) {
    // expected-error @+1 {{failed to verify that all of}}
    %0 = "ttg.predicate_stage"(%x, %x, %y) {maxStage = 1 : i32, stage = 0 : i32} : (i32, i32, i64) -> i1
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @predicate_stage_c1_float(%x: f32) {
    // expected-error @+1 {{operand #0 must be signless integer or index}}
    %0 = ttg.predicate_stage %x, %x, %x maxStage 1 stage 0 : f32 -> i1
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @predicate_stage_result(%x: i32) {
    // expected-error @+1 {{result #0 must be 1-bit signless integer}}
    %0 = ttg.predicate_stage %x, %x, %x maxStage 1 stage 0 : i32 -> i32
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @mask_c1(%p: i1) {
    // expected-error @+1 {{expects region #0 to have 0 or 1 blocks}}
    "ttg.mask"(%p) ({
      cf.br ^bb1
    ^bb1:
      ttg.mask.return %p : i1
    }) : (i1) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @mask_c1_open(%p: i1) {
    "ttg.mask"(%p) ({
      // expected-error @+1 {{block with no terminator}}
      %c = arith.constant 1 : i32
    }) : (i1) -> ()
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @mask_return_c1(%p: i1) {
    // expected-error @+1 {{expects parent op 'ttg.mask'}}
    ttg.mask.return %p : i1
  }
}
