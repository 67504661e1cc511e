// passes: convert-nv-gpu-to-llvm
module attributes {ttg.tensor_memory_size = 128 : i32} {
  "unknown.operation"() ({
  }) {addr_space = 3 : i32, alignment = 16 : i64, global_type = !llvm.array<0 x i8>, linkage = #llvm.linkage<external>, sym_name = "global_smem", unnamed_addr = 0 : i64, visibility_ = 0 : i64} : () -> ()
  llvm.func @base(%arg0: !llvm.ptr) {
    %0 = nvg.tensor_memory_base
    %1 = llvm.ptrtoint %0 : !llvm.ptr<6> to i32
    llvm.store %1, %arg0 : i32, !llvm.ptr
    llvm.return
  }
}
