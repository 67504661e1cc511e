// Canonicalization of layout conversions: other operations absorb them where any layout is as good.

#include "tt/index_ops.h"
#include "tt/view_ops.h"
#include "ttg/LayoutInference.h"
#include "ttg/layout_ops.h"
#include "ttg/shared_memory_ops.h"

using namespace mlir;

namespace ttkit::ttg {

//===--------------------------------------------------------------------------------------------------------------===//
// What the patterns ask of layouts
//===--------------------------------------------------------------------------------------------------------------===//

/// Registers of a thread; nothing without a layout.
static std::optional<int64_t> countRegisters(RankedTensorType type) {
  FailureOr<LinearLayout> linear = toLinearLayout(type);
  return succeeded(linear) ? std::optional(linear->getIndexSize(Index::Register)) : std::nullopt;
}

/// Whether the conversion renames the layout only.
static bool isTrivial(ConvertLayoutOp convert) {
  RankedTensorType source = convert.getSrc().getType();
  const tt::LayoutInterface *layouts = tt::getLayoutInterface(source.getEncoding());
  Attribute target = convert.getType().getEncoding();
  return layouts && target &&
         succeeded(layouts->verifyEquivalent(source.getShape(), source.getEncoding(), target, std::nullopt));
}

static bool hasDotOperandLayout(RankedTensorType type) {
  return isa_and_nonnull<DotOperandEncodingAttr>(type.getEncoding());
}

//===--------------------------------------------------------------------------------------------------------------===//
// op(convert) -> op
//===--------------------------------------------------------------------------------------------------------------===//

namespace {

/// A pattern on `Op` that takes the unconverted value where `getOperand` gives a converted one.
template <typename Op> struct ConvertedOperandPattern : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;

  virtual Value getOperand(Op op) const { return op.getSrc(); }
  virtual LogicalResult absorb(Op op, ConvertLayoutOp convert, PatternRewriter &rewriter) const = 0;

  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    Value operand = getOperand(op);
    auto convert = operand ? operand.getDefiningOp<ConvertLayoutOp>() : nullptr;
    // In the body of a module, which is a graph, a conversion may be its own source: absorbing it would never end.
    return convert && convert.getSrc() != operand ? absorb(op, convert, rewriter) : failure();
  }
};

/// reshape(convert(x)) -> reshape(x), if the conversion is trivial or the order of the elements is free.
struct ReshapeOfConvert final : ConvertedOperandPattern<tt::ReshapeOp> {
  using ConvertedOperandPattern::ConvertedOperandPattern;

  LogicalResult absorb(tt::ReshapeOp op, ConvertLayoutOp convert, PatternRewriter &rewriter) const override {
    RankedTensorType source = convert.getSrc().getType();
    if (!isTrivial(convert) && (!op.getAllowReorder() || isExpensiveView(source, op.getType())))
      return failure();
    rewriter.replaceOpWithNewOp<tt::ReshapeOp>(op, op.getType(), convert.getSrc(), op.getAllowReorder(),
                                               op.getEfficientLayout());
    return success();
  }
};

/// trans(convert(x)) -> trans(x), if the conversion is trivial.
struct TransOfConvert final : ConvertedOperandPattern<tt::TransOp> {
  using ConvertedOperandPattern::ConvertedOperandPattern;

  LogicalResult absorb(tt::TransOp op, ConvertLayoutOp convert, PatternRewriter &rewriter) const override {
    if (!isTrivial(convert))
      return failure();
    rewriter.replaceOpWithNewOp<tt::TransOp>(op, op.getType(), convert.getSrc(), op.getOrder());
    return success();
  }
};

/// trans(x, [0, 1, ...]) -> convert(x), which is trivial.
struct IdentityTrans final : OpRewritePattern<tt::TransOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tt::TransOp op, PatternRewriter &rewriter) const override {
    for (auto [index, dim] : llvm::enumerate(op.getOrder()))
      if (int64_t(index) != dim)
        return failure();
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, op.getType(), op.getSrc());
    return success();
  }
};

/// gather(convert(x), i) -> gather(x, i): a gather through shared memory takes any layout.
struct GatherOfConvert final : ConvertedOperandPattern<tt::GatherOp> {
  using ConvertedOperandPattern::ConvertedOperandPattern;

  LogicalResult absorb(tt::GatherOp op, ConvertLayoutOp convert, PatternRewriter &rewriter) const override {
    if (op.getEfficientLayout())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.getSrcMutable().assign(convert.getSrc()); });
    return success();
  }
};

/// histogram(convert(x), mask) -> histogram(x, convert(mask)): any layout will do.
struct HistogramOfConvert final : ConvertedOperandPattern<tt::HistogramOp> {
  using ConvertedOperandPattern::ConvertedOperandPattern;

  LogicalResult absorb(tt::HistogramOp op, ConvertLayoutOp convert, PatternRewriter &rewriter) const override {
    Value mask = op.getMask();
    if (mask)
      mask = ConvertLayoutOp::create(rewriter, op.getLoc(), tt::getI1SameShape(convert.getSrc().getType()), mask);
    rewriter.replaceOpWithNewOp<tt::HistogramOp>(op, op.getType(), convert.getSrc(), mask);
    return success();
  }
};

/// split(convert(x)) -> split(x), if that gives the same layout.
struct SplitOfConvert final : ConvertedOperandPattern<tt::SplitOp> {
  using ConvertedOperandPattern::ConvertedOperandPattern;

  LogicalResult absorb(tt::SplitOp op, ConvertLayoutOp convert, PatternRewriter &rewriter) const override {
    RankedTensorType source = convert.getSrc().getType();
    const tt::LayoutInterface *layouts = tt::getLayoutInterface(source.getEncoding());
    if (!layouts)
      return failure();
    FailureOr<Attribute> half = layouts->inferSplit(source.getEncoding(), source.getShape(), std::nullopt);
    if (failed(half) || *half != cast<RankedTensorType>(op->getResult(0).getType()).getEncoding())
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, convert.getSrc()); });
    return success();
  }
};

/// alloc(convert(x)) -> alloc(x): any layout of the same CTAs can be stored.
struct AllocOfConvert final : ConvertedOperandPattern<LocalAllocOp> {
  using ConvertedOperandPattern::ConvertedOperandPattern;

  LogicalResult absorb(LocalAllocOp op, ConvertLayoutOp convert, PatternRewriter &rewriter) const override {
    if (!areDividedAlike(convert.getSrc().getType(), convert.getType()))
      return failure();
    rewriter.replaceOpWithNewOp<LocalAllocOp>(op, op.getType(), convert.getSrc(), IntegerAttr());
    return success();
  }
};

/// store(convert(x), buffer) -> store(x, buffer)
struct StoreOfConvert final : ConvertedOperandPattern<LocalStoreOp> {
  using ConvertedOperandPattern::ConvertedOperandPattern;

  LogicalResult absorb(LocalStoreOp op, ConvertLayoutOp convert, PatternRewriter &rewriter) const override {
    if (!areDividedAlike(convert.getSrc().getType(), convert.getType()))
      return failure();
    rewriter.replaceOpWithNewOp<LocalStoreOp>(op, convert.getSrc(), op.getDst());
    return success();
  }
};

//===--------------------------------------------------------------------------------------------------------------===//
// convert(op) -> op
//===--------------------------------------------------------------------------------------------------------------===//

/// A conversion of what an operation could have made in the wanted layout at once.
struct ConvertOfProducer final : OpRewritePattern<ConvertLayoutOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvertLayoutOp op, PatternRewriter &rewriter) const override {
    RankedTensorType source = op.getSrc().getType(), result = op.getType();
    if (op.getSrc() == op.getResult())
      return failure();
    // convert(x) -> x
    if (source == result) {
      rewriter.replaceOp(op, op.getSrc());
      return success();
    }
    // Left for the passes that pair matrix products whose first result is an operand of the second.
    if (hasDotOperandLayout(result) && isa_and_nonnull<NvidiaMmaEncodingAttr>(source.getEncoding()))
      return failure();
    Operation *producer = op.getSrc().getDefiningOp();
    if (!producer)
      return failure();
    if (producer->getName().getStringRef() == "arith.constant")
      return ofConstant(op, producer, rewriter);
    return llvm::TypeSwitch<Operation *, LogicalResult>(producer)
        .Case([&](tt::ReshapeOp reshape) { return ofReshape(op, reshape, rewriter); })
        .Case([&](LocalLoadOp load) { return ofLoad(op, load, rewriter); })
        .Case([&](tt::CatOp cat) { return ofCat(op, cat, rewriter); })
        .Case([&](tt::HistogramOp histogram) {
          return replace<tt::HistogramOp>(op, rewriter, histogram.getSrc(), histogram.getMask());
        })
        .Case([&](ConvertLayoutOp convert) {
          if (convert.getSrc() == op.getSrc())
            return failure();
          return replace<ConvertLayoutOp>(op, rewriter, convert.getSrc());
        })
        .Case([&](tt::SplatOp splat) { return replace<tt::SplatOp>(op, rewriter, splat.getSrc()); })
        .Case([&](tt::MakeRangeOp range) {
          return replace<tt::MakeRangeOp>(op, rewriter, range.getStart(), range.getEnd());
        })
        .Default(failure());
  }

private:
  template <typename Op, typename... Args>
  static LogicalResult replace(ConvertLayoutOp op, PatternRewriter &rewriter, Args... args) {
    rewriter.replaceOpWithNewOp<Op>(op, op.getType(), args...);
    return success();
  }

  /// convert(reshape(x)) -> reshape(x), if the order of the elements is free.
  static LogicalResult ofReshape(ConvertLayoutOp op, tt::ReshapeOp reshape, PatternRewriter &rewriter) {
    if (!reshape.getAllowReorder() || reshape.getEfficientLayout() ||
        isExpensiveView(reshape.getSrc().getType(), op.getType()))
      return failure();
    // Dot operands hold several elements to a register, which a reshape cannot follow.
    if (hasDotOperandLayout(op.getSrc().getType()) || hasDotOperandLayout(op.getType()))
      return failure();
    return replace<tt::ReshapeOp>(op, rewriter, reshape.getResult(), reshape.getAllowReorder(), false);
  }

  /// convert(load(buffer)) -> load(buffer), at the place of the load: something may write to the buffer after it.
  static LogicalResult ofLoad(ConvertLayoutOp op, LocalLoadOp load, PatternRewriter &rewriter) {
    rewriter.setInsertionPoint(load);
    return replace<LocalLoadOp>(op, rewriter, load.getSrc(), load.getToken());
  }

  /// convert(cat(x, y)) -> cat(x, y), if no thread gets fewer registers, which takes a trip through shared memory.
  static LogicalResult ofCat(ConvertLayoutOp op, tt::CatOp cat, PatternRewriter &rewriter) {
    std::optional<int64_t> before = countRegisters(op.getSrc().getType()), after = countRegisters(op.getType());
    if (!before || !after || *after < *before)
      return failure();
    return replace<tt::CatOp>(op, rewriter, cat.getLhs(), cat.getRhs());
  }

  /// convert(constant) -> constant, if all elements are equal.
  static LogicalResult ofConstant(ConvertLayoutOp op, Operation *constant, PatternRewriter &rewriter) {
    SplatElementsAttr splat;
    if (!matchPattern(constant, m_Constant(&splat)))
      return failure();
    auto value = SplatElementsAttr::get(op.getType(), splat.getSplatValue<Attribute>());
    rewriter.replaceOp(op, constant->getDialect()->materializeConstant(rewriter, value, op.getType(), op.getLoc()));
    return success();
  }
};

} // namespace

void ConvertLayoutOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *context) {
  patterns.add<ConvertOfProducer, ReshapeOfConvert, TransOfConvert, IdentityTrans, GatherOfConvert, HistogramOfConvert,
               SplitOfConvert, AllocOfConvert, StoreOfConvert>(context);
}

} // namespace ttkit::ttg
