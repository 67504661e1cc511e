#ifndef TTKIT_TT_TYPES
#define TTKIT_TT_TYPES

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "tt/tt_dialect.td"

class TT_TypeDef<string name, string typeMnemonic, list<Trait> traits = []> : TypeDef<TT_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def TT_PtrType : TT_TypeDef<"Pointer", "ptr"> {
  let summary = "Pointer type (`::mlir::triton::PointerType`) in Triton IR type system";
  let description = [{
    `!tt.ptr<f32>` is the address of one element; `!tt.ptr<tensor<64x64xf16>>` is a block pointer, the address of a
    block of a tensor in memory (`tt.make_tensor_ptr`).  The address space (1, global memory) is printed only if it is
    another one: `!tt.ptr<f32, 3>`.
  }];
  let parameters = (ins "::mlir::Type":$pointeeType, "int":$addressSpace);
  let builders = [TypeBuilderWithInferredContext<(ins "::mlir::Type":$pointeeType, CArg<"int", "1">:$addressSpace), [{
    return $_get(pointeeType.getContext(), pointeeType, addressSpace);
  }]>];
  let skipDefaultBuilders = 1;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def TT_TensorDescType : TT_TypeDef<"TensorDesc", "tensordesc"> {
  let summary = "Tensor descriptor type (`::mlir::triton::TensorDescType`) in Triton IR type system";
  let description = [{
    `!tt.tensordesc<tensor<64x64xf16>>`: base address, shape and strides of a tensor of any size in global memory,
    accessed in blocks of 64x64 elements.  The block type may carry the shared-memory layout of its copies.

    `!tt.tensordesc<tensor<64x32xf16>, im2col>`: the same of a tensor of images, N x D x H x W x C or with fewer
    dimensions of space.  A block has 64 pixels, one after the other in the order N, D, H, W within a box that the host
    chose, with 32 channels of each.  It is read as `!ttng.tensordesc_im2col<64x32xf16>` too.
  }];
  let parameters = (ins "::mlir::RankedTensorType":$blockType, DefaultValuedParameter<"bool", "false">:$im2col);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The block type with signless integers: what loads give and stores take.
    ::mlir::RankedTensorType getSignlessBlockType() const;
  }];
}

// --- Constraints, each for a scalar, a tensor, and either ("Like") ---------------------------------------------------
def TT_Float : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, BF16, F32, F64], "floating-point">;
def TT_FloatTensor : RankedTensorOf<[TT_Float]>;
def TT_FloatLike : AnyTypeOf<[TT_Float, TT_FloatTensor]>;

def TT_BoolTensor : RankedTensorOf<[I1]>;
def TT_BoolLike : AnyTypeOf<[I1, TT_BoolTensor]>;

def TT_I4 : I<4>;
def TT_Int : AnyTypeOf<[I1, TT_I4, I8, I16, I32, I64], "integer">;
def TT_IntTensor : RankedTensorOf<[TT_Int]>;
def TT_IntLike : AnyTypeOf<[TT_Int, TT_IntTensor]>;

def TT_I32Tensor : RankedTensorOf<[I32]>;
def TT_I64Tensor : RankedTensorOf<[I64], [], "tensor">;
def TT_I64Like : AnyTypeOf<[I64, TT_I64Tensor]>;

def TT_Ptr : Type<And<[TT_PtrType.predicate,
                       Neg<CPred<"::ttkit::tt::isTensorPointerType($_self)">>]>, "ptr", "::ttkit::tt::PointerType">;
def TT_PtrTensor : RankedTensorOf<[TT_Ptr]>;
def TT_PtrLike : AnyTypeOf<[TT_Ptr, TT_PtrTensor]>;
def TT_TensorPtr
    : Type<CPred<"::ttkit::tt::isTensorPointerType($_self)">, "ptr", "::ttkit::tt::PointerType">;

def TT_FpIntTensor : RankedTensorOf<[TT_Float, TT_Int]>;
def TT_Scalar : AnyTypeOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_Tensor : RankedTensorOf<[TT_Float, TT_Int, TT_Ptr]>;
def TT_Type : AnyTypeOf<[TT_FloatLike, TT_IntLike, TT_PtrLike, TT_TensorPtr]>;

#endif // TTKIT_TT_TYPES
