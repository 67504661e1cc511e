#ifndef TTKIT_NVG_INSTRUCTION_OPS
#define TTKIT_NVG_INSTRUCTION_OPS

include "nvg/nvg_dialect.td"

def NVG_WarpIdOp : NVG_Op<"warp_id", [Pure]> {
  let summary = "Number of the warp within its CTA";
  let description = [{
    In a partition of `ttg.warp_specialize`, within the partition.  The same in all threads of a warp, and known to be.

    Example:
    ```mlir
    llvm.func @which() {
      %0 = nvg.warp_id
      llvm.return
    }
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def NVG_ClusterCTAIdOp : NVG_Op<"cluster_id", [Pure]> {
  let summary = "Number of the CTA within its cluster";
  let description = [{
    Example:
    ```mlir
    llvm.func @which() {
      %0 = nvg.cluster_id
      llvm.return
    }
    ```
  }];
  let results = (outs I32:$result);
  let assemblyFormat = "attr-dict";
}

def NVG_TensorMemoryBaseAddress : NVG_Op<"tensor_memory_base", [Pure]> {
  let summary = "Address of the tensor memory that the kernel has allocated";
  let description = [{
    Its lowering allocates as many columns as the module's attribute `ttg.tensor_memory_size` says when the kernel
    begins, and frees them when it ends.

    Example:
    ```mlir
    llvm.func @base() {
      %0 = nvg.tensor_memory_base
      llvm.return
    }
    ```
  }];
  let results = (outs LLVM_PointerInAddressSpace<6>:$result);
  let assemblyFormat = "attr-dict";
}

def NVG_LoadAcquireOp : NVG_Op<"ld_acquire"> {
  let summary = "Load from global memory with an ordering";
  let description = [{
    0 where `mask` does not hold.

    Example:
    ```mlir
    llvm.func @load(%p: !llvm.ptr<1>, %mask: i1) {
      %0 = nvg.ld_acquire acquire, gpu, %p, %mask : (!llvm.ptr<1>) -> i32
      llvm.return
    }
    ```
  }];
  let arguments = (ins Arg<LLVM_PointerInAddressSpace<1>, "where", [MemRead<GlobalMemory>]>:$addr, Optional<I1>:$mask,
                       DefaultValuedAttr<TT_MemSemanticAttr, "::ttkit::tt::MemSemantic::ACQUIRE">:$sem,
                       DefaultValuedAttr<TT_MemSyncScopeAttr, "::ttkit::tt::MemSyncScope::SYSTEM">:$scope);
  let results = (outs AnyTypeOf<[AnyInteger, AnyFloat]>:$result);
  let assemblyFormat = [{
    $sem `,` $scope `,` $addr (`,` $mask^)? attr-dict `:` functional-type($addr, $result)
  }];
}

def NVG_WGMMAOp : NVG_Op<"wgmma"> {
  let summary = "One matrix product of a warp group, in the background";
  let description = [{
    `opA` is a struct of registers or a descriptor of shared memory, `opB` a descriptor; `m`, `n` and `k` are the shape.
    Without `opC` the accumulator starts at 0; where `useC` does not hold, too.

    Example:
    ```mlir
    llvm.func @product(%a: i64, %b: i64, %use: i1, %c: !llvm.struct<(f32, f32, f32, f32)>) {
      %0 = nvg.wgmma %a, %b, %use, %c {eltTypeA = 4 : i32, eltTypeB = 4 : i32, eltTypeC = 7 : i32, k = 16 : i32,
          layoutA = 0 : i32, layoutB = 1 : i32, m = 64 : i32, n = 8 : i32}
          : (i64, i64, i1, !llvm.struct<(f32, f32, f32, f32)>) -> !llvm.struct<(f32, f32, f32, f32)>
      llvm.return
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[LLVM_AnyStruct, I64]>:$opA, AnyTypeOf<[LLVM_AnyStruct, I64]>:$opB, I1:$useC,
                       Optional<LLVM_AnyStruct>:$opC, I32Attr:$m, I32Attr:$n, I32Attr:$k, NVG_EltTypeAttr:$eltTypeC,
                       NVG_EltTypeAttr:$eltTypeA, NVG_EltTypeAttr:$eltTypeB, NVG_LayoutAttr:$layoutA,
                       NVG_LayoutAttr:$layoutB);
  let results = (outs LLVM_AnyStruct:$res);
  let assemblyFormat = [{
    $opA `,` $opB `,` $useC (`,` $opC^)? attr-dict `:` functional-type(operands, $res)
  }];
}

def NVG_WGMMAWaitGroupOp : NVG_Op<"wgmma_wait_group", [AllTypesMatch<["input", "output"]>]> {
  let summary = "Wait until at most `pendings` groups of products run";
  let description = [{
    `output` is `input`, as the products leave it.

    Example:
    ```mlir
    llvm.func @wait(%c: !llvm.struct<(f32, f32, f32, f32)>) {
      %0 = nvg.wgmma_wait_group %c {pendings = 0 : i32} : !llvm.struct<(f32, f32, f32, f32)>
      llvm.return
    }
    ```
  }];
  let arguments = (ins LLVM_AnyStruct:$input, I32Attr:$pendings);
  let results = (outs LLVM_AnyStruct:$output);
  let assemblyFormat = "$input attr-dict `:` type($input)";
}

#endif // TTKIT_NVG_INSTRUCTION_OPS
