// RUN: tt-opt %s | tt-opt | FileCheck %s
// RUN: tt-opt %s --mlir-print-op-generic | tt-opt | FileCheck %s

module attributes {"ttg.num-warps" = 4 : i32} {
  // CHECK-LABEL: @predicate_stage
  tt.func @predicate_stage(%i: i32, %n: i64, %k: index) {
    // CHECK: ttg.predicate_stage %{{.*}}, %{{.*}}, %{{.*}} maxStage 2 stage 0 : i32 -> i1
    %0 = ttg.predicate_stage %i, %i, %i maxStage 2 stage 0 : i32 -> i1
    // CHECK: ttg.predicate_stage %{{.*}}, %{{.*}}, %{{.*}} maxStage 2 stage 1 {tag} : i64 -> i1
    %1 = ttg.predicate_stage %n, %n, %n maxStage 2 stage 1 {tag} : i64 -> i1
    // CHECK: ttg.predicate_stage %{{.*}}, %{{.*}}, %{{.*}} maxStage 3 stage 3 : index -> i1
    %2 = ttg.predicate_stage %k, %k, %k maxStage 3 stage 3 : index -> i1
    tt.return
  }

  // CHECK-LABEL: @mask
  tt.func @mask(%p: i1, %x: i32, %y: f32) {
    // CHECK: "ttg.mask"(%{{.*}}) ({
    %0:2 = "ttg.mask"(%p) ({
      // CHECK: ttg.mask.return %{{.*}}, %{{.*}} : i32, f32
      ttg.mask.return %x, %y : i32, f32
    }) : (i1) -> (i32, f32)
    // CHECK: ttg.mask.return{{$}}
    "ttg.mask"(%p) ({
      ttg.mask.return
    }) : (i1) -> ()
    tt.return
  }
}
