"""Input that LLVM or MLIR would end the process on, or take for ever with: refused, with what is wrong."""

import contextlib
import re
import subprocess
import sys
from pathlib import Path

import pytest
import warm_commands
from mlir import ir

import ttkit
import ttkit.language as tl
from ttkit.compiler.compilation import Compilation
from ttkit.compiler.llvm import LLVMError, Module
from ttkit.compiler.module_metadata import CompileError
from ttkit.compiler.sources import IRSource
from ttkit.frontend.errors import CompilationError
from ttkit.frontend.source import ASTSource
from ttkit.options import CompileOptions
from ttkit.passes.infra import PassError
from ttkit.target import GPUTarget

TARGET = GPUTarget("cuda", 90, 32)
KERNEL = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @{name}(ptr addrspace(1) %p, i32 %x) {{
{body}
  ret void
}}
"""


def compiled(path, text, **options):
    path.write_text(text)
    source = IRSource(path, 90)
    return Compilation(source, TARGET, CompileOptions.for_capability(90, **options, **source.parse_options())).run()


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("  %a = add i32 %b, 1\n  %b = add i32 %a, 1\n  store i32 %a, ptr addrspace(1) %p", "does not dominate"),
        ('  %a = call i32 asm "mov.b32 $0, $9;", "=r,r"(i32 %x)', r"names operand \$9, and there are 2"),
        ('  %a = call i32 asm "mov.b32 $0, $;", "=r,r"(i32 %x)', r"a \$ without the number"),
        ('  %a = call i32 asm "mov.b32 ${0, $1;", "=r,r"(i32 %x)', "not closed"),
        ('  %a = call i32 asm "$(a$(b$)$) $0 $1", "=r,r"(i32 %x)', "inside of variants"),
        ('  %a = call i32 asm "${:nothing} $0 $1", "=r,r"(i32 %x)', "none of"),
        ('  %a = call i32 asm "mov.b32 $0, $1;", "=zz,%%"(i32 %x)', "constraints"),
        ('  %a = call <4 x i1> asm "", "=r"()', "no register of 'r' takes the type of result 0"),
        ('  %a = call i128 asm "", "=&r"()', "no register of 'r' takes the type of result 0"),
        ('  %a = call { i32, i7 } asm "", "=r,=r"()', "takes the type of result 1"),
        ('  call void asm "", "l"(<2 x i32> zeroinitializer)', "no register of 'l' takes the type of operand 0"),
        ('  %a = call i32 asm "", "=r,0"(i128 0)', "no register of '0' takes the type of operand 0"),
        ('  %a = call i32 asm "", "=m"()', "no register of 'm'"),
        ('  call void asm "", "*r"(ptr elementtype(i32) %s)', r"no register of '\*r' takes the type of operand 0"),
        ('  call void asm "", "=*r"(ptr elementtype(i128) %s)', r"no register of '\*r' takes the type of operand 0"),
        ('  call void asm "", "=*o|m"(ptr elementtype(i32) %s)', "takes the type of operand 0"),
    ],
)
def test_llvm_ir_is_verified_before_code_is_made(tmp_path, body, found):
    with pytest.raises(LLVMError, match=found):
        compiled(tmp_path / "k.llir", KERNEL.format(name="k", body="  %s = alloca i32\n" + body))


@pytest.mark.parametrize("flags", ['!{i32 99, !"foo", i32 1}', '!{!"foo"}'])
def test_bad_module_flags_are_named(tmp_path, flags):
    text = KERNEL.format(name="k", body="") + f"!llvm.module.flags = !{{!0}}\n!0 = {flags}\n"
    with pytest.raises(LLVMError, match="module flag"):
        compiled(tmp_path / "k.llir", text)


def test_names_without_letters_in_ptx_are_escaped(tmp_path):
    made = compiled(tmp_path / "k.llir", KERNEL.format(name='"я\\22\\01 d"', body=""))
    assert made.metadata["name"] == "_u44f__u22__u1__u20_d"
    for name, escaped in (("a\\22\\01", "a_u22__u1_"), ("a.b@c", "a_u2e_b_u40_c")):
        made = compiled(tmp_path / "k.ttgir", STORE_OF_TTG.replace("@f", f'@"{name}"'))
        assert made.metadata["name"] == escaped


@pytest.mark.parametrize("name", ["a\\00b", "\\FF"])
def test_names_that_are_no_text_are_refused(tmp_path, name):
    helper = f'  tt.func private @"{name}"() {{ tt.return }}\n  tt.func public @f'
    for text in (STORE_OF_TTG.replace("@f", f'@"{name}"'), STORE_OF_TTG.replace("  tt.func public @f", helper)):
        with pytest.raises(ir.MLIRError, match=r"k\.ttgir.*the name of a symbol is UTF-8 without null bytes"):
            compiled(tmp_path / "k.ttgir", text)


@ttkit.jit
def ядро(x):
    tl.store(x, 1)


def test_a_kernel_may_be_named_in_any_language():
    made = ttkit.compile(ASTSource(ядро, {"x": "*i32"}), target=TARGET)
    assert f".entry {made.metadata.name}(" in made.asm["ptx"]
    assert made.metadata.name.isascii()


@pytest.mark.parametrize(
    ("assembly", "constraints", "found"),
    [
        ("mov.b32 $0, $9;", "=r,r", r"names operand \$9"),
        ("mov.b32 $0, $1;", "=zz,%%", "constraints '=zz,%%'"),
        *(
            (f"mov.b32 $0, {code};", f"=r,{code}", "takes the type of operand 0")
            for code in ("ro", "p", "m", "r0", "r|o", "{r1}", "|")
        ),
        *((f"mov.b32 {code}, $1;", f"={code},r", "takes the type of result 0") for code in ("ro", "rm", "rV", "r|m")),
        *(("mov.b32 $0, $1;", constraints, "none of several letters") for constraints in ("=@cc,r", "=r,^f", "=r,@9r")),
    ],
)
def test_assembly_of_a_kernel_is_refused_at_its_line(assembly, constraints, found):
    @ttkit.jit
    def kernel(x, ASSEMBLY: tl.constexpr, CONSTRAINTS: tl.constexpr):
        tl.store(x, tl.inline_asm_elementwise(ASSEMBLY, CONSTRAINTS, [tl.load(x)], tl.int32, True, 1))

    constants = {"ASSEMBLY": assembly, "CONSTRAINTS": constraints}
    with pytest.raises(PassError, match=found) as raised:
        ttkit.compile(ASTSource(kernel, {"x": "*i32"}, constants), target=TARGET)
    assert "test_hostile_input.py" in str(raised.value.operation.location)


def test_assembly_whose_registers_do_not_take_its_types_is_refused_at_its_line():
    @ttkit.jit
    def kernel(x):
        bits = tl.load(x + tl.arange(0, 128)) > 0
        tl.store(x + tl.arange(0, 128), tl.inline_asm_elementwise("mov.b32 $0, $1;", "=r,r", [bits], tl.int8, True, 4))

    with pytest.raises(PassError, match="no register of 'r' takes the type of operand 0") as raised:
        ttkit.compile(ASTSource(kernel, {"x": "*i32"}), target=TARGET)
    assert "test_hostile_input.py" in str(raised.value.operation.location)


@pytest.mark.parametrize(("constraints", "fits"), [("=*m", True), ("=*r", True), ("=*q", False), ("*r", False)])
def test_assembly_takes_operands_by_address_where_llvm_can(constraints, fits):
    call = f'llvm.inline_asm operand_attrs = [{{elementtype = i32}}] "", "{constraints}" %s : (!llvm.ptr) -> ()'
    body = f"%c = llvm.mlir.constant(1 : i32) : i32 %s = llvm.alloca %c x i32 : (i32) -> !llvm.ptr {call} tt.return"
    attributes = '"ttg.num-warps" = 4 : i32, "ttg.num-ctas" = 1 : i32, "ttg.threads-per-warp" = 32 : i32'
    with ttkit.Context():
        module = ttkit.parse(f"module attributes {{{attributes}}} {{ tt.func public @f() {{ {body} }} }}")
        refused = contextlib.nullcontext() if fits else pytest.raises(PassError, match="takes the type of operand 0")
        with refused:
            ttkit.run_passes(module, "convert-triton-gpu-to-llvm{compute-capability=90}")


@pytest.mark.parametrize("pipeline", ["inline", "canonicalize,gluon-inline", "builtin.module(ttkit-ttir)"])
def test_what_may_be_a_symbol_table_is_not_inlined(pipeline):
    text = """tt.func private @g(%x: i32) -> i32 {
      %0 = "a.b"(%x) ({
      ^bb0(%y: i32):
        "a.c"(%y) : (i32) -> ()
      }) : (i32) -> i32
      tt.return %0 : i32
    }"""
    with ttkit.Context() as context:
        context.allow_unregistered_dialects = True
        module = ttkit.parse(text)
        with pytest.raises(PassError, match=r"found 'a\.b'"):
            ttkit.run_passes(module, pipeline)


def test_functions_of_other_dialects_keep_their_types():
    with ttkit.Context():
        module = ttkit.parse("module { llvm.func @g() tt.func public @f() { tt.return } }")
        ttkit.run_passes(module, "convert-triton-to-tritongpu{target=cuda:90 num-warps=4}")
        assert "llvm.func @g()" in str(module)


STORE_OF_TTG = """
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>
module attributes {"ttg.num-warps" = 4 : i32, "ttg.threads-per-warp" = 32 : i32, "ttg.target" = "cuda:90"} {
  tt.func public @f(%x: !tt.ptr<i32>) {
    %r = tt.make_range {start = 0 : i32, end = 1024 : i32} : tensor<1024xi32, #b>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<1024x!tt.ptr<i32>, #b>
    %q = tt.addptr %p, %r : tensor<1024x!tt.ptr<i32>, #b>, tensor<1024xi32, #b>
    tt.store %q, %r : tensor<1024x!tt.ptr<i32>, #b>
    tt.return
  }
}
"""


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("sizePerThread = [1]", "sizePerThread = [4194304]", "a thread would hold 4194304 elements"),
        ('"ttg.num-warps" = 4 : i32', '"ttg.num-warps" = [4]', "not in a context with `ttg.num-warps`"),
        ('"ttg.target"', '"ttg.num-ctas" = [1], "ttg.target"', r"the module's ttg.num-ctas is \[1\]; it must be"),
        ('"cuda:90"', "[90]", r"the module's ttg.target is \[90\]; it must name a GPU"),
        ('per-warp" = 32', 'per-warp" = 0', "32 threads per warp, but the module specifies 0"),
        (", #b>", ">", "has no layout; run convert-triton-to-tritongpu first"),
        ("1024", "96", "must be power-of-two, but result 0 has 96"),
        ("tt.store %q, %r", "tt.store %q, %r cacheModifier = ca", "cacheModifier = ca, .* use one of wb, cg, cs, wt"),
    ],
)
def test_what_no_pass_makes_is_refused(tmp_path, old, new, found):
    with pytest.raises((PassError, CompileError, ir.MLIRError), match=found):
        compiled(tmp_path / "k.ttgir", STORE_OF_TTG.replace(old, new))


TENSOR = """
module attributes {"ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90"} {
  tt.func public @f(%x: tensor<32x32xf32, LAYOUT>) {
    %0 = arith.addf %x, %x : tensor<32x32xf32, LAYOUT>
    %1 = "test.use"(%0) : (tensor<32x32xf32, LAYOUT>) -> i32
    tt.return
  }
}
"""
BUFFER = """
module attributes {"ttg.num-warps" = 4 : i32, "ttg.target" = "cuda:90"} {
  tt.func public @f() {
    %0 = ttg.local_alloc : () -> !ttg.memdesc<32x32xf16, LAYOUT, #ttg.shared_memory, mutable>
    ttg.local_dealloc %0 : !ttg.memdesc<32x32xf16, LAYOUT, #ttg.shared_memory, mutable>
    tt.return
  }
}
"""


@pytest.mark.parametrize(
    ("module", "layout"),
    [
        (TENSOR, "#ttg.nvidia_mma<{versionMajor = 2, warpsPerCTA = [4, 1]}>"),
        (TENSOR, "#ttg.nvidia_mma<{versionMajor = 7, warpsPerCTA = [3, 1], instrShape = [16, 8]}>"),
        (TENSOR, "#ttg.nvidia_mma<{}>"),
        (TENSOR, "#gluon.auto_encoding"),
        (BUFFER, "#ttg.swizzled_shared<{vec = 0, perPhase = 1, maxPhase = 3, order = [1, 0]}>"),
        (BUFFER, "#ttg.nvmma_shared<{swizzlingByteWidth = 16, transposed = false, elementBitWidth = 0}>"),
    ],
)
@pytest.mark.parametrize(
    "pipeline", ["canonicalize", "tritongpu-remove-layout-conversions", "allocate-shared-memory", "ttkit-llir"]
)
def test_layouts_that_describe_nothing_are_refused_where_they_are_needed(module, layout, pipeline):
    with ttkit.Context() as context:
        context.allow_unregistered_dialects = True
        parsed = ttkit.parse(module.replace("LAYOUT", layout))
        with contextlib.suppress(PassError, CompileError, ir.MLIRError):
            ttkit.run_passes(parsed, pipeline)


def test_llvm_apart_makes_the_same_code(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TRITON_ALWAYS_COMPILE", "1")

    def texts():
        made = ttkit.compile(ASTSource(ядро, {"x": "*i32"}), target=TARGET)
        return made.asm["llir"], made.asm["ptx"], made.asm["cubin"]

    within = texts()
    monkeypatch.setenv("TTKIT_ISOLATE", "1")
    assert texts() == within


def test_llvm_apart_may_end_its_process(monkeypatch):
    from ttkit.compiler import isolation

    options = CompileOptions.for_capability(90)
    monkeypatch.setattr(isolation, "SERVE", "import os; print('Assertion failed'); os.abort()")
    with pytest.raises(LLVMError, match=r"LLVM ended its process \(SIGABRT\) on @k"):
        isolation.apart("ptx", "", options, 90, "k")


def test_very_many_addresses_are_compiled_apart(monkeypatch):
    """Two of LLVM's passes compare all pairs of them: 400 s for 10,000 accesses."""
    from ttkit.compiler import isolation

    def kernel(accesses):
        lines = [
            f"%c{i} = arith.constant {2 * i} : i32\n%a{i} = tt.addptr %p, %c{i} : !tt.ptr<i32>, i32\n"
            f"%v{i} = tt.load %a{i} : !tt.ptr<i32>\ntt.store %a{i}, %v{i} : !tt.ptr<i32>"
            for i in range(accesses)
        ]
        text = "tt.func @k(%p: !tt.ptr<i32>) {\n" + "\n".join(lines) + "\ntt.return\n}"
        source, options = IRSource("k.ttir", 90, text), CompileOptions.for_capability(90)
        return Compilation(source, TARGET, options, until="ptx").run().asm["ptx"]

    steps, apart = [], isolation.apart
    monkeypatch.setattr(isolation, "apart", lambda step, *rest: steps.append(step) or apart(step, *rest))
    few, many = kernel(20), kernel(isolation.MANY_ADDRESSES + 20)
    assert steps == ["llir", "ptx"]
    for text, accesses in ((few, 20), (many, isolation.MANY_ADDRESSES + 20)):
        assert text.count("ld.global") == text.count("st.global") == accesses


def test_addresses_of_tensors_are_counted_by_element(monkeypatch):
    """160 loads of a tensor, eight elements a thread, are few operations; LLVM's passes took 1.5 s for them."""
    from ttkit.compiler import isolation

    tensor, count = "tensor<1024x{}>".format, isolation.MANY_ADDRESSES // 8
    lines = [
        f"%c{i} = arith.constant {i} : i32\n%m{i} = arith.muli %n, %c{i} : i32\n"
        f"%s{i} = tt.splat %m{i} : i32 -> {tensor('i32')}\n"
        f"%a{i} = tt.addptr %q, %s{i} : {tensor('!tt.ptr<f32>')}, {tensor('i32')}\n"
        f"%v{i} = tt.load %a{i} : {tensor('!tt.ptr<f32>')}\n%x{i + 1} = arith.addf %x{i}, %v{i} : {tensor('f32')}"
        for i in range(count + 35)
    ]
    text = (
        f"tt.func @k(%p: !tt.ptr<f32>, %n: i32) {{\n%r = tt.make_range {{end = 1024 : i32, start = 0 : i32}} : "
        f"{tensor('i32')}\n%b = tt.splat %p : !tt.ptr<f32> -> {tensor('!tt.ptr<f32>')}\n"
        f"%q = tt.addptr %b, %r : {tensor('!tt.ptr<f32>')}, {tensor('i32')}\n"
        f"%x0 = arith.constant dense<0.0> : {tensor('f32')}\n" + "\n".join(lines) + f"\ntt.store %q, %x{count + 35} : "
        f"{tensor('!tt.ptr<f32>')}\ntt.return\n}}"
    )
    steps, apart = [], isolation.apart
    monkeypatch.setattr(isolation, "apart", lambda step, *rest: steps.append(step) or apart(step, *rest))
    source, options = IRSource("k.ttir", 90, text), CompileOptions.for_capability(90)
    made = Compilation(source, TARGET, options, until="ptx").run().asm["ptx"]
    assert steps == ["ptx"] and made.count("ld.global") == 8 * (count + 35)


def test_commands_survive_deep_nesting(tmp_path):
    """An `scf.if` in an `scf.if`..., which exhausts the stack of MLIR's parser."""
    depth = 20000
    text = f"module {{ tt.func @f(%c: i1) {{ {'scf.if %c {' * depth} {'}' * depth} tt.return }} }}"
    (tmp_path / "k.ttir").write_text(text)
    commands = ["tt-run", "tt-compile -o k.ptx", "tt-layout", "ttkit prove", "ttkit schedule"]
    for command in [*commands, "tt-reduce --test-pass cse --fails"]:
        program, *options = command.split()
        arguments = [str(Path(sys.executable).with_name(program)), *options, "k.ttir"]
        done = warm_commands.run(arguments, cwd=tmp_path)
        said = r"the process ended \(SIGSEGV\)" if program == "tt-reduce" else "nested too deeply"
        assert done.returncode == 1 and re.search(said, done.stderr), done


def test_a_file_is_compiled_apart(tmp_path):
    (tmp_path / "k.llir").write_text(KERNEL.format(name="k", body=""))
    program = str(Path(sys.executable).parent / "tt-compile")
    subprocess.run([program, "k.llir", "-o", "k.cubin", "--isolate"], cwd=tmp_path, check=True)
    assert (tmp_path / "k.cubin").read_bytes().startswith(b"\x7fELF")


def test_long_chains_are_cut(tmp_path):
    """LLVM takes time squared for them."""
    lines = [f"  %a{i + 1} = mul i32 %a{i}, %x\n  %b{i} = add i32 %a{i + 1}, {i}" for i in range(1500)]
    body = "\n".join(["  %a0 = add i32 %x, 1", *lines, "  store i32 %b1499, ptr addrspace(1) %p"])
    module = Module.parse(KERNEL.format(name="k", body=body))
    with module:
        module.prepare(CompileOptions.for_capability(90).target)
        module.ptx(CompileOptions.for_capability(90).target)
        assert 20 <= str(module).count(" freeze ") <= 30


def test_expressions_of_very_many_terms_are_cut():
    """LLVM compares all their terms; short ones, and those with results that are used elsewhere, stay whole."""
    terms = [f"  %t{i} = mul i32 %x, {2 * i + 3}" for i in range(3000)]
    sums = ["  %s0 = xor i32 %t0, %t1", *(f"  %s{i} = xor i32 %s{i - 1}, %t{i + 1}" for i in range(1, 2999))]
    stores = [f"  %u{i} = add i32 %t{i}, %t{i + 1}\n  store i32 %u{i}, ptr addrspace(1) %p" for i in range(50)]
    body = "\n".join([*terms, *sums, *stores, "  store i32 %s2998, ptr addrspace(1) %p"])
    with Module.parse(KERNEL.format(name="k", body=body)) as module:
        module.cut_expressions()
        frozen = re.findall(r"freeze i32 %(\w)", str(module))
    assert 5 <= len(frozen) <= 7 and set(frozen) == {"s"}


def test_a_file_of_passes_replaces_no_module(tmp_path):
    import json

    from ttkit.passes.infra.pass_files import classes_of_file

    text = "from ttkit.passes.infra import Pass\n\n\nclass Own(Pass):\n    name = 'test-own-{}'\n"
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "json.py").write_text(text.format(folder))
    first, second = (classes_of_file(str(tmp_path / folder / "json.py"))[0] for folder in ("a", "b"))
    assert sys.modules["json"] is json and vars(sys.modules[first.__module__])["Own"] is first is not second


@ttkit.jit
def loops_and_branches(x, n, SIZE: tl.constexpr):
    total = tl.full((SIZE, SIZE), 0.0, tl.float32)
    i = tl.arange(0, SIZE)
    for j in range(n):
        if j > 3:
            rows = tl.load(x + i[:, None] * SIZE + i[None, :]).to(tl.float16)
            total = tl.dot(rows, rows, total)
        else:
            tl.device_assert(j < 100)
    tl.store(x + i, tl.sum(total, 1))


def compiled_kernel(size):
    source = ASTSource(loops_and_branches, {"x": "*fp32", "n": "i32", "SIZE": "constexpr"}, {"SIZE": size})
    return Compilation(source, TARGET, CompileOptions.for_capability(90), until="ptx").run()


def test_kernels_in_python_reach_no_parser_of_modules(monkeypatch):
    """Where test/fuzz/upstream aborts: MLIR's parsers of modules, and verifiers of what only text can have."""

    def parse(*_, **__):
        raise AssertionError("a module is parsed")

    monkeypatch.setattr(ir.Module, "parse", staticmethod(parse))
    monkeypatch.setattr(ir.Operation, "parse", staticmethod(parse))
    made = compiled_kernel(16)
    for op in ("cf.switch", "scf.index_switch", "llvm.func<"):
        assert op not in str(made.asm["ttir"]) and op not in str(made.asm["ttgir"])


@pytest.mark.parametrize("size", [2**40, 2**62, 2**63, 2**64])
def test_kernels_in_python_have_no_constants_beyond_64_bits(size):
    with pytest.raises(CompilationError, match="exceeds triton maximum tensor numel"):
        compiled_kernel(size)


def test_errors_that_mlir_goes_on_after_are_raised():
    """The bindings end the process on an error that was told and not raised."""
    with pytest.raises(ir.MLIRError, match="three consecutive dots") as caught:
        ttkit.parse("#a = #ttg.shared_memory\n.#b = #ttg.shared_memory")
    assert caught.value.error_diagnostics[0].message.startswith("expected three consecutive dots")


def test_a_thread_has_no_more_elements_than_can_be_compiled():
    text = """#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
    module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 1 : i32, "ttg.threads-per-warp" = 32 : i32} {
      tt.func @f() {
        %r = tt.make_range {start = 0 : i32, end = 1048576 : i32} : tensor<1048576xi32, #b>
        tt.return
      }
    }"""
    with ttkit.Context(), pytest.raises(PassError, match="a thread would hold 32768 elements"):
        ttkit.run_passes(ttkit.parse(text), "convert-triton-gpu-to-llvm")


@pytest.mark.parametrize(
    "command",
    [("tt-layout",), ("tt-reduce", "--test-pass", "cse", "--fails"), ("ttkit", "schedule"), ("ttkit", "explore"),
     ("ttkit", "prove"), ("tt-run",)],
    ids=" ".join,
)  # fmt: skip
def test_files_that_are_no_text_are_refused(command, tmp_path):
    path = tmp_path / "k.ttir"
    path.write_bytes(b"// \xff\n")
    program = Path(sys.executable).with_name(command[0])
    run = warm_commands.run([program, *command[1:], path])
    assert run.returncode == 1 and "Traceback" not in run.stderr and "error: " in run.stderr
