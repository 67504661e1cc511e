"""Options, signatures and arguments of the language that are of the wrong type: said so, in terms of the author's."""

import importlib.util

import numpy as np
import pytest

import ttkit
import ttkit.language as tl
from ttkit.frontend.errors import CompilationError
from ttkit.frontend.source import ASTSource
from ttkit.notices import NOTICES
from ttkit.options import CompileOptions
from ttkit.target import GPUTarget

TARGET = GPUTarget("cuda", 90, 32)


@pytest.mark.parametrize(
    ("option", "value", "expected"),
    [
        ("num_stages", "x", "an integer"),
        ("num_warps", True, "an integer"),
        ("num_warps", 4.0, "an integer"),
        ("num_ctas", "1", "an integer"),
        ("maxnreg", "x", "an integer"),
        ("ptx_version", "x", "an integer"),
        ("enable_fp_fusion", "no", "True or False"),
        ("launch_pdl", 3, "True or False"),
        ("ptx_options", 5, "a text"),
        ("pipeline", 3, "a Plan of ttkit.pipelines"),
        ("extern_libs", 5, "{name: path}"),
        ("allowed_dot_input_precisions", 5, "a tuple of texts"),
        ("allowed_dot_input_precisions", (5,), "a tuple of texts"),
    ],
)
def test_options_have_types(option, value, expected):
    with pytest.raises(TypeError, match=f"{option} must be {expected}, found|{option} must be {{name: path}}"):
        CompileOptions.for_capability(90, **{option: value})


@pytest.mark.parametrize(("option", "value"), [("default_dot_input_precision", "foo"), ("instrumentation_mode", "foo")])
def test_options_have_values(option, value):
    with pytest.raises(ValueError, match=str(value)):
        CompileOptions.for_capability(90, **{option: value})


def test_integers_and_flags_may_be_of_any_integral_type():
    made = CompileOptions.for_capability(90, num_warps=np.int64(8), launch_pdl=1, extern_libs={"a": "b"})
    assert made == CompileOptions.for_capability(90, num_warps=8, launch_pdl=True, extern_libs=(("a", "b"),))
    assert type(made.num_warps) is int and type(made.launch_pdl) is bool


@ttkit.jit
def axis_of_float(x):
    tl.store(x, tl.program_id(0.0))


@ttkit.jit
def axis_of_tensor(x):
    tl.store(x, tl.program_id(tl.arange(0, 4)))


@ttkit.jit
def wide(x):
    tl.store(x, 10**5000)


@ttkit.jit
def broken_argument(x):
    tl.store(x, tl.inline_asm_elementwise("", "=r", 3, tl.int32, True, 1))


@ttkit.jit
def shifted_constant(x):
    tl.store(x, 3.0 << 1)


@pytest.mark.parametrize(
    ("kernel", "found"),
    [
        (shifted_constant, "the operator << can't take 3.0 and 1"),
        (axis_of_float, "program_id axis must be 0, 1, or 2 but got 0.0"),
        (axis_of_tensor, r"program_id axis must be 0, 1, or 2 but got int32\[4\]"),
        (wide, "integer of 16610 bits"),
        (broken_argument, "tl.inline_asm_elementwise needs a list of tensors as its argument 'args', found 3"),
    ],
)
def test_arguments_of_the_language(kernel, found):
    with pytest.raises(CompilationError, match=found):
        ttkit.compile(ASTSource(kernel, {"x": "*i32"}), target=TARGET)


@pytest.mark.parametrize(
    ("decorate", "found"),
    [
        (lambda: ttkit.jit(3), "@jit takes functions defined with `def`, found 3"),
        (lambda: ttkit.jit(len), "@jit takes functions defined with `def`, found <built-in function len>"),
        (lambda: ttkit.autotune(configs=[{"N": 4}], key=[])(wide), "of class Config, found {'N': 4}"),
        (lambda: ttkit.Config(64), "as {'BLOCK': 128}; found 64"),
        (lambda: ttkit.heuristics({"N": 64})(wide), "a function for each parameter .* found {'N': 64}"),
        (lambda: ttkit.heuristics({"N": len})(wide.fn), "heuristics takes a kernel: put @jit below it"),
        (lambda: ttkit.autotune(configs=[], key=[])(wide.fn), "autotune takes a kernel: put @jit below it"),
        (lambda: ttkit.autotune(configs=ttkit.Config({}), key=[]), "autotune takes a list of configs, found Config"),
        (lambda: ttkit.autotune(configs=[], key=[], pre_hook=3), "pre_hook of autotune must be a function, found 3"),
        (lambda: ttkit.autotune(configs=[], key=[], do_bench=3), "do_bench of autotune must be a function, found 3"),
        (
            lambda: ttkit.autotune(configs=[], key=[], prune_configs_by={"perf_model": 3}),
            "perf_model of autotune must be a function, found 3",
        ),
        (lambda: ttkit.autotune(configs=[], key=[], prune_configs_by=3), "prune_configs_by of autotune must be a dict"),
        (lambda: ttkit.Config({1: 64}), "as {'BLOCK': 128}; found 1"),
        (lambda: ttkit.Config({}, pre_hook="x"), "pre_hook of a Config must be a function, found 'x'"),
        (lambda: ttkit.jit(wide), "@jit is given twice for wide"),
        (lambda: ttkit.jit(wide.fn, repr="name"), "repr of @jit must be a function, found 'name'"),
        (lambda: ttkit.jit(wide.fn, launch_metadata=3), "launch_metadata of @jit must be a function, found 3"),
        (
            lambda: ttkit.jit(wide.fn, do_not_specialize="x"),
            "must be a list of names or numbers of parameters, found 'x'",
        ),
        (lambda: ttkit.next_power_of_2(3.5), "float.* cannot be interpreted as an integer"),
    ],
)
def test_decorators_take_what_they_say(decorate, found):
    with pytest.raises(TypeError, match=found):
        decorate()


def test_names_that_decorators_ignore_are_told(capsys):
    """Triton ignores them, and says nothing."""
    NOTICES.forget()
    ttkit.jit(wide.fn, do_not_specialize=["x", "m", 3])
    ttkit.autotune(configs=[], key=[], prune_configs_by={"topk": 3})
    assert capsys.readouterr().err.splitlines() == [
        "ttkit: do_not_specialize of wide: 'm' is not a parameter; it has x",
        "ttkit: do_not_specialize of wide: 3 is not a parameter; it has x",
        "ttkit: prune_configs_by of autotune: 'topk' is ignored; did you mean 'top_k'?",
    ]


@pytest.mark.parametrize("name", ["", 3, "module."])
def test_a_kernel_has_a_name(name):
    kernel = ttkit.jit(axis_of_float.fn, repr=lambda specialization: name)
    with pytest.raises(TypeError, match="repr of axis_of_float must return the kernel's name, found"):
        ttkit.compile(ASTSource(kernel, {"x": "*i32"}), target=TARGET)


@pytest.mark.parametrize(
    ("signature", "constants", "found"),
    [
        ({"y": "*i32"}, {}, "no parameter 'y'; its parameters are x"),
        ({"x": "*i32"}, {"C": 5}, "no parameter 'C'; its parameters are x"),
        ({"x": "*i32"}, {5: 5}, "the key of a constant must be a name or a path of integers, found 5"),
        *(
            ({"x": kind}, {}, "Type .* not supported; expected one of i1")
            for kind in (5, None, [], "tensordesc<>", "*")
        ),
        ({"x": "tensordesc<fp16[64,x]>"}, {}, "Type tensordesc<fp16.64,x.> not supported"),
    ],
)
def test_signatures_are_of_the_function(signature, constants, found):
    with pytest.raises((TypeError, ValueError), match=found):
        ttkit.compile(ASTSource(wide, signature, constants), target=TARGET)


@pytest.mark.parametrize("signature", [None, ["*i32"]])
def test_signatures_are_mappings(signature):
    with pytest.raises(TypeError, match="signature must be "):
        ASTSource(wide, signature)


@pytest.mark.parametrize(
    "body",
    [
        "if n == 0:\n        n = 1" + "".join(f"\n    elif n == {i}:\n        n = {i}" for i in range(1, 600)),
        f"tl.store(x, {'-' * 600}n)",
    ],
)
def test_deep_nesting_is_a_mistake_in_the_kernel(tmp_path, body):
    text = f"import ttkit\nimport ttkit.language as tl\n\n\n@ttkit.jit\ndef deep(x, n):\n    {body}\n"
    (tmp_path / "deeply_nested.py").write_text(text)
    spec = importlib.util.spec_from_file_location("deeply_nested", tmp_path / "deeply_nested.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(CompilationError, match="nested too deeply"):
        ttkit.compile(ASTSource(module.deep, {"x": "*i32", "n": "i32"}), target=TARGET)


@ttkit.jit
def loads(x, out):
    tl.store(out, tl.load(x))


@ttkit.jit
def adds(x, out):
    tl.store(out, x + 1)


@ttkit.jit
def offsets(x, out):
    tl.store(out + tl.arange(0, 4), 1.0)


@ttkit.jit
def called(x, out):
    loads(x, out)


@pytest.mark.parametrize("kernel, name", [(loads, "x"), (adds, "x"), (offsets, "out"), (called, "x")])
def test_a_parameter_that_is_none_is_named(kernel, name):
    types = {"x": "*fp32", "out": "*fp32"} | {name: "constexpr"}
    with pytest.raises(CompilationError) as raised:
        ttkit.compile(ASTSource(kernel, types, {(kernel.arg_names.index(name),): None}), TARGET)
    assert f"'{name}' is None: this parameter was passed None" in str(raised.value)
    if kernel is not called:
        types.pop(name)
        with pytest.raises(CompilationError, match=f"'{name}' is None: the signature has no type for this parameter"):
            ttkit.compile(ASTSource(kernel, types), TARGET)


def test_a_none_that_is_meant_is_not_named():
    @ttkit.jit
    def kernel(x, out):
        if x is None:
            tl.store(out, tl.none)

    with pytest.raises(CompilationError) as raised:
        ttkit.compile(ASTSource(kernel, {"x": "constexpr", "out": "*fp32"}, {(0,): None}), TARGET)
    assert "'x' is None" not in str(raised.value)
