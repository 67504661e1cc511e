// The C ABI of libttkit: all that Python calls, through ctypes.
//
// MLIR handles are the C API's (structs of one pointer), so they cross to the Python bindings as capsules.

#ifndef TTKIT_CAPI_TTKIT_H
#define TTKIT_CAPI_TTKIT_H

#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TTKIT_EXPORT __attribute__((visibility("default")))

/// Adds tt, ttg, ttng and the dialects defined in Python so far to a registry; contexts made from it load them on demand.
TTKIT_EXPORT void ttkitRegisterDialects(MlirDialectRegistry registry);

/// Loads every dialect that kernels use into a context: ours, and the upstream ones that they build on.
TTKIT_EXPORT void ttkitLoadDialects(MlirContext context);

//===--------------------------------------------------------------------------------------------------------------===//
// Dialects defined in Python (DynamicDialects.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// Whether an operation is valid, or, once what stands in them is, its regions; if not, a diagnostic has been emitted.
typedef bool (*TtkitVerifyCallback)(MlirOperation operation, bool regions);

/// Whether parameters are those of a type or attribute; if they are not, ttkitReportParameters has been given to `report`.
typedef bool (*TtkitParametersCallback)(const char *name, bool isAttribute, MlirContext context,
                                        const MlirAttribute *parameters, size_t count, void *report);

/// Told of the TypeID that a type or attribute has in a context, which is about to have it.
typedef void (*TtkitDefinedCallback)(const char *name, bool isAttribute, MlirTypeID id);

/// What an operation promises, as bits: that it has no effects, but for those of its regions, and may run where it would
/// not have run; that all of its tensors have one layout; that it works on each element by itself; that it ends a block;
/// that its blocks end without such an operation; that its regions use no value from outside.
typedef enum {
  TTKIT_PURE = 1,
  TTKIT_SAME_LAYOUT = 2,
  TTKIT_ELEMENTWISE = 4,
  TTKIT_TERMINATOR = 8,
  TTKIT_NO_TERMINATOR = 16,
  TTKIT_ISOLATED = 32
} TtkitOperationTrait;

/// Defines an operation, for registries and contexts that get its dialect from here on.  Call it with Python's lock held.
TTKIT_EXPORT void ttkitDefineOperation(const char *dialect, const char *name, unsigned traits,
                                       TtkitVerifyCallback verify);

/// Defines a type or an attribute with any parameters, as ttkitDefineOperation does.  Callbacks get its full name.
TTKIT_EXPORT void ttkitDefineParametric(const char *dialect, const char *name, bool isAttribute,
                                        TtkitParametersCallback verify, TtkitDefinedCallback defined);

/// Says what is wrong with parameters, as an error where they stand.
TTKIT_EXPORT void ttkitReportParameters(void *report, const char *message);

/// The type of that name with parameters that are valid; null if the context lacks the dialect or the type.
TTKIT_EXPORT MlirType ttkitDefinedType(MlirContext context, const char *dialect, const char *name,
                                       const MlirAttribute *parameters, size_t count);

/// The same for an attribute.
TTKIT_EXPORT MlirAttribute ttkitDefinedAttribute(MlirContext context, const char *dialect, const char *name,
                                                 const MlirAttribute *parameters, size_t count);

/// A parameter of a type that is defined in Python; null if it has fewer.
TTKIT_EXPORT MlirAttribute ttkitTypeParameter(MlirType type, size_t index);

/// A parameter of an attribute that is defined in Python; null if it has fewer.
TTKIT_EXPORT MlirAttribute ttkitAttributeParameter(MlirAttribute attribute, size_t index);

/// Loads a dialect that is defined in Python, with what of it the context does not have yet; the context goes
/// single-threaded.
TTKIT_EXPORT void ttkitLoadDynamicDialect(MlirContext context, const char *name);

//===--------------------------------------------------------------------------------------------------------------===//
// Passes written in Python (PythonPass.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// What a pass is, filled in by the `describe` callback when the pass is first needed.
typedef struct TtkitPassDefinition TtkitPassDefinition;
/// One pass in a pipeline, valid during the `run` callback.
typedef struct TtkitPass TtkitPass;

/// Calls ttkitPassDescribe, ttkitPassAddOption... for the named pass; what goes wrong is left to ttkitPassSetError.
/// Threads may ask at the same time: all but the first wait, and find it described.
typedef void (*TtkitDescribeCallback)(const char *name, TtkitPassDefinition *definition);
/// Runs the named pass on an operation; true on success.  On failure a diagnostic has been emitted.  `run` is that of the
/// pipeline's observer; null without one.
typedef bool (*TtkitRunCallback)(const char *name, TtkitPass *pass, MlirOperation operation, void *run);

typedef struct {
  TtkitDescribeCallback describe;
  TtkitRunCallback run;
} TtkitPassCallbacks;

/// Must be called before passes are registered.
TTKIT_EXPORT void ttkitSetPassCallbacks(TtkitPassCallbacks callbacks);

/// Registers a pass by its argument.  Nothing is asked of it until a pipeline names it.  False if the name is taken.
TTKIT_EXPORT bool ttkitRegisterPass(const char *name);

/// True if a pass or pipeline of that argument is registered, here or upstream.
TTKIT_EXPORT bool ttkitIsPassRegistered(const char *name);

/// From here on passes describe themselves at registration too: what `--help` needs to list their options.
TTKIT_EXPORT void ttkitDescribePassesEagerly(void);

/// `anchor` is the name of the operation that the pass runs on; null for any.
TTKIT_EXPORT void ttkitPassDescribe(TtkitPassDefinition *definition, const char *className, const char *summary,
                                    const char *anchor);

/// `type` is one of "bool", "int", "float", "str", "list[int]", "list[str]"; `value` the default as it would be written
/// on the command line.
TTKIT_EXPORT void ttkitPassAddOption(TtkitPassDefinition *definition, const char *name, const char *type,
                                     const char *value, const char *help);
TTKIT_EXPORT void ttkitPassAddStatistic(TtkitPassDefinition *definition, const char *name, const char *help);
TTKIT_EXPORT void ttkitPassAddDependentDialect(TtkitPassDefinition *definition, const char *dialect);

/// Why the pass can't be used; the pipeline that names it is then refused with this text.
TTKIT_EXPORT void ttkitPassSetError(TtkitPassDefinition *definition, const char *message);

typedef void (*TtkitOptionCallback)(const char *name, const char *value);
/// The pass's options as `name=value` pairs, each printed by `emit`; lists as comma-separated text.
TTKIT_EXPORT void ttkitPassOptions(TtkitPass *pass, TtkitOptionCallback emit);

/// Adds to a statistic, by its index in the order of ttkitPassAddStatistic.
TTKIT_EXPORT void ttkitPassCount(TtkitPass *pass, size_t statistic, uint64_t amount);

/// The context that an operation belongs to.
TTKIT_EXPORT MlirContext ttkitContextOf(MlirOperation operation);

/// Emits an error at `operation`.
TTKIT_EXPORT void ttkitEmitError(MlirOperation operation, const char *message);

/// Emits a remark at the location of `operation`, and with it a note unless that is null.
TTKIT_EXPORT void ttkitEmitRemark(MlirOperation operation, const char *message, const char *note);

/// Emits a warning at the location of `operation`.
TTKIT_EXPORT void ttkitEmitWarning(MlirOperation operation, const char *message);

//===--------------------------------------------------------------------------------------------------------------===//
// Pipelines written in Python (PythonPipeline.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// What a name in a pipeline stands for, during the callback.
typedef struct TtkitPipeline TtkitPipeline;

/// Calls ttkitPipelineSetText or ttkitPipelineSetError for the named pipeline and the text of its options.
typedef void (*TtkitExpandCallback)(const char *name, const char *options, TtkitPipeline *pipeline);

/// Registers a pipeline by its argument.  Nothing is asked of it until one names it.  False if the name is taken.
TTKIT_EXPORT bool ttkitRegisterPipeline(const char *name, const char *summary, TtkitExpandCallback expand);

/// The passes, as pipeline text.
TTKIT_EXPORT void ttkitPipelineSetText(TtkitPipeline *pipeline, const char *text);

/// Why the options make no pipeline.
TTKIT_EXPORT void ttkitPipelineSetError(TtkitPipeline *pipeline, const char *message);

//===--------------------------------------------------------------------------------------------------------------===//
// What happens to passes (PassEvents.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// What an observer wants to be told of, as bits: each kind of event; and with them, passes that others run inside of
/// them, and whether a pass has changed its operation, by a fingerprint before and after; and each pattern that a rewrite
/// driver is about to try.
typedef enum {
  TTKIT_PASS_BEGINS = 1,
  TTKIT_PASS_ENDED = 2,
  TTKIT_PASS_FAILED = 4,
  TTKIT_NESTED_PASSES = 8,
  TTKIT_PASS_CHANGES = 16,
  TTKIT_PATTERNS = 32
} TtkitPassEventKind;

/// A pass that begins, has ended or has failed; all that it points to lives as long as the call that tells of it.
typedef struct {
  TtkitPassEventKind kind;
  uint64_t pipeline;       /// tells pass managers apart
  unsigned depth;          /// how many passes run this one inside of them
  const char *passName;    /// its argument
  const char *className;   /// its class
  const char *arguments;   /// as in a pipeline, with its options; of a pattern its name
  MlirOperation operation; /// what it works on
  double seconds;          /// since it began; 0 if it begins
  int changed;             /// 1 or 0 if it has changed the operation or not; -1 if nobody asked, or it begins
  /// What the pass has counted in this run, as lines `name=number`; NULL if it begins.
  const char *statistics;
} TtkitPassEvent;

/// `run` is what the observer was given with.  False if the pipeline shall count as failed, which tt-opt heeds; or if the
/// pattern shall not be tried.
typedef bool (*TtkitPassEventCallback)(void *run, const TtkitPassEvent *event);

/// Who is told of the passes of a pipeline.  Passes in Python get `run` too.  Without `tell` nobody is told.  Whether a
/// pass in Python changed something is looked at only if MLIR `verifies` after each that did.
typedef struct {
  void *run;
  TtkitPassEventCallback tell;
  unsigned wanted;
  bool verifies;
} TtkitPassObserver;

/// Observes a pipeline that the bindings will run; its context goes single-threaded.
TTKIT_EXPORT void ttkitObservePasses(MlirPassManager passManager, TtkitPassObserver observer);

/// Emits an error or a warning at the named function of a module, or at the module, without printing it.
TTKIT_EXPORT void ttkitReport(MlirOperation module, const char *function, bool isError, const char *message);

//===--------------------------------------------------------------------------------------------------------------===//
// Looking at IR faster than from Python (Inspect.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// True if any operation nested under `root` has one of the `count` names.
TTKIT_EXPORT bool ttkitContainsAny(MlirOperation root, const char *const *names, size_t count);

/// Writes up to `capacity` operations nested under `root`, in pre-order, that have one of the names; gives how many.
TTKIT_EXPORT size_t ttkitCollect(MlirOperation root, const char *const *names, size_t count, MlirOperation *found,
                                 size_t capacity);

/// Writes up to `capacity` operations, `root` and all nested under it, in post-order; gives how many there are.
TTKIT_EXPORT size_t ttkitOperationsIn(MlirOperation root, MlirOperation *found, size_t capacity);

/// The number of uses of a value.
TTKIT_EXPORT size_t ttkitCountUses(MlirValue value);

/// Writes up to `capacity` users of a value, one for each use, in the order of its uses; gives how many there are.
TTKIT_EXPORT size_t ttkitUsers(MlirValue value, MlirOperation *found, size_t capacity);

/// Applies the canonicalization patterns of the named operations, and folds, until nothing changes; true if any did.
TTKIT_EXPORT bool ttkitCanonicalize(MlirOperation root, const char *const *names, size_t count, bool mergesConstants);

/// The text of an operation, in generic form if it is invalid, with locations, and names of values by theirs: told in
/// one piece, which takes a fraction of the time of the bindings' many.
TTKIT_EXPORT void ttkitPrint(MlirOperation operation, MlirStringCallback tell, void *userData);

typedef void (*TtkitNameCallback)(const char *name);
/// The name of each kind of operation in `root`, itself included, once.
TTKIT_EXPORT void ttkitOperationNames(MlirOperation root, TtkitNameCallback emit);

/// Like ttkitCollect, for operations with the trait Elementwise of which every operand, of at least one, is made by an
/// operation of the names.
TTKIT_EXPORT size_t ttkitCollectElementwise(MlirOperation root, const char *const *names, size_t count,
                                            MlirOperation *found, size_t capacity);

/// True if the operation and all in its regions neither read nor write memory.
TTKIT_EXPORT bool ttkitIsMemoryEffectFree(MlirOperation operation);

/// True if the operation and all in its regions have no effects and may be executed where they would not have been.
TTKIT_EXPORT bool ttkitIsPure(MlirOperation operation);

/// True if nothing is lost with an operation whose results are unused: it has no effects and is not a terminator.
TTKIT_EXPORT bool ttkitWouldBeTriviallyDead(MlirOperation operation);

/// True if the operation has the trait: "Elementwise", "SameOperandsAndResultEncoding" or
/// "SameLoadStoreOperandsAndResultEncoding".
TTKIT_EXPORT bool ttkitHasTrait(MlirOperation operation, const char *trait);

/// True if `value` is defined wherever `user` runs, and not by `user` itself.
TTKIT_EXPORT bool ttkitProperlyDominates(MlirValue value, MlirOperation user);

/// True if every way from `earlier` to the end of its region goes through `later`, or through what it is nested in.
TTKIT_EXPORT bool ttkitPostDominates(MlirOperation later, MlirOperation earlier);

/// Sorts operations so that definitions come before uses, and operations before those in their regions.
TTKIT_EXPORT void ttkitTopologicalSort(MlirOperation *operations, size_t count);

/// Which of the operations are connected by definitions and uses: `slices[i]` is the number of the slice of operation
/// i, from zero; gives how many slices there are.  `reaches[a * count + b]`, false at first, is set if slice b is a or
/// inside of a: an operation of a has operations of b in its regions, or one of b's own does so.  Block arguments
/// connect nothing.
TTKIT_EXPORT size_t ttkitSlices(MlirOperation root, const MlirOperation *operations, size_t count, size_t *slices,
                                bool *reaches);

/// True if all that the operation, and those in its regions, do to memory is known and is reading.
TTKIT_EXPORT bool ttkitOnlyReads(MlirOperation operation);

typedef void (*TtkitEffectCallback)(const char *kind, const char *resource, MlirValue value);
/// Calls `emit` for each thing that the operation itself, not what is in its regions, does to memory: "read", "write",
/// "allocate" or "free", to which resource, such as "<SharedMemory>", and to the value that holds its address (null: no
/// value in particular).  False if nobody knows what it does.
TTKIT_EXPORT bool ttkitMemoryEffects(MlirOperation operation, TtkitEffectCallback emit);

//===--------------------------------------------------------------------------------------------------------------===//
// Transformations that have no bindings (Transforms.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// Common subexpression elimination below `root`; true if anything changed.
TTKIT_EXPORT bool ttkitEliminateCommonSubexpressions(MlirOperation root);

typedef bool (*TtkitHoistCallback)(MlirOperation loop, MlirOperation operation);
/// Moves what does not change from iteration to iteration out of the loops below `root`, innermost loops first:
/// operations without effects that may be executed speculatively, and those of the `count` names for which `mayHoist`,
/// called last, says so (it may also rewrite the operands).  Gives how many were moved.
TTKIT_EXPORT size_t ttkitHoistLoopInvariants(MlirOperation root, const char *const *names, size_t count,
                                             TtkitHoistCallback mayHoist);

/// Unrolls an scf.for; false, with nothing changed, if that can't be done.  `epilogue` becomes the loop over the
/// iterations that are left, or null.
TTKIT_EXPORT bool ttkitUnrollLoop(MlirOperation loop, uint64_t factor, MlirOperation *epilogue);

/// Clones operations in order, into `block` before the operation `before` (null: at its end).  Operands, in regions
/// too, are replaced: `from[i]` by `to[i]`, and results of operations cloned earlier by those of their clones.
TTKIT_EXPORT void ttkitCloneOperations(const MlirOperation *operations, size_t count, const MlirValue *from,
                                       const MlirValue *to, size_t mapped, MlirBlock block, MlirOperation before,
                                       MlirOperation *clones);

/// Folds an operation to values that exist, or constants made before it; false if that can't be done.  Writes a value
/// for each result; the operation stays, to be replaced and erased.
TTKIT_EXPORT bool ttkitFold(MlirOperation operation, MlirValue *results);

/// Gives an operation other operands, more or fewer too.  Attributes that group them are up to the caller.
TTKIT_EXPORT void ttkitSetOperands(MlirOperation operation, const MlirValue *operands, size_t count);

//===--------------------------------------------------------------------------------------------------------------===//
// Changing types (Retype.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// Writes up to `capacity` of the different types that results, block arguments and signatures of functions in `root`,
/// itself included, have; gives how many there are.
TTKIT_EXPORT size_t ttkitValueTypes(MlirOperation root, MlirType *found, size_t capacity);

/// Gives every result, block argument and signature in `root`, itself included, that has a type of `from` the one of
/// `to`; constants too, so both must have the same shape and elements.  Operands and types within other types stay.
TTKIT_EXPORT void ttkitReplaceTypes(MlirOperation root, const MlirType *from, const MlirType *to, size_t count);

/// Folds each operation in `root` that has an operand or result of one of the types, once: none sees what another
/// became.  Constants are made in front of what folds to them; unlike a rewrite driver it neither merges constants nor
/// removes what is dead.
TTKIT_EXPORT void ttkitFoldOnce(MlirOperation root, const MlirType *types, size_t count);

//===--------------------------------------------------------------------------------------------------------------===//
// Drivers (OptMain.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// Registers MLIR's own passes.  The bindings do that too when they are imported: a process may do one of them, once.
TTKIT_EXPORT void ttkitRegisterUpstreamPasses(void);

/// Turns what would kill a command into a message and exit code 1: assertions, with which MLIR is built, and input so
/// deep that it exhausts the stack.
TTKIT_EXPORT void ttkitReportCrashes(void);

/// Asked of a text in which something is that MLIR may end the process on: true if it would, which then has been told.
typedef bool (*TtkitRefuseCallback)(const char *file, const void *text, size_t size, bool allowsUnregistered);

/// mlir-opt with our dialects and every pass registered so far, whose pipelines are observed.  Gives the exit code.  A
/// regular output file is replaced only on success, as a whole.
TTKIT_EXPORT int ttkitOptMain(int argc, char **argv, const char *banner, TtkitPassObserver observer,
                              TtkitRefuseCallback refuse);

/// MLIR's language server with our dialects, on standard input and output (LspMain.cpp).  Gives the exit code.
TTKIT_EXPORT int ttkitLspMain(int argc, char **argv);

//===--------------------------------------------------------------------------------------------------------------===//
// Contexts (ContextWatch.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// Called with a watched context while it is being destroyed; no callback if null.
typedef void (*TtkitContextDestroyed)(MlirContext context);
TTKIT_EXPORT void ttkitSetContextDestroyed(TtkitContextDestroyed callback);

/// Watches `context`.  Once for each context.
TTKIT_EXPORT void ttkitWatchContext(MlirContext context);

//===--------------------------------------------------------------------------------------------------------------===//
// What Python holds (HeldObjects.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// Addresses of operations, values, blocks and regions.
typedef struct TtkitContents TtkitContents;

/// Those of all that is in `root`, itself included; to be freed with ttkitFreeContents.
TTKIT_EXPORT TtkitContents *ttkitContents(MlirOperation root);

/// Those of an argument of a block and of the block; to be freed with ttkitFreeContents.
TTKIT_EXPORT TtkitContents *ttkitArgumentContents(MlirBlock block, unsigned index);

/// Adds those of all that is in `root`, itself included.
TTKIT_EXPORT void ttkitAddContents(TtkitContents *contents, MlirOperation root);

/// Leaves those that nothing in `root` has any more.
TTKIT_EXPORT void ttkitKeepGone(TtkitContents *contents, MlirOperation root);

TTKIT_EXPORT void ttkitFreeContents(TtkitContents *contents);

/// Where nanobind's table of instances is, in the first `words` words of its state: the table that has an instance with
/// Python's object of it.  Null if there is none of the shape that is known.
TTKIT_EXPORT const void *ttkitFindInstances(const void *internals, size_t words, const void *instance,
                                            const void *object);

/// How many instances there is room for in the table.
TTKIT_EXPORT size_t ttkitCountInstances(const void *instances);

/// Types of Python, with how large their instances are in C++; the first is that of operations.
typedef struct {
  const void *const *types;
  const size_t *sizes;
  size_t count;
} TtkitHeldTypes;

typedef void (*TtkitHoldCallback)(void *object);
/// Writes up to `capacity` of the objects of the types that refer to something that is gone, operations first; gives how
/// many there are.  Called with the interpreter's lock held; `hold` takes a reference to each object written.
TTKIT_EXPORT size_t ttkitFindHeld(const TtkitContents *gone, const void *instances, const TtkitHeldTypes *types,
                                  TtkitHoldCallback hold, void **found, size_t capacity);

/// True if a result of the operation has a use.
TTKIT_EXPORT bool ttkitHasUses(MlirOperation operation);

/// True if an argument of a block has a use.
TTKIT_EXPORT bool ttkitArgumentHasUses(MlirBlock block, unsigned index);

/// The number of arguments of a block.
TTKIT_EXPORT size_t ttkitCountArguments(MlirBlock block);

/// Takes an operation out of the IR without freeing it, so that objects of Python for what is in it read valid memory.
/// The results of a new operation, which is returned, replace its operands; their true definitions lose these uses.  With
/// a RewriterBase, its listener is told, and the uses of the results are replaced by `count` values first.  Null, with
/// nothing done, if the operation has successors, or something in it has a region of several blocks.
TTKIT_EXPORT MlirOperation ttkitSetAside(MlirOperation operation, void *rewriter, const MlirValue *values, size_t count);

/// Frees what ttkitSetAside took away, and what it returned.
TTKIT_EXPORT void ttkitDestroyAside(MlirOperation operation, MlirOperation standIn);

//===--------------------------------------------------------------------------------------------------------------===//
// Inline assembly (InlineAssembly.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// The first llvm.inline_asm that LLVM would end the process on, and what is wrong with it: constraints that don't suit
/// its operands and results, or a text that names an operand that is not there.  Null if there is none.
TTKIT_EXPORT MlirOperation ttkitFindBadAssembly(MlirOperation root, MlirStringCallback tell, void *userData);

/// The first operation of the llvm dialect that LLVM would end the process on when it is translated, and what is wrong
/// with it: a cast that does not exist, a shuffle or select of other lengths, an alignment (Translatable.cpp).  Null if
/// there is none.
TTKIT_EXPORT MlirOperation ttkitFindUntranslatable(MlirOperation root, MlirStringCallback tell, void *userData);

/// Tells what is wrong with the first such text in an LLVM module, an LLVMModuleRef.
TTKIT_EXPORT void ttkitFindBadLLVMAssembly(void *module, MlirStringCallback tell, void *userData);

//===--------------------------------------------------------------------------------------------------------------===//
// Types (Types.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

// Getters want a type of the right class: compare TypeIDs first.  Constructors return a null type, without a
// diagnostic, if the verifier refuses their arguments.

/// The TypeID of a type by its name without the "!", such as "tt.ptr"; null for names that are not ours.
TTKIT_EXPORT MlirTypeID ttkitTypeID(const char *name);

TTKIT_EXPORT MlirType ttkitPointerTypeGet(MlirType pointee, int addressSpace);
TTKIT_EXPORT MlirType ttkitPointerTypeGetPointee(MlirType type);
TTKIT_EXPORT int ttkitPointerTypeGetAddressSpace(MlirType type);

TTKIT_EXPORT MlirType ttkitTensorDescTypeGet(MlirType blockType, bool im2col);
TTKIT_EXPORT bool ttkitTensorDescTypeIsIm2col(MlirType type);
TTKIT_EXPORT MlirType ttkitTensorDescTypeGetBlockType(MlirType type);

TTKIT_EXPORT MlirType ttkitAsyncTokenTypeGet(MlirContext context);

TTKIT_EXPORT MlirType ttkitMemDescTypeGet(intptr_t rank, const int64_t *shape, MlirType elementType,
                                          MlirAttribute encoding, MlirAttribute memorySpace, bool isMutable,
                                          intptr_t allocRank, const int64_t *allocShape);
TTKIT_EXPORT intptr_t ttkitMemDescTypeGetRank(MlirType type);
TTKIT_EXPORT const int64_t *ttkitMemDescTypeGetShape(MlirType type);
TTKIT_EXPORT intptr_t ttkitMemDescTypeGetAllocRank(MlirType type);
TTKIT_EXPORT const int64_t *ttkitMemDescTypeGetAllocShape(MlirType type);
TTKIT_EXPORT MlirType ttkitMemDescTypeGetElementType(MlirType type);
TTKIT_EXPORT MlirAttribute ttkitMemDescTypeGetEncoding(MlirType type);
TTKIT_EXPORT MlirAttribute ttkitMemDescTypeGetMemorySpace(MlirType type);
TTKIT_EXPORT bool ttkitMemDescTypeIsMutable(MlirType type);

/// The fields of a `#ttng.cache_policy`, a dictionary; null for another attribute.
TTKIT_EXPORT MlirAttribute ttkitCachePolicyGetFields(MlirAttribute policy);

//===--------------------------------------------------------------------------------------------------------------===//
// Layouts (Layouts.cpp)
//===--------------------------------------------------------------------------------------------------------------===//

/// Prints the linear layout of a tensor or memory descriptor: `register = [[0, 1]], lane = ...`, a vector of
/// coordinates for each bit of an index.  False, with nothing printed, if the type has no layout or one that does not
/// suit its shape.
TTKIT_EXPORT bool ttkitPrintLinearLayout(MlirType type, MlirStringCallback callback, void *userData);

/// True if instructions move a tensor of this type between registers and a buffer in tensor memory of that type.
TTKIT_EXPORT bool ttkitFitsTensorMemory(MlirType tensor, MlirType buffer);

/// How many warps run the operation, and threads a warp; zero if nothing says how many warps.
TTKIT_EXPORT int ttkitNumWarps(MlirOperation operation);
TTKIT_EXPORT int ttkitThreadsPerWarp(MlirOperation operation);

#ifdef __cplusplus
}
#endif

#endif // TTKIT_CAPI_TTKIT_H
