// Loads and stores through pointers and block pointers.

#ifndef TTKIT_TT_MEMORY_OPS
#define TTKIT_TT_MEMORY_OPS

include "tt/tt_types.td"
include "tt/tt_enums.td"

def TT_LoadOp : TT_Op<"load", [
    SameLoadStoreOperandsAndResultShape, SameLoadStoreOperandsAndResultEncoding, AttrSizedOperandSegments,
    RequiredSegments<"0">,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<InferTypeOpInterface>,
    // Not TypesMatchWith, whose generated type inference would not notice a ptr of another type.
    PredOpTrait<"result matches ptr type",
                CPred<"::ttkit::tt::getPointeeType($ptr.getType()) == $result.getType()">> /*load_c1*/,
    TypesMatchWith<"mask type matches ptr type", "ptr", "mask",
                   "::ttkit::tt::getI1SameShape(::ttkit::tt::getPointeeType($_self))",
                   "($_op.getOperands().size() <= 1) || std::equal_to<>()"> /*load_c2*/,
    TypesMatchWith<"other matches ptr type", "ptr", "other", "::ttkit::tt::getPointeeType($_self)",
                   "($_op.getOperands().size() <= 2) || std::equal_to<>()"> /*load_c3*/]> {
  let summary = "Values read from memory";
  let description = [{
    `result[i] = mask[i] ? *ptr[i] : other[i]`; an absent `mask` is all true, and where an absent `other` would be taken
    the value is undefined.  Masked-off addresses are not touched.

    A block pointer reads the whole block.  In each dimension of `boundaryCheck`, elements outside the shape of the
    tensor are not touched and read as `padding` (zero, or NaN), or as undefined values if there is none.  In other
    dimensions the block must lie inside.

    `cache` and `evict` choose how caches treat the access and never change the result.  A volatile load is neither
    removed, repeated nor merged with another.

    Constraints:
    - (C1) `result` is what `ptr` points to: for a tensor of pointers, with its shape and layout.
    - (C2) `mask` is of `i1`, with the shape and layout of `result`.
    - (C3) `other` has the type of `result`; it needs a `mask`.
    - (C4) `boundaryCheck` names distinct dimensions of a block pointer's block; other pointers ignore it.
    - (C5) A load through a block pointer has no `mask`.
    - (C6) NaN `padding` needs a floating-point element type.

    Example:
    ```mlir
    tt.func @example(%p: tensor<64x!tt.ptr<f32>>, %mask: tensor<64xi1>, %zero: tensor<64xf32>,
                     %block: !tt.ptr<tensor<64x32xf16>>) {
      %0 = tt.load %p, %mask, %zero evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
      %1 = tt.load %block {boundaryCheck = array<i32: 0>, padding = 1 : i32} : !tt.ptr<tensor<64x32xf16>>
      tt.return
    }
    ```
  }];
  let arguments = (ins AnyTypeOf<[TT_PtrLike, TT_TensorPtr]>:$ptr,
                       Optional<TT_BoolLike>:$mask,
                       Optional<TT_Type>:$other,
                       DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
                       OptionalAttr<TT_PaddingOptionAttr>:$padding,
                       DefaultValuedAttr<TT_CacheModifierAttr, "::ttkit::tt::CacheModifier::NONE">:$cache,
                       DefaultValuedAttr<TT_EvictionPolicyAttr, "::ttkit::tt::EvictionPolicy::NORMAL">:$evict,
                       DefaultValuedAttr<BoolAttr, "false">:$isVolatile);
  let results = (outs TT_Type:$result);
  // Enumerations are spelled out so that they print by name.  An oilist's clauses start with distinct keywords, which
  // is why no comma separates them.
  let assemblyFormat = [{
    $ptr (`,` $mask^)? (`,` $other^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;  // load_c4, load_c5, load_c6
}

def TT_StoreOp : TT_Op<"store", [
    SameLoadStoreOperandsShape, SameLoadStoreOperandsEncoding,
    TypesMatchWith<"value type matches ptr type", "ptr", "value",
                   "::ttkit::tt::getPointeeType($_self)"> /*store_c1*/,
    TypesMatchWith<"mask type matches ptr type", "ptr", "mask",
                   "::ttkit::tt::getI1SameShape(::ttkit::tt::getPointeeType($_self))",
                   "($_op.getOperands().size() <= 2) || std::equal_to<>()"> /*store_c2*/]> {
  let summary = "Values written to memory";
  let description = [{
    `*ptr[i] = value[i]` where `mask[i]`; an absent `mask` is all true.  If two enabled elements have the same address,
    one of them is stored, no matter which.

    A block pointer writes the whole block, except for elements outside the tensor's shape in a dimension of
    `boundaryCheck`.

    Constraints:
    - (C1) `value` is what `ptr` points to: for a tensor of pointers, with its shape and layout.
    - (C2) `mask` is of `i1`, with the shape and layout of `value`.
    - (C3) `boundaryCheck` names distinct dimensions of a block pointer's block; other pointers ignore it.
    - (C4) A store through a block pointer has no `mask`.

    Example:
    ```mlir
    tt.func @example(%p: tensor<64x!tt.ptr<f32>>, %value: tensor<64xf32>, %mask: tensor<64xi1>) {
      tt.store %p, %value, %mask cacheModifier = wb : tensor<64x!tt.ptr<f32>>
      tt.return
    }
    ```
  }];
  let arguments = (ins Arg<AnyTypeOf<[TT_PtrLike, TT_TensorPtr]>, "", [MemWrite<GlobalMemory>]>:$ptr,
                       TT_Type:$value,
                       Optional<TT_BoolLike>:$mask,
                       DefaultValuedAttr<DenseI32ArrayAttr, "::llvm::ArrayRef<int32_t>{}">:$boundaryCheck,
                       DefaultValuedAttr<TT_CacheModifierAttr, "::ttkit::tt::CacheModifier::NONE">:$cache,
                       DefaultValuedAttr<TT_EvictionPolicyAttr, "::ttkit::tt::EvictionPolicy::NORMAL">:$evict);
  let assemblyFormat = [{
    $ptr `,` $value (`,` $mask^)? oilist(`cacheModifier` `=` $cache | `evictionPolicy` `=` $evict)
    attr-dict `:` type($ptr)
  }];
  let hasCanonicalizer = 1;
  let hasVerifier = 1;  // store_c3, store_c4
}

#endif // TTKIT_TT_MEMORY_OPS
