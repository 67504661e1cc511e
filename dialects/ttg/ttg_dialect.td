#ifndef TTKIT_TTG_DIALECT
#define TTKIT_TTG_DIALECT

include "tt/tt_types.td"

def TTG_Dialect : Dialect {
  let name = "ttg";
  let cppNamespace = "::ttkit::ttg";
  let summary = "Layouts, shared memory, and what else a GPU adds to tt";
  let description = [{
    Tensors get a layout, their encoding: which thread holds which element.  The module says how many warps, threads per
    warp and CTAs there are (`ttg.num-warps`, `ttg.threads-per-warp`, `ttg.num-ctas`) and for which processor
    (`ttg.target`). Shared memory is allocated, written and read through memory descriptors (`!ttg.memdesc<...>`).
  }];
  let dependentDialects = ["::ttkit::tt::TTDialect"];
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let extraClassDeclaration = [{
    static constexpr ::llvm::StringLiteral numWarpsName = "ttg.num-warps";
    static constexpr ::llvm::StringLiteral numCTAsName = "ttg.num-ctas";
    static constexpr ::llvm::StringLiteral threadsPerWarpName = "ttg.threads-per-warp";
    static constexpr ::llvm::StringLiteral targetName = "ttg.target";

    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser, ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr, ::mlir::DialectAsmPrinter &printer) const override;
    void registerAttributes();
    void registerTypes();
    void registerAliases();
    void registerLayoutInterface();
  }];
}

def SharedMemory : Resource<"::ttkit::ttg::SharedMemory">;

class TTG_Op<string mnemonic, list<Trait> traits = []>
    : Op<TTG_Dialect, mnemonic, !listconcat(traits, [VerifyTensorLayoutsTrait])>, GeneralBuilder;

#endif // TTKIT_TTG_DIALECT
