#ifndef TTKIT_TTNG_DIALECT
#define TTKIT_TTNG_DIALECT

include "mlir/IR/BuiltinTypes.td"
include "ttg/ttg_types.td"
include "tt/tt_enums.td"

def TTNG_Dialect : Dialect {
  let name = "ttng";
  let cppNamespace = "::ttkit::ttng";
  let summary = "Operations that only NVIDIA GPUs of the Hopper and Blackwell generations have";
  let description = [{
    Hopper: matrix products of a warp group (wgmma), mbarriers, and the tensor memory accelerator (TMA), which copies
    whole boxes of a tensor by descriptor.  Blackwell adds *tensor memory*: 128 rows by 512 columns of 32 bits in each
    CTA, where the fifth generation of tensor cores keeps its accumulators.

    All of these run in the background.  An mbarrier is eight bytes of shared memory, a descriptor of one i64, that
    counts arrivals and bytes still to come; when both reach zero, its phase flips between 0 and 1 and it starts
    again.
  }];
  let dependentDialects = ["::ttkit::tt::TTDialect", "::ttkit::ttg::TTGDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerInterfaces();
    ::mlir::Type parseType(::mlir::DialectAsmParser &parser) const override;
    void printType(::mlir::Type type, ::mlir::DialectAsmPrinter &printer) const override;
  }];
}

def TensorMemory : Resource<"::ttkit::ttng::TensorMemory">;

// An operand that is in registers or in memory.
def TTNG_TensorOrMemDesc : AnyTypeOf<[AnyRankedTensor, TTG_MemDescType], "TensorOrMemDesc instance">;

class TTNG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTNG_Dialect, mnemonic, !listconcat(traits, [VerifyTensorLayoutsTrait])>, GeneralBuilder;

#endif // TTKIT_TTNG_DIALECT
