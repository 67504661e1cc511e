// Tensor descriptors: block access to tensors in memory that hardware can do by itself (TMA).

#ifndef TTKIT_TT_DESCRIPTOR_OPS
#define TTKIT_TT_DESCRIPTOR_OPS

include "tt/tt_types.td"
include "tt/tt_enums.td"

def TT_MakeTensorDescOp : TT_Op<"make_tensor_descriptor", [Pure, SameVariadicOperandSize]> {
  let summary = "Descriptor from a base address, a shape and strides";
  let description = [{
    Describes a tensor of `shape` in memory, whose element `i` is at `base + sum over d of i[d] * strides[d]` elements,
    for access in blocks of the result's block type.  Elements outside the shape read as `padding` and are not written.

    Constraints:
    - (C1) `base` points to the element type of the block, signedness aside.
    - (C2) `shape` and `strides` each have one value for each dimension of the block.
    - (C3) NaN `padding` needs a floating-point element type.

    Example:
    ```mlir
    tt.func @example(%p: !tt.ptr<f16>, %m: i32, %n: i32, %stride: i64, %one: i64) {
      %0 = tt.make_tensor_descriptor %p, [%m, %n], [%stride, %one] {padding = 2 : i32} : <f16>, <tensor<64x64xf16>>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_Ptr:$base,
                       Variadic<I32>:$shape,
                       Variadic<I64>:$strides,
                       DefaultValuedAttr<TT_PaddingOptionAttr, "::ttkit::tt::PaddingOption::PAD_ZERO">:$padding);
  let results = (outs TT_TensorDescType:$result);
  let assemblyFormat = "$base `,` `[` $shape `]` `,` `[` $strides `]` attr-dict `:` type($base) `,` type($result)";
  let hasVerifier = 1;
}

def TT_DescriptorLoadOp : TT_Op<"descriptor_load", []> {
  let summary = "Block read through a descriptor";
  let description = [{
    `result[i] = tensor[indices + i]`, `tensor` being what `desc` describes; the descriptor's padding where that is
    outside.  The block may have leading dimensions of size one that the result lacks.  They count
    as 0 in `i`.

    Constraints:
    - (C1) There is an index for each dimension of the block; more of them where the tensor has more dimensions.
    - (C2) `result` has the shape of the block, or that without leading dimensions of size one.
    - (C3) `result` has the element type of the block, signedness aside.

    Example:
    ```mlir
    tt.func @example(%desc: !tt.tensordesc<tensor<64x64xf16>>, %i: i32, %j: i32) -> tensor<64x64xf16> {
      %0 = tt.descriptor_load %desc[%i, %j] : !tt.tensordesc<tensor<64x64xf16>> -> tensor<64x64xf16>
      tt.return %0 : tensor<64x64xf16>
    }
    ```
  }];
  let arguments = (ins Arg<TT_TensorDescType, "", [MemRead<GlobalMemory>]>:$desc,
                       Variadic<I32>:$indices,
                       DefaultValuedAttr<TT_CacheModifierAttr, "::ttkit::tt::CacheModifier::NONE">:$cache,
                       DefaultValuedAttr<TT_EvictionPolicyAttr, "::ttkit::tt::EvictionPolicy::NORMAL">:$evict);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = [{
    $desc `[` $indices `]` oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` qualified(type($desc)) `->` type($result)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorStoreOp : TT_Op<"descriptor_store", []> {
  let summary = "Block written through a descriptor";
  let description = [{
    `tensor[indices + i] = src[i]`, `tensor` being what `desc` describes, wherever that is inside.  The block
    may have leading dimensions of size one that `src` lacks: they count as 0 in `i`.

    Constraints:
    - (C1) There is an index for each dimension of the block; more of them where the tensor has more dimensions.
    - (C2) `src` has the shape of the block, or that without leading dimensions of size one.
    - (C3) `src` has the element type of the block, signedness aside.

    Example:
    ```mlir
    tt.func @example(%desc: !tt.tensordesc<tensor<64x64xf16>>, %src: tensor<64x64xf16>, %i: i32, %j: i32) {
      tt.descriptor_store %desc[%i, %j], %src : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TT_TensorDescType, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc,
                       TT_Tensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = [{
    $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorReduceOp : TT_Op<"descriptor_reduce", []> {
  let summary = "Block combined with memory through a descriptor";
  let description = [{
    `tensor[indices + i] = kind(tensor[indices + i], src[i])`, `tensor` being what `desc` describes, wherever that is
    inside; each element in one indivisible step.  `inc` is `old >= src ? 0 : old + 1`, `dec` is
    `old == 0 or old > src ? src : old - 1`.

    Constraints:
    - (C1) There is an index for each dimension of the block; more of them where the tensor has more dimensions.
    - (C2) `src` has the shape of the block, or that without leading dimensions of size one.
    - (C3) `src` has the element type of the block, signedness aside.

    Example:
    ```mlir
    tt.func @example(%desc: !tt.tensordesc<tensor<64x64xf16>>, %src: tensor<64x64xf16>, %i: i32, %j: i32) {
      tt.descriptor_reduce add, %desc[%i, %j], %src : !tt.tensordesc<tensor<64x64xf16>>, tensor<64x64xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins TT_DescriptorReduceKindAttr:$kind,
                       Arg<TT_TensorDescType, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc,
                       TT_Tensor:$src,
                       Variadic<I32>:$indices);
  let assemblyFormat = [{
    $kind `,` $desc `[` $indices `]` `,` $src attr-dict `:` qualified(type($desc)) `,` type($src)
  }];
  let hasVerifier = 1;
}

def TT_DescriptorGatherOp : TT_Op<"descriptor_gather", []> {
  let summary = "Rows read through a descriptor, each from an index of its own";
  let description = [{
    `result[r, c] = tensor[x_offsets[r], y_offset + c]`, `tensor` being what `desc` describes; its padding where that is
    outside.  The size limits are those of the hardware.

    Constraints:
    - (C1) The block is of one row: `1xN`.
    - (C2) `x_offsets` is one-dimensional.
    - (C3) `result` has one row of `N` columns for each of `x_offsets`.
    - (C4) `result` has at least 8 rows, and `256 / bits` columns, of elements of at most 32 bits.
    - (C5) `result` has the element type of the block, signedness aside.

    Example:
    ```mlir
    tt.func @example(%desc: !tt.tensordesc<tensor<1x64xf16>>, %rows: tensor<32xi32>, %column: i32) {
      %0 = tt.descriptor_gather %desc[%rows, %column]
          : (!tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32) -> tensor<32x64xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TT_TensorDescType, "", [MemRead<GlobalMemory>]>:$desc,
                       TT_I32Tensor:$x_offsets,
                       I32:$y_offset);
  let results = (outs TT_Tensor:$result);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def TT_DescriptorScatterOp : TT_Op<"descriptor_scatter", []> {
  let summary = "Rows written through a descriptor, each to an index of its own";
  let description = [{
    `tensor[x_offsets[r], y_offset + c] = src[r, c]`, `tensor` being what `desc` describes, wherever that is inside.  Of
    rows with the same index, one is stored, no matter which.  The size limits are those of the hardware.

    Constraints:
    - (C1) The block is of one row: `1xN`.
    - (C2) `x_offsets` is one-dimensional.
    - (C3) `src` has one row of `N` columns for each of `x_offsets`.
    - (C4) `src` has at least 8 rows, and `256 / bits` columns, of elements of at most 32 bits.
    - (C5) `src` has the element type of the block, signedness aside.

    Example:
    ```mlir
    tt.func @example(%desc: !tt.tensordesc<tensor<1x64xf16>>, %rows: tensor<32xi32>, %column: i32,
                     %src: tensor<32x64xf16>) {
      tt.descriptor_scatter %desc[%rows, %column], %src
          : !tt.tensordesc<tensor<1x64xf16>>, tensor<32xi32>, i32, tensor<32x64xf16>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<TT_TensorDescType, "", [MemRead<GlobalMemory>, MemWrite<GlobalMemory>]>:$desc,
                       TT_I32Tensor:$x_offsets,
                       I32:$y_offset,
                       TT_Tensor:$src);
  let assemblyFormat = "$desc `[` $x_offsets `,` $y_offset `]` `,` $src attr-dict `:` type(operands)";
  let hasVerifier = 1;
}

#endif // TTKIT_TT_DESCRIPTOR_OPS
