"""Types of the dialects as Python classes, and layouts read from and made into attributes."""

import gc
import re
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from layout_strategies import layouts
from mlir import ir

import ttkit
from ttkit.dialects import _layouts, _ttg_attributes, tt, ttg, ttng
from ttkit.layout import to_linear_layout
from ttkit.layout.encodings import Blocked, NvmmaShared, Slice, SwizzledShared, TensorMemory, parse_layout

BLOCKED = Blocked((1, 4), (8, 4), (4, 1), (1, 0))
SWIZZLED = SwizzledShared(8, 1, 8, (1, 0))


def error_text(error: ir.MLIRError) -> str:
    return "\n".join(diagnostic.message for diagnostic in error.error_diagnostics)


def test_parsed_types_arrive_as_their_class(context):
    tensor = ir.Type.parse("tensor<4x!tt.ptr<f32>>")
    assert isinstance(tensor.element_type, tt.PointerType)
    assert isinstance(ir.Type.parse("!ttg.async.token"), ttg.AsyncTokenType)


def test_values_arrive_with_their_type_class(context):
    module = ttkit.parse("func.func @f(%p: !tt.ptr<f16>) { return }")
    argument = module.body.operations[0].regions[0].blocks[0].arguments[0]
    assert isinstance(argument.type, tt.PointerType)
    assert argument.type.pointee_type == ir.F16Type.get()


def test_pointer(context):
    pointer = tt.PointerType.get(ir.F32Type.get(), 3)
    assert str(pointer) == "!tt.ptr<f32, 3>"
    assert pointer.pointee_type == ir.F32Type.get()
    assert pointer.address_space == 3
    assert tt.PointerType.get(ir.F32Type.get()) == ir.Type.parse("!tt.ptr<f32>")


def test_tensor_descriptor(context):
    block = ir.RankedTensorType.get([64, 64], ir.F16Type.get())
    descriptor = tt.TensorDescType.get(block)
    assert str(descriptor) == "!tt.tensordesc<tensor<64x64xf16>>"
    assert descriptor.block_type == block


def test_memory_descriptor(context):
    type = ttg.MemDescType.get([64, 64], ir.F16Type.get(), SWIZZLED, mutable=True, alloc_shape=[2, 64, 64])
    assert str(type) == f"!ttg.memdesc<64x64xf16, {SWIZZLED}, #ttg.shared_memory, mutable, 2x64x64>"
    assert (type.rank, type.shape, type.alloc_shape) == (2, [64, 64], [2, 64, 64])
    assert (type.element_type, type.mutable) == (ir.F16Type.get(), True)
    assert str(type.memory_space) == "#ttg.shared_memory"
    assert ttg.layout_of(type) == SWIZZLED
    assert type == ir.Type.parse(str(type))


def test_token(context):
    assert str(ttg.AsyncTokenType.get()) == "!ttg.async.token"
    assert ttg.AsyncTokenType.get(context) == ttg.AsyncTokenType.get()


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: tt.TensorDescType.get(ir.F32Type.get()), "tensor"),
        (lambda: ttg.MemDescType.get([3, 4, 4], ir.F32Type.get(), BLOCKED), ""),
    ],
)
def test_illegal_types_raise_what_the_parser_says(context, make, message):
    with pytest.raises(ir.MLIRError) as error:
        make()
    assert error_text(error.value) and message in error_text(error.value)


@pytest.mark.parametrize("cls", [tt.PointerType, tt.TensorDescType, ttg.MemDescType, ttg.AsyncTokenType])
def test_casting_another_type_is_an_error(context, cls):
    with pytest.raises(ValueError, match=re.escape(f"f32 is not a !{cls.type_name}")):
        cls(ir.F32Type.get())


def test_token_without_a_context():
    with pytest.raises(ValueError, match="no context"):
        ttg.AsyncTokenType.get()


# --- Layouts ---------------------------------------------------------------------------------------------------------
def test_layout_of_attributes_types_and_values(context):
    attribute = ttg.attribute(Slice(1, BLOCKED))
    tensor = ir.RankedTensorType.get([64], ir.F32Type.get(), attribute)
    module = ttkit.parse(f"func.func @f(%a: {tensor}) {{ return }}")
    value = module.body.operations[0].regions[0].blocks[0].arguments[0]
    for subject in (attribute, tensor, value):
        assert ttg.layout_of(subject) == Slice(1, BLOCKED)


def test_a_tensor_without_layout_has_none(context):
    assert ttg.layout_of(ir.RankedTensorType.get([4], ir.F32Type.get())) is None


def test_linear_layout_of_types(context):
    f32 = ir.F32Type.get()
    tensor = ir.RankedTensorType.get([64, 32], f32, ttg.attribute(BLOCKED))
    assert ttg.linear_layout_of(tensor) == to_linear_layout((64, 32), BLOCKED)
    assert ttg.linear_layout_of(tt.TensorDescType.get(tensor)) == to_linear_layout((64, 32), BLOCKED)
    whole = to_linear_layout((64, 32), SWIZZLED)
    assert ttg.linear_layout_of(ttg.MemDescType.get([3, 64, 32], f32, SWIZZLED)) == whole
    view = ttg.MemDescType.get([64, 16], f32, SWIZZLED, alloc_shape=[3, 64, 32])
    assert ttg.linear_layout_of(view) == whole
    with pytest.raises(TypeError, match="has no layout"):
        ttg.linear_layout_of(ir.RankedTensorType.get([4], f32))


def test_layout_of_a_tensor_descriptor_is_its_block_s(context):
    layout = NvmmaShared(128, False, 16)
    block = ir.RankedTensorType.get([64, 64], ir.F16Type.get(), ttg.attribute(layout))
    assert ttg.layout_of(tt.TensorDescType.get(block)) == layout


def test_types_without_layout_are_an_error(context):
    with pytest.raises(TypeError, match="f32 has no layout"):
        ttg.layout_of(ir.F32Type.get())


def test_attributes_that_are_no_layout_are_an_error(context):
    with pytest.raises(ValueError, match="in layout"):
        ttg.layout_of(ir.Attribute.parse("#ttg.shared_memory"))


def test_attribute_without_a_context():
    with pytest.raises(ValueError, match="no context"):
        ttg.attribute(BLOCKED)


def test_attribute_in_a_given_context():
    context = ttkit.Context()
    assert ttg.attribute(BLOCKED, context).context is context


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(layouts)
def test_every_layout_is_an_attribute_with_the_same_text(context, layout):
    attribute = ttg.attribute(layout)
    assert str(attribute) == str(layout)
    assert parse_layout(str(attribute)) == layout
    assert ttg.attribute(layout) == attribute


def test_tensor_memory_layouts(context):
    layout = TensorMemory(128, 64, 1, two_ctas=True)
    assert str(ttg.attribute(layout)) == str(layout)


def test_each_context_has_its_own_attributes():
    contexts = [ttkit.Context(), ttkit.Context()]
    attributes = [ttg.attribute(BLOCKED, context) for context in contexts]
    assert [attribute.context for attribute in attributes] == contexts
    assert [ttg.layout_of(attribute) for attribute in attributes] == [BLOCKED, BLOCKED]


def test_the_tables_forget_a_context_that_dies():
    ttkit.Context()  # lets go of what earlier tests have kept
    gc.collect()
    before = len(_layouts._LAYOUTS), len(_layouts._ATTRIBUTES), len(_layouts._KNOWN)
    for vec in (1, 2, 4):  # a later context may well reuse the addresses of an earlier one
        with ttkit.Context():
            layout = SwizzledShared(vec, 1, 8, (1, 0))
            assert ttg.layout_of(ttg.attribute(layout)) == layout
    gc.collect()
    after = len(_layouts._LAYOUTS), len(_layouts._ATTRIBUTES), len(_layouts._KNOWN)
    assert all(now <= then for now, then in zip(after, before))


def test_a_context_alive_at_exit_is_no_trouble():
    code = (
        "import ttkit; from ttkit.dialects import ttg; from ttkit.layout.encodings import SwizzledShared\n"
        "context = ttkit.Context(); context.itself = context\n"
        "attribute = ttg.attribute(SwizzledShared(1, 1, 1, (0,)), context)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- Classes of layout attributes ------------------------------------------------------------------------------------
def test_attributes_of_layouts(context):
    made = ttg.BlockedEncodingAttr.get([1, 4], (8, 4), (4, 1), (1, 0))
    assert isinstance(made, ttg.BlockedEncodingAttr) and made == ttg.attribute(BLOCKED) and made.layout == BLOCKED
    assert made.threads_per_warp == (8, 4) and made.cga_layout == ()
    type = ir.RankedTensorType.get([64, 32], ir.F16Type.get(), made)
    assert ttg.layout_of(type) == BLOCKED
    assert ttg.BlockedEncodingAttr(type.encoding).order == (1, 0)
    assert not ttg.SliceEncodingAttr.isinstance(type.encoding)
    with pytest.raises(ValueError, match="is not a SliceEncodingAttr"):
        ttg.SliceEncodingAttr(type.encoding)
    with pytest.raises(ValueError, match="is not a BlockedEncodingAttr"):
        ttg.BlockedEncodingAttr(ir.UnitAttr.get())


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(layouts)
def test_attribute_classes_make_what_values_are(context, layout):
    classes = vars(_ttg_attributes).items()
    name = next(name for name, cls in classes if getattr(cls, "value_class", None) is type(layout))
    made = getattr(ttg, name).get(**vars(layout))
    assert made == ttg.attribute(layout) and type(made).__name__ == name


def test_attributes_in_another_context(context):
    with ttkit.Context() as other:
        pass
    made = ttng.TensorMemoryEncodingAttr.get(128, 64, 1, two_ctas=True, context=other)
    assert made.context == other and made.two_ctas
    assert "rows of a block" in (ttng.TensorMemoryEncodingAttr.__doc__ or "")


def test_attributes_need_a_context():
    with pytest.raises(ValueError, match="none is current"):
        ttg.SliceEncodingAttr.get(0, BLOCKED)


def test_fields_of_a_cache_policy(context):
    text = "#ttng.cache_policy<l1 = evict_last, l2_fraction = 2.5e-01 : f32, l2_prefetch_size = 128 : i32>"
    fields = {"l1": "evict_last", "l2_fraction": 0.25, "l2_prefetch_size": 128}
    assert ttng.cache_policy_fields(ir.Attribute.parse(text)) == fields
    assert ttng.cache_policy_fields(ir.UnitAttr.get()) == {}
