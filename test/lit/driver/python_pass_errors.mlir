// What goes wrong in a pass is a diagnostic that names it, and exit code 1; a traceback only when asked for.

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --fail=how=input 2>&1 | FileCheck %s --check-prefix=INPUT
// INPUT: python_pass_errors.mlir:{{[0-9]+}}:3: error: pass 'fail': found a return; remove it
// INPUT-NOT: Traceback

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --fail 2>&1 | FileCheck %s --check-prefix=BUG
// BUG: error: pass 'fail' raised KeyError: 'no such thing' (probe.py:{{[0-9]+}})
// BUG-NOT: Traceback

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --fail --python-traceback 2>&1 | FileCheck %s --check-prefix=TRACE
// TRACE: Traceback
// TRACE: in run

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --fail=how=count 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: pass 'fail' raised ValueError: pass 'fail' declares no statistic 'nothing'; it has []

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --fail=how=invalid-ir 2>&1 | FileCheck %s --check-prefix=INVALID
// INVALID: error: empty block: expect at least a terminator
// INVALID: error: pass 'fail' left invalid IR: the error above is about what it made

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --fail=how=input 2>&1 | FileCheck %s --check-prefix=FAILED
// FAILED-NOT: left invalid IR

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --fail=how=erased-in-use 2>&1 | FileCheck %s --check-prefix=ERASED
// ERASED: error: pass 'fail' raised ValueError: an operation with used results can't be erased: replace its results first
// ERASED-NOT: internal error

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --probe=size=many 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: pass 'probe': option 'size' takes an int of 64 bits, found 'many'
// OPTION-NOT: <unknown>

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --pass-pipeline='builtin.module(probe{size=9223372036854775808})' 2>&1 | FileCheck %s --check-prefix=LARGE
// LARGE: error: pass 'probe': option 'size' takes an int of 64 bits, found '9223372036854775808'

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py '--pass-pipeline=builtin.module(any(probe{sizes=1,x}))' 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: pass 'probe': option 'sizes' takes ints separated by commas, found '1,x'
// LIST-NOT: <unknown>

// RUN: not tt-opt %s '--pass-pipeline=builtin.module(canonicalize{max-iterations=x})' 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// RUN: not tt-opt %s --canonicalize=max-iterations=x 2>&1 | FileCheck %s --check-prefix=UPSTREAM
// UPSTREAM: error: pass 'canonicalize': option 'max-iterations' takes an int, found 'x': `tt-opt --help` lists the options of 'canonicalize'
// UPSTREAM-NOT: <unknown>

// RUN: not tt-opt %s --canonicalize=max-iteration=3 2>&1 | FileCheck %s --check-prefix=UPSTREAM-NAME
// UPSTREAM-NAME: error: pass 'canonicalize' has no option 'max-iteration'; it has max-iterations, max-num-rewrites, {{.*}}; did you mean 'max-iterations'?

// RUN: not tt-opt %s --ttkit-ttgir=capability=x 2>&1 | FileCheck %s --check-prefix=STAGE
// STAGE: error: pipeline 'ttkit-ttgir': option capability: found 'x', use a positive number
// STAGE-NOT: <unknown>

// All values that MLIR takes are taken.
// RUN: tt-opt %s --load-pass=%S/Inputs/probe.py '--pass-pipeline=builtin.module(probe{on=true size=0x10 ratio=1e3 label="a b" sizes=3,4 names=x,y})' 2>&1 | FileCheck %s --check-prefix=VALUES
// VALUES: builtin.module: Probe(on=True, size=16, ratio=1000.0, label={{.*}}, sizes=(3, 4), names=('x', 'y'))

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --probe=nope=1 2>&1 | FileCheck %s --check-prefix=NO-OPTION
// NO-OPTION: error: pass 'probe' has no option 'nope'; it has on=<bool>, size=<int>, ratio=<float>, label=<str>, sizes=<list[int]>, names=<list[str]>
// NO-OPTION-NOT: <unknown>

// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --fail=how=pattern 2>&1 | FileCheck %s --check-prefix=PATTERN
// PATTERN: python_pass_errors.mlir:{{[0-9]+}}:3: error: pass 'fail' raised AttributeError: 'ReturnOp' object has no attribute 'nothing' (probe.py:{{[0-9]+}}), in a pattern for 'func.return{{.*}}'

// The line is that of the user's file, not that of what it calls.
// RUN: not tt-opt %s --load-pass=%S/Inputs/probe.py --fail=how=callee 2>&1 | FileCheck %s --check-prefix=CALLEE
// CALLEE: error: pass 'fail' raised {{.*}} (probe.py:{{[0-9]+}})

// RUN: not tt-opt %s --load-pass=%S/Inputs/none.py 2>&1 | FileCheck %s --check-prefix=NO-FILE
// NO-FILE: error: --load-pass: no such file: {{.*}}none.py

// RUN: echo "def f(:" > %t.py && not tt-opt %s --load-pass=%t.py 2>&1 | FileCheck %s --check-prefix=SYNTAX
// SYNTAX: error: --load-pass: SyntaxError: {{.*}}.py:1)

// RUN: echo "x = 1" > %t.py && not tt-opt %s --load-pass=%t.py 2>&1 | FileCheck %s --check-prefix=NO-PASS
// NO-PASS: error: --load-pass: ValueError: {{.*}}.py defines no pass: a subclass of ttkit.Pass with a name{{$}}

// RUN: echo "from ttkit import Pass" > %t.py && echo "class A(Pass): pass" >> %t.py && not tt-opt %s --load-pass=%t.py 2>&1 | FileCheck %s --check-prefix=NAMELESS
// NAMELESS: a subclass of ttkit.Pass with a name; A has none, such as name = 'my-pass'{{$}}

// RUN: echo "from ttkit import Pass" > %t.py && echo "class A(Pass): name = 'cse'" >> %t.py && not tt-opt %s --load-pass=%t.py 2>&1 | FileCheck %s --check-prefix=TAKEN
// TAKEN: a pass or pipeline named 'cse' exists already

// RUN: echo "from ttkit import Pass" > %t.py && echo "class A(Pass): name = 'no-run'" >> %t.py && not tt-opt %s --load-pass=%t.py --no-run 2>&1 | FileCheck %s --check-prefix=METHODLESS
// METHODLESS: pass 'no-run' can't be used: TypeError: A has no run method{{$}}

// RUN: not tt-opt %s --pass-pipeline="builtin.module(no-such-pass)" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: 'no-such-pass' does not refer to a registered pass
// UNKNOWN: tt-opt: there is no pass 'no-such-pass'

// RUN: not tt-opt %s --pass-pipeline="builtin.module(cze,triton-combin{size=3},func.func(cse))" 2>&1 | FileCheck %s --check-prefix=NEAR
// NEAR: tt-opt: there is no pass 'cze'; did you mean 'cse'?
// NEAR-NEXT: tt-opt: there is no pass 'triton-combin'; did you mean 'triton-combine'
// NEAR-NOT: there is no pass

func.func @first() {
  return
}

func.func @second() -> i32 {
  %0 = arith.constant 1 : i32
  return %0 : i32
}
