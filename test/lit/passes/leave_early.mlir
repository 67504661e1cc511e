// RUN: tt-opt %s --split-input-file --ttkit-leave-early | FileCheck %s

// CHECK-LABEL: @persistent
// CHECK:         %[[N:.+]] = nvvm.read.ptx.sreg.nsmid
// CHECK:         %[[IS_FIRST:.+]] = arith.cmpi ult, %{{.+}}, %[[N]]
// CHECK:         %[[HAS_ANY:.+]] = arith.select %{{.+}}, %[[IS_FIRST]], %{{.+}}
// CHECK:         scf.if %[[HAS_ANY]] {
// CHECK:           ttg.local_alloc
// CHECK:           ttg.warp_specialize
// CHECK:           } : (!tt.ptr<i32>) -> ()
// CHECK-NEXT:    }
// CHECK-NEXT:    tt.return
#shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
tt.func public @persistent(%out: !tt.ptr<i32>) {
  %bar = ttg.local_alloc : () -> !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
  ttng.init_barrier %bar, 1 : !ttg.memdesc<1xi64, #shared, #ttg.shared_memory, mutable>
  ttg.warp_specialize(%out)
  default {
    ttg.warp_yield
  }
  partition0(%to: !tt.ptr<i32>) num_warps(4) {
    %n = nvvm.read.ptx.sreg.nsmid : i32
    tt.store %to, %n : !tt.ptr<i32>
    ttg.warp_return
  } : (!tt.ptr<i32>) -> ()
  tt.return
}
}

// -----

// Its CTAs run one program each.
// CHECK-LABEL: @of_one_program
// CHECK-NOT: scf.if
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
tt.func public @of_one_program(%out: !tt.ptr<i32>) {
  ttg.warp_specialize(%out)
  default {
    ttg.warp_yield
  }
  partition0(%to: !tt.ptr<i32>) num_warps(4) {
    %n = tt.get_program_id x : i32
    tt.store %to, %n : !tt.ptr<i32>
    ttg.warp_return
  } : (!tt.ptr<i32>) -> ()
  tt.return
}
}

// -----

// No groups of warps: nothing is set up.
// CHECK-LABEL: @together
// CHECK-NOT: scf.if
module attributes {"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
tt.func public @together(%out: !tt.ptr<i32>) {
  %n = nvvm.read.ptx.sreg.nsmid : i32
  tt.store %out, %n : !tt.ptr<i32>
  tt.return
}
}
