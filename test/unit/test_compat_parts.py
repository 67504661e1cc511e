"""The parts of `ttkit.compat` that are code of its own: names of types, paths, tt by Triton's methods, FileCheck."""

from types import SimpleNamespace

import numpy as np
import pytest

import ttkit
from ttkit import language as tl
from ttkit.compat import filecheck, ir, paths, specialization, type_names
from ttkit.compat.backends import BaseBackend, CPUDriver, DriverBase, GPUDriver, backends, sm_arch_from_capability
from ttkit.compat.internal_testing import str_to_triton_dtype
from ttkit.compiler.backend import make_backend
from ttkit.runtime.mock_tensors import MockTensor

TARGET = ttkit.GPUTarget("cuda", 90, 32)


def test_names_of_types():
    assert type_names.canonicalize_dtype("torch.float16") == "fp16" and type_names.canonicalize_dtype(tl.int1) == "u1"
    assert type_names.canonicalize_ptr_dtype("float8_e5m2", True) == "*kfp8e5"
    bits = {
        "bool": 1,
        "fp8e4nv": 8,
        "float8_e4m3fn": 8,
        "bf16": 16,
        "half": 16,
        "i64": 64,
        "u8": 8,
        "fp32": 32,
        "void": 0,
    }
    assert {name: type_names.get_primitive_bitwidth(name) for name in bits} == bits
    with pytest.raises(KeyError):
        type_names.canonicalize_dtype("complex64")
    assert [number for number in range(9) if type_names.is_power_of_two(number)] == [0, 1, 2, 4, 8]


def test_paths():
    nested = (1, [2, (3, "x")], 4)
    assert paths.get_iterable_path(nested, (1, 1, 1)) == "x" and paths.get_iterable_path(nested, ()) is nested
    assert paths.find_paths_if(nested, lambda path, item: isinstance(item, int)) == [(0,), (1, 0), (1, 1, 0), (2,)]
    paths.set_iterable_path(nested, (1, 0), 7)
    assert nested[1][0] == 7
    with pytest.raises(ValueError, match="at least one"):
        paths.set_iterable_path(nested, (), 7)
    assert paths.is_namedtuple(type(ttkit.ASTSource)) is False


def test_specialization():
    specialize = specialization.native_specialize_impl
    assert specialize(BaseBackend, 16) == ("i32", "D") and specialize(BaseBackend, 1) == ("constexpr", 1)
    assert specialize(BaseBackend, 16, False, True, False) == ("i32", "")
    assert specialize(BaseBackend, MockTensor(np.dtype(np.float16)), True) == ("*kfp16", "D")
    assert specialization.mangle_type(1) == "i32" and specialization.mangle_type(True) == "u1"


def test_specialization_by_a_backend():
    """One that makes keys of tensors itself: also of those in tuples, and in the functions that bind arguments."""

    class Custom(BaseBackend):
        supports_native_tensor_specialization = False

        @staticmethod
        def get_tensor_specialization(arg, **kwargs):
            return f"T{kwargs['align']:d}"

    tensor, native = MockTensor(tl.float16), specialization.native_specialize_impl
    assert native(Custom, tensor) == ("*fp16", "T1") and native(Custom, tensor, True, True, False) == ("*kfp16", "T0")
    assert native(Custom, tensor, False, False) == ("*fp16", None) and native(Custom, 16) == ("i32", "D")
    assert native(Custom, (1, (tensor,))) == (("constexpr", ("*fp16",)), (1, ("T1",)))

    @ttkit.jit
    def kernel(x, n):
        pass

    bind = specialization.create_function_from_signature(kernel.signature, kernel.params, Custom)
    assert bind(tensor, 3)[1] == [("*fp16", "T1"), ("i32", "")]


def test_parts_of_triton_are_those_of_the_run_time():
    from ttkit.compat import install, uninstall
    from ttkit.language import jit_callable
    from ttkit.runtime import mock_tensors
    from ttkit.runtime import specialization as own

    install(children=False)
    try:
        from triton._C.libtriton import native_specialize_impl
        from triton.runtime import jit
    finally:
        uninstall()
    assert native_specialize_impl is jit.native_specialize_impl is own.native_specialize_impl
    assert jit.MockTensor is mock_tensors.MockTensor and jit.JITCallable is jit_callable.JITCallable


def test_backends():
    backend = make_backend(TARGET)
    assert isinstance(backend, BaseBackend) and backends["nvidia"].compiler is type(backend)
    assert issubclass(backends["nvidia"].driver, DriverBase) and issubclass(backends["nvidia"].driver, GPUDriver)
    assert backend.parse_attr("D") == [["tt.divisibility", 16]] and backend.parse_attr("") == []
    assert backend.get_codegen_implementation(backend.parse_options({})) == {} == backend.get_module_map()
    assert sm_arch_from_capability(90) == "sm_90a" and sm_arch_from_capability(86) == "sm_86"

    class Other(BaseBackend):
        binary_ext = "bin"

        @staticmethod
        def supports_target(target):
            return target.backend == "other"

        def hash(self):
            return "other"

        def parse_options(self, options):
            return options

        def add_stages(self, stages, options, language):
            stages["ttir"] = None

    assert Other(ttkit.GPUTarget("other", 1, 32)).get_int_specialization(32, align=True) == "D"
    with pytest.raises(ValueError, match="does not compile for"):
        Other(TARGET)


def test_a_driver_for_the_cpu():
    from ttkit.language import interpret_mode
    from ttkit.runtime.driver import driver

    @ttkit.jit
    def double(x, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(x + at, 2 * tl.load(x + at))

    x = np.arange(4, dtype=np.float32)
    try:
        driver.set_active(CPUDriver())
        double[(1,)](x, BLOCK=4)
    finally:
        driver.reset_active()
        interpret_mode.set_interpret_mode(False)
    assert np.array_equal(x, [0, 2, 4, 6])


def test_a_driver_that_compilations_alone_ask(monkeypatch, tmp_path):
    from ttkit.runtime.driver import driver

    @ttkit.jit
    def fill(x, BLOCK: tl.constexpr):
        tl.store(x + tl.arange(0, BLOCK), 1.0)

    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    target = ttkit.GPUTarget("cuda", 89, 32)
    source = ttkit.ASTSource(fill, {"x": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 16})
    driver.set_active(SimpleNamespace(get_current_target=lambda: target, get_current_device=lambda: 0))
    try:
        assert fill.warmup(MockTensor(tl.float32), BLOCK=8, grid=(1,)).metadata.target == target
        assert ttkit.compile(source).metadata.target == target
    finally:
        driver.reset_active()


# --- tt by Triton's methods -------------------------------------------------------------------------------------------


@ttkit.jit
def helper(p, value, mask):
    tl.store(p, value, mask=mask)


@ttkit.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros([BLOCK], tl.float32)
    for step in range(n):
        if step > 2:
            total += tl.load(x + at + step)
    tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [at], dtype=tl.int32, is_pure=True, pack=1)
    helper(y + at, total, at < n)


def test_walking_a_module():
    """As torch does, to find out what a kernel writes."""
    context = ir.context()
    ir.load_dialects(context)
    source = ttkit.ASTSource(kernel, {"x": "*fp32", "y": "*fp32", "n": "i32", "BLOCK": "constexpr"}, {"BLOCK": 16})
    backend = make_backend(TARGET)
    module = source.make_ir(TARGET, backend.parse_options({}), {}, {}, context)
    assert module.verify() and module.get_entry_func_name() == "kernel" and module.context is not None

    seen, calls, blocks = [], [], {}

    def visit(op):
        seen.append(op.get_name())
        if op.get_name() == "tt.call":
            calls.append(op.get_flat_symbol_ref_attr("callee"))
        if op.get_name() == "tt.elementwise_inline_asm":
            assert op.get_bool_attr("pure") is True
        if op.get_name() == "scf.for":
            inner = op.get_region(0)
            assert inner.id() in blocks and op.get_num_operands() == 4 and op.get_num_results() == 1
            assert blocks[inner.id()].get_num_arguments() == 2
        block = op.get_block()
        if block is not None:
            parent = block.get_parent()
            blocks[parent.id()] = block
            assert parent.size() >= 1
        for index in range(op.get_num_operands()):
            assert op.get_operand(index).id() == op.get_operand(index).id()

    module.walk(visit)
    assert seen.index("scf.yield") < seen.index("scf.for") < seen.index("tt.func") and seen[-1] == "builtin.module"
    assert any("helper" in name for name in calls)
    assert "loc(" not in module.str_nodebug() and module.has_attr("no_such") is False
    assert module.get_int_attr("no_such") is None


def test_parsing_a_module(tmp_path):
    path = tmp_path / "k.ttir"
    path.write_text("module { tt.func public @k() { tt.return } }")
    assert ir.parse_mlir_module(str(path), ir.context()).get_entry_func_name() == "k"


# --- FileCheck --------------------------------------------------------------------------------------------------------


@ttkit.jit
def checked():
    # CHECK-LABEL: @checked
    # CHECK: tt.make_range {end = 8 : i32, start = 0 : i32}
    tl.arange(0, 8)
    # CHECK-NOT: tt.store


@ttkit.jit
def checked_wrongly():
    # CHECK: tt.store
    tl.arange(0, 8)


def test_filecheck():
    filecheck.run_filecheck_test(checked)
    filecheck.filecheck_test(checked)()
    with pytest.raises(filecheck.MatchError, match="expected string not found"):
        filecheck.run_filecheck_test(checked_wrongly)


def test_parser():
    module = filecheck.run_parser(kernel, args=(MockTensor(np.dtype(np.float32)),) * 2 + (5,), kwargs={"BLOCK": 8})
    assert "tt.func public @kernel(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}" in str(module).replace("%arg0", "%x")


# --- ragged tensors ---------------------------------------------------------------------------------------------------


def test_ragged_tensors():
    """Loads and stores of one array of several, beyond its end."""
    from ttkit.compat.ragged_tma import create_ragged_descriptor, load_ragged, store_ragged

    class Matrix(np.ndarray):
        def stride(self, dim):
            return self.strides[dim] // self.itemsize

    @ttkit.jit(interpret=True)
    def move(source, target, start, rows, R: tl.constexpr, C: tl.constexpr):
        block = load_ragged(source, start, rows, [tl.program_id(0) * R, 0])
        store_ragged(target, start, rows, [tl.program_id(0) * R, 0], block + 1)

    x = np.arange(10 * 8, dtype=np.float32).reshape(10, 8).view(Matrix)
    y = np.zeros((10, 8), np.float32).view(Matrix)
    descriptors = [create_ragged_descriptor(each, [4, 8]) for each in (x, y)]
    move[(2,)](*descriptors, 3, 5, R=4, C=8)
    expected = np.zeros((10, 8), np.float32)
    expected[3:8] = np.asarray(x)[3:8] + 1
    assert np.array_equal(np.asarray(y), expected)
    with pytest.raises(ValueError, match="a dimension before the last can be ragged"):
        create_ragged_descriptor(x, [4, 8], 1)
    with pytest.raises(ValueError, match="a block as many"):
        create_ragged_descriptor(x, [4])


def test_ragged_tensors_compile():
    from ttkit.compat.ragged_tma import load_ragged, store_ragged

    @ttkit.jit
    def copy(source, target, start, rows, R: tl.constexpr, C: tl.constexpr):
        store_ragged(target, start, rows, [0, 0], load_ragged(source, start, rows, [0, 0]))

    block = "tensordesc<fp32[1,1,4,8]>"
    types = {"source": block, "target": block, "start": "i32", "rows": "i32", "R": "constexpr", "C": "constexpr"}
    with ttkit.Context() as context:
        text = str(ttkit.ASTSource(copy, types, {"R": 4, "C": 8}).make_ir(TARGET, context=context))
    assert "tt.descriptor_load" in text and "tt.descriptor_store" in text and "1073741824" in text


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("float32", "fp32"),
        ("bfloat16", "bf16"),
        ("int8", "int8"),
        ("uint64", "uint64"),
        ("bool", "int1"),
        ("float8e4nv", "fp8e4nv"),
        ("float8_e5m2", "fp8e5"),
        ("fp16", "fp16"),
        ("i32", "int32"),
    ],
)
def test_types_by_all_of_their_names(name, expected):
    assert str(str_to_triton_dtype(name)) == expected


def test_a_type_that_kernels_do_not_have():
    with pytest.raises(KeyError, match="complex64"):
        str_to_triton_dtype("complex64")
