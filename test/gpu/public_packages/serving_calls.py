"""Smoke calls of sglang's and lightllm's kernels, as calls.py has them of other packages."""

from __future__ import annotations

import types

import torch
from calls import COLUMNS, ROWS, bf16, call, integers, many
from stand_ins import file_of
from vllm_calls import int32, plain


class Unset:
    """The environment's settings, none of which is set."""

    def __getattr__(self, name: str) -> types.SimpleNamespace:
        return types.SimpleNamespace(get=bool)


SGLANG = {
    "srt.utils": {
        **dict.fromkeys("is_hip is_cpu is_npu is_musa is_xpu is_gfx95_supported is_gfx1250_supported".split(), bool),
        "is_cuda": lambda: True,
        "ceil_div": lambda a, b: -(-a // b),
        "ceil_align": lambda a, b: -(-a // b) * b,
        "get_device_core_count": lambda *_: 132,
        "get_device_name": lambda *_: "",
        "is_sm90_supported": lambda *_: True,
    },
    "srt.batch_invariant_ops": {"is_batch_invariant_mode_enabled": bool},
    "srt.layers.dp_attention": {"is_dp_attention_enabled": bool},
    "srt.utils.custom_op": {"register_custom_op": lambda *_, **__: lambda function: function},
    "srt.utils.patch_torch": {"register_fake_if_exists": lambda *_: lambda function: function},
    "srt.environ": {"envs": Unset()},
    "kernels.jit.utils": {"is_arch_support_pdl": bool},
    "kernels.kernel_api_logging": {"debug_kernel_api": lambda function: function},
}


def sglang(name: str) -> types.ModuleType:
    """A file of `sglang.kernels.ops`."""
    return file_of(f"sglang.kernels.ops.{name}", SGLANG)


def lightllm(name: str, model: str = "llama") -> types.ModuleType:
    """A file of the kernels of one of its models."""
    return file_of(f"lightllm.models.{model}.triton_kernel.{name}")


def fp16(*shape: int, scale: float = 1.0) -> torch.Tensor:
    return plain(*shape, dtype=torch.float16, scale=scale)


def attention(tokens: int = many(300), heads: int = 8, key_heads: int = 2) -> tuple[torch.Tensor, ...]:
    """(queries, keys, values, place of the result) of heads with 64 elements."""
    q, k = fp16(tokens, heads, 64), fp16(tokens, key_heads, 64)
    return q, k, fp16(tokens, key_heads, 64, scale=0.5), torch.zeros_like(q)


# --- sglang: attention ------------------------------------------------------------------------------------------------


@call("sglang")
def prefill_attention():
    q, k, v, out = attention()
    sglang("attention.prefill_attention").context_attention_fwd(
        q, k, v, out, int32(0, many(100)), int32(many(100), many(200)), many(200)
    )
    return [out]


def decode(heads: int, key_heads: int, **options) -> list[torch.Tensor]:
    length = many(256)
    q, keys, values = fp16(2, heads, 64), fp16(length, key_heads, 64), fp16(length, key_heads, 64, scale=0.5)
    out, parts, sums = torch.zeros_like(q), plain(2, heads, 4, 64) * 0, plain(2, heads, 4) * 0
    pages = torch.randperm(length, generator=torch.Generator().manual_seed(1)).to(q.device)
    places = int32(0, many(100), many(228))
    sglang("attention.decode_attention").decode_attention_fwd(
        q, keys, values, out, places, pages, parts, sums, int32(2, 4), 4, 0.125, 1.0, 1.0, **options
    )
    return [out]


@call("sglang")
def decode_attention():
    return decode(4, 4)


@call("sglang")
def decode_attention_of_groups():
    return decode(16, 2, logit_cap=20.0)


@call("sglang")
def extend_attention():
    q, k, v, out = attention(many(120))
    keys, values = fp16(many(256), 2, 64), fp16(many(256), 2, 64, scale=0.5)
    starts, known = int32(0, many(50), many(120)), int32(0, many(64), many(164))
    pages = torch.randperm(many(256), generator=torch.Generator().manual_seed(1)).to(q.device)
    sglang("attention.extend_attention").extend_attention_fwd(
        q, k, v, out, keys, values, starts, known, pages, None, True, None, many(70), 1.0, 1.0
    )
    return [out]


@call("sglang")
def merge_states():
    first, second = fp16(many(64), 8, 128), fp16(many(64), 8, 128, scale=0.5)
    sums = plain(many(64), 8)
    return list(sglang("attention.merge_state").merge_state_triton(first, sums, second, sums * 2))


@call("sglang")
def local_attention():
    q, k, v = (plain(many(40), 8, 4, 16, dtype=bf16, scale=scale) for scale in (1.0, 0.7, 0.5))
    return [sglang("attention.mimo_local_attention").mimo_local_attention(q, k, v, is_causal=True)]


# --- sglang: logits, sampling, routing --------------------------------------------------------------------------------


@call("sglang")
def softcap():
    kernels, logits = sglang("activation.softcap"), plain(many(32), 1000, dtype=bf16, scale=20.0)
    wide = torch.empty_like(logits, dtype=torch.float32)
    gathered = torch.empty_like(plain(many(16), 2000))
    return [
        kernels.softcap_to_float32_logits(logits, 30.0, wide),
        kernels.gathered_softcap_logits(plain(2, many(16), 1000, scale=9.0), 10.0, gathered),
        kernels.softcap_inplace_logits(logits, 30.0),
    ]


@call("sglang")
def softmax_with_temperature():
    temperatures = plain(many(4), 1).abs() + 0.5
    return [sglang("sampling.temperature_softmax").temperature_softmax(plain(many(4), 20000), temperatures)]


@call("sglang")
def renormalized_probabilities():
    kernels, probabilities = sglang("sampling.renorm_triton"), torch.softmax(plain(many(8), 3000, scale=3.0), -1)
    return [
        kernels.top_k_renorm_probs_triton(probabilities, 50),
        kernels.top_p_renorm_probs_triton(probabilities, 0.9),
    ]


@call("sglang")
def argmax_of_rows():
    kernels = sglang("speculative.row_argmax")
    return [kernels.row_argmax(plain(many(4), 30000)), kernels.row_argmax(plain(many(80), 5000))]


@call("sglang")
def token_bitmask():
    logits, mask = plain(many(8), 1000), integers(2**31 - 1, many(8), 32).to(torch.int32)
    sglang("grammar.bitmask_ops").apply_token_bitmask_inplace_triton(logits, mask)
    return [logits]


@call("sglang")
def routing():
    kernels = sglang("moe.router")
    tokens, weights, bias = plain(many(64), 256, dtype=bf16), plain(16, 256, dtype=bf16), plain(16)
    return [
        *kernels.fused_moe_router_cudacore(tokens, weights, 4, 30.0, bias),
        *kernels.fused_moe_router_tensorcore(tokens, weights, 2, 30.0, 32, 16, 64),
    ]


@call("sglang")
def routing_of_gemma():
    kernels, logits = sglang("moe.gemma4_routing"), plain(many(64), 96)
    best, ids = torch.topk(logits, 6)
    scales = plain(96).abs()
    return [*kernels.gemma4_fused_routing(logits, scales, 6), *kernels.gemma_routing_post_topk(best, ids, scales)]


@call("sglang")
def sums_of_experts():
    kernels = sglang("moe.fused_moe_triton_kernels")
    out, gated = torch.empty_like(fp16(many(32), 1024)), torch.empty_like(fp16(many(64), 512))
    kernels.moe_sum_reduce_triton(fp16(many(32), 4, 1024), out, 0.5)
    experts = integers(4, many(64))
    kernels.act_and_mul_triton(fp16(many(64), 1024), gated, {"BLOCK_SIZE_M": 16}, experts, experts)
    return [out, gated]


# --- sglang: norms, activations, quantization, products ---------------------------------------------------------------


@call("sglang")
def norms():
    kernels, x, weight = sglang("layernorm.fused_rmsnorm"), plain(ROWS, COLUMNS, dtype=bf16), plain(COLUMNS, dtype=bf16)
    return [
        kernels.fused_rmsnorm(x, weight, 1e-6),
        *kernels.fused_dual_residual_rmsnorm(x, x * 0.5, weight, weight * 2, 1e-6),
        sglang("layernorm.rmsnorm_fp32").rmsnorm_fp32(x, weight, 1e-6),
    ]


@call("sglang")
def gates():
    x = plain(ROWS, 2 * COLUMNS, dtype=bf16)
    return [
        sglang("activation.gelu_and_mul_triton").gelu_and_mul_triton(x)[0],
        sglang("elementwise.elementwise").sigmoid_gate_mul_broadcast(x, plain(ROWS, 1, dtype=bf16)),
    ]


@call("sglang")
def int8_products():
    kernels = sglang("quantization.int8_kernel")
    x, scales = kernels.per_token_group_quant_int8(plain(many(96), 256, dtype=bf16), 128)
    weights = (integers(255, 128, 256) - 127).to(torch.int8)
    product = sglang("gemm.int8_kernel").w8a8_block_int8_matmul
    out = product(x, weights, scales, plain(1, 2).abs(), [128, 128], torch.bfloat16)
    return [x, scales, *kernels.per_token_quant_int8(plain(many(64), 1000, dtype=bf16)), out]


@call("sglang")
def awq_weights():
    packed, zeros = (integers(2**31 - 1, *shape).to(torch.int32) for shape in ((many(256), 32), (many(2), 32)))
    return [sglang("quantization.awq_triton").awq_dequantize_triton(packed, fp16(many(2), 256).abs(), zeros)]


@call("sglang")
def lora():
    segments = types.SimpleNamespace(
        bs=2,
        max_len=many(60),
        permutation=None,
        seg_lens=int32(many(40), many(60)),
        seg_indptr=int32(0, many(40), many(100)),
        weight_indices=int32(1, 0),
        lora_ranks=int32(16, 8),
        scalings=plain(2).abs(),
    )
    x, down, up = fp16(many(100), 512), fp16(2, 16, 512, scale=0.1), fp16(2, 256, 16, scale=0.1)
    # Columns behind the rank of an adapter are not written.
    middle = sglang("lora.dense.sgemm_lora_a").sgemm_lora_a_fwd(x, down, segments)
    base = fp16(many(100), 256)
    out = sglang("lora.dense.sgemm_lora_b").sgemm_lora_b_fwd(middle.nan_to_num(), up, segments, base)
    return [middle[:, :8], out]


# --- lightllm ---------------------------------------------------------------------------------------------------------


def requests() -> tuple[torch.Tensor, ...]:
    """(table of places, numbers of requests, starts, lengths) of two requests, the second of twice as many tokens."""
    places = torch.stack(
        [torch.randperm(many(300), generator=torch.Generator().manual_seed(seed)) for seed in range(3)]
    )
    return (
        places.to(torch.int32).to(integers(1, 1).device),
        int32(2, 0),
        int32(0, many(100)),
        int32(many(100), many(200)),
    )


@call("lightllm")
def context_attention():
    q, k, v, out = attention()
    places, numbers, starts, lengths = requests()
    kernels, cached = lightllm("context_flashattention_nopad"), torch.zeros_like(out)
    kernels.context_attention_fwd_no_prompt_cache(q, k, v, out, starts, lengths, many(200))
    known = int32(many(20), many(30))
    kernels.context_attention_fwd(q, k, v, cached, numbers, int32(0, many(80)), lengths, known, many(170), places)
    return [out, cached[: many(250)]]


@call("lightllm")
def context_attention_in_a_window():
    q, k, v, out = attention()
    _, _, starts, lengths = requests()
    window = lightllm("context_flashattention_nopad", "mistral").context_attention_fwd
    window(q, k, v, out, starts, lengths, many(200), 64)
    return [out]


@call("lightllm")
def token_attention():
    """In three kernels: scores, their softmax, sums of values; the last two in one, too."""
    places, numbers, starts, lengths = requests()
    q, (_, k, v, _) = fp16(2, 8, 64), attention()
    scores, weights = torch.zeros_like(fp16(8, many(300))), torch.zeros_like(fp16(8, many(300)))
    out, again = torch.zeros_like(q), torch.zeros_like(q)
    lightllm("token_attention_nopad_att1").token_att_fwd(q, k, scores, places, numbers, starts, lengths, many(200))
    lightllm("token_attention_nopad_softmax").token_softmax_fwd(scores, starts, lengths, weights, many(200))
    lightllm("token_attention_nopad_reduceV").token_att_fwd2(weights, v, out, places, numbers, starts, lengths)
    both = lightllm("token_attention_softmax_and_reducev").token_softmax_reducev_fwd
    both(scores, v, again, places, numbers, starts, lengths, 0)
    return [scores, weights, out, again]


@call("lightllm")
def flash_decoding():
    places, numbers, _, lengths = requests()
    q, (_, k, v, _) = fp16(2, 8, 64), attention()
    parts, sums = plain(2, 8, many(4), 64) * 0, plain(2, 8, many(4)) * 0
    out, grouped = torch.zeros_like(q), torch.zeros_like(q)
    first = lightllm("flash_decoding_stage1").flash_decode_stage1
    first(q, k, v, places, numbers, lengths, many(200), parts, sums, 64)
    lightllm("flash_decoding_stage2").flash_decode_stage2(parts, sums, lengths, out, 64)
    lightllm("gqa_decode_flashattention_nopad").gqa_decode_attention_fwd(q, k, v, grouped, places, numbers, lengths)
    return [out, grouped]


@call("lightllm")
def norms_and_gates():
    x, weight = fp16(ROWS, COLUMNS), fp16(COLUMNS)
    return [
        lightllm("rmsnorm").rmsnorm_forward(x, weight, 1e-5),
        lightllm("layernorm", "bloom").layernorm_forward(x, weight, weight * 2, 1e-5),
        lightllm("silu_and_mul").silu_and_mul_fwd(fp16(ROWS, 2 * COLUMNS)),
    ]


@call("lightllm")
def rotary_embedding():
    q, k, angles = fp16(many(100), 8, 64), fp16(many(100), 2, 64), plain(many(100), 32)
    lightllm("rotary_emb").rotary_emb_fwd(q, k, angles.cos().half(), angles.sin().half())
    return [q, k]


@call("lightllm")
def quantized_cache():
    keys, places = (
        fp16(many(100), 4, 64),
        torch.randperm(many(300), generator=torch.Generator().manual_seed(1))[: many(100)].to(torch.int32),
    )
    codes = torch.zeros(many(300), 4, 64, dtype=torch.int8, device=keys.device)
    scales = torch.zeros_like(fp16(many(300), 4, 8))
    lightllm("ppl_quant_copy_kv").destindex_copy_quantize_kv(keys, places.to(keys.device), codes, scales)
    return [codes, scales]


@call("lightllm")
def penalties():
    logits, rates = plain(2, 1000), [plain(2).abs() + 1 for _ in range(3)]
    kernel = file_of("lightllm.common.basemodel.triton_kernel.apply_penalty").apply_penalty
    tokens = torch.randperm(1000, generator=torch.Generator().manual_seed(1))[:100].to(torch.int32).to(logits.device)
    kernel(logits, *rates, tokens, integers(5, 100).to(torch.int32), int32(0, 40, 100), 60)
    return [logits]


@call("lightllm")
def int8_weights():
    kernels = file_of("lightllm.common.basemodel.triton_kernel.dequantize_gemm_int8")
    codes = (integers(255, 256, 512) - 127).to(torch.int8)
    return [kernels.matmul_dequantize_int8(fp16(many(64), 256), codes, fp16(512, scale=0.01))]
