// The layouts: where the elements of a tensor are.

#ifndef TTKIT_TTG_ATTRS
#define TTKIT_TTG_ATTRS

include "mlir/IR/AttrTypeBase.td"
include "ttg/layout_fields.td"
include "ttg/ttg_dialect.td"
include "ttg/ttg_interfaces.td"

class TTG_Attr<string name, string attrMnemonic, list<Trait> traits = []> : AttrDef<TTG_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

// A layout: its text is made of its parameters (layout_fields.td), which LayoutVerification.cpp checks.
class TTG_Layout<string name, string attrMnemonic, list<Trait> traits>
    : TTG_Attr<name # "Encoding", attrMnemonic, traits> {
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  // Whether the text is more than `<{field = value, ...}>`: then LayoutText.cpp has its parser and printer.
  bit hasOwnText = 0;
  // Whether unknown fields are ignored, as Triton does: there are files with fields of other versions.
  bit ignoresUnknownFields = 0;
  code layoutMethods = [{
    unsigned getRank() const;
    ::mlir::FailureOr<::ttkit::ttg::LinearLayout> toLinearLayout(::llvm::ArrayRef<int64_t> shape) const;
  }];
  let extraClassDeclaration = layoutMethods;
}

class TTG_Distributed<string name, string attrMnemonic>
    : TTG_Layout<name, attrMnemonic, [TTG_LayoutEncoding, TTG_DistributedEncoding]> {
  code distributedMethods = layoutMethods # [{
    ::llvm::SmallVector<unsigned> getRepOrder() const;
  }];
  let extraClassDeclaration = distributedMethods;
}

class TTG_Mma<string name, string attrMnemonic>
    : TTG_Layout<name, attrMnemonic, [TTG_LayoutEncoding, TTG_DistributedEncoding, TTG_MmaEncoding]> {
  let ignoresUnknownFields = 1;
  code mmaMethods = layoutMethods # [{
    /// Whether the parameters are those of an instruction and of warps.
    bool describesTensors() const;
    ::llvm::SmallVector<unsigned> getRepOrder() const;
    ::mlir::FailureOr<::ttkit::ttg::LinearLayout>
    toDotOperandLinearLayout(unsigned opIdx, unsigned kWidth, ::llvm::ArrayRef<int64_t> shape) const;
  }];
  let extraClassDeclaration = mmaMethods;
}

class TTG_Shared<string name, string attrMnemonic>
    : TTG_Layout<name, attrMnemonic, [TTG_LayoutEncoding, TTG_MemDescEncoding, TTG_SharedEncoding]> {
  code sharedMethods = layoutMethods # [{
    ::mlir::LogicalResult verifyMemDesc(::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError,
                                        ::llvm::ArrayRef<int64_t> shape, ::mlir::Type elementType,
                                        ::mlir::Attribute memorySpace, ::llvm::ArrayRef<int64_t> allocShape) const;
  }];
  let extraClassDeclaration = sharedMethods;
}

//===--------------------------------------------------------------------------------------------------------------===//
// Distributed layouts
//===--------------------------------------------------------------------------------------------------------------===//

def TTG_Blocked : TTG_Distributed<"Blocked", "blocked"> {
  let summary = "Tiles of threads, then of warps, in row-major or any other order";
  let description = [{
    Each thread holds a tile of `sizePerThread` elements; the threads of a warp form a grid of `threadsPerWarp`, the
    warps a grid of `warpsPerCTA`.  All three are numbered along `order`, fastest dimension first.  A tensor larger than
    the resulting tile repeats it; in a smaller one several threads hold the same element.

    Example: 16x16 elements, 2x2 a thread, two warps side by side.
    ```mlir
    #ttg.blocked<{sizePerThread = [2, 2], threadsPerWarp = [8, 4], warpsPerCTA = [1, 2], order = [1, 0]}>
    ```
    gives these threads:

        row 0    0  0  1  1  2  2  3  3 | 32 32 33 33 34 34 35 35
        row 1    0  0  1  1  2  2  3  3 | 32 32 33 33 34 34 35 35
        row 2    4  4  5  5  6  6  7  7 | 36 36 37 37 38 38 39 39
        ...
        row 15  28 28 29 29 30 30 31 31 | 60 60 61 61 62 62 63 63

    `CGALayout`, in all layouts, is printed if the cluster has several CTAs: one vector for each bit of the CTA's
    number, the shift of the tensor tile that this bit means, in CTAs; a zero vector means that both CTAs hold the same.
  }];
  let parameters = (ins Unsigneds<"elements of a thread's box, per dimension">:$sizePerThread,
                        Unsigneds<"boxes of a warp side by side, one a thread, per dimension">:$threadsPerWarp,
                        Unsigneds<"warps of a CTA side by side, per dimension">:$warpsPerCTA,
                        Unsigneds<"dimensions in which consecutive threads and warps advance, fastest first">:$order,
                        CGA<"sizePerThread">:$CGALayout);
}

def TTG_Slice : TTG_Distributed<"Slice", "slice"> {
  let summary = "A layout less one dimension";
  let description = [{
    What remains of `parent` when dimension `dim` is reduced away: a thread holds an element if in the parent it holds
    one with the same other coordinates.

    Example:
    ```mlir
    #blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>
    #ttg.slice<{dim = 1, parent = #blocked}>
    ```
  }];
  let ignoresUnknownFields = 1;
  let parameters = (ins Unsigned<"the dimension that is gone", /*ifAbsent=*/"", /*isRequired=*/1>:$dim,
                        Parent<"layout of the tensor that has it", "::ttkit::ttg::DistributedEncoding">:$parent);
  let extraClassDeclaration = distributedMethods # [{
    ::ttkit::ttg::LinearLayout getCGALayout() const;
    /// `shape` with a dimension of size one where the parent has the removed one.
    ::llvm::SmallVector<int64_t> getParentShape(::llvm::ArrayRef<int64_t> shape) const;
  }];
}

def TTG_DotOperand : TTG_Distributed<"DotOperand", "dot_op"> {
  let summary = "Operand of a dot whose result has layout `parent`";
  let description = [{
    `opIdx` 0 is the left operand (M x K), 1 the right one (K x N).  `kWidth` is the count of consecutive elements along
    K that a thread holds; matrix instructions need it, a `blocked` parent has none.

    Example:
    ```mlir
    #mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>
    #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>
    ```
  }];
  let parameters = (ins Unsigned<"0 for the left operand, 1 for the right one">:$opIdx,
                        Parent<"layout of the dot's result", "::mlir::Attribute">:$parent,
                        Unsigned<"consecutive elements along K of a thread; 0 where the parent has no say in it",
                                 /*ifAbsent=*/"0">:$kWidth);
  let assemblyFormat = "`<` `{` struct(params) `}` `>`";
  let hasCustomAssemblyFormat = 0;
  let extraClassDeclaration = distributedMethods # [{
    ::ttkit::ttg::LinearLayout getCGALayout() const;
  }];
}

def TTG_NvidiaMma : TTG_Mma<"NvidiaMma", "nvidia_mma"> {
  let summary = "Result of mma (version 2) or wgmma (version 3)";
  let description = [{
    Version 2 (Turing, Ampere and consumer cards after it): each warp computes tiles of `instrShape = [16, 8]`.  Version
    3 (Hopper): four warps at a time compute `instrShape = [16, N, K]`, counted for one warp.  In both, eight rows by
    four threads, each with two neighbouring elements, are the unit:

        row 0   0  0  1  1  2  2  3  3        row 8 as row 0, in the thread's next two registers
        row 1   4  4  5  5  6  6  7  7        column 8 as column 0, in the two after these
        ...
        row 7  28 28 29 29 30 30 31 31

    Example:
    ```mlir
    #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 128, 16]}>
    ```
  }];
  let parameters = (ins Unsigned<"1: Volta, 2: mma.sync, 3: wgmma">:$versionMajor,
                        Unsigned<"1: Turing, for version 2">:$versionMinor,
                        Unsigneds<"warps of a CTA, per dimension">:$warpsPerCTA, CGA<"warpsPerCTA">:$CGALayout,
                        Unsigneds<"elements of one instruction, per dimension; (M, N, K) for version 3">:$instrShape);
  let extraClassDeclaration = mmaMethods # [{
    bool isVolta() const { return getVersionMajor() == 1; }
    bool isAmpere() const { return getVersionMajor() == 2; }
    bool isHopper() const { return getVersionMajor() == 3; }
  }];
}

def TTG_AMDMfma : TTG_Mma<"AMDMfma", "amd_mfma"> {
  let summary = "Result of a CDNA matrix instruction";
  let description = [{
    A wave of 64 threads computes tiles of `instrShape = [M, N, K]` with M x N one of 32x32, 16x16, 64x4, 4x64;
    `version` is the generation (1: gfx908, 2: gfx90a, 3: gfx942, 4: gfx950).  A thread holds four consecutive elements
    along M, or along N if `isTransposed`.  `tilesPerWarp` instruction tiles side by side belong to one warp; 64-bit
    results have `elementBitWidth = 64`.

    Example:
    ```mlir
    #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, 32, 8], isTransposed = true}>
    ```
  }];
  let parameters = (ins Unsigned<"generation, 1 to 4; 0 before them", "", 0, /*oldKey=*/"versionMajor">:$version,
                        Unsigneds<"warps of a CTA, per dimension">:$warpsPerCTA,
                        Unsigneds<"elements (M, N, K) of one instruction">:$instrShape,
                        Flag<"whether the product is computed transposed: M and N swap",
                             /*ifAbsent=*/"false", /*isAlwaysPrinted=*/1>:$isTransposed,
                        CGA<"warpsPerCTA">:$CGALayout,
                        OnesIfAbsent<"instruction tiles of a warp side by side, per dimension", "warpsPerCTA">:$tilesPerWarp,
                        Unsigned<"bits of an element of the result, 32 or 64", /*ifAbsent=*/"32">:$elementBitWidth);
}

def TTG_AMDWmma : TTG_Mma<"AMDWmma", "amd_wmma"> {
  let summary = "Result of an RDNA matrix instruction";
  let description = [{
    A wave of 32 threads computes tiles of 16x16, `instrShape = [16, 16, K]`.  In version 1 (RDNA 3) a thread holds
    every second element of a column, from version 2 (RDNA 4; 3 is gfx1250) eight consecutive ones; `isTranspose`
    exchanges rows and columns.  `tilesPerWarp` instruction tiles side by side belong to one warp.

    Example:
    ```mlir
    #ttg.amd_wmma<{version = 2, isTranspose = false, warpsPerCTA = [2, 2]}>
    ```
  }];
  let parameters = (ins Unsigned<"generation: 1 gfx11, 2 gfx12, 3 gfx1250">:$version,
                        Flag<"whether rows and columns are exchanged",
                             /*ifAbsent=*/"false", /*isAlwaysPrinted=*/1>:$isTranspose,
                        Unsigneds<"warps of a CTA, per dimension">:$warpsPerCTA, CGA<"warpsPerCTA">:$CGALayout,
                        OnesIfAbsent<"instruction tiles of a warp side by side, per dimension", "warpsPerCTA">:$tilesPerWarp,
                        Unsigneds<"elements (M, N, K) of one instruction", /*ifAbsent=*/"16, 16, 16">:$instrShape);
}

def TTG_Linear : TTG_Distributed<"Linear", "linear"> {
  let summary = "Any linear layout, by its bases";
  let description = [{
    Vector `i` of `register` is the shift in the tensor, per dimension, that bit `i` of the register number means;
    `lane`, `warp` and `block` likewise.  An element's coordinates are the exclusive or of the vectors of all bits that
    are set.  A vector moves in one dimension; those of `warp` may move in several, and are then written
    `#ttg.generic_linear`, as Triton 3.8 and later do.  These write so every layout of which threads have more than
    copies alike.

    Example: 8x4 elements, four a thread in a row, eight threads down the rows.
    ```mlir
    #ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0], [2, 0], [4, 0]], warp = [], block = []}>
    ```
  }];
  let ignoresUnknownFields = 1;
  let parameters = (ins Linear<"bases of the register, lane, warp and CTA index",
                               ["register", "lane", "warp", "block"]>:$linearLayout);
  let extraClassDeclaration = distributedMethods # [{
    ::ttkit::ttg::LinearLayout getCGALayout() const;
    /// Whether warps move in several dimensions at once.
    bool isGeneric() const;
  }];
}

//===--------------------------------------------------------------------------------------------------------------===//
// Shared-memory layouts
//===--------------------------------------------------------------------------------------------------------------===//

def TTG_SwizzledShared : TTG_Shared<"SwizzledShared", "swizzled_shared"> {
  let summary = "Rows in memory, each rotated by exclusive or against bank conflicts";
  let description = [{
    Element (r, c), of row r along `order[1]` and column c along `order[0]`, lies in row r at column
    `((c / vec) xor ((r / perPhase) mod maxPhase)) * vec + c mod vec`: groups of `vec` elements stay together, and each
    `perPhase` rows use the next of `maxPhase` permutations.

    Example: `vec = 2, perPhase = 1, maxPhase = 4` puts the columns of four rows so:

        row 0   0 1 2 3 4 5 6 7
        row 1   2 3 0 1 6 7 4 5
        row 2   4 5 6 7 0 1 2 3
        row 3   6 7 4 5 2 3 0 1
    ```mlir
    #ttg.swizzled_shared<{vec = 2, perPhase = 1, maxPhase = 4, order = [1, 0]}>
    ```
  }];
  let parameters = (ins Unsigned<"elements that stay together">:$vec,
                        Unsigned<"rows with the same permutation">:$perPhase,
                        Unsigned<"number of permutations">:$maxPhase,
                        Unsigneds<"dimensions, contiguous first">:$order, CGA<"order">:$CGALayout);
}

def TTG_NVMMAShared : TTG_Shared<"NVMMAShared", "nvmma_shared"> {
  let summary = "What wgmma, tcgen05 and the tensor memory accelerator read and write";
  let description = [{
    Tiles of eight rows of `swizzlingByteWidth` bytes (0, 32, 64 or 128), 16-byte groups of which are permuted by
    exclusive or with the row.  `transposed`: the first dimension is the contiguous one.  `fp4Padded`: every 8 bytes of
    packed fp4 are followed by 8 bytes of padding.  `rank` is printed if it is not 2.

    Example:
    ```mlir
    #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
    ```
  }];
  let parameters = (ins Unsigned<"bytes of a row over which 16-byte groups are permuted; 0 for none",
                                 /*ifAbsent=*/"", /*isRequired=*/1>:$swizzlingByteWidth,
                        Flag<"whether the first of the last two dimensions is the contiguous one">:$transposed,
                        Unsigned<"bits of an element; 16 where the text has none", /*ifAbsent=*/"16", /*isRequired=*/0,
                                 /*oldKey=*/"", /*isAlwaysPrinted=*/1>:$elementBitWidth,
                        Flag<"whether 8 bytes of fp4 values are followed by 8 bytes of padding",
                             /*ifAbsent=*/"false">:$fp4Padded,
                        RankedCGA:$CGALayout);
  let extraClassDeclaration = sharedMethods # [{
    /// Whether the parameters are some that the hardware has.
    bool describesTensors() const;
    int32_t getAlignment() const;
    /// The block of one TMA copy, in data elements: at most 256 in each dimension, and along the contiguous one exactly
    /// the swizzling width.  Fails, with a diagnostic if there is somewhere to send it, if the tensor is smaller.
    ::mlir::FailureOr<::llvm::SmallVector<int64_t>>
    getTMABlockShape(::llvm::ArrayRef<int64_t> shapePerCTA,
                     ::llvm::function_ref<::mlir::InFlightDiagnostic()> emitError = nullptr) const;
    /// The same permutation in the terms of swizzled_shared.
    int getVec() const;
    int getPerPhase() const;
    int getMaxPhase() const;
  }];
}

def TTG_AMDRotatingShared : TTG_Shared<"AMDRotatingShared", "amd_rotating_shared"> {
  let summary = "As swizzled_shared, with a phase that moves on every maxPhase phases";
  let description = [{
    The permutation of row r is `((r / perPhase) mod maxPhase) xor ((r / perPhase / maxPhase) mod maxPhase)`; both reads
    along rows and along columns are then free of bank conflicts.

    Example:
    ```mlir
    #ttg.amd_rotating_shared<{vec = 4, perPhase = 1, maxPhase = 16, order = [1, 0]}>
    ```
  }];
  let parameters = (ins Unsigned<"elements that stay together">:$vec,
                        Unsigned<"rows with the same permutation">:$perPhase,
                        Unsigned<"number of permutations">:$maxPhase,
                        Unsigneds<"dimensions, contiguous first">:$order, CGA<"order">:$CGALayout);
}

def TTG_PaddedShared : TTG_Shared<"PaddedShared", "padded_shared"> {
  let summary = "Padding after every so many elements";
  let description = [{
    `[i0:+p0, i1:+p1, ...]`: after every `i0` elements `p0` elements are left out, after every `i1` another `p1`, and so
    on. The elements themselves are in `order`, or follow a linear map (offset, block) -> coordinates.

    Example: rows of 128 elements, four unused ones after each.
    ```mlir
    #ttg.padded_shared<[128:+4] {order = [1, 0], shape = [64, 128]}>
    #ttg.padded_shared<[4:+2] {offset = [[0, 1], [0, 2], [2, 0], [1, 0]], block = []}>
    ```
  }];
  let hasOwnText = 1;
  let parameters = (ins Unsigneds<"elements between paddings">:$intervals, Unsigneds<"elements of padding">:$paddings,
                        Linear<"bases of the element's index, padding left out, and of the CTA index",
                               ["offset", "block"]>:$linearComponent);
  let extraClassDeclaration = sharedMethods # [{
    ::ttkit::ttg::LinearLayout getCGALayout() const;
    ::llvm::SmallVector<unsigned> getOrder() const;
  }];
}

def TTG_SharedLinear : TTG_Shared<"SharedLinear", "shared_linear"> {
  let summary = "Any linear layout of shared memory, by its bases";
  let description = [{
    Vector `i` of `offset` is the shift in the tensor that bit `i` of the offset, in elements, means; `block` likewise,
    and is not printed if empty.  `alignment` is that of the allocation, in bytes.

    Example:
    ```mlir
    #ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0], [2, 2]]}, alignment = 16>
    ```
  }];
  let hasOwnText = 1;
  let parameters = (ins Linear<"bases of the element's offset and of the CTA index", ["offset", "block"]>:$linearLayout,
                        Unsigned<"alignment of the allocation, in bytes">:$alignment);
  let extraClassDeclaration = sharedMethods # [{
    ::ttkit::ttg::LinearLayout getCGALayout() const;
  }];
}

def TTG_SharedMemorySpace : TTG_Attr<"SharedMemorySpace", "shared_memory"> {
  let summary = "The memory space of memory descriptors in shared memory";
}

#endif // TTKIT_TTG_ATTRS
