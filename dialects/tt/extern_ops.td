// Elementwise code that tt does not look into (library functions, inline assembly), and code for one element.

#ifndef TTKIT_TT_EXTERN_OPS
#define TTKIT_TT_EXTERN_OPS

include "mlir/Interfaces/ControlFlowInterfaces.td"
include "tt/tt_types.td"

def TT_ExternElementwiseOp : TT_Op<"extern_elementwise", [
    Elementwise /*extern_elementwise_c1*/, SameOperandsAndResultEncoding /*extern_elementwise_c2*/,
    SameVariadicOperandSize, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "Function of a bitcode library applied to each element";
  let description = [{
    `result[i] = symbol(srcs[0][i], srcs[1][i], ...)`, where `symbol` is a function of the library `libname` at
    `libpath`; an empty path stands for the library that the target provides.  If `pure`, the call only computes its
    result; else it may read and write memory.

    Constraints:
    - (C1) All tensors have the same shape, and the result is a tensor exactly if one of `srcs` is.
    - (C2) All tensors have the same layout.

    Example:
    ```mlir
    tt.func @example(%x: tensor<64xf32>) -> tensor<64xf32> {
      %0 = tt.extern_elementwise %x {libname = "libdevice", libpath = "", pure = true, symbol = "__nv_expf"}
          : (tensor<64xf32>) -> tensor<64xf32>
      tt.return %0 : tensor<64xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<TT_Type>:$srcs, StrAttr:$libname, StrAttr:$libpath, StrAttr:$symbol, BoolAttr:$pure);
  let results = (outs TT_Type:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, $result)";
}

def TT_ElementwiseInlineAsmOp : TT_Op<"elementwise_inline_asm", [
    Elementwise /*elementwise_inline_asm_c1*/, SameOperandsAndResultEncoding /*elementwise_inline_asm_c2*/,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>, DeclareOpInterfaceMethods<ConditionallySpeculatable>]> {
  let summary = "Inline assembly applied to groups of elements";
  let description = [{
    Runs `asm_string` once for each group of `packed_element` elements and collects its outputs as the results.  The
    operands of the assembly, described by `constraints` as in LLVM's inline assembly, are the outputs, then the inputs
    of the group, values of fewer than 32 bits packed into registers.  Which elements form a group is not specified.  If
    `pure`, the assembly only computes its results; else it may read and write memory.

    Constraints:
    - (C1) All tensors have the same shape, and results are tensors exactly if one of `args` is.
    - (C2) All tensors have the same layout.
    - (C3) `packed_element` is positive, and the element count of the first argument, if a tensor, is a multiple of it.
    - (C4) There is at least one result if there are arguments.

    Example:
    ```mlir
    tt.func @example(%x: tensor<64xi8>) -> tensor<64xi8> {
      %0 = tt.elementwise_inline_asm "shl.b32 $0, $0, 3;" {constraints = "=r,r", packed_element = 4 : i32, pure = true}
          %x : tensor<64xi8> -> tensor<64xi8>
      tt.return %0 : tensor<64xi8>
    }
    ```
  }];
  let arguments = (ins StrAttr:$asm_string, StrAttr:$constraints, BoolAttr:$pure, I32Attr:$packed_element,
                       Variadic<TT_Type>:$args);
  let results = (outs Variadic<TT_Type>:$result);
  let assemblyFormat = "$asm_string attr-dict ($args^ `:` type($args))? `->` type($result)";
  let hasVerifier = 1;  // elementwise_inline_asm_c3; Elementwise has elementwise_inline_asm_c4
}

def TT_MapElementwiseOp : TT_Op<"map_elementwise", [
    SameOperandsAndResultShape, SameOperandsAndResultEncoding /*map_elementwise_c1*/, RecursiveMemoryEffects]> {
  let summary = "Scalar code, branches included, run for each element";
  let description = [{
    Runs the region once for each group of `pack` elements, the same ones of all operands.  Its arguments are `pack`
    elements of the first operand, then `pack` of the second, and so on; `tt.map_elementwise.return` gives `pack`
    elements of each result in the same order.  Which elements form a group is not specified.

    Constraints:
    - (C1) All operands and results have the same shape and layout; there is at least one of either.
    - (C2) `pack` is a power of two.
    - (C3) The region's arguments are the element types of the operands, each repeated `pack` times.
    - (C4) Every `tt.map_elementwise.return` of the region gives the results' element types, each repeated `pack` times.
    - (C5) Nothing in the region writes memory.

    Example:
    ```mlir
    tt.func @example(%x: tensor<64xi32>, %y: tensor<64xi32>) -> tensor<64xi32> {
      %0 = "tt.map_elementwise"(%x, %y) <{pack = 1 : i32}> ({
      ^bb0(%a: i32, %b: i32):
        %less = arith.cmpi slt, %a, %b : i32
        cf.cond_br %less, ^bb1(%a : i32), ^bb1(%b : i32)
      ^bb1(%least: i32):
        tt.map_elementwise.return %least : i32
      }) : (tensor<64xi32>, tensor<64xi32>) -> tensor<64xi32>
      tt.return %0 : tensor<64xi32>
    }
    ```
  }];
  let arguments = (ins Variadic<TT_Tensor>:$srcs, I32Attr:$pack);
  let results = (outs Variadic<TT_Tensor>:$result);
  let regions = (region MinSizedRegion<1>:$scalarOp);
  let hasVerifier = 1;        // map_elementwise_c2
  let hasRegionVerifier = 1;  // map_elementwise_c3, map_elementwise_c4, map_elementwise_c5
}

def TT_MapElementwiseReturnOp : TT_Op<"map_elementwise.return", [
    HasParent<"MapElementwiseOp"> /*map_elementwise_return_c1*/, Pure, Terminator, ReturnLike]> {
  let summary = "End of the scalar code of tt.map_elementwise, with its results";
  let description = [{
    Gives the elements of the results for the current group.

    Constraints:
    - (C1) The parent is a `tt.map_elementwise`.

    Example:
    ```mlir
    tt.func @example(%x: tensor<64xf32>) -> tensor<64xf32> {
      %0 = "tt.map_elementwise"(%x) <{pack = 1 : i32}> ({
      ^bb0(%a: f32):
        tt.map_elementwise.return %a : f32
      }) : (tensor<64xf32>) -> tensor<64xf32>
      tt.return %0 : tensor<64xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$result);
  let assemblyFormat = "attr-dict ($result^ `:` type($result))?";
}

#endif // TTKIT_TT_EXTERN_OPS
