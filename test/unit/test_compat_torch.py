"""What torch's inductor does with Triton, without torch: compile from a signature, send kernels between processes as
dicts of their attributes, find cubins in the cache by hash, launch by `run`."""

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import ttkit
from ttkit import language as tl
from ttkit.runtime.compiled_kernel import CompiledKernel
from ttkit.runtime.mock_tensors import MockTensor


@ttkit.jit
def triton_poi_fused_add_0(in_ptr0, in_ptr1, out_ptr0, xnumel, XBLOCK: tl.constexpr):
    xoffset = tl.program_id(0) * XBLOCK
    xindex = xoffset + tl.arange(0, XBLOCK)[:]
    xmask = xindex < xnumel
    tmp0 = tl.load(in_ptr0 + xindex, xmask, eviction_policy="evict_last")
    tmp1 = tl.load(in_ptr1 + xindex, xmask)
    tl.store(out_ptr0 + xindex, tmp0 + tmp1, xmask)


SIGNATURE = {"in_ptr0": "*fp32", "in_ptr1": "*fp32", "out_ptr0": "*fp32", "xnumel": "i32", "XBLOCK": "constexpr"}
ATTRIBUTES = {(0,): [["tt.divisibility", 16]], (1,): [["tt.divisibility", 16]], (3,): [["tt.divisibility", 16]]}
OPTIONS = {
    "num_warps": 4,
    "num_stages": 1,
    "debug": True,
    "sanitize_overflow": False,
    "enable_fp_fusion": True,
    "launch_cooperative_grid": False,
    "launch_pdl": False,
}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The kernel, compiled for sm_90 into a cache of its own; and the cache."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("TRITON_CACHE_DIR")
    os.environ["TRITON_CACHE_DIR"] = str(folder)
    try:
        source = ttkit.ASTSource(triton_poi_fused_add_0, SIGNATURE, {"XBLOCK": 128}, ATTRIBUTES)
        yield ttkit.compile(source, target=ttkit.GPUTarget("cuda", 90, 32), options=OPTIONS), folder
    finally:
        if before is None:
            del os.environ["TRITON_CACHE_DIR"]
        else:
            os.environ["TRITON_CACHE_DIR"] = before


def test_the_cubin_is_where_the_hash_says(compiled):
    from ttkit.cache.manager import base32

    kernel, folder = compiled
    path = folder / base32(kernel.hash) / f"{kernel.src.fn.__name__}.cubin"
    assert path.read_bytes() == kernel.asm["cubin"] and kernel.name == kernel.src.fn.__name__


def test_what_launchers_read(compiled):
    kernel, _ = compiled
    assert kernel.metadata.num_warps == 4 and kernel.metadata.num_ctas == 1 and kernel.metadata.shared == 0
    assert kernel.metadata.global_scratch_size == 0 and kernel.metadata.profile_scratch_size == 0
    assert kernel.src.signature == SIGNATURE and list(kernel.src.constants) == [(4,)]
    assert [param.num for param in kernel.src.fn.params if param.is_constexpr] == [4]
    assert not hasattr(kernel, "num_ctas") and not hasattr(kernel.metadata, "cluster_dims")


class Name:
    """In place of a function's `repr`, which need not be one that can be pickled."""

    def __call__(self, _=None):
        return "name"


def sent(kernel):
    """The kernel as it comes out of a compile worker, which does not load it."""
    fn = kernel.src.fn
    kept = fn.fn, fn.__globals__, fn.used_global_vals, fn.repr, getattr(fn, "_hash_lock", None)
    fn.fn = fn.__globals__ = fn.used_global_vals = fn._hash_lock = None
    fn.repr = Name()
    try:
        state = {
            **kernel.__dict__,
            "metadata": kernel.metadata._asdict(),
            "packed_metadata": kernel.packed_metadata,
            "module": None,
            "function": None,
            "run": None,
        }
        received = pickle.loads(pickle.dumps(state))
    finally:
        fn.fn, fn.__globals__, fn.used_global_vals, fn.repr, fn._hash_lock = kept
    made = ttkit.CompiledKernel.__new__(ttkit.CompiledKernel)
    metadata = received["metadata"]
    made.__dict__.update({**received, "metadata": type(kernel.metadata)(**metadata)})
    return made


@pytest.mark.parametrize("travel", [True, False])
def test_launching(compiled, gpu, travel):
    triton_poi_fused_add_0.warmup(*[MockTensor(np.dtype(np.float32))] * 3, 300, XBLOCK=64, grid=(1,))
    kernel = sent(compiled[0]) if travel else compiled[0]
    gpu.expect(8, 8, 8, 4)
    kernel = CompiledKernel(kernel.src, {}, kernel.hash, contents=kernel.files())  # which nobody has loaded
    assert getattr(kernel, "n_regs", None) is getattr(kernel, "n_spills", None) is None
    kernel._init_handles()
    runner, function = kernel.run, kernel.function
    runner(3, 1, 1, 0x55, function, kernel.packed_metadata, None, None, None, 256, 512, 768, 300, 128)
    (launch,) = gpu.launches
    assert launch.grid == (3, 1, 1) and launch.block == (128, 1, 1) and launch.stream == 0x55
    expected = b"".join(value.to_bytes(size, "little") for value, size in ((256, 8), (512, 8), (768, 8), (300, 4)))
    assert launch.arguments == expected
    assert kernel.n_regs == 32 and kernel.n_spills == 0


ASKED = """
def is_available():
    return {available}

def device_count():
    return 0

def get_device_name(device=None):
    raise RuntimeError("Found no NVIDIA driver on your system")

get_device_capability = get_device_properties = get_device_name
"""


def torch_without_gpu(folder, code, available=False):
    """What a script prints that imports torch, of which there is only what it asks for."""
    for name in ("torch", "torch/cuda", "torch/_inductor"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("")
    (folder / "torch" / "__init__.py").write_text("from torch import cuda\n")
    (folder / "torch" / "cuda" / "__init__.py").write_text(ASKED.format(available=available))
    (folder / "torch" / "_inductor" / "config.py").write_text("cpu_backend, compile_threads = 'cpp', 8\n")
    (folder / "script.py").write_text(code)
    environment = {**os.environ, "TTKIT_DEVICE": "interpret:sm_90", "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", "ttkit.compat", "script.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout + done.stderr.strip().rpartition("\n")[2]


QUESTIONS = """
import torch
print(torch.cuda.get_device_name(0), torch.cuda.get_device_capability(), torch.cuda.current_device())
properties = torch.cuda.get_device_properties(0)
print(properties.shared_memory_per_block_optin, properties.multi_processor_count, torch.cuda.is_available())
"""


def test_packages_may_ask_for_a_gpu_that_is_stood_in_for(tmp_path):
    assert torch_without_gpu(tmp_path, QUESTIONS) == "NVIDIA sm_90 (ttkit) (9, 0) 0\n232448 132 False\n"


def test_the_answers_of_a_real_gpu_stay(tmp_path):
    assert "Found no NVIDIA driver" in torch_without_gpu(tmp_path, QUESTIONS, available=True)


def test_inductor_writes_triton_for_the_cpu(tmp_path):
    code = """
import os
import ttkit.compat
ttkit.compat.inductor_on_cpu()
import torch._inductor.config as config
import triton
print(config.cpu_backend, config.compile_threads, os.environ["TRITON_INTERPRET"])
print(type(triton.runtime.driver.active).__name__, triton.runtime.driver.active.get_current_target().arch)
"""
    assert torch_without_gpu(tmp_path, code) == "triton 1 1\nCPUDriver 90\n"
