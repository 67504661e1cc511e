"""Smoke calls of kernels of bitsandbytes, TransformerEngine, xformers and aiter, as calls.py has them of others."""

from __future__ import annotations

import types
from unittest import mock

import torch
from calls import COLUMNS, ROWS, bf16, call, integers, many
from stand_ins import file_of
from vllm_calls import plain

# --- bitsandbytes -----------------------------------------------------------------------------------------------------


def bitsandbytes(name: str) -> types.ModuleType:
    return file_of(f"bitsandbytes.backends.triton.{name}")


@call("bitsandbytes")
def blocks_of_8_bits():
    kernels, code = bitsandbytes("kernels_8bit_quant"), torch.linspace(-1, 1, 256).to(plain(1).device)
    codes, largest = kernels.quantize_blockwise_triton(plain(ROWS, COLUMNS), code, 256)
    return [codes, largest, kernels.dequant_8bit_blockwise(codes, largest, code, 256, dtype=torch.float32)]


@call("bitsandbytes")
def blocks_of_4_bits():
    kernels, x, results = bitsandbytes("kernels_4bit"), plain(ROWS, COLUMNS), []
    for kind in ("nf4", "fp4"):
        largest = torch.empty(x.numel() // 64, device=x.device)
        codes = torch.empty((x.numel() // 2, 1), dtype=torch.uint8, device=x.device)
        kernels.quantize_4bit_blockwise_triton(x, 64, kind, x.numel() // 128, largest, x.numel(), codes)
        back = torch.empty_like(x)
        kernels.dequantize_4bit_impl(codes, largest, 64, kind, torch.float32, back)
        results += [codes, largest, back]
    return results


@call("bitsandbytes")
def optimizers():
    update, results = bitsandbytes("kernels_optim").optimizer_update_32bit_impl, []
    for name in ("adam", "momentum", "rmsprop", "adagrad", "lion", "ademamix"):
        values = plain(ROWS * COLUMNS)
        first = torch.zeros_like(plain(2, ROWS * COLUMNS) if name == "ademamix" else values)
        second, norm = torch.zeros_like(values), torch.zeros_like(values[:1])
        update(name, values * 0.1, values, first, second, norm, 0.0, 0.0, 0.9, 0.99, 0.9, 5.0, 1e-8, 0.01, 3, 1e-2)
        results += [values, first, second]
    return results


# --- TransformerEngine ------------------------------------------------------------------------------------------------


def transformer_engine(name: str) -> types.ModuleType:
    return file_of(f"transformer_engine.pytorch.triton.{name}", real=("pytorch.triton.", "common.triton."))


@call("transformer_engine")
def cross_entropy():
    kernels, logits = transformer_engine("cross_entropy"), plain(2, many(64), 1000)
    targets = integers(1000, many(128))
    loss, _, saved, *rest = kernels.cross_entropy_forward(logits, targets, 0.1, False, None, -100, False)
    return [part for part in (loss, saved, *rest) if torch.is_tensor(part)]


@call("transformer_engine")
def permutation():
    tokens = many(100)
    kernels, x = transformer_engine("permutation"), plain(tokens, 256, dtype=bf16)
    routes = torch.zeros_like(plain(tokens, 8), dtype=torch.int32).scatter_(1, integers(4, tokens, 1), 1)
    routes = routes.scatter_(1, integers(4, tokens, 1) + 4, 1)
    rows = kernels.make_row_id_map(routes, tokens, 8)
    chances = plain(tokens, 8)
    out, _, probabilities = kernels.permute_with_mask_map(x, rows, chances, None, None, tokens, 8, 2 * tokens, 256, 0)
    back, _ = kernels.unpermute_with_mask_map(out, rows, None, None, None, tokens, 8, 256)
    return [out, probabilities, back]


@call("transformer_engine")
def hyper_connections():
    kernels = transformer_engine("mhc")
    residual = plain(2, many(50), 4, 4)
    return [kernels.mhc_fused_sinkhorn(residual, 4, True, 5)]


# --- xformers ---------------------------------------------------------------------------------------------------------


def xformers(name: str) -> types.ModuleType:
    return file_of(f"xformers.ops._triton.{name}", real=("triton.importing", "triton.vararg_kernel"))


@call("xformers")
def norms():
    kernels, x, weight = xformers("rmsnorm_kernels"), plain(ROWS, COLUMNS, dtype=bf16), plain(COLUMNS, dtype=bf16)
    summed = x.clone()
    return [
        kernels._rms_norm_forward(x, weight, 1e-6),
        kernels._rms_norm_add_forward(summed, x * 0.5, weight, 1e-6),
        summed,
    ]


@call("xformers")
def selected_rows():
    kernels, source = xformers("k_index_select_cat"), plain(ROWS, COLUMNS, dtype=bf16)
    chosen = torch.randperm(ROWS, generator=torch.Generator().manual_seed(1))[: ROWS // 2].to(source.device)
    out, gradient = torch.empty_like(source[: ROWS // 2]), torch.zeros_like(source)
    kernels.index_select_cat_fwd(out, source, chosen)
    kernels.index_select_cat_bwd(gradient, chosen, out)
    return [out, gradient]


@call("xformers")
def added_rows():
    kernels, x = xformers("k_scaled_index_add"), plain(ROWS, 4, COLUMNS, dtype=bf16)
    source, scales = plain(ROWS // 2, 4, COLUMNS, dtype=bf16, scale=0.5), plain(COLUMNS, dtype=bf16)
    chosen = torch.randperm(ROWS, generator=torch.Generator().manual_seed(1))[: ROWS // 2].to(x.device)
    kernels.scaled_index_add_fwd(x, chosen, source, scales, 0.5)
    return [x]


# --- aiter ------------------------------------------------------------------------------------------------------------


def aiter(name: str) -> types.ModuleType:
    answers = {
        "ops.triton.utils.logger": {"AiterTritonLogger": mock.MagicMock},
        "ops.triton.utils._triton": {"arch_info": types.SimpleNamespace(get_arch=str, is_fp8_avail=lambda: True)},
    }
    return file_of(f"aiter.ops.triton.{name}", answers, ("ops.triton.", "utility.triton"))


@call("aiter")
def rms_norm():
    kernels, x, weight = aiter("rmsnorm"), plain(ROWS, COLUMNS, dtype=bf16), plain(COLUMNS, dtype=bf16)
    return [kernels.rms_norm(x, weight, 1e-6), aiter("norm").layer_norm(x, weight, weight * 2)]


@call("aiter")
def best_of_rows():
    return list(aiter("topk").topk(plain(many(64), 1000), 8))
