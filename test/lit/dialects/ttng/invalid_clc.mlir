// RUN: tt-opt %s -split-input-file -verify-diagnostics

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @clc_try_cancel_c1(%r: !ttg.memdesc<2xi64, #line, #smem, mutable>,
                             %b: !ttg.memdesc<1xi32, #line, #smem, mutable>) {
    // expected-error @+1 {{barrier allocation must be a descriptor of 1xi64 type}}
    ttng.clc_try_cancel %r, %b
        : !ttg.memdesc<2xi64, #line, #smem, mutable>, !ttg.memdesc<1xi32, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @clc_try_cancel_c2_immutable(%r: !ttg.memdesc<2xi64, #line, #smem>,
                                       %b: !ttg.memdesc<1xi64, #line, #smem, mutable>) {
    // expected-error @+1 {{Cannot store into immutable memory}}
    ttng.clc_try_cancel %r, %b : !ttg.memdesc<2xi64, #line, #smem>, !ttg.memdesc<1xi64, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @clc_try_cancel_c2_size(%r: !ttg.memdesc<2xi32, #line, #smem, mutable>,
                                  %b: !ttg.memdesc<1xi64, #line, #smem, mutable>) {
    // expected-error @+1 {{expected a buffer of 16 bytes in shared memory}}
    ttng.clc_try_cancel %r, %b
        : !ttg.memdesc<2xi32, #line, #smem, mutable>, !ttg.memdesc<1xi64, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @clc_load_result_c1(%r: !ttg.memdesc<4xi64, #line, #smem, mutable>) {
    // expected-error @+1 {{expected a buffer of 16 bytes in shared memory}}
    %0 = ttng.clc_load_result %r : !ttg.memdesc<4xi64, #line, #smem, mutable> -> i128
    tt.return
  }
}

// -----

#scales = #ttng.tensor_memory_scales_encoding<>
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @clc_load_result_c1_space(%r: !ttg.memdesc<16x1xi8, #scales, #tm>) {
    // expected-error @+1 {{expected a buffer of 16 bytes in shared memory}}
    %0 = ttng.clc_load_result %r : !ttg.memdesc<16x1xi8, #scales, #tm> -> i128
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @clc_try_cancel_sync_c1() {
    // expected-error @+1 {{response must have shape [2], found 'tensor<4xi64>'}}
    %0 = ttng.clc_try_cancel_sync : tensor<4xi64>
    tt.return
  }
}
