#ifndef TTKIT_TTG_INTERFACES
#define TTKIT_TTG_INTERFACES

include "mlir/IR/OpBase.td"

// What is common to all layouts.
def TTG_LayoutEncoding : AttrInterface<"LayoutEncoding"> {
  let cppNamespace = "::ttkit::ttg";
  let description = [{
    A layout says where the elements of a tensor are: in registers of threads (`DistributedEncoding`) or in shared
    memory (`SharedEncoding`).  Every layout is, for a tensor of a given shape, a linear layout.
  }];
  let methods = [
    InterfaceMethod<"Dimensions of the tensors that can have this layout.", "unsigned", "getRank">,
    InterfaceMethod<"How the CTAs of a cluster share a tensor: block -> dimensions, each of its size in CTAs.",
                    "::ttkit::ttg::LinearLayout", "getCGALayout">,
    InterfaceMethod<"The linear layout of a tensor of `shape`; fails if the layout does not suit the shape.",
                    "::mlir::FailureOr<::ttkit::ttg::LinearLayout>", "toLinearLayout",
                    (ins "::llvm::ArrayRef<int64_t>":$shape)>
  ];
}

// (register, lane, warp, block) -> tensor coordinates.
def TTG_DistributedEncoding : AttrInterface<"DistributedEncoding", [TTG_LayoutEncoding]> {
  let cppNamespace = "::ttkit::ttg";
  let description = "A layout of tensors in registers: each thread of each warp holds some elements.";
  let methods = [
    InterfaceMethod<"Dimensions along which the CTA's tile is repeated to cover a larger tensor, in order.",
                    "::llvm::SmallVector<unsigned>", "getRepOrder">
  ];
}

// The result layouts of matrix instructions, parents of dot operands.
def TTG_MmaEncoding : AttrInterface<"MmaEncoding", [TTG_DistributedEncoding]> {
  let cppNamespace = "::ttkit::ttg";
  let description = "A distributed layout that a matrix instruction prescribes for its result.";
  let methods = [
    InterfaceMethod<"The linear layout of operand `opIdx` of a product with this result.",
                    "::mlir::FailureOr<::ttkit::ttg::LinearLayout>", "toDotOperandLinearLayout",
                    (ins "unsigned":$opIdx, "unsigned":$kWidth, "::llvm::ArrayRef<int64_t>":$shape)>
  ];
}

// What a memory descriptor may have as its encoding; dialects with memories of their own implement it too.
def TTG_MemDescEncoding : AttrInterface<"MemDescEncoding"> {
  let cppNamespace = "::ttkit::ttg";
  let description = "A layout of a memory descriptor.";
  let methods = [
    InterfaceMethod<"Checks the other parameters of a memory descriptor with this encoding.",
                    "::mlir::LogicalResult", "verifyMemDesc",
                    (ins "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emitError,
                         "::llvm::ArrayRef<int64_t>":$shape, "::mlir::Type":$elementType,
                         "::mlir::Attribute":$memorySpace, "::llvm::ArrayRef<int64_t>":$allocShape),
                    /*methodBody=*/"", /*defaultImplementation=*/"return ::mlir::success();">
  ];
}

// (offset, block) -> tensor coordinates.
def TTG_SharedEncoding : AttrInterface<"SharedEncoding", [TTG_LayoutEncoding, TTG_MemDescEncoding]> {
  let cppNamespace = "::ttkit::ttg";
  let description = "A layout of tensors in the shared memory of a CTA.";
  let methods = [
    InterfaceMethod<"Alignment of an allocation, in bytes.", "int32_t", "getAlignment",
                    (ins), /*methodBody=*/"", /*defaultImplementation=*/"return 16;">
  ];
}

#endif // TTKIT_TTG_INTERFACES
