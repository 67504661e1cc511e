// RUN: tt-opt %s --split-input-file --allocate-shared-memory-nv=compute-capability=90 --convert-triton-gpu-to-llvm="compute-capability=90 ptx-version=87" | FileCheck %s

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 16]}>
#mma8 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 32]}>
#wide8 = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 32]}>
#a = #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
#a8 = #ttg.dot_op<{opIdx = 0, parent = #mma8, kWidth = 4}>
#rows = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#narrow = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#bytes = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 8}>
#bytest = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = 8}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // Two steps along K in one piece of assembly; the second operand is transposed.  The constant zero is not read.
  // CHECK-LABEL: llvm.func @product
  // CHECK-DAG: llvm.mlir.constant(-9223371899415822336 : i64)
  // CHECK-DAG: llvm.mlir.constant(-4611685949707911168 : i64)
  // CHECK: llvm.inline_asm has_side_effects asm_dialect = att operand_attrs = [] "wgmma.fence.sync.aligned;
  // CHECK-SAME: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $8, $9, 0, 1, 1, 0, 1;
  // CHECK-SAME: wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 {$0, $1, $2, $3, $4, $5, $6, $7}, $10, $11, 1, 1, 1, 0, 1;
  // CHECK-SAME: wgmma.commit_group.sync.aligned;
  // CHECK-SAME: wgmma.wait_group.sync.aligned 0;", "=f,=f,=f,=f,=f,=f,=f,=f,l,l,l,l"
  // CHECK-NOT: wgmma
  tt.func public @product() -> tensor<64x16xf32, #mma> {
    %zero = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x32xf16, #rows, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x16xf16, #narrow, #smem, mutable>
    %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = false}
        : !ttg.memdesc<64x32xf16, #rows, #smem, mutable> * !ttg.memdesc<32x16xf16, #narrow, #smem, mutable>
        -> tensor<64x16xf32, #mma>
    tt.return %d : tensor<64x16xf32, #mma>
  }

  // In the background: accumulators go around the loop as single registers, tied to results, with nothing in between.
  // CHECK-LABEL: llvm.func @loop
  // CHECK: ^bb2({{.*}}: i32, %[[c0:.*]]: f32, %[[c1:.*]]: f32, %[[c2:.*]]: f32, %[[c3:.*]]: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32, %{{.*}}: f32):
  // CHECK: %[[issued:.*]] = llvm.inline_asm {{.*}} "wgmma.fence.sync.aligned;
  // CHECK-SAME: {$0, $1, $2, $3, $4, $5, $6, $7}, {$17, $18, $19, $20}, $21, $16, 1, 1, 1;
  // CHECK-SAME: wgmma.commit_group.sync.aligned;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7,b,r,r,r,r,l" %[[c0]], %[[c1]], %[[c2]], %[[c3]]
  // CHECK-NEXT: %[[i0:.*]] = llvm.extractvalue %[[issued]][0]
  // CHECK-COUNT-7: llvm.extractvalue
  // CHECK-NEXT: llvm.inline_asm {{.*}} "wgmma.wait_group.sync.aligned 1;", "=f,=f,=f,=f,=f,=f,=f,=f,0,1,2,3,4,5,6,7" %[[i0]],
  // CHECK-NOT: insertelement
  // CHECK: llvm.cond_br
  tt.func public @loop(%a: tensor<64x16xf16, #a>, %use: i1, %n: i32) -> tensor<64x16xf32, #mma> {
    %zero = arith.constant 0 : i32
    %one = arith.constant 1 : i32
    %first = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
    %b = ttg.local_alloc : () -> !ttg.memdesc<16x16xf16, #narrow, #smem, mutable>
    cf.br ^loop(%zero, %first : i32, tensor<64x16xf32, #mma>)
  ^loop(%i: i32, %c: tensor<64x16xf32, #mma>):
    %d = ttng.warp_group_dot %a, %b, %c, %use {inputPrecision = 0 : i32, isAsync = true}
        : tensor<64x16xf16, #a> * !ttg.memdesc<16x16xf16, #narrow, #smem, mutable> -> tensor<64x16xf32, #mma>
    %e = ttng.warp_group_dot_wait %d {pendings = 1 : i32} : tensor<64x16xf32, #mma>
    %next = arith.addi %i, %one : i32
    %again = arith.cmpi slt, %next, %n : i32
    cf.cond_br %again, ^loop(%next, %e : i32, tensor<64x16xf32, #mma>), ^after
  ^after:
    tt.return %e : tensor<64x16xf32, #mma>
  }

  // The first operand is computed right before: two steps of four along K need half of it; one wait.
  // CHECK-LABEL: llvm.func @in_parts
  // CHECK: %[[half:.*]] = llvm.inline_asm {{.*}} "wgmma.fence.sync.aligned;
  // CHECK-SAME: {$0, $1, $2, $3, $4, $5, $6, $7}, {$8, $9, $10, $11}, $12, 0, 1, 1, 1;
  // CHECK-SAME: {$0, $1, $2, $3, $4, $5, $6, $7}, {$13, $14, $15, $16}, $17, 1, 1, 1, 1;", "=f
  // CHECK: %[[h0:.*]] = llvm.extractvalue %[[half]][0]
  // CHECK: llvm.inline_asm {{.*}} "wgmma.fence.sync.aligned;
  // CHECK-SAME: {$16, $17, $18, $19}, $20, 1, 1, 1, 1;
  // CHECK-SAME: {$21, $22, $23, $24}, $25, 1, 1, 1, 1;
  // CHECK-SAME: wgmma.commit_group.sync.aligned;
  // CHECK-SAME: wgmma.wait_group.sync.aligned 0;", {{.*}} %[[h0]],
  tt.func public @in_parts(%x: tensor<64x64xf32, #a>) -> tensor<64x16xf32, #mma> {
    %a = arith.truncf %x : tensor<64x64xf32, #a> to tensor<64x64xf16, #a>
    %zero = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
    %b = ttg.local_alloc : () -> !ttg.memdesc<64x16xf16, #narrow, #smem, mutable>
    %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = false}
        : tensor<64x64xf16, #a> * !ttg.memdesc<64x16xf16, #narrow, #smem, mutable> -> tensor<64x16xf32, #mma>
    tt.return %d : tensor<64x16xf32, #mma>
  }

  // Edge: of fp8 numbers only 32 along K are added up by the tensor core; the rest is added in f32.
  // CHECK-LABEL: llvm.func @partial_sums
  // CHECK: m64n16k32.f32.e4m3.e5m2 {{.*}}, $8, $9, 0, 1, 1;
  // CHECK-SAME: wgmma.wait_group.sync.aligned 0;"
  // CHECK-COUNT-8: llvm.fadd
  // CHECK: m64n16k32.f32.e4m3.e5m2 {{.*}}, $8, $9, 0, 1, 1;
  // CHECK-COUNT-8: llvm.fadd
  tt.func public @partial_sums(%c: tensor<64x16xf32, #mma8>) -> tensor<64x16xf32, #mma8> {
    %a = ttg.local_alloc : () -> !ttg.memdesc<64x64xf8E4M3FN, #bytes, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<64x16xf8E5M2, #bytest, #smem, mutable>
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, maxNumImpreciseAcc = 32 : i32, isAsync = false}
        : !ttg.memdesc<64x64xf8E4M3FN, #bytes, #smem, mutable> * !ttg.memdesc<64x16xf8E5M2, #bytest, #smem, mutable>
        -> tensor<64x16xf32, #mma8>
    tt.return %d : tensor<64x16xf32, #mma8>
  }

  // Edge: a thread has no registers for 128 results and as many partial sums, so one instruction follows the other.
  // CHECK-LABEL: llvm.func @partial_sums_one_by_one
  // CHECK: m64n128k32.f32.e4m3.e5m2 {{.*}}, 0, 1, 1;
  // CHECK-SAME: m64n128k32.f32.e4m3.e5m2 {{.*}}, 1, 1, 1;
  // CHECK-SAME: wgmma.wait_group.sync.aligned 0;"
  // CHECK-COUNT-64: llvm.fadd
  // CHECK: m64n128k32.f32.e4m3.e5m2 {{.*}}, 0, 1, 1;
  // CHECK-COUNT-64: llvm.fadd
  tt.func public @partial_sums_one_by_one(%c: tensor<128x128xf32, #wide8>) -> tensor<128x128xf32, #wide8> {
    %a = ttg.local_alloc : () -> !ttg.memdesc<128x64xf8E4M3FN, #bytes, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<64x128xf8E5M2, #bytest, #smem, mutable>
    %d = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, maxNumImpreciseAcc = 64 : i32, isAsync = false}
        : !ttg.memdesc<128x64xf8E4M3FN, #bytes, #smem, mutable> * !ttg.memdesc<64x128xf8E5M2, #bytest, #smem, mutable>
        -> tensor<128x128xf32, #wide8>
    tt.return %d : tensor<128x128xf32, #wide8>
  }

  // Results go to memory, 8x8 matrices at a time.
  // CHECK-LABEL: llvm.func @results_to_memory
  // CHECK-COUNT-2: stmatrix.sync.aligned.m8n8.x4.shared.b16
  // CHECK-NOT: llvm.store
  tt.func public @results_to_memory(%d: tensor<64x32xf16, #mma>) {
    %0 = ttg.local_alloc %d : (tensor<64x32xf16, #mma>) -> !ttg.memdesc<64x32xf16, #rows, #smem>
    tt.return
  }

  // Edge: results as fp8 operands in registers: neighbours along K exchange words of four numbers.
  // CHECK-LABEL: llvm.func @results_as_operands
  // CHECK-COUNT-4: nvvm.shfl.sync
  // CHECK-NOT: nvvm.shfl.sync
  tt.func public @results_as_operands(%d: tensor<64x32xf8E5M2, #mma8>) -> tensor<64x32xf8E5M2, #a8> {
    %0 = ttg.convert_layout %d : tensor<64x32xf8E5M2, #mma8> -> tensor<64x32xf8E5M2, #a8>
    tt.return %0 : tensor<64x32xf8E5M2, #a8>
  }
}

// -----

#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [8, 1], instrShape = [16, 16, 16]}>
#left = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#right = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = true, elementBitWidth = 16}>
#smem = #ttg.shared_memory
!a = !ttg.memdesc<128x16xf16, #left, #smem, mutable>
!b = !ttg.memdesc<16x16xf16, #right, #smem, mutable>
!d = tensor<128x16xf32, #mma>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // The second group waits for the first one.  As all meet anyway before either comes here again, the first one goes on.
  // CHECK-LABEL: llvm.func @with_barrier
  // CHECK: %[[HALF:.*]] = llvm.mlir.constant(128 : i32)
  // CHECK: %[[SECOND:.*]] = llvm.icmp "uge" %{{.*}}, %[[HALF]]
  // CHECK: "@$0 bar.sync 15, 256;", "b" %[[SECOND]]
  // CHECK-NEXT: wgmma.mma_async
  // CHECK: "@!$0 bar.arrive 15, 256;", "b" %[[SECOND]]
  // CHECK: wgmma.wait_group
  tt.func public @with_barrier() -> !d {
    %zero = arith.constant dense<0.0> : !d
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    gpu.barrier
    %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true, ttkit.in_turn = 15 : i32} : !a * !b -> !d
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !d
    tt.return %w : !d
  }

  // Else it waits too: it must not come to the barrier twice in a turn.
  // CHECK-LABEL: llvm.func @without_barrier
  // CHECK: "@$0 bar.sync 15, 256;"
  // CHECK: "@!$0 bar.sync 15, 256;"
  tt.func public @without_barrier() -> !d {
    %zero = arith.constant dense<0.0> : !d
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true, ttkit.in_turn = 15 : i32} : !a * !b -> !d
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !d
    tt.return %w : !d
  }

  // Edge: others in one kernel have no order.
  // CHECK-LABEL: llvm.func @left_alone
  // CHECK-NOT: bar.sync
  // CHECK: llvm.return
  tt.func public @left_alone() -> !d {
    %zero = arith.constant dense<0.0> : !d
    %a = ttg.local_alloc : () -> !a
    %b = ttg.local_alloc : () -> !b
    %d = ttng.warp_group_dot %a, %b, %zero {inputPrecision = 0 : i32, isAsync = true} : !a * !b -> !d
    %w = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : !d
    tt.return %w : !d
  }
}

// -----

// Shared memory for two programs, which so have all registers: behind loops layouts are converted with addresses in bytes.
#mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 16, 16]}>
#rows = #ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = false, elementBitWidth = 16}>
#narrow = #ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, elementBitWidth = 16}>
#c = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32} {
  // CHECK-LABEL: llvm.func @few_programs
  // CHECK: wgmma.mma_async
  // CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
  // CHECK: llvm.cond_br
  // CHECK: llvm.getelementptr %{{.*}}[%{{.*}}] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i8
  // CHECK-NOT: !llvm.ptr<3>, f32
  // CHECK: llvm.return
  tt.func public @few_programs(%again: i1) {
    %zero = arith.constant dense<0.0> : tensor<64x16xf32, #mma>
    %a = ttg.local_alloc : () -> !ttg.memdesc<24x64x32xf16, #rows, #smem, mutable>
    %b = ttg.local_alloc : () -> !ttg.memdesc<32x16xf16, #narrow, #smem, mutable>
    %i = arith.constant 0 : i32
    %part = ttg.memdesc_index %a[%i] : !ttg.memdesc<24x64x32xf16, #rows, #smem, mutable> -> !ttg.memdesc<64x32xf16, #rows, #smem, mutable>
    %d = ttng.warp_group_dot %part, %b, %zero {inputPrecision = 0 : i32, isAsync = false}
        : !ttg.memdesc<64x32xf16, #rows, #smem, mutable> * !ttg.memdesc<32x16xf16, #narrow, #smem, mutable>
        -> tensor<64x16xf32, #mma>
    cf.br ^loop
  ^loop:
    %0 = ttg.convert_layout %d : tensor<64x16xf32, #mma> -> tensor<64x16xf32, #c>
    cf.cond_br %again, ^loop, ^behind
  ^behind:
    %1 = ttg.convert_layout %d : tensor<64x16xf32, #mma> -> tensor<64x16xf32, #c>
    tt.return
  }
}
