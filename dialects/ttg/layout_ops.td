#ifndef TTKIT_TTG_LAYOUT_OPS
#define TTKIT_TTG_LAYOUT_OPS

include "ttg/ttg_types.td"

def TTG_ConvertLayoutOp
    : TTG_Op<"convert_layout", [SameOperandsAndResultShape,         // convert_layout_c1
                                SameOperandsAndResultElementType,   // convert_layout_c2
                                Pure]> {
  let summary = "Redistribute a tensor over threads and registers";
  let description = [{
    `result[i] = src[i]`.  Only the place of each element, its block, warp, lane and register, may differ.  Lowered to
    register moves, warp shuffles or a trip through shared memory, whichever the two layouts need.

    Constraints:
    - (C1) `src` and `result` have the same shape.
    - (C2) `src` and `result` have the same element type.

    Example:
    ```mlir
    #row = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
    #col = #ttg.blocked<{sizePerThread = [4, 1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 4], order = [0, 1]}>
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @redistribute(%x: tensor<32x32xf32, #row>) {
        %0 = ttg.convert_layout %x : tensor<32x32xf32, #row> -> tensor<32x32xf32, #col>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins TT_Tensor:$src);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasCanonicalizer = 1;
}

def TTG_Fp4ToFpOp : TTG_Op<"fp4_to_fp", [Pure]> {
  let summary = "Unpack pairs of e2m1 floats from bytes and widen them";
  let description = [{
    `result[..., 2 * i, ...] = e2m1(src[..., i, ...] & 15)` and `result[..., 2 * i + 1, ...] = e2m1(src[..., i, ...]
    >> 4)` along dimension `axis`.  Each thread widens the bytes that it holds, so the layout of `src` follows from
    that of `result`: half as many registers along `axis`.

    Constraints:
    - (C1) The element type of `result` is f16 or bf16.
    - (C2) `0 <= axis < rank(src) = rank(result)`.
    - (C3) `dim(result, axis) = 2 * dim(src, axis)`; all other dimensions are equal.
    - (C4) Both have a layout or neither has.
    - (C5) The layout of `src` is the one inferred from that of `result`.

    Example:
    ```mlir
    #packed = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
    #wide = #ttg.blocked<{sizePerThread = [1, 8], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
    module attributes {"ttg.num-warps" = 4 : i32} {
      tt.func @unpack(%x: tensor<32x32xi8, #packed>) {
        %0 = ttg.fp4_to_fp %x {axis = 1 : i32} : tensor<32x32xi8, #packed> -> tensor<32x64xbf16, #wide>
        tt.return
      }
    }
    ```
  }];
  let arguments = (ins RankedTensorOf<[I8]>:$src, I32Attr:$axis);
  let results = (outs TT_FloatTensor:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
  let hasVerifier = 1;
}

#endif // TTKIT_TTG_LAYOUT_OPS
