"""Smoke calls of vLLM's kernels for attention over pages, states, experts, adapters, quantization and sampling."""

from __future__ import annotations

import importlib
import sys
import types

import torch
from calls import COLUMNS, ROWS, bf16, call, integers, many, matrix
from vllm_calls import int32, module, plain

fp8 = torch.float8_e4m3fn


# --- Attention over pages ---------------------------------------------------------------------------------------------


def pages(heads: int = 2, width: int = 64, dtype: torch.dtype = bf16) -> tuple[torch.Tensor, torch.Tensor]:
    """(keys, values) of 32 pages, or more at larger shapes, with 16 places each."""
    return plain(many(32), 16, heads, width, dtype=dtype), plain(many(32), 16, heads, width, dtype=dtype, scale=0.5)


def unified(lengths: tuple[int, ...], queries: tuple[int, ...], **options) -> list[torch.Tensor]:
    lengths, queries = tuple(map(many, lengths)), tuple(many(n) if n > 1 else n for n in queries)
    starts = [sum(queries[:number]) for number in range(len(queries) + 1)]
    q = plain(starts[-1], 8, 64, dtype=bf16)
    keys, values = pages()
    settings = {"window_size": (-1, -1), "softcap": 0.0, **dict.fromkeys(("q_descale", "k_descale", "v_descale"))}
    out = torch.empty_like(q)
    module("v1.attention.ops.triton_unified_attention").unified_attention(
        q,
        keys,
        values,
        out,
        cu_seqlens_q=int32(*starts),
        max_seqlen_q=max(queries),
        seqused_k=int32(*lengths),
        max_seqlen_k=max(lengths),
        softmax_scale=0.125,
        causal=True,
        block_table=integers(many(32), len(lengths), many(16)).to(torch.int32),
        **settings | options,
    )
    return [out]


@call("vllm")
def unified_attention():
    return unified((200, 70, 33), (100, 1, 33))


@call("vllm")
def unified_attention_in_a_window():
    slopes = plain(8).abs() * 0.1
    return unified((200, 70), (40, 70), window_size=(31, 0), softcap=20.0) + unified((90,), (9,), alibi_slopes=slopes)


@call("vllm")
def unified_attention_in_parts():
    """Decoding, split over the keys, whose parts a second kernel joins."""
    return unified(
        (250, 128),
        (1, 1),
        seq_threshold_3D=8,
        num_par_softmax_segments=4,
        softmax_segm_output=torch.zeros_like(plain(8, 8, 4, 64)),
        softmax_segm_max=torch.zeros_like(plain(8, 8, 4)),
        softmax_segm_expsum=torch.zeros_like(plain(8, 8, 4)),
    )


@call("vllm")
def prefix_prefill():
    tokens = many(120)
    q, k = plain(tokens, 8, 64, dtype=bf16), plain(tokens, 2, 64, dtype=bf16)
    v = plain(tokens, 2, 64, dtype=bf16, scale=0.5)
    keys, values = pages()
    packed = keys.permute(0, 2, 3, 1).reshape(-1, 2, 8, 8, 16).transpose(3, 4).contiguous()
    out, one = torch.empty_like(q), plain(1).abs() * 0 + 1
    module("v1.attention.ops.prefix_prefill").context_attention_fwd(
        q,
        k,
        v,
        out,
        "auto",
        packed,
        values.permute(0, 2, 3, 1).contiguous(),
        integers(many(32), 2, many(16)).to(torch.int32),
        int32(0, many(80), many(120)),
        int32(many(144), many(90)),
        many(256),
        many(80),
        one,
        one,
    )
    return [out]


@call("vllm")
def cache_of_pages():
    kernels = module("v1.attention.ops.triton_reshape_and_cache_flash")
    slots, one = (
        torch.randperm(many(512), generator=torch.Generator().manual_seed(1))[: many(100)],
        plain(1).abs() * 0 + 2,
    )
    key, value = plain(many(100), 2, 64, dtype=bf16), plain(many(100), 2, 64, dtype=bf16, scale=0.5)
    results = []
    for name, cache in (("auto", pages()), ("fp8", [torch.zeros_like(part.to(fp8)) for part in pages()])):
        kernels.triton_reshape_and_cache_flash(key, value, *cache, slots.to(key.device), name, one, one)
        results += [part.float() for part in cache]
    return results


# --- Models with states -----------------------------------------------------------------------------------------------


@call("vllm")
def causal_convolution():
    kernels = module("model_executor.layers.mamba.ops.causal_conv1d")
    values, weights, bias = plain(many(150), 64, dtype=bf16).T, plain(64, 4, dtype=bf16), plain(64, dtype=bf16)
    states = plain(4, 3, 64, dtype=bf16).transpose(1, 2)
    known = int32(1, 0).bool()
    out = kernels.causal_conv1d_fn(values, weights, bias, states, int32(0, many(50), many(150)), int32(2, 1), known)
    later = kernels.causal_conv1d_update(
        plain(2, 64, dtype=bf16), states, weights, bias, "silu", conv_state_indices=int32(1, 3)
    )
    return [out, later, states]


@call("vllm")
def state_update():
    heads, width, states, count = 4, 64, 16, many(3)
    out = torch.empty_like(plain(count, heads, width))
    state = plain(count, heads, width, states)
    module("model_executor.layers.mamba.ops.mamba_ssm").selective_state_update(
        state,
        plain(count, heads, width),
        plain(count, heads, width, scale=0.1),
        -plain(heads, width, states).abs(),
        plain(count, 2, states),
        plain(count, 2, states).flip(0).contiguous(),
        plain(heads, width),
        plain(heads, width).flip(0).contiguous(),
        z=plain(count, heads, width).flip(1).contiguous(),
        dt_softplus=True,
        out=out,
    )
    return [out, state]


@call("vllm")
def mamba_scan():
    tokens = many(192)
    values, steps = plain(tokens, 4, 64, dtype=bf16), plain(tokens, 4).abs() * 0.1
    b, c = plain(tokens, 2, 64, dtype=bf16), plain(tokens, 2, 64, dtype=bf16).flip(0).contiguous()
    out = torch.empty_like(values)
    states = module("model_executor.layers.mamba.ops.ssd_combined").mamba_chunk_scan_combined_varlen(
        values,
        steps,
        -plain(4).abs(),
        b,
        c,
        64,
        cu_seqlens=int32(0, 64, tokens),
        cu_chunk_seqlens=int32(*range(0, tokens + 1, 64)),
        last_chunk_indices=int32(0, tokens // 64 - 1),
        seq_idx=int32(0, *[1] * (tokens // 64 - 1)),
        out=out,
        D=plain(4),
        dt_softplus=True,
    )
    return [out, states]


def gated(time: int = many(128)) -> dict[str, torch.Tensor]:
    return {
        "q": plain(1, time, 2, 64, dtype=bf16),
        "k": torch.nn.functional.normalize(plain(1, time, 2, 64, scale=0.5), dim=-1).to(bf16),
        "v": plain(1, time, 4, 64, dtype=bf16),
        "g": torch.nn.functional.logsigmoid(plain(1, time, 4) + 2),
        "beta": plain(1, time, 4).sigmoid().to(bf16),
    }


@call("vllm")
def gated_delta_rule():
    kernels = module("third_party.flash_linear_attention.ops.chunk")
    state = plain(1, 4, 64, 64, scale=0.1)
    return list(
        kernels.chunk_gated_delta_rule(
            **gated(), initial_state=state, output_final_state=True, use_qk_l2norm_in_kernel=True
        )
    )


@call("vllm")
def recurrent_delta_rule():
    kernels, length = module("third_party.flash_linear_attention.ops.fused_recurrent"), many(32)
    state = plain(3, 4, 64, 64, scale=0.1)
    return list(
        kernels.fused_recurrent_gated_delta_rule(
            **gated(length),
            initial_state=state,
            cu_seqlens=int32(0, many(20), length),
            ssm_state_indices=int32(*[2] * length, *[1] * length).reshape(2, length),
            use_qk_l2norm_in_kernel=True,
        )
    )


@call("vllm")
def kimi_delta_attention():
    kernels = module("third_party.flash_linear_attention.ops.kda")
    inputs = gated() | {
        "q": plain(1, many(128), 4, 64, dtype=bf16),
        "k": torch.nn.functional.normalize(plain(1, many(128), 4, 64, scale=0.5), dim=-1).to(bf16),
        "g": torch.nn.functional.logsigmoid(plain(1, many(128), 4, 64) + 2),
    }
    state = plain(1, 4, 64, 64, scale=0.1)
    return list(kernels.chunk_kda(**inputs, initial_state=state, output_final_state=True, use_qk_l2norm_in_kernel=True))


# --- Experts, adapters, rotations -------------------------------------------------------------------------------------


def assigned(experts: torch.Tensor, count: int, block: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Rows sorted by expert, each expert's filled up to whole blocks; the expert of each block; how many rows."""
    rows, owners = [], []
    flat = experts.flatten().tolist()
    for expert in range(count):
        mine = [row for row, owner in enumerate(flat) if owner == expert]
        mine += [len(flat)] * (-len(mine) % block)
        rows += mine
        owners += [expert] * (len(mine) // block)
    return int32(*rows), int32(*owners), int32(len(rows))


@call("vllm")
def product_of_experts():
    import triton.language as tl

    kernels = module("model_executor.layers.fused_moe.fused_moe")
    tiles = {"BLOCK_SIZE_M": 16, "BLOCK_SIZE_N": 64, "BLOCK_SIZE_K": 64, "GROUP_SIZE_M": 4, "SPLIT_K": 1}
    tokens, weights = plain(many(48), 128, dtype=bf16), plain(4, 192, 128, dtype=bf16)
    chosen = integers(4, many(48), 2)
    results = []
    for low in (False, True):
        out = torch.zeros_like(plain(many(48), 2, 192, dtype=bf16))
        scales = (plain(1).abs(), plain(4).abs()) if low else (None, None)
        left, right = (tokens.to(fp8), weights.to(fp8)) if low else (tokens, weights)
        kernels.invoke_fused_moe_triton_kernel(
            left,
            right,
            out,
            *scales,
            plain(many(48), 2),
            *assigned(chosen, 4, 16),
            True,
            2,
            tiles,
            tl.bfloat16,
            low,
            False,
            False,
            False,
            False,
        )
        results.append(out)
    return results


def triton_kernels(name: str) -> types.ModuleType:
    """A file of Triton's `triton_kernels`, of which vLLM has a copy."""
    module("third_party")
    if "triton_kernels" not in sys.modules:
        sys.modules["triton_kernels"] = module("third_party.triton_kernels")
    return importlib.import_module(f"triton_kernels.{name}")


@call("vllm")
def routing():
    data, gather, scatter = triton_kernels("routing").routing(plain(many(64), 32), 4)
    return [data.gate_scal, data.expt_hist, gather.src_indx, scatter.dst_indx]


@call("vllm")
def ragged_product():
    """`matmul_ogs`, whose kernels are made of sources by `specialize`."""
    data, gather, scatter = triton_kernels("routing").routing(plain(many(64), 8), 2)
    product = triton_kernels("matmul_ogs").matmul_ogs
    weights, bias = plain(8, 128, 256, dtype=bf16), plain(8, 256)
    hidden = product(plain(many(64), 128, dtype=bf16), weights, bias, data, gather_indx=gather)
    return [hidden, product(hidden, weights.transpose(1, 2).contiguous(), None, data, scatter_indx=scatter)]


@call("vllm")
def swiglu():
    kernels = triton_kernels("swiglu")
    return [kernels.swiglu(plain(many(128), 512, dtype=bf16), 1.7, kernels.PrecisionConfig(limit=7.0))]


@call("vllm")
def adapters():
    """LoRA: into the small ranks of each request's adapter, and out of them."""
    first, both = many(30), many(48)
    rows = torch.arange(both).to(torch.int32).to(integers(1, 1).device)
    mapping = int32(*[0] * first, *[2] * (both - first))
    counts = torch.tensor([first, both - first, 0, 0, 0], dtype=torch.int32).to(rows.device)
    about = (
        mapping,
        rows,
        counts,
        int32(0, first, both, both, both, both),
        int32(0, 2, -1, -1, -1),
        torch.tensor([False]),
        torch.tensor([2], dtype=torch.int32),
    )
    small = torch.zeros_like(plain(2, both, 16))
    down = [plain(3, 1, 16, 256, dtype=bf16), plain(3, 1, 16, 256, dtype=bf16).flip(0).contiguous()]
    module("lora.ops.triton_ops.lora_shrink_op")._lora_shrink(plain(both, 256, dtype=bf16), down, small, *about, 0.5)
    out = plain(both, 256, dtype=bf16)
    up = [plain(3, 1, 128, 16, dtype=bf16), plain(3, 1, 128, 16, dtype=bf16).flip(0).contiguous()]
    module("lora.ops.triton_ops.lora_expand_op")._lora_expand(small, up, out, *about, add_inputs=True)
    return [small, out]


@call("vllm")
def rotation_of_three_positions():
    rotate = module("model_executor.layers.rotary_embedding.mrope").triton_mrope
    angles = plain(3, many(40), 64)
    return [
        part
        for woven in (False, True)
        for part in rotate(
            plain(many(40), 8 * 128, dtype=bf16),
            plain(many(40), 2 * 128, dtype=bf16),
            angles.cos().to(bf16),
            angles.sin().to(bf16),
            [24, 20, 20],
            128,
            128,
            woven,
            True,
        )
    ]


@call("vllm")
def rotated_and_quantized():
    kernels = module("models.deepseek_v4.common.ops.fused_inv_rope_fp8_quant")
    values, scales = kernels.fused_inv_rope_fp8_quant(
        plain(many(20), 8, 512, dtype=bf16), integers(100, many(20)), plain(100, 64).cos(), 2, 4
    )
    return [values.float(), scales]


# --- Quantization -----------------------------------------------------------------------------------------------------


@call("vllm")
def fp8_in_blocks():
    kernels = module("model_executor.layers.quantization.utils.fp8_utils")
    left, right = plain(many(64), 256).to(fp8), plain(192, 256, scale=0.5).to(fp8)
    product = kernels.w8a8_triton_block_scaled_mm(
        left, right, plain(many(64), 2).abs(), plain(2, 2).abs(), [128, 128], bf16
    )
    values, scales = kernels.silu_mul_per_token_group_quant_fp8_colmajor(
        plain(many(128), 512, dtype=bf16), use_ue8m0=False
    )
    return [product, values.float(), scales]


@call("vllm")
def four_bits():
    kernels = module("model_executor.layers.quantization.utils.nvfp4_emulation_utils")
    rounded = kernels._triton_nvfp4_quant_dequant(plain(many(64), 128, dtype=bf16), plain(1).abs() * 0 + 8, 16)
    packed, scales = integers(256, many(64), 64).to(torch.uint8), plain(many(64), 8).abs().to(fp8)
    return [rounded, kernels._triton_dequantize_nvfp4(packed, scales, plain(1).abs(), bf16)]


@call("vllm")
def cache_in_fewer_bits():
    kernels = module("v1.attention.ops.triton_turboquant_store")
    key, value = plain(many(20), 2, 128, dtype=bf16), plain(many(20), 2, 128, dtype=bf16, scale=0.5)
    rotation = torch.linalg.qr(torch.randn(128, 128, generator=torch.Generator().manual_seed(5)))[0].to(key.device)
    cache = torch.zeros(many(4), 16, 2, 160, dtype=torch.uint8, device=key.device)
    middles = torch.linspace(-0.2, 0.2, 15, device=key.device)
    kernels.triton_turboquant_store(key, value, cache, int32(*range(many(20))), rotation, middles, 4, 68, 4)
    return [cache]


# --- Sampling ---------------------------------------------------------------------------------------------------------


@call("vllm")
def top_k_and_p():
    choose = module("v1.sample.ops.topk_topp_triton").apply_top_k_top_p_triton
    k, p = integers(50, many(16)).to(torch.int32) + 1, plain(many(16)).abs().clamp(max=0.9)
    return [
        choose(plain(many(16), 3000), k, p),
        choose(plain(many(16), 3000), k, None),
        choose(plain(many(16), 3000), None, p),
    ]


@call("vllm")
def penalties():
    kernels = module("v1.worker.gpu.sample.penalties")
    rows, tokens = int32(0, 2, 1), integers(2000, 3, 64).to(torch.int32)
    mask = torch.zeros(3, 63, dtype=torch.int32, device=rows.device)
    counts = torch.zeros(3, 2000, dtype=torch.int32, device=rows.device)
    kernels.bincount(rows, tokens, int32(20, 30, 64), int32(40, 60, 64), mask, counts, 64)
    logits = plain(3, 2000)
    kernels.apply_penalties(
        logits,
        rows,
        tokens[:, 0].contiguous(),
        int32(0, 0, 0),
        *(plain(3).abs() + step for step in range(3)),
        mask,
        counts,
    )
    return [logits, mask, counts]


@call("vllm")
def log_probabilities_of_tokens():
    kernels = module("v1.worker.gpu.sample.logprob")
    return [kernels.compute_token_logprobs(plain(many(12), 5000), integers(5000, many(12), 4))]


@call("vllm")
def rejection():
    """Drafted tokens that the target takes: greedily, and by chance."""
    kernels = module("v1.sample.rejection_sampler")
    target, draft = plain(9, 500), plain(9, 500).flip(0).softmax(-1).contiguous()
    drafted, bonus = integers(500, 9).to(torch.int32), integers(400, 3, 1).to(torch.int32)
    lengths, ends = [3, 4, 2], int32(3, 7, 9)
    chosen = types.SimpleNamespace(all_greedy=True, all_random=False, temperature=None, generators={})
    drafted[:5] = target.argmax(-1)[:5].to(torch.int32)
    results = [kernels.rejection_sample(drafted, lengths, 4, ends, draft, target, bonus, chosen)]
    torch.manual_seed(3)
    chosen = types.SimpleNamespace(all_greedy=False, all_random=True, temperature=plain(3).abs(), generators={})
    return [*results, kernels.rejection_sample(drafted, lengths, 4, ends, draft, target, bonus, chosen)]


@call("vllm")
def best_blocks():
    kernels = module("models.minimax_m3.common.ops.index_topk")
    return [
        kernels.minimax_m3_index_topk(
            plain(2, many(40), 32), int32(0, many(30), many(40)), int32(2000, 1500), many(30), 8, 1, 2
        )
        .sort(-1)
        .values
    ]


@call("vllm")
def norm_of_a_model():
    norm = module("models.muse_spark.common.ops.fused_rmsnorm").fused_rmsnorm_fwd
    return [norm(matrix(ROWS, COLUMNS, bf16), matrix(1, COLUMNS, bf16)[0], 1e-6)]
