"""Smoke calls of vLLM's kernels, as calls.py has them of other packages.

vLLM itself isn't imported: its own start needs its compiled parts, and `vllm.triton_utils` needs Gluon. The files with
kernels are, as they are; what they ask of the rest of the package (the platform, the logger) is stood in for.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections import namedtuple
from unittest import mock

import torch
from calls import COLUMNS, ROWS, bf16, call, integers, many, matrix, random
from stand_ins import file_of

Capability = namedtuple("Capability", "major minor")


def register_operation(op_name: str, op_func, **_) -> None:
    """In place of torch's own registration, which wants annotations of all types: the function itself."""
    op_func.default = op_func
    setattr(torch.ops.vllm, op_name, op_func)


ANSWERS: dict[str, dict] = {  # of modules that are stood in for; what else they are asked for is a mock
    "logger": {"init_logger": lambda _: mock.MagicMock()},  # with methods of its own
    "platforms.interface": {"DeviceCapability": Capability},
    "utils.platform_utils": {
        "num_compute_units": lambda *_: torch.cuda.get_device_properties(0).multi_processor_count,
        "get_device_name_as_file_name": lambda *_: "",
    },
    "utils.mem_utils": {
        "get_max_shared_memory_bytes": lambda *_: torch.cuda.get_device_properties(0).shared_memory_per_block_optin
    },
    "utils.torch_utils": {
        "is_torch_equal_or_newer": lambda *_: True,
        "direct_register_custom_op": register_operation,
        "async_tensor_h2d": lambda values, dtype, device, **_: torch.tensor(values, dtype=dtype, device=device),
        "get_dtype_size": lambda dtype: dtype.itemsize,
    },
    "v1.attention.backends.utils": {"PAD_SLOT_ID": -1, "NULL_BLOCK_ID": 0},
    "utils.deep_gemm": {"get_tma_aligned_size": lambda size, itemsize: -(-size * itemsize // 16) * 16 // itemsize},
    "model_executor.layers.quantization.utils.quant_utils": {"get_fp8_min_max": lambda: (-448.0, 448.0)},
    "utils.gpu_sync_debug": {"gpu_sync_allowed": contextlib.nullcontext},
}
# Parts of names of files without kernels that are read as they are: those with kernels compute with what is in them.
REAL = (
    *("utils.math_utils", "v1.kv_cache_interface", "scalar_type", "warmup.jit_warmup", "batch_invariant_configs"),
    *("mamba.ops.", "linear_attention.ops.", "triton_ops."),
)


def platform() -> types.SimpleNamespace:
    """Answers of `vllm.platforms.current_platform` for an NVIDIA GPU, which the files ask when they are imported."""
    capability = Capability(*torch.cuda.get_device_capability())
    answers = dict.fromkeys(("is_rocm", "is_xpu", "is_cpu", "is_tpu", "is_fp8_fnuz"), False) | {
        "is_cuda": True,
        "is_cuda_alike": True,
    }
    return types.SimpleNamespace(
        **{name: lambda answer=answer: answer for name, answer in answers.items()},
        has_device_capability=lambda wanted, *_: capability[0] * 10 + capability[1] >= wanted,
        is_device_capability=lambda wanted, *_: capability[0] * 10 + capability[1] == wanted,
        is_device_capability_family=lambda wanted, *_: capability[0] == wanted // 10,
        get_device_capability=lambda *_: capability,
        fp8_dtype=lambda: torch.float8_e4m3fn,
        is_arch_support_pdl=lambda: capability[0] >= 9,
        device_type="cuda",
        simple_compile_backend="inductor",
    )


def module(name: str) -> types.ModuleType:
    """A file of vLLM by its name without `vllm.`; packages above it are empty."""
    if "vllm" not in sys.modules:
        import triton
        import triton.language as tl
        from triton.language.extra import libdevice

        ANSWERS["platforms"] = {"current_platform": platform()}
        ANSWERS["triton_utils"] = {"tl": tl, "triton": triton, "tldevice": libdevice, "libdevice": libdevice} | {
            "HAS_TRITON": True,
            "LOG2E": 1.4426950408889634,
            "use_tensor_descriptor": bool,
        }
    return file_of(f"vllm.{name}", ANSWERS, REAL)


def plain(*shape: int, dtype: torch.dtype = torch.float32, scale: float = 1.0) -> torch.Tensor:
    return random(*shape, dtype=dtype, grad=False, scale=scale)


def int32(*values: int) -> torch.Tensor:
    return integers(1, len(values)).to(torch.int32) + torch.tensor(values, dtype=torch.int32).to(integers(1, 1).device)


@call("vllm")
def prefill_attention():
    tokens = many(300)
    q, k = plain(tokens, 8, 64, dtype=bf16), plain(tokens, 2, 64, dtype=bf16)
    v = plain(tokens, 2, 64, dtype=bf16, scale=0.5)
    out = torch.empty_like(q)
    module("v1.attention.ops.triton_prefill_attention").context_attention_fwd(
        q, k, v, out, int32(0, many(100)), int32(many(100), many(200)), many(200)
    )
    return [out]


def decode(query_heads: int, key_heads: int) -> list[torch.Tensor]:
    q, length = plain(2, query_heads, 64, dtype=bf16), many(256)
    keys, values = plain(length, key_heads, 64, dtype=bf16), plain(length, key_heads, 64, dtype=bf16, scale=0.5)
    out, sums, parts = torch.zeros_like(q), plain(2, query_heads), torch.zeros_like(plain(2, query_heads, 4, 65))
    pages = torch.stack([integers(length, many(128)), integers(length - 1, many(128))]).to(torch.int32)
    module("v1.attention.ops.triton_decode_attention").decode_attention_fwd(
        q, keys, values, out, sums, pages, int32(many(100), many(128)), parts, 4, 0.125
    )
    return [out, sums]


@call("vllm")
def decode_attention():
    return decode(4, 4)


@call("vllm")
def decode_attention_of_groups():
    return decode(16, 2)


@call("vllm")
def merge_attention_states():
    out, first, second = (
        plain(many(64), 8, 128, dtype=bf16),
        plain(many(64), 8, 128, dtype=bf16),
        plain(many(64), 8, 128, dtype=bf16).flip(0),
    )
    sums = torch.empty_like(plain(8, many(64)))
    module("v1.attention.ops.triton_merge_attn_states").merge_attn_states(
        out, first, plain(8, many(64)), second.contiguous(), plain(8, many(64)).flip(1).contiguous(), sums
    )
    return [out, sums]


@call("vllm")
def mamba_state_space():
    """The parts of Mamba 2's scan: products of chunks, sums of their logarithms, their states."""
    tokens = many(192)
    chunks = int32(*range(0, tokens + 1, 64))
    values, steps = plain(tokens, 4, 64, dtype=bf16), plain(tokens, 4).abs() * 0.1
    b = plain(tokens, 2, 64, dtype=bf16)
    products = module("model_executor.layers.mamba.ops.ssd_bmm")._bmm_chunk_fwd(b, b.flip(0), 64, chunks)
    states = module("model_executor.layers.mamba.ops.ssd_chunk_state")
    sums, durations = states._chunk_cumsum_fwd(steps, -plain(4).abs(), 64, chunks, dt_softplus=True)
    return [products, sums, durations, states._chunk_state_fwd(b, values, durations, sums, chunks)]


@call("vllm")
def mamba_gated_norm():
    norm = module("model_executor.layers.mamba.ops.layernorm_gated").rms_norm_gated
    return [norm(matrix(dtype=bf16), matrix(1, dtype=bf16)[0], None, z=matrix(dtype=bf16).flip(0).contiguous())]


def quantized() -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """(weights of 256 rows and 128 columns in 4 bits, their scales, their zeros) in groups of 64 rows."""
    words = [(integers(2**31 - 1 - row, 256 if row else 4, 16)).to(torch.int32) for row in range(2)]
    return words[1], plain(4, 128, dtype=torch.float16).abs(), words[0]


@call("vllm")
def awq():
    kernels = module("model_executor.layers.quantization.awq_triton")
    weights, scales, zeros = quantized()
    product = kernels.awq_gemm_triton(plain(many(48), 256, dtype=torch.float16, scale=0.1), weights, scales, zeros, 2)
    return [kernels.awq_dequantize_triton(weights, scales, zeros), product]


@call("vllm")
def scaled_mm():
    multiply = module("model_executor.layers.quantization.compressed_tensors.triton_scaled_mm").triton_scaled_mm
    left, right = integers(100, many(128), 256).to(torch.int8), integers(90, 128, 256).to(torch.int8).T
    scales = plain(many(128), 1).abs(), plain(128, 1).abs().flip(0).contiguous()
    fp8 = [plain(many(128), 256).to(torch.float8_e4m3fn), plain(128, 256).to(torch.float8_e4m3fn).T]
    return [multiply(left, right, *scales, bf16), multiply(*fp8, *scales, torch.float16, plain(128))]


@call("vllm")
def int8_per_token():
    return list(module("model_executor.layers.quantization.utils.int8_utils").per_token_quant_int8(matrix(dtype=bf16)))


@call("vllm")
def lightning_attention():
    q, k, v = (plain(1, 4, many(300), 64, scale=scale) for scale in (1, 0.5, 0.25))
    return list(module("model_executor.layers.lightning_attn").lightning_attention(q, k, v, plain(4).abs() * 0.1))


@call("vllm")
def sampling():
    requests = many(16)
    logits, rows = matrix(requests, 5000), torch.arange(requests, dtype=torch.int32).to(matrix(1, 1).device)
    module("v1.worker.gpu.sample.min_p").apply_min_p(logits, rows, plain(requests).abs().clamp(max=1) * 0.1)
    kernels = module("v1.worker.gpu.sample.gumbel")
    kernels.apply_temperature(logits, rows, plain(requests).abs() + 0.5)
    tokens = kernels.gumbel_sample(
        logits, rows, plain(requests).abs() + 0.5, integers(1000, requests), integers(500, requests), True, False
    )
    return [logits, tokens]


@call("vllm")
def moe_sum():
    kernels = module("model_executor.layers.fused_moe.moe_fused_mul_sum")
    return [kernels.moe_fused_mul_sum(plain(many(64), 8, COLUMNS, dtype=bf16), plain(many(64), 8))]


@call("vllm")
def batch_invariant():
    kernels = module("model_executor.determinism.batch_invariant")
    product = kernels.matmul_persistent(matrix(dtype=bf16), matrix(COLUMNS, ROWS, dtype=bf16), matrix(1, ROWS, bf16)[0])
    return [product, kernels.softmax(matrix()), kernels.log_softmax(matrix()), kernels.mean_dim(matrix(), 1)]
