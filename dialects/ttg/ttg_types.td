#ifndef TTKIT_TTG_TYPES
#define TTKIT_TTG_TYPES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "ttg/ttg_dialect.td"

class TTG_TypeDef<string name, string typeMnemonic, list<Trait> traits = []> : TypeDef<TTG_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TTG_AsyncToken : TTG_TypeDef<"AsyncToken", "async.token"> {
  let summary = "async token type";
  let description = [{
    Ties an asynchronous copy to the operations that commit it and wait for it; it holds nothing at run time.
  }];
}

def TTG_MemDescType : TTG_TypeDef<"MemDesc", "memdesc", [ShapedTypeInterface]> {
  let summary = "memory descriptor type (`::mlir::triton::gpu::MemDescType`) in Triton IR type system";
  let description = [{
    Shape, element type, layout and memory space of what is viewed.  `mutable` memory may be written after its
    allocation; other memory holds what it was allocated with.  The shape of the allocation that is viewed is printed
    when it is another one than the view's: it decides the addresses.  Dimensions are powers of two, except the first
    one, which may count the buffers of a pipeline, and the allocation may have more dimensions in front.

    Example:
    ```mlir
    #shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>
    #smem = #ttg.shared_memory
    tt.func @views(%whole: !ttg.memdesc<64x64xf16, #shared, #smem, mutable>,
                   %part: !ttg.memdesc<32x64xf16, #shared, #smem, mutable, 64x64>) {
      tt.return
    }
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape,
                        "::mlir::Type":$elementType,
                        "::mlir::Attribute":$encoding,
                        "::mlir::Attribute":$memorySpace,
                        "bool":$mutableMemory,
                        ArrayRefParameter<"int64_t">:$allocShape);
  let builders = [
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
                                        "::mlir::Attribute":$encoding, "::mlir::Attribute":$memorySpace,
                                        CArg<"bool", "false">:$mutableMemory), [{
      return $_get(elementType.getContext(), shape, elementType, encoding, memorySpace, mutableMemory, shape);
    }]>,
    TypeBuilderWithInferredContext<(ins "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
                                        "::mlir::Attribute":$encoding, "::mlir::Attribute":$memorySpace,
                                        "bool":$mutableMemory, "::llvm::ArrayRef<int64_t>":$allocShape), [{
      return $_get(elementType.getContext(), shape, elementType, encoding, memorySpace, mutableMemory, allocShape);
    }]>
  ];
  let extraClassDeclaration = [{
    bool hasRank() const { return true; }
    MemDescType cloneWith(std::optional<::llvm::ArrayRef<int64_t>> shape, ::mlir::Type elementType) const {
      return MemDescType::get(shape.value_or(getShape()), elementType, getEncoding(), getMemorySpace(),
                              getMutableMemory(), getAllocShape());
    }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

#endif // TTKIT_TTG_TYPES
