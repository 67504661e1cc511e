"""Backends by Triton's names: stages rebuilt with `passes` of the bindings, and AMD's GPUs as far as they go."""

import pytest

from ttkit.runtime.parameters import argument_types

pytestmark = pytest.mark.usefixtures("installed")


def source():
    import triton
    import triton.language

    kernel_of_file.__globals__["tl"] = triton.language
    return triton.compiler.ASTSource(triton.jit(kernel_of_file), {"x": "*fp32", "n": "i32"})


def kernel_of_file(x, n):
    i = tl.arange(0, 128)  # noqa: F821
    tl.store(x + i, tl.load(x + i) + n)  # noqa: F821


def test_a_hook_rebuilds_stages_with_the_bindings(monkeypatch, tmp_path):
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    import triton
    from triton._C.libtriton import ir, llvm, nvidia, passes
    from triton.backends.compiler import GPUTarget

    seen = []

    def make_ttir(mod, metadata):
        pm = ir.pass_manager(mod.context)
        pm.enable_debug()
        passes.common.add_inliner(pm)
        passes.ttir.add_combine(pm)
        passes.common.add_cse(pm)
        pm.run(mod, "make_ttir")
        seen.append(pm.get_pipeline_str())
        return mod

    def make_ttgir(mod, metadata, options, capability):
        mod.set_attr("ttg.maxnreg", ir.builder(mod.context).get_int32_attr(64))
        pm = ir.pass_manager(mod.context)
        passes.ttir.add_convert_to_ttgpuir(pm, f"cuda:{capability}", options.num_warps, 32, options.num_ctas)
        passes.ttgpuir.add_coalesce(pm)
        passes.ttgpuir.add_f32_dot_tc(pm, False)
        nvidia.passes.ttnvgpuir.add_plan_cta(pm)
        passes.ttgpuir.add_remove_layout_conversions(pm)
        passes.ttgpuir.add_pipeline(pm, options.num_stages, False)
        pm.run(mod, "make_ttgir")
        metadata["tensordesc_meta"] = mod.get_tensordesc_metadata()
        return mod

    def make_llir(mod, metadata, capability):
        pm = ir.pass_manager(mod.context)
        passes.convert.add_scf_to_cf(pm)
        nvidia.passes.ttgpuir.add_allocate_shared_memory_nv(pm, capability, 87)
        passes.ttgpuir.add_allocate_global_scratch_memory(pm)
        nvidia.passes.ttgpuir.add_to_llvmir(pm, capability, 87)
        passes.convert.add_nvvm_to_llvm(pm)
        pm.run(mod, "make_llir")
        made = llvm.to_module(mod, llvm.context())
        nvidia.set_short_ptr()
        llvm.attach_datalayout(made, "nvptx64-nvidia-cuda", f"sm_{capability}a", "+ptx87")
        nvidia.set_nvvm_reflect_ftz(made)
        assert not nvidia.has_extern_deps(made)
        llvm.optimize_module(made, llvm.OPTIMIZE_O3)
        names = "shared global_scratch_size profile_scratch_size"
        metadata.update({name: mod.get_int_attr(f"ttg.{name}") or 0 for name in names.split()})
        return str(made)

    def hook(self=None, stages=None, options=None, language=None, capability=None):
        if stages is None:
            return "key", "hash"
        stages["ttir"] = make_ttir
        stages["ttgir"] = lambda mod, metadata: make_ttgir(mod, metadata, options, capability)
        stages["llir"] = lambda mod, metadata: make_llir(mod, metadata, capability)
        return None

    with triton.knobs.runtime.scope():
        triton.knobs.runtime.add_stages_inspection_hook = hook
        made = triton.compile(source(), target=GPUTarget("cuda", 90, 32))
    assert seen == ["builtin.module(inline,triton-combine,cse)"]
    assert "#blocked" in made.asm["ttgir"] and ".maxnreg 64" in made.asm["ptx"] and made.asm["cubin"]
    assert "nvvm-reflect-ftz" in made.asm["llir"]


@pytest.mark.parametrize("text", ["module { nonsense", "module { tt.return }", "ML\xefR"])
def test_broken_files_raise_what_programs_catch(tmp_path, text):
    import triton
    from triton.backends.compiler import GPUTarget

    path = tmp_path / "kernel.ttir"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(RuntimeError, match=r"^Parse MLIR file failed\.(?s:.*)kernel\.ttir"):
        triton.compile(str(path), target=GPUTarget("cuda", 90, 32))
    with pytest.raises(FileNotFoundError):
        triton.compile("kernel", target=GPUTarget("cuda", 90, 32))


def test_llvm_from_the_bindings():
    import triton
    from triton._C.libtriton import llvm
    from triton.backends.compiler import GPUTarget

    text = triton.compile(source(), target=GPUTarget("cuda", 80, 32)).asm["llir"]
    ptx = llvm.translate_to_asm(text, "nvptx64-nvidia-cuda", "sm_80", "+ptx80", [], True, False)
    assert ".target sm_80" in ptx and ".entry kernel_of_file" in ptx


# --- AMD --------------------------------------------------------------------------------------------------------------


def amd():
    from triton.backends.amd.compiler import HIPBackend
    from triton.backends.compiler import GPUTarget

    return HIPBackend(GPUTarget("hip", "gfx942", 64))


def test_options_of_amd():
    options = amd().parse_options({"num_warps": 8, "num_stages": None, "unknown": 1})
    assert (options.num_warps, options.num_stages, options.arch, options.warp_size) == (8, 2, "gfx942", 64)
    assert "tf32" in options.allowed_dot_input_precisions and amd().get_target_name(options) == "hip:gfx942"
    with pytest.raises(AssertionError, match="num_warps must be a power of 2"):
        amd().parse_options({"num_warps": 3})


class Tensor:
    dtype = "float32"

    def __init__(self, address, span):
        import triton.language as tl

        self.dtype, self._address, self._span = tl.float32, address, span

    def data_ptr(self):
        return self._address

    def ptr_range(self):
        return self._span


def test_specialization_of_amd():
    from triton._C.libtriton import native_specialize_impl

    def key(argument, align=True):
        return native_specialize_impl(amd(), argument, False, True, align)[1]

    assert key(Tensor(16, 100)) == "DS" and key(Tensor(16, 2**31)) == "D" and key(Tensor(8, 100)) == "S"
    assert key(16) == "D" and key(17) == "" and key(16, align=False) == ""
    assert amd().parse_attr("DS") == [["tt.divisibility", 16], ["tt.pointer_range", 32]]


def test_tt_for_amd():
    from triton._C.libtriton import ir

    backend = amd()
    options, stages, metadata = backend.parse_options({}), {}, {}
    backend.add_stages(stages, options)
    made = source().make_ir(backend.target, options, context=ir.context())
    assert "tt.load" in str(stages["ttir"](made, metadata))
    with pytest.raises(NotImplementedError, match="no ttgir for AMD's GPUs"):
        stages["ttgir"](made, metadata)


def test_compiling_for_amd_is_refused():
    import triton
    from triton.backends.compiler import GPUTarget

    with pytest.raises(RuntimeError, match=r"0 compatible backends for target \(hip\).*triton.backends.amd"):
        triton.compile(source(), target=GPUTarget("hip", "gfx942", 64))


def test_what_stands_in_for_a_gpu_counts_as_one(monkeypatch):
    """Scripts that look for a backend that can launch find it under TTKIT_DEVICE too."""
    from triton.backends import backends

    from ttkit.runtime import driver

    for device in ("sm_90", "interpret:sm_80"):
        monkeypatch.setenv("TTKIT_DEVICE", device)
        driver.reset_active()
        assert backends["nvidia"].driver.is_active()
    monkeypatch.delenv("TTKIT_DEVICE")
    driver.reset_active()


def test_a_backend_of_the_table_can_be_the_one_in_use():
    """torch's inductor sets the driver of the first active backend before it compiles."""
    from triton.backends import backends

    from ttkit.runtime import driver

    driver.set_active(backends["nvidia"].driver())
    assert backends["nvidia"].driver.is_active() == driver.CudaDriver.is_active()
    driver.reset_active()


SIGNATURE = """
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 8 : i32, "ttg.threads-per-warp" = 32 : i32} {
  tt.func public @foo(%a: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %b: !tt.ptr<f32, 3>, %c: i1, %d: !tt.ptr<i1>,
      %e: f16, %f: !tt.ptr<!tt.ptr<f32>>, %g: !tt.ptr<i8> {tt.nv_tma_desc = 1 : i32},
      %h: !tt.tensordesc<tensor<16x16xf16>>) attributes {noinline = false} {
    tt.return
  }
}
"""


def test_a_source_of_ir_has_the_signature_of_triton(monkeypatch, tmp_path):
    """What Triton 3.6 says of the same file; launches go by types as jitted functions have them."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path / "cache"))
    import triton
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget

    target = GPUTarget("cuda", 90, 32)
    (tmp_path / "foo.ttgir").write_text(SIGNATURE)
    backend = triton.compiler.make_backend(target)
    source = triton.compiler.compiler.IRSource(str(tmp_path / "foo.ttgir"), ir.context(), backend)
    types = ["*f32", "*f32", "i1", "*i1", "f16", "*!tt.ptr<f32>", "nvTmaDesc", "!tt.tensordesc<tensor<16x16xf16>>"]
    assert (source.name, source.signature) == ("@foo", dict(enumerate(types)))
    assert source.parse_options()["num_warps"] == 8
    assert argument_types(source)[:5] == ["*fp32", "*fp32", "u1", "*u1", "fp16"]
    plain = SIGNATURE.partition("%c")[0].rstrip(" ,\n") + ") {\n tt.return\n}\n}"
    (tmp_path / "plain.ttgir").write_text(plain)
    source = triton.compiler.compiler.IRSource(str(tmp_path / "plain.ttgir"), ir.context(), backend)
    assert triton.compile(source, target=target).metadata.name == "foo"
    module = triton._C.libtriton.ir.parse_mlir_module(str(tmp_path / "plain.ttgir"), ir.context())
    assert (module.has_function("foo"), module.has_function("bar")) == (True, False)
