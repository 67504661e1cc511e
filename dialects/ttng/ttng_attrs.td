#ifndef TTKIT_TTNG_ATTRS
#define TTKIT_TTNG_ATTRS

include "mlir/IR/AttrTypeBase.td"
include "ttg/layout_fields.td"
include "ttg/ttg_interfaces.td"
include "ttng/ttng_dialect.td"

class TTNG_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<TTNG_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

class TTNG_TensorMemoryLayout<string name, string attrMnemonic>
    : TTNG_Attr<name # "Encoding", attrMnemonic, [TTG_LayoutEncoding, TTG_MemDescEncoding]> {
  let genVerifyDecl = 1;
  let hasCustomAssemblyFormat = 1;
  bit hasOwnText = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return 2; }
    /// (row, col) of tensor memory -> coordinates in a matrix of `shape`; a column has the width of an element.
    ::mlir::FailureOr<::ttkit::ttg::LinearLayout> toLinearLayout(::llvm::ArrayRef<int64_t> shape) const;
    ::mlir::LogicalResult verifyMemDesc(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
                                        ::llvm::ArrayRef<int64_t> shape, ::mlir::Type elementType,
                                        ::mlir::Attribute memorySpace, ::llvm::ArrayRef<int64_t> allocShape) const;
  }];
}

def TTNG_TensorMemory : TTNG_TensorMemoryLayout<"TensorMemory", "tensor_memory_encoding"> {
  let summary = "Blocks of an accumulator or a left operand in tensor memory";
  let description = [{
    A matrix is cut into blocks of `blockM` x `blockN` elements, which take columns one after the other, those of one
    block column first.  A row of the block lies in a row of tensor memory, neighbours `colStride` elements apart: 1
    packs 16-bit elements two to a 32-bit column, 2 gives each a column of its own.  Blocks with 64 rows use rows 0 to
    15 of each warp's 32; a second one lies in rows 16 to 31.

    With several CTAs each holds one of `CTASplitM` x `CTASplitN` parts, those along the rows counted first.  Where they
    are counted otherwise, or several CTAs hold the same part, `CGALayout` says so in their place; Triton 3.8 and later
    always write it.  `twoCTAs` marks the accumulator of a product that two CTAs compute together.  `fp4Padded` marks a
    left operand of fp4, two in an i8, each of which has a byte of tensor memory to itself: only products read it.

    Example: 128x64 elements of f32 with `blockM = 64, blockN = 64`:

        tensor memory rows   0 ..  15    rows   0 ..  15 of the matrix
                            16 ..  31    rows  64 ..  79
                            32 ..  47    rows  16 ..  31
                            48 ..  63    rows  80 ..  95
                            ...
    ```mlir
    #tmem = #ttng.tensor_memory_encoding<blockM = 64, blockN = 64, colStride = 1>
    tt.func @accumulator(%d: !ttg.memdesc<128x64xf32, #tmem, #ttng.tensor_memory, mutable>) {
      tt.return
    }
    ```
  }];
  let parameters = (ins Unsigned<"rows of a block, 64 or 128">:$blockM, Unsigned<"columns of a block">:$blockN,
                        Unsigned<"distance of neighbours within a row, in elements">:$colStride,
                        Unsigned<"parts that different CTAs hold, along the rows", /*ifAbsent=*/"1">:$CTASplitM,
                        Unsigned<"the same along the columns", /*ifAbsent=*/"1">:$CTASplitN,
                        Flag<"whether two CTAs compute the product together", /*ifAbsent=*/"false">:$twoCTAs,
                        CGA<"">:$CGALayout,
                        Flag<"whether an i8 is two fp4 and takes two bytes", /*ifAbsent=*/"false">:$fp4Padded);
}

def TTNG_TensorMemoryScales : TTNG_TensorMemoryLayout<"TensorMemoryScales", "tensor_memory_scales_encoding"> {
  let summary = "Block scales of a scaled product in tensor memory";
  let description = [{
    Units of 32 rows by 4 one-byte scales, each repeated for the four warps so that it fills all 128 rows; four units of
    a 128x4 part stand side by side in four 32-bit columns.  The other parts follow, those along the rows first, or with
    `blockRepOrder = kThenMn` those along the columns, which is the block size K of the product.

    Example:
    ```mlir
    #scales = #ttng.tensor_memory_scales_encoding<>
    tt.func @scales(%s: !ttg.memdesc<128x4xi8, #scales, #ttng.tensor_memory, mutable>) {
      tt.return
    }
    ```
  }];
  let parameters = (ins Unsigned<"parts that different CTAs hold, along the rows", /*ifAbsent=*/"1">:$CTASplitM,
                        Unsigned<"the same along the columns", /*ifAbsent=*/"1">:$CTASplitN,
                        CGA<"">:$CGALayout,
                        Word<"which parts come first, `mnThenK` or `kThenMn`", /*ifAbsent=*/"mnThenK">:$blockRepOrder);
}

def TTNG_Reduction : TTNG_Attr<"Reduction", "redOp"> {
  let summary = "what a load from tensor memory computes of each row";
  let description = [{
    `#ttng.redOp<min>` or `#ttng.redOp<max>`.
  }];
  let parameters = (ins "bool":$isMax);
  let hasCustomAssemblyFormat = 1;
}

def TTNG_TensorMemorySpace : TTNG_Attr<"TensorMemorySpace", "tensor_memory"> {
  let summary = "The memory space of memory descriptors in tensor memory";
}

def TTNG_CachePolicy : TTNG_Attr<"CachePolicy", "cache_policy"> {
  let summary = "how caches treat a load or store";
  let description = [{
    As Triton 3.9 writes them, a list of `name = value`: `cache_modifier` (`ca`, `cg`...), `l1` (`evict_first`,
    `no_allocate`...), `l2_primary` for the share `l2_fraction` of the lines, `l2_secondary` for the rest, and
    `l2_prefetch_size` in bytes.  A policy never changes a result.

    Example: `{cachePolicy = #ttng.cache_policy<l1 = evict_last, l2_prefetch_size = 128 : i32>}`
  }];
  let parameters = (ins "::mlir::DictionaryAttr":$fields);
  let hasCustomAssemblyFormat = 1;
}

#endif // TTKIT_TTNG_ATTRS
