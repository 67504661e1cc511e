#ifndef TTKIT_TTNG_WGMMA_OPS
#define TTKIT_TTNG_WGMMA_OPS

include "mlir/Interfaces/InferTypeOpInterface.td"
include "ttng/ttng_dialect.td"

def TTNG_WarpGroupDotOp
    : TTNG_Op<"warp_group_dot", [DeclareOpInterfaceMethods<InferTypeOpInterface>,
                                 DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
                                 TypesMatchWith<"result's type matches accumulator's type", "d", "c",
                                                "$_self"> /*warp_group_dot_c1*/]> {
  let summary = "Matrix product of a warp group (wgmma)";
  let description = [{
    `d[m, n] = sum_k a[m, k] * b[k, n] + c[m, n]`; without the addend where `useC` is false.  `b`, and mostly `a`, are
    read from shared memory; `c` and `d` are registers of the four warps of each group.  With `isAsync` the product
    runs in the background: `d` may be used after `ttng.warp_group_dot_wait` only, and the buffers must stay until
    then.  Products of fp8 elements keep less precision inside the tensor core; after at most `maxNumImpreciseAcc` of
    them along K partial sums are added in full precision (0: never let the tensor core add to `c`).

    Constraints:
    - (C1) `d` has the type of `c`.
    - (C2) The layout of `d` is `nvidia_mma` of version 3.
    - (C3) The layout of `a` is `nvmma_shared`, `shared_linear` or, in registers, `dot_op`; that of `b` one of the first
      two.
    - (C4) The number of warps is a multiple of 4.
    - (C5) `d` is a matrix; in each CTA 64 divides its rows and 8 its columns.
    - (C6) Tensor cores can multiply the element types.
    - (C7) fp8 products into f32 have `maxNumImpreciseAcc >= 32`.
    - (C8) `a` in registers has `kWidth = 32 / bits(element)`.
    - (C9) `a` is M x K, `b` K x N and `d` M x N.
    - (C10) A `dot_op` layout has the right operand index and the layout of `d` as its parent.

    Example:
    ```mlir
    #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
    #tile = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    #smem = #ttg.shared_memory
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @product(%a: !ttg.memdesc<64x64xf16, #tile, #smem>, %b: !ttg.memdesc<64x64xf16, #tile, #smem>,
                       %c: tensor<64x64xf32, #mma>) {
        %0 = ttng.warp_group_dot %a, %b, %c {inputPrecision = 0 : i32, isAsync = true}
            : !ttg.memdesc<64x64xf16, #tile, #smem> * !ttg.memdesc<64x64xf16, #tile, #smem> -> tensor<64x64xf32, #mma>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins TTNG_TensorOrMemDesc:$a, TTG_MemDescType:$b, TT_FpIntTensor:$c, Optional<I1>:$useC,
                       DefaultValuedAttr<TT_InputPrecisionAttr, "::ttkit::tt::InputPrecision::IEEE">:$inputPrecision,
                       DefaultValuedAttr<I32Attr, "0">:$maxNumImpreciseAcc,
                       DefaultValuedAttr<BoolAttr, "false">:$isAsync);
  let results = (outs TT_FpIntTensor:$d);
  let assemblyFormat = [{
    $a `,` $b `,` $c (`,` $useC^)? attr-dict `:` type($a) `*` qualified(type($b)) `->` type($d)
  }];
  let hasVerifier = 1;
}

def TTNG_WarpGroupDotWaitOp
    : TTNG_Op<"warp_group_dot_wait", [DeclareOpInterfaceMethods<InferTypeOpInterface>,
                                      AllTypesMatch<["inputs", "outputs"]> /*warp_group_dot_wait_c2*/]> {
  let summary = "Wait until at most a number of warp-group products is unfinished";
  let description = [{
    `outputs[i] = inputs[i]`, valid once no more than the `pendings` newest products are unfinished.  `inputs` are the
    results of the products waited for, and buffers that they read, which stay in use until here.

    Constraints:
    - (C1) There is at least one input.
    - (C2) The outputs have the types of the inputs.

    Example:
    ```mlir
    #mma = #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 64, 16]}>
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @wait(%d: tensor<64x64xf32, #mma>) {
        %0 = ttng.warp_group_dot_wait %d {pendings = 0 : i32} : tensor<64x64xf32, #mma>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins Variadic<TTNG_TensorOrMemDesc>:$inputs, I32Attr:$pendings);
  let results = (outs Variadic<TTNG_TensorOrMemDesc>:$outputs);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
  let hasVerifier = 1;
}

#endif // TTKIT_TTNG_WGMMA_OPS
