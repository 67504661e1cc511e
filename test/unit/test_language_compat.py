"""Details of the language that programs written for Triton rely on: comparisons of sequences, the variable of a loop
after it, types of arguments, warnings, and what a jitted function answers."""

# ruff: noqa: E711, RUF005, SIM201, SIM300
import inspect
import pickle
import types

import pytest

import ttkit
import ttkit.language as tl
from ttkit import Context, jit
from ttkit.compiler.asm import AsmDict
from ttkit.cuda.libcuda import OutOfResources
from ttkit.frontend.errors import CompilationError
from ttkit.frontend.source import ASTSource
from ttkit.language.jit_function import JITFunction
from ttkit.language.parameters import canonical_signature
from ttkit.options import CompileOptions
from ttkit.runtime.tensor_descriptor import TensorDescriptor
from ttkit.target import GPUTarget

HOPPER = GPUTarget("cuda", 90, 32)


def tt(kernel, signature, target=HOPPER, **constants):
    """The kernel in tt, as text."""
    signature = {**signature, **dict.fromkeys(constants, "constexpr")}
    with Context():
        return str(ASTSource(kernel, signature, constants).make_ir(target))


@jit
def compares_descriptors(desc, p, m, n, M: tl.constexpr, N: tl.constexpr):
    made = tl.make_tensor_descriptor(p, [m, n], [n, 1], [M, N])
    tl.static_assert(desc.block_shape == [M, N])
    tl.static_assert(desc.block_shape == (M, N))
    tl.static_assert([M, N] == desc.block_shape)
    tl.static_assert(desc.block_shape != [M, M])
    tl.static_assert(made.block_shape == [M, N])
    tl.static_assert(made.type.block_type.shape == [M, N])
    assert made.block_shape == [M, N]
    sizes, (height, width) = desc.block_shape, (desc.block_shape + (1,))[:2]
    tl.store(p, sizes[0] + sizes[1] + height + width + len(made.type.block_type.shape))
    if made.shape == [m, n]:
        tl.store(p, 1.0)


@jit
def compares_sequences(p, M: tl.constexpr, N: tl.constexpr):
    known: tl.constexpr = (M, N)
    tl.static_assert((M, N) == [64, 32])
    tl.static_assert((M, N) == known)
    tl.static_assert(known == (M, N))
    tl.static_assert((M, N) != (64, 33))
    tl.static_assert(not ((M, N) == (64,)))
    tl.static_assert((M, N) != 3)
    tl.static_assert(not ((M, N) == None))
    tl.static_assert((M, None, "a") == (64, None, "a"))
    tl.static_assert(((M, N), 1) == ((64, 32), 1))
    tl.static_assert((M, N) + (1,) == (64, 32, 1))
    tl.static_assert(tl.zeros([M, N], tl.int8).shape == known)
    tl.static_assert((p, M) == (p, 64))
    pair = (M, N)  # of tensors, as every number that a variable holds
    if pair == (64, 33):
        tl.store(p, 1.0)


def test_shapes_of_descriptors_compare():
    signature = {"desc": "tensordesc<fp16[64,32]>", "p": "*fp16", "m": "i32", "n": "i32"}
    assert "tt.store" in tt(compares_descriptors, signature, M=64, N=32)


def test_sequences_compare():
    text = tt(compares_sequences, {"p": "*fp16"}, M=64, N=32)
    assert text.count("arith.cmpi eq") == 2 and "scf.if" in text


@jit
def reads_after_loop(p, n):
    for i in range(n):
        tl.store(p + i, 1)
    tl.store(p, i)


@jit(noinline=True)
def move(x, text: tl.constexpr):
    return tl.inline_asm_elementwise(text, "=r,r", [x], dtype=tl.int32, is_pure=True, pack=1)


@jit
def calls_with_texts(p):
    tl.store(p, move(tl.load(p), '\n mov.b32 $0, $1; // "x"\n') + move(tl.load(p), "mov.b32 $0, $1; // \\ x"))


def test_functions_for_texts_of_several_lines():
    text = tt(calls_with_texts, {"p": "*i32"})
    assert text.count("tt.call @") == 2 and text.count("tt.func private @") == 2


def test_the_variable_of_a_loop_after_it_is_warned_of():
    with pytest.warns(UserWarning, match="i, the variable of a loop, is undefined after the loop") as seen:
        assert "ub.poison : i32" in tt(reads_after_loop, {"p": "*i32", "n": "i32"})
    assert seen[0].filename == __file__


@jit
def copies(x, y, n):
    tl.store(x, tl.load(y) + n)


@pytest.mark.parametrize(
    "spelled, canonical",
    [
        ("*float32", "*fp32"),
        ("*kfloat16", "*kfp16"),
        ("int8", "i8"),
        ("uint16", "u16"),
        ("*bfloat16", "*bf16"),
        ("*float8_e4m3fn", "*fp8e4nv"),
        ("*float8_e5m2", "*fp8e5"),
        ("tensordesc<float16[64,64]>", "tensordesc<fp16[64,64]>"),
        ("constexpr", "constexpr"),
        ("*i1", "*i1"),
        ("bf16", "bf16"),
        (("*int32", "float64"), ("*i32", "fp64")),
    ],
)
def test_types_as_numpy_spells_them(spelled, canonical):
    assert canonical_signature(spelled) == canonical


def test_signatures_as_numpy_spells_types():
    text = tt(copies, {"x": "*float32", "y": "*float32", "n": "int64"})
    assert text == tt(copies, {"x": "*fp32", "y": "*fp32", "n": "i64"})


@jit
def multiplies_fp8e4b15(p):
    x = tl.zeros([16, 32], tl.float8e4b15)
    tl.store(p, tl.sum(tl.dot(x, tl.trans(x))))


def test_fp8e4b15_is_deprecated_from_hopper_on(recwarn):
    tt(multiplies_fp8e4b15, {"p": "*fp32"}, GPUTarget("cuda", 80, 32))
    assert not recwarn.list
    for _ in range(2):
        with pytest.warns(UserWarning, match="fp8e4b15 is deprecated on Hopper"):
            tt(multiplies_fp8e4b15, {"p": "*fp32"})


@jit
def drops_an_advance(p):
    pointer = tl.make_block_ptr(p, [16], [1], [0], [16], [0])
    tl.advance(pointer, [16])


@jit
def returns_scaled(x):
    return x * 3


@jit
def drops_a_marked_result(p):
    must_be_used(p)


must_be_used = ttkit.language.must_use_result("Keep it.")(returns_scaled)


@pytest.mark.parametrize("kernel, why", [(drops_an_advance, "assign the result"), (drops_a_marked_result, "Keep it.")])
def test_a_result_that_must_be_used(kernel, why):
    with pytest.raises(CompilationError) as error:
        tt(kernel, {"p": "*fp32"})
    last = str(error.value).splitlines()[-1]
    assert "is not being used" in last and why in last


def test_a_message_is_the_last_line():
    with pytest.raises(CompilationError) as error:
        tt(refuses, {"p": "*fp32"}, M=48)
    lines = str(error.value).splitlines()
    assert lines[0].startswith("at 2:")
    assert lines[-1] == "arange's range must be a power of 2"


@jit
def refuses(p, M: tl.constexpr):
    tl.arange(0, M)


@jit
def loads_with_other(p):
    tl.load(p, other=1.0)


@jit
def mixes_types(p):
    tl.dot(tl.zeros([16, 16], tl.float16), tl.zeros([16, 16], tl.float32))


@pytest.mark.parametrize(
    "kernel, text",
    [
        (loads_with_other, "`other` cannot be provided without `mask`"),
        (mixes_types, "Both operands must be same dtype. Got fp16 and fp32"),
    ],
)
def test_texts_are_those_of_triton(kernel, text):
    with pytest.raises(CompilationError) as error:
        tt(kernel, {"p": "*fp32"})
    assert str(error.value.__cause__) == text
    assert str(error.value).splitlines()[-1] == text


class Memory:
    """As much of a tensor as a descriptor looks at."""

    dtype = "float16"

    def __init__(self, address=0):
        self.address = address

    def data_ptr(self):
        return self.address


@pytest.mark.parametrize(
    "given, text",
    [
        ((Memory(8), [8, 8], [8, 1], [8, 8]), "base must be 16-byte aligned"),
        ((Memory(), [8, 8], [7, 1], [8, 8]), "strides must be 16-byte aligned"),
        ((Memory(), [8, 8], [8, 2], [8, 8]), "Last dimension must be contiguous"),
        ((Memory(), [8, 0], [8, 1], [8, 8]), "shape must be positive"),
        ((Memory(), [8, 8], [-8, 1], [8, 8]), "strides must not be negative, found -8"),
        ((Memory(), [], [], []), "rank must not be zero"),
        ((Memory(), [8] * 6, [8] * 5 + [1], [8] * 6), "rank cannot be more than 5"),
        ((Memory(), [8, 8], [8, 1], [8, 8], "inf"), "Illegal value for padding"),
        (
            (Memory(), [1 << 33, 8], [8, 1], [8, 8]),
            "a dimension has at most 2^32 elements, found 8589934592: split it over several tensors",
        ),
    ],
)
def test_descriptors_refuse_as_those_of_triton(given, text):
    with pytest.raises(AssertionError) as error:
        TensorDescriptor(*given)
    assert str(error.value) == text and isinstance(error.value, ValueError)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        (("x", [8, 8], [8, 1]), "base must be a tensor or an array, found str"),
        ((Memory(), [8.0, 8], [8, 1]), "shape must have integers, found float 8.0"),
        ((Memory(), [8, 8], [8.0, 1]), "strides must have integers, found float 8.0"),
    ],
)
def test_descriptors_of_wrong_types(fields, text):
    with pytest.raises(TypeError, match=text):
        TensorDescriptor(*fields, [8, 8])


def test_a_descriptor_never_prints_its_tensor():
    class Printed(Memory):
        def __repr__(self):
            raise AssertionError("prints a tensor, which copies it from the GPU")

    assert TensorDescriptor(Printed(), [8, 8], [8, 1], [8, 8]).padding == "zero"
    with pytest.raises(AssertionError, match=r"rank mismatch: TensorDescriptor.shape=.8, 8., strides=.1., block_shape"):
        TensorDescriptor(Printed(), [8, 8], [1], [8, 8])


def test_a_descriptor_is_made_from_a_tensor():
    with pytest.raises(TypeError, match="from_tensor takes a tensor or an array, found NoneType"):
        TensorDescriptor.from_tensor(None, [8])


def test_out_of_resources_holds_its_numbers():
    error = pickle.loads(pickle.dumps(OutOfResources(300000, 232448, "shared memory")))
    assert error.args == (error.required, error.limit, error.name) == (300000, 232448, "shared memory")
    assert str(error) == (
        "out of resource: shared memory, Required: 300000, Hardware limit: 232448. "
        "Reducing block sizes or `num_stages` may help."
    )


def test_static_print_shows_tensors_as_triton_does(capsys):
    @jit
    def shown(x):
        tl.static_print("x", tl.load(x + tl.arange(0, 16)), tl.zeros((2, 4), tl.int32).type)

    tt(shown, {"x": "*fp32"})
    assert capsys.readouterr().out == "x fp32[constexpr[16]] <['2', '4'], int32>\n"


def test_launches_refuse_as_those_of_triton():
    for name in ("stream", "device"):
        with pytest.raises(AssertionError, match=f"{name} option is deprecated; current {name} will be used"):
            CompileOptions.check_names({name: 3})
    with pytest.raises(AssertionError, match="target must be of GPUTarget type"):
        ttkit.compile(ASTSource(copies, {}), ("cuda", 90))
    with pytest.raises(KeyError, match="Unknown key: 'foo'"):
        AsmDict({"k.ttir": b""})["foo"]


# --- jitted functions -------------------------------------------------------------------------------------------------


def test_inspect_takes_no_parameter_for_a_fixture():
    assert [each.kind for each in inspect.signature(copies).parameters.values()] == [
        inspect.Parameter.VAR_POSITIONAL,
        inspect.Parameter.VAR_KEYWORD,
    ]
    assert list(copies.signature.parameters) == ["x", "y", "n"]


@jit
def scales(p):
    tl.store(p, tl.load(p) * 2)


def test_source_and_key_change():
    first, key = scales.src, scales.cache_key
    try:
        scales._unsafe_update_src(first.replace("* 2", "* 7"))
        assert scales.cache_key != key
        assert "7.0" in tt(scales, {"p": "*fp32"})
        scales._unsafe_update_src("")
        with pytest.raises(ValueError, match="the source code of scales must be one function"):
            tt(scales, {"p": "*fp32"})
    finally:
        scales._unsafe_update_src(first)
    assert scales.cache_key == key
    scales.raw_src = ["@jit\n", "def scales(p): pass\n"]
    assert scales.raw_src[1] == "def scales(p): pass\n"
    assert scales.src == first and scales.cache_key == key


def template():
    pass


def test_a_function_made_of_rewritten_source(tmp_path):
    """As libraries that specialize kernels make them: a function without source of its own, then its source."""
    source = "def doubled(p, n):\n    tl.store(p, n * 2)\n"
    names = {"tl": tl}
    exec(source, names)
    made = types.FunctionType(template.__code__, names)
    made.__module__, made.__name__ = __name__, "doubled"
    made.__signature__ = inspect.signature(names["doubled"])
    function = JITFunction(made)
    function._unsafe_update_src(source)
    assert function.arg_names == ["p", "n"]
    function.starting_line_number = 40
    assert function.starting_line_number == 40 and function.location[1] == 40
    assert "arith.muli" in tt(function, {"p": "*i32", "n": "i32"})


def test_options_of_a_function_are_kept_as_they_were_given():
    """And its caches can be replaced, as by Triton's programs that compile anew."""
    function = JITFunction(scales.fn, do_not_specialize=("p",), do_not_specialize_on_alignment={0})
    assert function.do_not_specialize == ("p",) and function.do_not_specialize_on_alignment == {0}
    kept = function.device_caches
    kept[-90] = "kernels"
    function.device_caches = {}
    assert function.device_caches is kept and not kept


def test_functions_without_a_module():
    names = {"tl": tl, "__name__": None}
    exec("def nowhere(p):\n    tl.store(p, 1)\n", names)
    names["nowhere"].__module__ = None
    with pytest.raises(ValueError, match="should be defined in a Python file"):
        JITFunction(names["nowhere"])


@tl.core.builtin
def by_semantic(p, x, n, _semantic=None):
    s = _semantic
    inside = s.less_than(x, s.to_tensor(n))
    loaded = s.load(s.add(p, x, False), inside, None, (), "", "", "", False)
    scaled = s.mul(loaded, s.cast(s.full([64], 3, tl.int32), tl.float32), sanitize_overflow=True)
    chosen = s.where(inside, s.fdiv(scaled, loaded, False), s.splat(s.scalar_constant(1.0, tl.float32), [64]))
    s.atomic_add(s.add(p, s.shl(x, s.to_tensor(2)), False), chosen, inside, "relaxed", "cta")
    s.store(s.add(p, s.arange(0, 64), False), s.minus(chosen), inside, (), "", "")
    return s.reshape(s.expand_dims(chosen, 0), [64], can_reorder=True)


@jit
def uses_semantic(p, n):
    x = tl.arange(0, 64)
    tl.store(p + x, by_semantic(p, x, n))


@jit
def uses_functions(p, n):
    x = tl.arange(0, 64)
    loaded = tl.load(p + x, x < n)
    chosen = tl.where(
        x < n, loaded * tl.full([64], 3, tl.int32).to(tl.float32) / loaded, tl.full([64], 1.0, tl.float32)
    )
    tl.atomic_add(p + (x << 2), chosen, x < n, "relaxed", "cta")
    tl.store(p + tl.arange(0, 64), -chosen, x < n)
    tl.store(p + x, tl.reshape(chosen[None, :], [64], can_reorder=True))


def test_functions_by_semantic_are_those_of_the_language():
    signature = {"p": "*fp32", "n": "i32"}

    def operations(kernel):
        with Context():
            module = ASTSource(kernel, signature, {}).make_ir(HOPPER)
            ttkit.run_passes(module, "canonicalize,cse")
            return str(module).replace(kernel.__name__, "kernel")

    assert operations(uses_semantic) == operations(uses_functions)
    assert type(tl.semantic.TritonSemantic().to_tensor).__name__ == "method"


@tl.core._aggregate
class Pair:
    first: tl.tensor
    second: tl.tensor

    def __init__(self, first, second):
        self.first = first
        self.second = second


@jit
def newer(p, q, h, n):
    o = tl.arange(0, 64)
    x = tl.atomic_load(p, sem="acquire", scope="cta")
    floats = (h + o).atomic_load(mask=o < n)
    tl.atomic_store(q + o, tl.atomic_load(q + o) + x, mask=o < n, scope="sys")
    seen = tl.atomic_poll(q + o, 3, timeout_ns=1000)
    if (w := x + 1) > 2 and tl.atomic_poll(p, 3):
        tl.store(q, w)
    pair = tl.aggregate_replace(Pair(x, floats), first=w)
    tl.store(h + o, tl.expect_zero(tl.squeeze(tl.unsqueeze(tl.fdiv(pair.second, 3.0, approx=True), -1), -1), seen))
    tl.store(q + o, tl.cumprod(o, dtype=tl.int64) + pair.first)
    zeros = tl.zeros([16, 16], tl.float16)
    tl.store(h + tl.arange(0, 16)[:, None] * 16 + tl.arange(0, 16), tl.dot(zeros, zeros, out_dtype=None))


def test_what_later_versions_of_triton_have():
    signature = {"p": "*i32", "q": "*i32", "h": "*fp32", "n": "i32"}
    kernel = ttkit.compile(ASTSource(newer, signature), target=HOPPER)
    ttir, ptx = kernel.asm["ttir"], kernel.asm["ptx"]
    assert "tt.atomic_load acquire, cta" in ttir and "tt.atomic_store release, sys" in ttir
    assert ttir.count("tt.atomic_poll") == 2 and "globaltimer" in ptx
    assert "tensor<64xi64>" in ttir


@jit
def squeezes_two(p):
    tl.store(p, tl.squeeze(tl.zeros([4, 2], tl.int32), 1))


def test_a_dimension_of_two_is_not_squeezed():
    with pytest.raises(CompilationError, match="squeeze"):
        tt(squeezes_two, {"p": "*i32"})


@jit
def squared(x):
    return x * x


@jit(do_not_specialize=["n"], repr=lambda specialization: "general")
def applies(p, n, fn: tl.constexpr, BLOCK: tl.constexpr):  # the part after the colon stays
    """Applies `fn`."""
    o = tl.arange(0, BLOCK)
    tl.store(p + o, fn(tl.load(p + o, o < n)), o < n)


def specialized(kernel, name, constants):
    """A kernel with `constants` for some parameters: its source with another head, in a function that has none."""
    body = inspect.getsource(kernel.fn).partition("\n")[2].partition("\n")[2]
    parameters = [name for name in kernel.arg_names if name not in constants]
    numbers = {key: value for key, value in constants.items() if not isinstance(value, JITFunction)}
    lines = [f"def {name}({', '.join(parameters)}):", *(f"    {key}: tl.constexpr = {v}" for key, v in numbers.items())]
    source = "\n".join([*lines, body])
    scope = {**kernel.get_capture_scope(), **{key: value for key, value in constants.items() if key not in numbers}}
    exec(source, scope)
    function = types.FunctionType(template.__code__, scope)
    function.__module__, function.__name__ = "made.by.a.library", name
    function.__signature__ = inspect.signature(scope[name])
    options = list(inspect.signature(JITFunction.__init__).parameters.values())[2:]
    given = {option.name: getattr(kernel, option.name, option.default) for option in options}
    made = JITFunction(function, **{**given, "repr": lambda specialization: name})
    made._unsafe_update_src(source)
    made.fn.__name__ = made.__name__ = name
    made._fn_name = f"made.by.a.library.{name}"
    return made


def test_a_kernel_specialized_by_a_library():
    made = specialized(applies, "squares", {"fn": squared, "BLOCK": 64})
    assert made.arg_names == ["p", "n"] and made.params[1].do_not_specialize
    assert made._fn_name == "made.by.a.library.squares" and made.kernel is None
    assert made.cache_key != applies.cache_key
    kernel = ttkit.compile(ASTSource(made, {"p": "*fp32", "n": "i32"}), target=HOPPER)
    assert kernel.name == "squares"
    assert "arith.mulf" in kernel.asm["ttir"] and "tensor<64xf32>" in kernel.asm["ttir"]


def test_num_warps_is_asserted():
    with pytest.raises(AssertionError, match="num_warps must be a power of 2"):
        CompileOptions(num_warps=3)


def test_a_constexpr_becomes_a_python_float():
    assert float(tl.constexpr(0.5)) == 0.5
    assert float(tl.constexpr(3)) == 3.0
    with pytest.raises(TypeError, match="found 'a' where a number is required"):
        float(tl.constexpr("a"))


def test_source_is_not_set():
    for error in (AttributeError, TypeError):  # what Triton means, and what it raises
        with pytest.raises(error, match="_unsafe_update_src"):
            scales.src = "def scales(): pass"
