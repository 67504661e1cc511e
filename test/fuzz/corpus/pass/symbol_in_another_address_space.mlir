// passes: convert-nv-gpu-to-llvm


module attributes {ttg.tensor_memory_size = 128 : i32} {
  llvm.mlir.global external @global_smem() {addr_space = 1 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

  // CHECK-LABEL: @base
  // CHECK: "@$0 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$1], 128;", "b,r"
  // CHECK: nvvm.barrier0
  // CHECK: %[[BASE:.*]] = llvm.inttoptr
  // CHECK: tcgen05.relinquish_alloc_permit
  // CHECK: llvm.ptrtoint %[[BASE]]
  // CHECK: nvvm.barrier0
  // CHECK: "@$0 tcgen05.dealloc.cta_group::1.sync.aligned.b32 $1, 128;", "b,r" %{{.*}}, %[[BASE]]
  // CHECK-NEXT: llvm.return
  llvm.func @base(%out: !llvm.ptr) {
    %0 = nvg.tensor_memory_base
    %1 = llvm.ptrtoint %0 : !llvm.ptr<6> to i32
    llvm.store %1, %out : i32, !llvm.ptr
    llvm.return
  }
}

