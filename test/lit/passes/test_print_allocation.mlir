// RUN: tt-opt %s --test-print-allocation -verify-diagnostics=only-expected -o /dev/null
// RUN: tt-opt %s --test-print-allocation='get-scratch-size-function=ValidConstant' -o /dev/null 2>&1 | FileCheck %s
// RUN: not tt-opt %s --test-print-allocation='get-scratch-size-function=Other' 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: get-scratch-size-function is None or ValidConstant, not 'Other'

#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
#smem = #ttg.shared_memory
!buffer = !ttg.memdesc<16x16xf16, #shared, #smem, mutable>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // A loop that passes buffers on keeps both alive; also where every operation is taken to need 128 bytes.
  // CHECK: remark: scratch offset = {{[0-9]+}}, size = 128
  // CHECK: remark: offset = {{[0-9]+}}, size = 512
  // expected-remark @below {{swap}}
  // expected-remark @below {{size = 1024}}
  tt.func public @swap(%n: index, %c1: index) {
    // expected-remark @below {{offset = 0, size = 512}}
    %a = ttg.local_alloc : () -> !buffer
    // expected-remark @below {{offset = 512, size = 512}}
    %b = ttg.local_alloc : () -> !buffer
    %0:2 = scf.for %i = %c1 to %n step %c1 iter_args(%x = %a, %y = %b) -> (!buffer, !buffer) {
      scf.yield %y, %x : !buffer, !buffer
    }
    ttg.local_dealloc %0#0 : !buffer
    tt.return
  }

  // Left alone: no shared memory.
  // expected-remark @below {{nothing}}
  // expected-remark @below {{size = 0}}
  tt.func private @nothing() {
    tt.return
  }

  // Edge case: a branch back over a use.  The first buffer lives all through the loop of blocks.
  // expected-remark @below {{size = 1024}}
  tt.func private @blocks(%c: i1) {
    // expected-remark @below {{offset = 0, size = 512}}
    %a = ttg.local_alloc : () -> !buffer
    cf.br ^loop
  ^loop:
    ttg.local_dealloc %a : !buffer
    // expected-remark @below {{offset = 512, size = 512}}
    %b = ttg.local_alloc : () -> !buffer
    cf.cond_br %c, ^loop, ^end
  ^end:
    tt.return
  }
}
