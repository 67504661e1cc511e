// Products that accumulate in tensor memory.

#ifndef TTKIT_TTNG_TCGEN5_OPS
#define TTKIT_TTNG_TCGEN5_OPS

include "ttng/ttng_dialect.td"

class TTNG_TCGen5Op<string mnemonic, string requiredOperands>
    : TTNG_Op<mnemonic, [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, AttrSizedOperandSegments,
                         RequiredSegments<requiredOperands>]> {
  let results = (outs Optional<TTG_AsyncToken>:$token);
  let hasVerifier = 1;
}

def TTNG_TCGen5MMAOp : TTNG_TCGen5Op<"tc_gen5_mma", "0, 1, 2, 4, 5"> {
  let summary = "Matrix product into tensor memory (tcgen05.mma)";
  let description = [{
    Where `pred` holds: `d[m, n] = sum_k a[m, k] * b[k, n] + (useD ? d[m, n] : 0)`.  With `is_async` the product runs
    in the background and gives an arrival at each of `barriers` whose `barrier_preds` holds.  With `two_ctas` two
    CTAs compute it together, each with half of `b`.  With `is_unsigned`, integers of `a` and `b` are not negative.

    Constraints:
    - (C1) There are barriers only with `is_async`, as many as `barrier_preds`.
    - (C2) The element types of `a` and `b` are of one kind, and `d` has an element type that the kind can accumulate
      in.
    - (C3) The layout of `a` is `nvmma_shared`, `shared_linear` or one of blocks in tensor memory; that of `b` one of
      the first two; that of `d` one of blocks in tensor memory.
    - (C4) `a` in tensor memory has `colStride = 1`, `d` has `colStride = 32 / bits(element)`.
    - (C5) With `two_ctas`: the CTAs split `a` along M as `d`, into two parts or more, and not along K; they split `b`
      along N twice as often as `d`; the layouts in tensor memory have `twoCTAs`.
    - (C6) `a` is M x K, `b` K x N and `d` M x N.
    - (C7) `a` and `d` are not both in tensor memory with interleaved blocks of 64 rows.

    Example:
    ```mlir
    #tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
    #smem = #ttg.shared_memory
    tt.func @product(%a: !ttg.memdesc<128x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>,
                     %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, %true: i1,
                     %bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>) {
      ttng.tc_gen5_mma %a, %b, %d, %true, %true, %bar[%true] {is_async}
          : !ttg.memdesc<128x64xf16, #tile, #smem>, !ttg.memdesc<64x64xf16, #tile, #smem>,
            !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>, !ttg.memdesc<1xi64, #bar, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$a, TTG_MemDescType:$b, TTG_MemDescType:$d, Optional<TTG_AsyncToken>:$acc_dep,
                       I1:$useD, I1:$pred, Variadic<TTG_MemDescType>:$barriers, Variadic<I1>:$barrier_preds,
                       UnitAttr:$is_async, UnitAttr:$two_ctas, UnitAttr:$is_unsigned);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $useD `,` $pred
    `` custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) (`,` qualified(type($barriers))^)?
  }];
}

def TTNG_TCGen5MMAScaledOp : TTNG_TCGen5Op<"tc_gen5_mma_scaled", "0, 1, 2, 4, 5, 6, 7"> {
  let summary = "Matrix product of block-scaled operands into tensor memory";
  let description = [{
    As `ttng.tc_gen5_mma` of `a[m, k] * a_scale[m, k / s]` and `b[k, n] * b_scale[n, k / s]`, for blocks of `s`
    elements, 32 or 16, along K.  `a_type` and `b_type` say what the bytes are; e2m1 packs two elements in one.

    Constraints:
    - (C1) The element types of `a` and `b` are of one kind, and `d` has an element type that the kind can accumulate
      in.
    - (C2) `a` is M x K, `b` K x N and `d` M x N, packed operands counted in elements.
    - (C3) There are as many `barriers` as `barrier_preds`.
    - (C4) `a` and `d` are not both in tensor memory with interleaved blocks of 64 rows.
    - (C5) `a` in tensor memory is e2m1 if its layout has `fp4Padded`.

    Example:
    ```mlir
    #tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 8}>
    #tmem = #ttng.tensor_memory_encoding<blockM = 128, blockN = 64, colStride = 1>
    #scales = #ttng.tensor_memory_scales_encoding<>
    #smem = #ttg.shared_memory
    tt.func @product(%a: !ttg.memdesc<128x128xf8E4M3FN, #tile, #smem>, %b: !ttg.memdesc<128x64xf8E4M3FN, #tile, #smem>,
                     %d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
                     %as: !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>,
                     %bs: !ttg.memdesc<64x4xi8, #scales, #ttng.tensor_memory>, %true: i1) {
      ttng.tc_gen5_mma_scaled %a, %b, %d, %as, %bs, %true, %true lhs = e4m3 rhs = e4m3
          : !ttg.memdesc<128x128xf8E4M3FN, #tile, #smem>, !ttg.memdesc<128x64xf8E4M3FN, #tile, #smem>,
            !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>,
            !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory>, !ttg.memdesc<64x4xi8, #scales, #ttng.tensor_memory>
      tt.return
    }
    ```
  }];
  let arguments = (ins TTG_MemDescType:$a, TTG_MemDescType:$b, TTG_MemDescType:$d, Optional<TTG_AsyncToken>:$acc_dep,
                       TTG_MemDescType:$a_scale, TTG_MemDescType:$b_scale,
                       TT_ScaleDotElemTypeAttr:$a_type, TT_ScaleDotElemTypeAttr:$b_type,
                       I1:$useD, I1:$pred, Variadic<TTG_MemDescType>:$barriers, Variadic<I1>:$barrier_preds,
                       UnitAttr:$is_async);
  let assemblyFormat = [{
    $a `,` $b `,` $d `` custom<Token>($acc_dep, type($token)) `,` $a_scale `,` $b_scale `,` $useD `,` $pred
    `lhs` `=` $a_type `rhs` `=` $b_type `` custom<BarriersAndPreds>($barriers, $barrier_preds) attr-dict
    `:` qualified(type($a)) `,` qualified(type($b)) `,` qualified(type($d)) `,` qualified(type($a_scale)) `,`
    qualified(type($b_scale)) (`,` qualified(type($barriers))^)?
  }];
}

def TTNG_TCGen5CommitOp : TTNG_Op<"tc_gen5_commit"> {
  let summary = "Arrive at an mbarrier when all products and copies so far are done";
  let description = [{
    Where `pred` holds: one arrival at `barrier`, in the background, after all asynchronous tensor-core operations
    issued before, those with `two_ctas` or those without as here.  Arrivals come in the order of their commits.
    With `descs`, operands of these products, each CTA arrives at its barrier in all CTAs that have the same part of one
    of them: what TMA's copies for several CTAs may fill again.

    Constraints:
    - (C1) `descs` are in shared memory; there are 4 at most, all divided among as many CTAs.

    Example:
    ```mlir
    #bar = #ttg.swizzled_shared<{vec = 1, perPhase = 1, maxPhase = 1, order = [0]}>
    #smem = #ttg.shared_memory
    tt.func @commit(%bar: !ttg.memdesc<1xi64, #bar, #smem, mutable>, %pred: i1) {
      ttng.tc_gen5_commit %bar, %pred : !ttg.memdesc<1xi64, #bar, #smem, mutable>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TTG_MemDescType, "the barrier", [MemWrite<SharedMemory>]>:$barrier,
                       Variadic<AnyTypeOf<[I1, TTG_MemDescType], "pred, if there is one, then descs">>:$rest,
                       UnitAttr:$two_ctas);
  let assemblyFormat = [{
    $barrier `` custom<PredAndDescs>($rest) attr-dict `:` qualified(type($barrier))
    `` custom<PredAndDescTypes>(type($rest), ref($rest))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Operands of the products: all of `rest` but a predicate.
    ::mlir::OperandRange getDescs();
  }];
}

#endif // TTKIT_TTNG_TCGEN5_OPS
