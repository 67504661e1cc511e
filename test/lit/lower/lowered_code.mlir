// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv --convert-triton-gpu-to-llvm=compute-capability=90 --canonicalize --cse --verify-diagnostics | FileCheck %s

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // A tensor is the struct of its registers on the other side; operations of llvm stay.
  // CHECK-LABEL: llvm.func @tensors
  // CHECK-SAME: (%[[S:.*]]: !llvm.struct<(i32, i32)>, %[[P:[^:]*]]: !llvm.ptr<1>,
  // CHECK: %[[A:.*]] = llvm.extractvalue %[[S]][0]
  // CHECK: %[[B:.*]] = llvm.extractvalue %[[S]][1]
  // CHECK: llvm.insertelement %[[A]]
  // CHECK: llvm.insertelement %[[B]]
  // CHECK: llvm.add %{{.*}} : vector<2xi32>
  // CHECK: llvm.insertvalue %{{.*}}[0] : !llvm.struct<(i32, i32)>
  // CHECK: %[[R:.*]] = llvm.insertvalue %{{.*}}[1] : !llvm.struct<(i32, i32)>
  // CHECK: llvm.store volatile %[[R]], %[[P]]
  tt.func public @tensors(%s: !llvm.struct<(i32, i32)>, %p: !tt.ptr<i32>) {
    %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(i32, i32)> to tensor<256xi32, #blocked>
    %q = builtin.unrealized_conversion_cast %p : !tt.ptr<i32> to !llvm.ptr<1>
    %y = arith.addi %x, %x : tensor<256xi32, #blocked>
    %z = builtin.unrealized_conversion_cast %y : tensor<256xi32, #blocked> to !llvm.struct<(i32, i32)>
    llvm.store volatile %z, %q : !llvm.struct<(i32, i32)>, !llvm.ptr<1>
    tt.return
  }

  // Equal elements are divided once.
  // CHECK-LABEL: llvm.func @rows
  // CHECK: %[[ROW:.*]] = llvm.sdiv %{{.*}} : vector<1xi32>
  // CHECK-NOT: llvm.sdiv
  // CHECK-COUNT-2: llvm.store %[[ROW]], %{{.*}} : vector<1xi32>
  tt.func public @rows(%p: !tt.ptr<i32>) {
    %columns = arith.constant dense<64> : tensor<256xi32, #blocked>
    %range = tt.make_range {end = 256 : i32, start = 0 : i32} : tensor<256xi32, #blocked>
    %row = arith.divsi %range, %columns : tensor<256xi32, #blocked>
    %base = tt.splat %p : !tt.ptr<i32> -> tensor<256x!tt.ptr<i32>, #blocked>
    %to = tt.addptr %base, %range : tensor<256x!tt.ptr<i32>, #blocked>, tensor<256xi32, #blocked>
    // expected-remark @+1 {{vectorization fails vec = 1 origin vec = 1 elemsPerThread = 2 mask is -1}}
    tt.store %to, %row : tensor<256x!tt.ptr<i32>, #blocked>
    tt.return
  }
}

// -----

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  // Warps that nobody has given to the partitions yet: as tritongpu-allocate-warp-groups does.
  // CHECK: module attributes {{.*}}"ttg.total-num-warps" = 8
  // CHECK-LABEL: llvm.func @partitions
  // CHECK: nvvm.barrier
  tt.func public @partitions(%p: !tt.ptr<i32>) {
    ttg.warp_specialize(%p)
    default {
      ttg.warp_yield
    }
    partition0(%q: !tt.ptr<i32>) num_warps(2) {
      %c = arith.constant 1 : i32
      tt.store %q, %c : !tt.ptr<i32>
      ttg.warp_return
    } : (!tt.ptr<i32>) -> ()
    tt.return
  }
}

// -----

#blocked = #ttg.blocked<{sizePerThread = [2], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>

module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, ttg.target = "cuda:90"} {
  tt.func public @other_registers(%s: !llvm.struct<(i32)>) {
    // expected-error @below {{a thread holds 2 registers of}}
    %x = builtin.unrealized_conversion_cast %s : !llvm.struct<(i32)> to tensor<256xi32, #blocked>
    tt.return
  }
}
