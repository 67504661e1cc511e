// RUN: tt-opt %s --enable-line-info --mlir-print-debuginfo | FileCheck %s
// RUN: tt-opt %s --enable-line-info --enable-line-info --mlir-print-debuginfo | FileCheck %s

// CHECK: llvm.func @kernel
// CHECK:   nvvm.read.ptx.sreg.tid.x : i32 loc([[HERE:#loc[0-9]*]])
// CHECK:   llvm.store {{.*}} loc([[INLINED:#loc[0-9]+]])
// CHECK:   llvm.store {{.*}} loc([[TWICE:#loc[0-9]+]])
// CHECK: } loc([[FUNCTION:#loc[0-9]+]])
// CHECK: llvm.func @outside() loc([[OUTSIDE:#loc[0-9]+]])
// CHECK-DAG: [[A:#di_file[0-9]*]] = #llvm.di_file<"a.py" in "/src">
// CHECK-DAG: [[B:#di_file[0-9]*]] = #llvm.di_file<"b.py" in "">
// CHECK-DAG: [[UNKNOWN:#di_file[0-9]*]] = #llvm.di_file<"<unknown>" in "">
// CHECK-DAG: [[HERE]] = loc("/src/a.py":3:4)
// CHECK-DAG: [[UNIT:#di_compile_unit[0-9]*]] = #llvm.di_compile_unit<id = distinct[{{.*}}]<>, sourceLanguage = DW_LANG_C, file = [[A]], producer = "triton", isOptimized = true, emissionKind = LineTablesOnly>
// CHECK-DAG: [[KERNEL:#di_subprogram[0-9]*]] = #llvm.di_subprogram<id = distinct[{{.*}}]<>, compileUnit = [[UNIT]], scope = [[A]], name = "kernel", linkageName = "kernel", file = [[A]], line = 1, scopeLine = 1, subprogramFlags = "Definition|Optimized", type = #di_subroutine_type>
// CHECK-DAG: #llvm.di_subprogram<scope = [[UNKNOWN]], name = "outside", linkageName = "outside", file = [[UNKNOWN]], line = 1, scopeLine = 1, subprogramFlags = Optimized, type = #di_subroutine_type>
// CHECK-DAG: [[INB:#di_lexical_block_file[0-9]*]] = #llvm.di_lexical_block_file<scope = [[KERNEL]], file = [[B]], discriminator = 0>
// CHECK-DAG: [[INA:#di_lexical_block_file[0-9]*]] = #llvm.di_lexical_block_file<scope = [[KERNEL]], file = [[A]], discriminator = 0>
// CHECK-DAG: [[CALLEE:#loc[0-9]+]] = loc(fused<[[INB]]>[{{#loc[0-9]+}}])
// CHECK-DAG: [[CALLER:#loc[0-9]+]] = loc(fused<[[INA]]>[{{#loc[0-9]+}}])
// CHECK-DAG: [[INLINED]] = loc(callsite([[CALLEE]] at [[CALLER]]))
// CHECK-DAG: [[FUNCTION]] = loc(fused<[[KERNEL]]>[{{#loc[0-9]+}}])
module {
  llvm.func @kernel(%a: !llvm.ptr<1>) attributes {nvvm.kernel = 1 : ui1} {
    %0 = nvvm.read.ptx.sreg.tid.x : i32 loc("/src/a.py":3:4)
    llvm.store %0, %a : i32, !llvm.ptr<1> loc(callsite("b.py":5:2 at "/src/a.py":7:8))
    llvm.store %0, %a : i32, !llvm.ptr<1> loc(callsite(callsite("c.py":1:1 at "b.py":5:2) at "/src/a.py":7:8))
    llvm.return loc("/src/a.py":9:4)
  } loc("/src/a.py":1:0)
  llvm.func @outside() loc(unknown)
}
