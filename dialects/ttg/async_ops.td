#ifndef TTKIT_TTG_ASYNC_OPS
#define TTKIT_TTG_ASYNC_OPS

include "mlir/IR/EnumAttr.td"
include "ttg/ttg_enums.td"
include "ttg/ttg_types.td"
include "tt/tt_enums.td"

// --- Copies in the background ----------------------------------------------------------------------------------------

def TTG_AsyncCopyGlobalToLocalOp : TTG_Op<"async_copy_global_to_local", [
    AttrSizedOperandSegments, RequiredSegments<"0, 1">,
    OptionalTypesMatchWith<"infer mask type from src type", "src", "mask",      // async_copy_global_to_local_c1
                           "::ttkit::tt::getI1SameShape($_self)">,
    OptionalTypesMatchWith<"infer other type from src type", "src", "other",    // async_copy_global_to_local_c2
                           "::ttkit::tt::getPointeeType($_self)">]> {
  let summary = "Start copies from global to shared memory";
  let description = [{
    `result[i] = mask[i] ? *src[i] : other[i]`, at some time before `ttg.async_wait` returns for the group that
    `token` was committed to.  Without `mask` all elements are copied; without `other` the masked ones are zero.
    `contiguity` is the number of elements that may go in one transfer where pointer analysis cannot prove more.

    Constraints:
    - (C1) `mask` is i1 with the shape and layout of `src`.
    - (C2) `other` has the pointee type, shape and layout of `src`.
    - (C3) `result` is mutable.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
    #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    #smem = #ttg.shared_memory
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @copy(%p: tensor<64x64x!tt.ptr<f16>, #blocked>, %mask: tensor<64x64xi1, #blocked>,
                    %buffer: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>) {
        %0 = ttg.async_copy_global_to_local %p, %buffer mask %mask cacheModifier = cg
            : tensor<64x64x!tt.ptr<f16>, #blocked> -> <64x64xf16, #shared, #smem, mutable>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins
    Arg<TT_PtrTensor, "where to read", [MemRead<GlobalMemory>]>:$src,
    Arg<TTG_MemDescType, "where to write", [MemWrite<SharedMemory>]>:$result,
    Optional<RankedTensorOf<[I1], [], "tensor">>:$mask,
    Optional<TT_Type>:$other,
    DefaultValuedAttr<TT_CacheModifierAttr, "::ttkit::tt::CacheModifier::NONE">:$cache,
    DefaultValuedAttr<TT_EvictionPolicyAttr, "::ttkit::tt::EvictionPolicy::NORMAL">:$evict,
    DefaultValuedAttr<BoolAttr, "false">:$isVolatile,
    DefaultValuedAttr<I32Attr, "1">:$contiguity);
  let results = (outs TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $src `,` $result (`mask` $mask^)? (`other` $other^)?
    oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($src) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TTG_AsyncCommitGroupOp : TTG_Op<"async_commit_group"> {
  let summary = "Close the group of asynchronous copies started so far";
  let description = [{
    All copies that the thread started since the last group form a new one.  `inputTokens` name them for analyses;
    `asyncToken` stands for the group.

    Example:
    ```mlir
    tt.func @group(%copy: !ttg.async.token) {
      %0 = ttg.async_commit_group tokens %copy
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<TTG_AsyncToken>:$inputTokens);
  let results = (outs TTG_AsyncToken:$asyncToken);
  let assemblyFormat = "(`tokens` $inputTokens^)? attr-dict";
}

def TTG_AsyncWaitOp : TTG_Op<"async_wait"> {
  let summary = "Wait until at most a number of copy groups is unfinished";
  let description = [{
    Returns once no more than the `num` newest groups of the thread are unfinished.  Other threads' copies need a
    barrier as well.

    Example:
    ```mlir
    tt.func @wait(%group: !ttg.async.token) {
      %0 = ttg.async_wait %group {num = 1 : i32}
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<TTG_AsyncToken>:$asyncToken, I32Attr:$num);
  let results = (outs TTG_AsyncToken:$retToken);
  let assemblyFormat = "($asyncToken^)? attr-dict";
}

def TTG_PrefetchOp : TTG_Op<"prefetch", [
    MemoryEffects<[MemRead<GlobalMemory>, MemWrite]>,
    OptionalTypesMatchWith<"infer mask type from src type", "src", "mask",      // prefetch_c1
                           "::ttkit::tt::getI1SameShape($_self)">]> {
  let summary = "Bring elements of global memory into the caches";
  let description = [{
    Advice: `*src[i]` where `mask[i]` will be read soon.  No value and no later access depends on it; it stays where it
    is among accesses of global memory.  Triton has no such operation.

    Constraints:
    - (C1) `mask` is i1 with the shape and layout of `src`.

    Example:
    ```mlir
    tt.func @soon(%p: tensor<64x!tt.ptr<f32>>, %mask: tensor<64xi1>, %q: !tt.ptr<f32>) {
      ttg.prefetch %p, %mask : tensor<64x!tt.ptr<f32>>
      ttg.prefetch %q : !tt.ptr<f32>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_PtrLike:$src, Optional<TT_BoolLike>:$mask);
  let assemblyFormat = "$src (`,` $mask^)? attr-dict `:` type($src)";
}

// --- Barriers --------------------------------------------------------------------------------------------------------

def TTG_LocalBarrierOp : TTG_Op<"local_barrier"> {
  let summary = "Wait for all threads of the CTA and make shared memory consistent";
  let description = [{
    No thread goes on before all have arrived; what they wrote to shared memory before is then visible to all.  Says
    nothing about global memory.  Newer IR spells it `ttg.barrier local`.

    Example:
    ```mlir
    tt.func @sync() {
      ttg.local_barrier
      tt.return
    }
    ```
  }];
  let assemblyFormat = "attr-dict";
}

def TTG_BarrierOp : TTG_Op<"barrier"> {
  let summary = "Wait for all threads of the CTA and make chosen memories consistent";
  let description = [{
    No thread goes on before all have arrived; the accesses named by `addrSpace` that they made before are then
    visible to all.  `none` only synchronizes, `all` stands for the five kinds together: `local` (shared memory),
    `global_read`, `global_write`, `tensor_read`, `tensor_write` (tensor memory).

    Example:
    ```mlir
    tt.func @sync() {
      ttg.barrier local
      ttg.barrier local|global_write
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_AddrSpaceAttr:$addrSpace);
  let assemblyFormat = "custom<AddrSpace>($addrSpace) attr-dict";
}

#endif // TTKIT_TTG_ASYNC_OPS
