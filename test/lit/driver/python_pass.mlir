// A pass from a file behaves as one in C++: options of every type, nesting, statistics, help, IR printing.

// RUN: tt-opt %s --load-pass=%S/Inputs/probe.py --probe -o %t | FileCheck %s --check-prefix=DEFAULT
// DEFAULT: builtin.module: Probe(on=False, size=3, ratio=0.5, label='none', sizes=(1, 2), names=())

// RUN: tt-opt %s -load-pass %S/Inputs/probe.py --probe="on=true size=-7 ratio=1e-3 label=x sizes=4,5,6 names=a,b" -o %t | FileCheck %s --check-prefix=OPTIONS
// RUN: tt-opt %s -load-pass %S/Inputs/probe.py --pass-pipeline="builtin.module(probe{on=true size=-7 ratio=1e-3 label=x sizes=4,5,6 names=a,b})" -o %t | FileCheck %s --check-prefix=OPTIONS
// OPTIONS: Probe(on=True, size=-7, ratio=0.001, label='x', sizes=(4, 5, 6), names=('a', 'b'))

// RUN: tt-opt %s --load-pass=%S/Inputs/probe.py --pass-pipeline="builtin.module(func.func(cse,mark-functions,probe{size=1}))" | FileCheck %s --check-prefix=NESTED
// NESTED-COUNT-2: func.func: Probe(on=False, size=1
// NESTED: func.func @first() attributes {marked}
// NESTED: func.func @second() attributes {marked}

// RUN: tt-opt %s --load-pass=%S/Inputs/probe.py --probe --probe=size=4 --mlir-pass-statistics -o %t 2>&1 | FileCheck %s --check-prefix=STATISTICS
// STATISTICS: Probe
// STATISTICS-DAG: 3 bytes - what it counted
// STATISTICS-DAG: 1 runs  - how often it ran
// STATISTICS: 4 bytes

// RUN: tt-opt --load-pass=%S/Inputs/probe.py --help | FileCheck %s --check-prefix=HELP
// HELP: --probe{{ +}}Print the options and the anchor
// HELP: --size=<int>{{ +}}an integer (default: 3)
// HELP: --triton-combine{{ +}}Merge dot+add

// RUN: tt-opt %s --load-pass=%S/Inputs/probe.py --probe --mlir-print-ir-after-all -o %t 2>&1 | FileCheck %s --check-prefix=PRINT
// PRINT: IR Dump After Probe (probe)

// RUN: tt-opt %s --load-pass=%S/Inputs/probe.py --probe --mlir-timing -o %t 2>&1 | FileCheck %s --check-prefix=TIMING
// TIMING: Probe (probe)
// RUN: tt-opt %s --triton-combine --triton-licm --mlir-timing -o %t 2>&1 | FileCheck %s --check-prefix=TITLES
// TITLES-DAG: TritonCombineOps (triton-combine)
// TITLES-DAG: TritonLoopInvariantCodeMotion (triton-licm)
// RUN: tt-opt %s --triton-combine --mlir-timing --mlir-print-ir-after-all -o %t 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: IR Dump After TritonCombineOps (triton-combine) //

// A dumped pipeline names the options that differ from what a bare name means, and reads back.
// RUN: tt-opt %s --load-pass=%S/Inputs/probe.py --probe=size=9 --dump-pass-pipeline -o %t 2>&1 | FileCheck %s --check-prefix=DUMP
// DUMP: probe{label=none{{ +}}on=false ratio={{.*}} size=9

func.func @first() {
  return
}



func.func @second() {
  return
}
