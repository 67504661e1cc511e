// Addresses: arithmetic, casts, and block pointers.

#ifndef TTKIT_TT_POINTER_OPS
#define TTKIT_TT_POINTER_OPS

include "tt/tt_types.td"

def TT_IntToPtrOp : TT_Op<"int_to_ptr", [
    Elementwise, SameOperandsAndResultShape /*int_to_ptr_c1*/, SameOperandsAndResultEncoding /*int_to_ptr_c2*/, Pure]> {
  let summary = "Address from a 64-bit integer";
  let description = [{
    `result[i]` is the pointer to byte address `src[i]`.

    Constraints:
    - (C1) `src` and `result` have the same shape.
    - (C2) `src` and `result` have the same layout.

    Example:
    ```mlir
    tt.func @example(%address: i64) -> !tt.ptr<f16> {
      %0 = tt.int_to_ptr %address : i64 -> !tt.ptr<f16>
      tt.return %0 : !tt.ptr<f16>
    }
    ```
  }];
  let arguments = (ins TT_I64Like:$src);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_PtrToIntOp : TT_Op<"ptr_to_int", [
    Elementwise, SameOperandsAndResultShape /*ptr_to_int_c1*/, SameOperandsAndResultEncoding /*ptr_to_int_c2*/, Pure]> {
  let summary = "Byte address as a 64-bit integer";
  let description = [{
    `result[i]` is the byte address of pointer `src[i]`.

    Constraints:
    - (C1) `src` and `result` have the same shape.
    - (C2) `src` and `result` have the same layout.

    Example:
    ```mlir
    tt.func @example(%p: tensor<64x!tt.ptr<f16>>) -> tensor<64xi64> {
      %0 = tt.ptr_to_int %p : tensor<64x!tt.ptr<f16>> -> tensor<64xi64>
      tt.return %0 : tensor<64xi64>
    }
    ```
  }];
  let arguments = (ins TT_PtrLike:$src);
  let results = (outs TT_I64Like:$result);
  let assemblyFormat = "$src attr-dict `:` type($src) `->` type($result)";
}

def TT_AddPtrOp : TT_Op<"addptr", [
    Pure, Elementwise,
    SameOperandsAndResultShape /*addptr_c1*/,
    SameOperandsAndResultEncoding /*addptr_c2*/,
    TypesMatchWith<"result type matches ptr type", "result", "ptr", "$_self"> /*addptr_c3*/]> {
  let summary = "Pointer moved by a number of elements";
  let description = [{
    `result[i] = ptr[i] + offset[i] * sizeof(pointee)`.  Offsets are signed and count elements, not bytes.

    Constraints:
    - (C1) `ptr`, `offset` and `result` have the same shape.
    - (C2) `ptr`, `offset` and `result` have the same layout.
    - (C3) `ptr` and `result` have the same type.

    Example:
    ```mlir
    tt.func @example(%p: !tt.ptr<f32>, %i: i32) -> !tt.ptr<f32> {
      %0 = tt.addptr %p, %i : !tt.ptr<f32>, i32
      tt.return %0 : !tt.ptr<f32>
    }
    ```
  }];
  let arguments = (ins TT_PtrLike:$ptr, TT_IntLike:$offset);
  let results = (outs TT_PtrLike:$result);
  let assemblyFormat = "$ptr `,` $offset attr-dict `:` type($result) `,` type($offset)";
  let hasFolder = 1;
}

def TT_MakeTensorPtrOp : TT_Op<"make_tensor_ptr", [
    Pure, SameVariadicOperandSize,
    TypesMatchWith<"infer pointer type from the result type", "result", "base",
                   "::ttkit::tt::getBlockBasePointerType($_self)"> /*make_tensor_ptr_c1*/]> {
  let summary = "Block pointer from a base address, a shape, strides and offsets";
  let description = [{
    The block at `offsets` of a tensor in memory with `shape` and `strides`: element `i` of the block is at
    `base + sum over d of (offsets[d] + i[d]) * strides[d]` elements.  `order` lists the dimensions from the fastest
    varying in memory to the slowest.

    Constraints:
    - (C1) `base` points, in the address space of `result`, to the element type of the block.
    - (C2) `shape`, `strides` and `offsets` each have one value for each dimension of the block.

    Example:
    ```mlir
    tt.func @example(%p: !tt.ptr<f16>, %m: i64, %n: i64, %one: i64, %zero: i32) -> !tt.ptr<tensor<64x32xf16>> {
      %0 = tt.make_tensor_ptr %p, [%m, %n], [%n, %one], [%zero, %zero] {order = array<i32: 1, 0>} : <tensor<64x32xf16>>
      tt.return %0 : !tt.ptr<tensor<64x32xf16>>
    }
    ```
  }];
  let arguments = (ins TT_Ptr:$base,
                       Variadic<I64>:$shape,
                       Variadic<I64>:$strides,
                       Variadic<I32>:$offsets,
                       DenseI32ArrayAttr:$order);
  let results = (outs TT_TensorPtr:$result);
  let assemblyFormat = [{
    $base `,` `[` $shape `]` `,` `[` $strides `]` `,` `[` $offsets `]` attr-dict `:` type($result)
  }];
  let hasVerifier = 1;  // make_tensor_ptr_c2
}

def TT_AdvanceOp : TT_Op<"advance", [
    Pure, TypesMatchWith<"result type matches ptr type", "result", "ptr", "$_self"> /*advance_c1*/]> {
  let summary = "Block pointer moved within its tensor";
  let description = [{
    `result` is `ptr` with `offsets[d]` elements added to its offset in every dimension `d`.

    Constraints:
    - (C1) `ptr` and `result` have the same type.
    - (C2) There is one offset for each dimension of the block.

    Example:
    ```mlir
    tt.func @example(%p: !tt.ptr<tensor<64x32xf16>>, %i: i32, %j: i32) -> !tt.ptr<tensor<64x32xf16>> {
      %0 = tt.advance %p, [%i, %j] : <tensor<64x32xf16>>
      tt.return %0 : !tt.ptr<tensor<64x32xf16>>
    }
    ```
  }];
  let arguments = (ins TT_TensorPtr:$ptr, Variadic<I32>:$offsets);
  let results = (outs TT_TensorPtr:$result);
  let assemblyFormat = "$ptr `,` `[` $offsets `]` attr-dict `:` type($result)";
  let hasFolder = 1;
  let hasVerifier = 1;  // advance_c2
}

#endif // TTKIT_TT_POINTER_OPS
