// --pipeline-file changes the stages, for tt-opt and tt-compile.

// RUN: tt-opt %s --pipeline-file=%S/Inputs/changed_pipeline.py --ttkit-ttir --mlir-print-ir-before-all -o %t 2>&1 | FileCheck %s
// CHECK-DAG: remark: 1 loads
// CHECK-DAG: IR Dump Before CountLoads (count-loads)
// CHECK-NOT: (triton-loop-unroll)

// RUN: cp %s %t.in.ttir
// RUN: tt-compile %t.in.ttir --target sm_80 --pipeline-file %S/Inputs/changed_pipeline.py --quiet -o %t.ttir
// RUN: FileCheck %s --check-prefix=COMPILE < %t.ttir
// COMPILE: test.loads = 1 : i32

// RUN: not tt-opt %s --pipeline-file=%S/Inputs/misspelt_pipeline.py --ttkit-ttir 2>&1 | FileCheck %s --check-prefix=MISSPELT
// RUN: not tt-compile %t.in.ttir --pipeline-file=%S/Inputs/misspelt_pipeline.py -o %t.ptx 2>&1 | FileCheck %s --check-prefix=MISSPELT
// MISSPELT: error: --pipeline-file: ValueError: there is no pass 'triton-combin' in ttkit-ttir and ttkit-ttgir and ttkit-gluon and ttkit-llir; did you mean 'triton-combine' or 'triton-licm'? (misspelt_pipeline.py:3)

// RUN: not tt-compile %t.in.ttir --pipeline-file=%S/no_such.py -o %t.ptx 2>&1 | FileCheck %s --check-prefix=MISSING
// MISSING: error: --pipeline-file: {{.*}}no_such.py

tt.func @f(%p: !tt.ptr<f32>) {
  %0 = tt.load %p : !tt.ptr<f32>
  tt.store %p, %0 : !tt.ptr<f32>
  tt.return
}
