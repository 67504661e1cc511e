// RUN: tt-opt %s -split-input-file -verify-diagnostics

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c1(%a: !ttg.memdesc<128x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                          %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1,
                          %bar: !ttg.memdesc<1xi64, #line, #smem, mutable>) {
    // expected-error @+1 {{The op is synchronous but a barrier is present.}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p, %bar[%p]
        : !ttg.memdesc<128x64xf16, #nv, #smem>, !ttg.memdesc<64x64xf16, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, !ttg.memdesc<1xi64, #line, #smem, mutable>
    tt.return
  }
}

// -----

#line = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c1_predicates(%a: !ttg.memdesc<128x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                                     %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1,
                                     %bar: !ttg.memdesc<1xi64, #line, #smem, mutable>) {
    // expected-error @+1 {{has 1 barriers but 0 predicates for them}}
    "ttng.tc_gen5_mma"(%a, %b, %d, %p, %p, %bar) <{is_async, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 0>}>
        : (!ttg.memdesc<128x64xf16, #nv, #smem>, !ttg.memdesc<64x64xf16, #nv, #smem>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, i1, i1, !ttg.memdesc<1xi64, #line, #smem, mutable>) -> ()
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c2_a(%a: !ttg.memdesc<128x64xi16, #nv, #smem>, %b: !ttg.memdesc<64x64xi16, #nv, #smem>,
                            %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1) {
    // expected-error @+1 {{unsupported LHS operand dtype}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xi16, #nv, #smem>, !ttg.memdesc<64x64xi16, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c2_b(%a: !ttg.memdesc<128x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xi16, #nv, #smem>,
                            %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1) {
    // expected-error @+1 {{unsupported RHS operand dtype}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xf16, #nv, #smem>, !ttg.memdesc<64x64xi16, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c2_kinds(%a: !ttg.memdesc<128x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf32, #nv, #smem>,
                                %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1) {
    // expected-error @+1 {{LHS and RHS operand dtypes kinds don't match: LHS kind is f16 but RHS kind is tf32}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xf16, #nv, #smem>, !ttg.memdesc<64x64xf32, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c2_accumulator(%a: !ttg.memdesc<128x64xbf16, #nv, #smem>,
                                      %b: !ttg.memdesc<64x64xbf16, #nv, #smem>,
                                      %d: !ttg.memdesc<128x64xf16, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>, #tm, mutable>,
                                      %p: i1) {
    // expected-error @+1 {{unsupported accumulator dtype for operand types 'bf16' and 'bf16', accumulator dtype is 'f16' but must be one of ['f32']}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xbf16, #nv, #smem>, !ttg.memdesc<64x64xbf16, #nv, #smem>,
          !ttg.memdesc<128x64xf16, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>, #tm, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c3_a(%a: !ttg.memdesc<128x64xf16, #shared, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                            %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1) {
    // expected-error @+1 {{LHS operand must have a NVMMAShared or TensorMemory encoding}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xf16, #shared, #smem>, !ttg.memdesc<64x64xf16, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c3_b(%a: !ttg.memdesc<128x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #shared, #smem>,
                            %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1) {
    // expected-error @+1 {{RHS operand must have a NVMMAShared encoding}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xf16, #nv, #smem>, !ttg.memdesc<64x64xf16, #shared, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c3_d(%a: !ttg.memdesc<128x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                            %d: !ttg.memdesc<128x64xf32, #shared, #smem, mutable>, %p: i1) {
    // expected-error @+1 {{Return operand must have a TensorMemory encoding}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xf16, #nv, #smem>, !ttg.memdesc<64x64xf16, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #shared, #smem, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c4_a(%a: !ttg.memdesc<128x64xf16, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>, #tm>,
                            %b: !ttg.memdesc<64x64xf16, #nv, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>,
                            %p: i1) {
    // expected-error @+1 {{The col stride of the LHS operand must be 1}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xf16, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 2>, #tm>,
          !ttg.memdesc<64x64xf16, #nv, #smem>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c4_d(%a: !ttg.memdesc<128x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                            %d: !ttg.memdesc<128x64xf16, #tmem, #tm, mutable>, %p: i1) {
    // expected-error @+1 {{The col stride of the return operand must be 32 / 16 but got 1}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xf16, #nv, #smem>, !ttg.memdesc<64x64xf16, #nv, #smem>,
          !ttg.memdesc<128x64xf16, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @tc_gen5_mma_c5_a(%a: !ttg.memdesc<256x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>, #smem>,
                            %b: !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>, #smem>,
                            %d: !ttg.memdesc<256x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>, #tm, mutable>,
                            %p: i1) {
    // expected-error @+1 {{The op is two CTAs but the split num of the LHS is not 2, 1. Got 1, 1}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p {two_ctas}
        : !ttg.memdesc<256x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>, #smem>, !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>, #smem>, !ttg.memdesc<256x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>, #tm, mutable>
    tt.return
  }
}

// -----

#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @tc_gen5_mma_c5_b(%a: !ttg.memdesc<256x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>, #smem>,
                            %b: !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>, #smem>,
                            %d: !ttg.memdesc<256x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>, #tm, mutable>,
                            %p: i1) {
    // expected-error @+1 {{The op is two CTAs but the split num of the RHS is not 1, 2. Got 2, 1}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p {two_ctas}
        : !ttg.memdesc<256x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>, #smem>, !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>, #smem>, !ttg.memdesc<256x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>, #tm, mutable>
    tt.return
  }
}

// -----

#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @tc_gen5_mma_c5_d(%a: !ttg.memdesc<256x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>, #smem>,
                            %b: !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>, #smem>,
                            %d: !ttg.memdesc<256x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, twoCTAs = true>, #tm, mutable>,
                            %p: i1) {
    // expected-error @+1 {{The op is two CTAs but the split num of the returned value is not 2, 1. Got 1, 1}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p {two_ctas}
        : !ttg.memdesc<256x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>, #smem>, !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>, #smem>, !ttg.memdesc<256x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, twoCTAs = true>, #tm, mutable>
    tt.return
  }
}

// -----

#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @tc_gen5_mma_c5_flag(%a: !ttg.memdesc<256x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>, #smem>,
                               %b: !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>, #smem>,
                               %d: !ttg.memdesc<256x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2>, #tm, mutable>,
                               %p: i1) {
    // expected-error @+1 {{The returned value's encoding must have twoCTA=true to be used in a twoCTA matmul}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p {two_ctas}
        : !ttg.memdesc<256x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[1, 0]]}>, #smem>, !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>, #smem>, !ttg.memdesc<256x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2>, #tm, mutable>
    tt.return
  }
}

// -----

#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 2 : i32, "ttg.num-warps" = 4 : i32} {
  tt.func @tc_gen5_mma_c5_flag_of_a(%a: !ttg.memdesc<256x64xf16, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2>, #tm>,
                                    %b: !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>, #smem>,
                                    %d: !ttg.memdesc<256x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>, #tm, mutable>,
                                    %p: i1) {
    // expected-error @+1 {{The LHS operand's encoding must have twoCTA=true to be used in a twoCTA matmul}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p {two_ctas}
        : !ttg.memdesc<256x64xf16, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2>, #tm>, !ttg.memdesc<64x64xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 1]]}>, #smem>, !ttg.memdesc<256x64xf32, #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1, CTASplitM = 2, twoCTAs = true>, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c6_k(%a: !ttg.memdesc<128x32xf16, #nv, #smem>, %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                            %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1) {
    // expected-error @+1 {{expected the last dimension of the first operand to be equal to the second-to-last dimension of the second operand}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x32xf16, #nv, #smem>, !ttg.memdesc<64x64xf16, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c6_n(%a: !ttg.memdesc<128x64xf16, #nv, #smem>, %b: !ttg.memdesc<64x128xf16, #nv, #smem>,
                            %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1) {
    // expected-error @+1 {{expected the output shape to be the concatenation of the last dimension of the first operand and the last dimension of the second (128x128)}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xf16, #nv, #smem>, !ttg.memdesc<64x128xf16, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_c7(%a: !ttg.memdesc<128x64xf16, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>, #tm>,
                          %b: !ttg.memdesc<64x64xf16, #nv, #smem>,
                          %d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>, #tm, mutable>,
                          %p: i1) {
    // expected-error @+1 {{does not support blockM=64 with interleaved blocks in TMEM layout}}
    ttng.tc_gen5_mma %a, %b, %d, %p, %p
        : !ttg.memdesc<128x64xf16, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>, #tm>,
          !ttg.memdesc<64x64xf16, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>, #tm, mutable>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_scaled_c1(%a: !ttg.memdesc<128x128xf8E4M3FN, #nv, #smem>,
                                 %b: !ttg.memdesc<128x64xf16, #nv, #smem>,
                                 %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1,
                                 %s: !ttg.memdesc<128x4xi8, #scales, #tm>) {
    // expected-error @+1 {{LHS and RHS operand dtypes kinds don't match: LHS kind is f8f6f4 but RHS kind is f16}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %s, %p, %p lhs = e4m3 rhs = e4m3
        : !ttg.memdesc<128x128xf8E4M3FN, #nv, #smem>, !ttg.memdesc<128x64xf16, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm>,
          !ttg.memdesc<128x4xi8, #scales, #tm>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_scaled_c2(%a: !ttg.memdesc<128x64xi8, #nv, #smem>,
                                 %b: !ttg.memdesc<128x64xf8E4M3FN, #nv, #smem>,
                                 %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1,
                                 %s: !ttg.memdesc<128x4xi8, #scales, #tm>) {
    // expected-error @+1 {{expected the last dimension of the first operand to be equal to the second-to-last dimension of the second operand}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %s, %p, %p lhs = e4m3 rhs = e4m3
        : !ttg.memdesc<128x64xi8, #nv, #smem>, !ttg.memdesc<128x64xf8E4M3FN, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm>,
          !ttg.memdesc<128x4xi8, #scales, #tm>
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_scaled_c3(%a: !ttg.memdesc<128x128xf8E4M3FN, #nv, #smem>,
                                 %b: !ttg.memdesc<128x64xf8E4M3FN, #nv, #smem>,
                                 %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %p: i1,
                                 %s: !ttg.memdesc<128x4xi8, #scales, #tm>) {
    // expected-error @+1 {{has 0 barriers but 1 predicates for them}}
    "ttng.tc_gen5_mma_scaled"(%a, %b, %d, %s, %s, %p, %p, %p) <{a_type = 0 : i32, b_type = 0 : i32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 1, 1, 1, 0, 1>}>
        : (!ttg.memdesc<128x128xf8E4M3FN, #nv, #smem>, !ttg.memdesc<128x64xf8E4M3FN, #nv, #smem>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm>, !ttg.memdesc<128x4xi8, #scales, #tm>, i1, i1, i1) -> ()
    tt.return
  }
}

// -----

#nv = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_scaled_c4(%a: !ttg.memdesc<128x128xf8E4M3FN, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>, #tm>,
                                 %b: !ttg.memdesc<128x64xf8E4M3FN, #nv, #smem>,
                                 %d: !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>, #tm, mutable>,
                                 %p: i1, %s: !ttg.memdesc<128x4xi8, #scales, #tm>) {
    // expected-error @+1 {{does not support blockM=64 with interleaved blocks in TMEM layout}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %s, %s, %p, %p lhs = e4m3 rhs = e4m3
        : !ttg.memdesc<128x128xf8E4M3FN, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>, #tm>,
          !ttg.memdesc<128x64xf8E4M3FN, #nv, #smem>,
          !ttg.memdesc<128x64xf32, #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>, #tm, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm>, !ttg.memdesc<128x4xi8, #scales, #tm>
    tt.return
  }
}

// -----

#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
#both = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16, CGALayout = [[0, 0]]}>
#bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_commit_c1(%b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
    // expected-error @+1 {{descs must be in shared memory}}
    ttng.tc_gen5_commit %b descs %d : !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>
    tt.return
  }
  tt.func @tc_gen5_commit_c1_ctas(%b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %x: !ttg.memdesc<64x64xf16, #tile, #smem, mutable>, %y: !ttg.memdesc<64x64xf16, #both, #smem, mutable>) {
    // expected-error @+1 {{descs must be divided among as many CTAs}}
    ttng.tc_gen5_commit %b descs %x, %y : !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>, !ttg.memdesc<64x64xf16, #both, #smem, mutable>
    tt.return
  }
  tt.func @tc_gen5_commit_c1_count(%b: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %x: !ttg.memdesc<64x64xf16, #tile, #smem, mutable>) {
    // expected-error @+1 {{descs are the operands of a product, 4 at most, found 5}}
    ttng.tc_gen5_commit %b descs %x, %x, %x, %x, %x : !ttg.memdesc<1xi64, #bar, #smem, mutable>, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>, !ttg.memdesc<64x64xf16, #tile, #smem, mutable>
    tt.return
  }
}

// -----

#tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
#padded = #ttng.tensor_memory_encoding<blockM = 128, blockN = 128, colStride = 1, fp4Padded = true>
#tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
#scales = #ttng.tensor_memory_scales_encoding<>
#smem = #ttg.shared_memory
#tm = #ttng.tensor_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func @tc_gen5_mma_scaled_c5(%a: !ttg.memdesc<128x128xi8, #padded, #tm>, %b: !ttg.memdesc<128x64xf8E4M3FN, #tile, #smem>, %d: !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, %as: !ttg.memdesc<128x4xi8, #scales, #tm>, %bs: !ttg.memdesc<64x4xi8, #scales, #tm>, %true: i1) {
    // expected-error @+1 {{has an LHS operand with fp4Padded, which is e2m1, found e4m3}}
    ttng.tc_gen5_mma_scaled %a, %b, %d, %as, %bs, %true, %true lhs = e4m3 rhs = e4m3 : !ttg.memdesc<128x128xi8, #padded, #tm>, !ttg.memdesc<128x64xf8E4M3FN, #tile, #smem>, !ttg.memdesc<128x64xf32, #tmem, #tm, mutable>, !ttg.memdesc<128x4xi8, #scales, #tm>, !ttg.memdesc<64x4xi8, #scales, #tm>
    tt.return
  }
}
