#ifndef TTKIT_NVWS_AREF_OPS
#define TTKIT_NVWS_AREF_OPS

include "nvws/nvws_dialect.td"

class NVWS_ArefEnterOp<string mnemonic> : NVWS_Op<mnemonic, [AttrSizedOperandSegments, RequiredSegments<"0">]> {
  let arguments = (ins NVWS_ArefType:$aref, Optional<I32>:$stage, Optional<I32>:$phase);
  let results = (outs Variadic<TTG_MemDescType>:$buffers, TTG_AsyncToken:$token);
  let assemblyFormat = [{
    $aref (`[` $stage^ `,` $phase `]`)? attr-dict `:` type($aref) `->` qualified(type(results))
  }];
  let hasVerifier = 1;
}

class NVWS_ArefExitOp<string mnemonic> : NVWS_Op<mnemonic> {
  let arguments = (ins NVWS_ArefType:$aref, TTG_AsyncToken:$token, Optional<I32>:$stage,
                       TypedArrayAttrBase<NVWS_AsyncOpAttr, "array of async op attributes">:$async_ops);
  let assemblyFormat = [{
    $aref (`[` $stage^ `]`)? `,` $token $async_ops attr-dict `:` type($aref) `,` qualified(type($token))
  }];
}

def NVWS_ArefCreateOp : NVWS_Op<"aref.create", [
    Pure, RangedTypesMatchWith<"input types match Aref output type", "result", "buffers",
                               "::llvm::cast<ArefType>($_self).getBaseType()"> /*aref_create_c1*/]> {
  let summary = "Make an asynchronous reference of buffers";
  let description = [{
    All buffers are handed over together.

    Constraints:
    - (C1) The type lists those of `buffers`.
    - (C2) Nothing else uses the buffers.
    - (C3) Their first dimensions are equal.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @create(%x: !ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>) {
      %0 = nvws.aref.create %x : !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>
      tt.return
    }
    ```
  }];
  let arguments = (ins Variadic<TTG_MemDescType>:$buffers);
  let results = (outs NVWS_ArefType:$result);
  let assemblyFormat = "$buffers attr-dict `:` type($result)";
  let hasVerifier = 1;
}

def NVWS_ArefBufferOp : NVWS_Op<"aref.buffer"> {
  let summary = "The buffers that were entered";
  let description = [{
    `token` is that of the `put.enter` or `get.enter` before; `stage` is the number of the buffer once it is known.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @again(%a: !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>, %t: !ttg.async.token) {
      %0 = nvws.aref.buffer %a, %t : !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>,
          !ttg.async.token -> !ttg.memdesc<64x16xf16, #shared, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins NVWS_ArefType:$aref, TTG_AsyncToken:$token, Optional<I32>:$stage);
  let results = (outs Variadic<TTG_MemDescType>:$buffers);
  let assemblyFormat = [{
    $aref (`[` $stage^ `]`)? `,` $token attr-dict `:` type($aref) `,` qualified(type($token)) `->`
    qualified(type($buffers))
  }];
}

def NVWS_ArefPutEnterOp : NVWS_ArefEnterOp<"aref.put.enter"> {
  let summary = "Wait until the next buffer is empty";
  let description = [{
    Gives it to be filled, and a token for what is done with it.  `stage` and `phase` say which buffer and which turn,
    once they are known.

    Constraints:
    - (C1) One result for each type of the reference, of the same elements and shape, without its first
      dimension.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @fill(%a: !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>) {
      %buffers, %token = nvws.aref.put.enter %a : !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>
          -> !ttg.memdesc<64x16xf16, #shared, #smem, mutable>, !ttg.async.token
      tt.return
    }
    ```
  }];
}

def NVWS_ArefPutExitOp : NVWS_ArefExitOp<"aref.put.exit"> {
  let summary = "Say that the buffer is full";
  let description = [{
    It is once all of `async_ops`, which still run, have ended.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @filled(%a: !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>, %t: !ttg.async.token) {
      nvws.aref.put.exit %a, %t [#nvws.async_op<tma_load>]
          : !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>, !ttg.async.token
      tt.return
    }
    ```
  }];
}

def NVWS_ArefGetEnterOp : NVWS_ArefEnterOp<"aref.get.enter"> {
  let summary = "Wait until the next buffer is full";
  let description = [{
    Gives it to be read, as `aref.put.enter` gives it to be written.

    Constraints:
    - (C1) As `aref.put.enter`.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @use(%a: !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>, %stage: i32, %phase: i32) {
      %buffers, %token = nvws.aref.get.enter %a[%stage, %phase]
          : !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>
          -> !ttg.memdesc<64x16xf16, #shared, #smem, mutable>, !ttg.async.token
      tt.return
    }
    ```
  }];
}

def NVWS_ArefGetExitOp : NVWS_ArefExitOp<"aref.get.exit"> {
  let summary = "Say that the buffer may be filled again";
  let description = [{
    It may once all of `async_ops`, which still run, have ended.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @used(%a: !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>, %t: !ttg.async.token,
                  %stage: i32) {
      nvws.aref.get.exit %a[%stage], %t [#nvws.async_op<tc5mma>]
          : !nvws.aref<[!ttg.memdesc<2x64x16xf16, #shared, #smem, mutable>]>, !ttg.async.token
      tt.return
    }
    ```
  }];
}

#endif // TTKIT_NVWS_AREF_OPS
