// RUN: tt-opt %s -split-input-file -verify-diagnostics

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @init_barrier_c1_element(%b: !ttg.memdesc<1xi32, #line, #smem, mutable>) {
    // expected-error @+1 {{barrier allocation must be a descriptor of 1xi64 type}}
    ttng.init_barrier %b, 1 : !ttg.memdesc<1xi32, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @init_barrier_c1_count(%b: !ttg.memdesc<2xi64, #line, #smem, mutable>) {
    // expected-error @+1 {{barrier allocation must be a descriptor of 1xi64 type}}
    ttng.init_barrier %b, 1 : !ttg.memdesc<2xi64, #line, #smem, mutable>
    tt.return
  }
}

// -----

#plain = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @init_barrier_c1_rank(%b: !ttg.memdesc<1x1xi64, #plain, #smem, mutable>) {
    // expected-error @+1 {{barrier allocation must be a descriptor of 1xi64 type}}
    ttng.init_barrier %b, 1 : !ttg.memdesc<1x1xi64, #plain, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @inval_barrier_c1(%b: !ttg.memdesc<1xi32, #line, #smem, mutable>) {
    // expected-error @+1 {{barrier allocation must be a descriptor of 1xi64 type}}
    ttng.inval_barrier %b : !ttg.memdesc<1xi32, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @barrier_expect_c1(%b: !ttg.memdesc<1xi32, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{barrier allocation must be a descriptor of 1xi64 type}}
    ttng.barrier_expect %b, 1, %p : !ttg.memdesc<1xi32, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @wait_barrier_c1(%b: !ttg.memdesc<1xi32, #line, #smem, mutable>, %p: i32) {
    // expected-error @+1 {{barrier allocation must be a descriptor of 1xi64 type}}
    ttng.wait_barrier %b, %p : !ttg.memdesc<1xi32, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @arrive_barrier_c1(%b: !ttg.memdesc<1xi32, #line, #smem, mutable>) {
    // expected-error @+1 {{barrier allocation must be a descriptor of 1xi64 type}}
    ttng.arrive_barrier %b, 1 : !ttg.memdesc<1xi32, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @arrive_barrier_c2(%b: !ttg.memdesc<1xi64, #line, #smem, mutable>) {
    // expected-error @+1 {{count must be greater than or equal to 1}}
    ttng.arrive_barrier %b, 0 : !ttg.memdesc<1xi64, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
tt.func @wait_barrier_operands(%bar: !ttg.memdesc<1xi64, #line, #ttg.shared_memory, mutable>, %phase: i32) {
  // expected-error @+1 {{operandSegmentSizes has 0 for operand group 1, which is one value}}
  "ttng.wait_barrier"(%bar, %bar) <{operandSegmentSizes = array<i32: 1, 0, 0, 1>}>
    : (!ttg.memdesc<1xi64, #line, #ttg.shared_memory, mutable>, !ttg.memdesc<1xi64, #line, #ttg.shared_memory, mutable>) -> ()
  tt.return
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @arrive_barrier_c3(%b: !ttg.memdesc<2xi64, #line, #smem, mutable>) {
    // expected-error @+1 {{fromCTA must be in the range [0, num_ctas - 1] with a barrier for each CTA, found 2 and 2 barriers}}
    ttng.arrive_barrier %b, 1 {fromCTA = 2 : i32} : !ttg.memdesc<2xi64, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0], CGALayout = [[1]]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @arrive_barrier_c3(%b: !ttg.memdesc<2xi64, #line, #smem, mutable>) {
    // expected-error @+1 {{multicastCTA must be in the range [0, num_ctas - 1] with a barrier for each CTA, found -1 and 2 barriers}}
    ttng.arrive_barrier %b, 1 {multicastCTA = -1 : i32} : !ttg.memdesc<2xi64, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @barrier_expect_c2(%b: !ttg.memdesc<1xi64, #line, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{fromCTA must be in the range [0, num_ctas - 1] with a barrier for each CTA, found 1 and 1 barriers}}
    ttng.barrier_expect %b, 16 {fromCTA = 1 : i32}, %p : !ttg.memdesc<1xi64, #line, #smem, mutable>
    tt.return
  }
}
