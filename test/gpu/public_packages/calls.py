"""Smoke calls of public packages whose kernels are written in Triton: what run.py runs through two compilers.

CALLS: {package: {name: function}}.  A function makes its inputs from a fixed seed, calls the package's own functions,
backwards too where they have a derivative, and returns the tensors that came out.  Imports are inside, so that a
package that can't be imported fails its own calls alone.
"""

from __future__ import annotations

import importlib
import importlib.machinery
import logging
import os
import sys
import types
from collections.abc import Callable

import torch

DEVICE = os.environ.get("PUBLIC_PACKAGES_DEVICE", "cuda")
SMALL = DEVICE == "cpu"  # through the interpreter, where only whether it runs is looked at
FACTOR = int(os.environ.get("PUBLIC_PACKAGES_FACTOR", 1))  # of rows and tokens: the same calls at other shapes
CALLS: dict[str, dict[str, Callable[[], list[torch.Tensor]]]] = {}


def call(package: str, name: str | None = None):
    def register(function):
        CALLS.setdefault(package, {})[name or function.__name__] = function
        return function

    return register


def many(count: int) -> int:
    """A number of rows, tokens or requests, at this shape of the calls."""
    return count * FACTOR


def random(*shape: int, dtype=torch.float32, grad: bool = True, scale: float = 1.0, salt: int = 0) -> torch.Tensor:
    """The same numbers for a shape each time; others with another `salt`."""
    generator = torch.Generator().manual_seed(sum(shape) * 7919 + len(shape) + salt)
    values = torch.randn(shape, generator=generator) * scale
    return values.to(DEVICE, dtype).requires_grad_(grad and dtype.is_floating_point)


def integers(high: int, *shape: int) -> torch.Tensor:
    return torch.randint(0, high, shape, generator=torch.Generator().manual_seed(high)).to(DEVICE)


def forward_and_backward(function, *inputs) -> list[torch.Tensor]:
    """What `function` returns, and the gradients of its inputs for a fixed gradient of its first result."""
    results = function(*inputs)
    results = [r for r in (results if isinstance(results, (tuple, list)) else [results]) if torch.is_tensor(r)]
    kept = [result.detach().clone() for result in results]
    leaves = [value for value in inputs if torch.is_tensor(value) and value.requires_grad]
    if leaves and results[0].requires_grad:
        # Not the numbers of an input: norms of them have gradients of zero, of which rounding alone would be compared.
        shape = results[0].shape
        gradient = torch.ones_like(results[0]) if not shape else random(*shape, grad=False, salt=1)
        kept += torch.autograd.grad(results[0], leaves, gradient.to(results[0].dtype), allow_unused=True)
    return [result for result in kept if result is not None]


# --- Liger-Kernel: `liger_kernel.ops`, its autograd functions ---------------------------------------------------------


def liger(module: str, function: str, inputs: Callable[[], tuple]) -> None:
    def run():
        apply = getattr(importlib.import_module(f"liger_kernel.ops.{module}"), function).apply
        return forward_and_backward(apply, *inputs())

    CALLS.setdefault("liger", {})[module] = run


ROWS, COLUMNS = (8, 64) if SMALL else (many(256), 2048)
bf16 = torch.bfloat16

liger(
    "rms_norm",
    "LigerRMSNormFunction",
    lambda: (random(ROWS, COLUMNS, dtype=bf16), random(COLUMNS), 1e-6, 0.0, "llama", False),
)
liger("layer_norm", "LigerLayerNormFunction", lambda: (random(ROWS, COLUMNS), random(COLUMNS), random(COLUMNS), 1e-6))
liger("swiglu", "LigerSiLUMulFunction", lambda: (random(ROWS, COLUMNS), random(ROWS, COLUMNS, scale=0.5)))
liger("geglu", "LigerGELUMulFunction", lambda: (random(ROWS, COLUMNS), random(ROWS, COLUMNS, scale=0.5)))
liger("softmax", "LigerSoftmaxFunction", lambda: (random(ROWS, COLUMNS),))
liger("sparsemax", "LigerSparsemaxFunction", lambda: (random(ROWS, COLUMNS), -1))
liger("relu_squared", "LigerReLUSquaredFunction", lambda: (random(ROWS, COLUMNS),))
liger("dyt", "LigerDyTFunction", lambda: (random(ROWS, COLUMNS), random(1), random(COLUMNS), random(COLUMNS)))
liger("poly_norm", "LigerPolyNormFunction", lambda: (random(ROWS, COLUMNS), random(3), random(), 1e-6, False))
liger(
    "group_norm", "LigerGroupNormFunction", lambda: (random(many(4), 32, COLUMNS), random(32), random(32), 32, 4, 1e-6)
)
liger(
    "fused_add_rms_norm",
    "LigerFusedAddRMSNormFunction",
    lambda: (random(ROWS, COLUMNS, dtype=bf16), random(ROWS, COLUMNS, dtype=bf16), random(COLUMNS), 1e-6),
)
liger(
    "rope",
    "LigerRopeFunction",
    lambda: (random(2, 8, many(64), 64), random(2, 2, many(64), 64), angles(), angles()),
)
liger("cross_entropy", "LigerCrossEntropyFunction", lambda: (random(ROWS, COLUMNS), integers(COLUMNS, ROWS), None))
liger(
    "fused_linear_cross_entropy",
    "LigerFusedLinearCrossEntropyFunction",
    lambda: (random(ROWS, 64, dtype=bf16), random(COLUMNS, 64, dtype=bf16), integers(COLUMNS, ROWS)),
)


def angles() -> torch.Tensor:
    return random(1, many(64), 64, grad=False)


def log_probabilities(grad: bool) -> torch.Tensor:
    values = random(ROWS, COLUMNS + grad, grad=False)[:, :COLUMNS].log_softmax(-1)
    return values.contiguous().requires_grad_(grad)


liger("jsd", "LigerJSDFunction", lambda: (log_probabilities(True), log_probabilities(False)))
liger("kl_div", "LigerKLDivLossFunction", lambda: (log_probabilities(True), log_probabilities(False).exp()))
liger("tvd", "LigerTVDLossFunction", lambda: (log_probabilities(True).exp(), log_probabilities(False).exp()))


# --- flash-linear-attention: `fla.ops` --------------------------------------------------------------------------------

BATCH, TIME, HEADS, WIDTH = (1, 64, 1, 32) if SMALL else (2, many(256), 4, 64)


def heads(width: int = WIDTH, scale: float = 1.0) -> torch.Tensor:
    return random(BATCH, TIME, HEADS, width, dtype=bf16, scale=scale)


def decay(*shape: int) -> torch.Tensor:
    """Logarithms of gates, between -1 and 0."""
    return torch.nn.functional.logsigmoid(random(*shape, grad=False) + 2).requires_grad_()


def share() -> torch.Tensor:
    return random(BATCH, TIME, HEADS, grad=False).sigmoid().to(bf16).requires_grad_()


def normal(values: torch.Tensor) -> torch.Tensor:
    return torch.nn.functional.normalize(values.detach().float(), dim=-1).to(values.dtype).requires_grad_()


def fla(name: str, inputs: Callable[[], tuple], **options) -> None:
    def run():
        module, function = name.rsplit(".", 1)
        target = getattr(importlib.import_module(f"fla.ops.{module}"), function)
        return forward_and_backward(lambda *values: target(*values, **options), *inputs())

    CALLS.setdefault("fla", {})[name] = run


fla("gla.chunk_gla", lambda: (heads(), heads(), heads(), decay(BATCH, TIME, HEADS, WIDTH)))
fla("gla.fused_recurrent_gla", lambda: (heads(), heads(), heads(), decay(BATCH, TIME, HEADS, WIDTH)))
fla("simple_gla.chunk_simple_gla", lambda: (heads(), heads(), heads(), decay(BATCH, TIME, HEADS)))
fla("simple_gla.parallel_simple_gla", lambda: (heads(), heads(), heads(), decay(BATCH, TIME, HEADS)))
fla("retention.chunk_retention", lambda: (heads(), heads(), heads()))
fla("retention.parallel_retention", lambda: (heads(), heads(), heads()))
fla("linear_attn.chunk_linear_attn", lambda: (heads(), heads(), heads()), normalize=False)
fla("delta_rule.chunk_delta_rule", lambda: (heads(), normal(heads()), heads(), share()))
fla("delta_rule.fused_recurrent_delta_rule", lambda: (heads(), normal(heads()), heads(), share()))
fla(
    "gated_delta_rule.chunk_gated_delta_rule",
    lambda: (heads(), normal(heads()), heads(), decay(BATCH, TIME, HEADS), share()),
)
fla("kda.chunk_kda", lambda: (normal(heads()), normal(heads()), heads(), decay(BATCH, TIME, HEADS, WIDTH), share()))
fla("hgrn.chunk_hgrn", lambda: (random(BATCH, TIME, 512), decay(BATCH, TIME, 512)))
fla("hgrn.fused_recurrent_hgrn", lambda: (random(BATCH, TIME, 512), decay(BATCH, TIME, 512)))
fla("rwkv6.chunk_rwkv6", lambda: (heads(), heads(), heads(), decay(BATCH, TIME, HEADS, WIDTH), random(HEADS, WIDTH)))
fla("based.parallel_based", lambda: (heads(16), heads(16), heads()))
fla("attn.parallel_attn", lambda: (heads(), heads(), heads()))
fla("forgetting_attn.parallel_forgetting_attn", lambda: (heads(), heads(), heads(), decay(BATCH, TIME, HEADS)))
fla("stickbreaking_attn.parallel_stickbreaking_attn", lambda: (heads(), heads(), heads()))
fla("lightning_attn.chunk_lightning_attn", lambda: (heads(), heads(), heads(), 1, 4))
fla("gsa.chunk_gsa", lambda: (heads(), heads(), heads(), heads(), decay(BATCH, TIME, HEADS, WIDTH)))


# --- flag-gems: torch's own operators, computed by its kernels --------------------------------------------------------


def flag_gems(name: str, function: Callable[..., torch.Tensor], inputs: Callable[[], tuple]) -> None:
    def run():
        package = importlib.import_module("flag_gems")
        values = inputs()
        with package.use_gems():
            result = function(*values)
        return [part.detach() for part in (result if isinstance(result, (tuple, list)) else [result])]

    CALLS.setdefault("flag_gems", {})[name] = run


def matrix(rows: int = ROWS, columns: int = COLUMNS, dtype=torch.float32) -> torch.Tensor:
    return random(rows, columns, dtype=dtype, grad=False)


for unary in ("exp", "sigmoid", "tanh", "rsqrt", "sin", "cos", "erf", "neg", "isnan", "logical_not"):
    flag_gems(unary, getattr(torch, unary), lambda: (matrix().abs() + 0.5,))
for reduction in ("sum", "mean", "amax", "argmax", "prod", "cumsum", "softmax", "log_softmax", "sort", "var_mean"):
    flag_gems(reduction, getattr(torch, reduction), lambda: (matrix(), -1))
for binary in ("add", "mul", "div", "pow", "maximum", "eq", "lt", "remainder", "floor_divide"):
    flag_gems(binary, getattr(torch, binary), lambda: (matrix().abs() + 1, matrix(COLUMNS, ROWS).T.abs() + 1))
flag_gems("mm", torch.mm, lambda: (matrix(dtype=torch.float16), matrix(COLUMNS, ROWS, dtype=torch.float16)))
flag_gems(
    "addmm",
    torch.addmm,
    lambda: (matrix(1, ROWS, dtype=bf16)[0], matrix(dtype=bf16), matrix(COLUMNS, ROWS, dtype=bf16)),
)
flag_gems(
    "bmm",
    torch.bmm,
    lambda: (random(many(4), 64, 128, grad=False, dtype=bf16), random(many(4), 128, 64, grad=False, dtype=bf16)),
)
flag_gems("layer_norm", torch.nn.functional.layer_norm, lambda: (matrix(), (COLUMNS,), matrix(1)[0], matrix(1)[0]))
flag_gems("gelu", torch.nn.functional.gelu, lambda: (matrix(),))
flag_gems("embedding", torch.nn.functional.embedding, lambda: (integers(ROWS, many(64)), matrix()))
flag_gems("index_select", torch.index_select, lambda: (matrix(), 0, integers(ROWS, many(64))))
flag_gems("where", torch.where, lambda: (matrix() > 0, matrix(), -matrix()))
flag_gems("topk", torch.topk, lambda: (matrix(), 8))


# --- torchao ----------------------------------------------------------------------------------------------------------


def with_one_configuration(module: types.ModuleType) -> types.ModuleType:
    """torchao tunes by itself, over some hundred configurations."""
    module.int8_mm_kernel_configs = module.int8_mm_kernel_configs[:1]
    return module


@call("torchao")
def int_matmul():
    kernels = with_one_configuration(importlib.import_module("torchao.kernel.intmm_triton"))
    left, right = integers(100, many(128), 256).to(torch.int8), integers(90, 256, 128).to(torch.int8)
    return [kernels.int_matmul_cuda(left, right)]


@call("torchao")
def int_scaled_matmul():
    kernels = with_one_configuration(importlib.import_module("torchao.kernel.intmm_triton"))
    left, right = integers(100, many(128), 256).to(torch.int8), integers(90, 256, 128).to(torch.int8)
    return [kernels.int_scaled_matmul_cuda(left, right, random(many(128), 1, grad=False))]


@call("torchao")
def scaled_int8_mm():
    kernels = importlib.import_module("torchao.prototype.quantized_training.int8_mm")
    left, right = integers(100, many(128), 256).to(torch.int8), integers(90, 256, 128).to(torch.int8)
    return [kernels.scaled_int8_mm_cuda(left, right, random(many(128), grad=False), random(128, grad=False))]


@call("torchao")
def fp8_blockwise():
    kernels = importlib.import_module("torchao.kernel.blockwise_quantization")
    values, scales = kernels.fp8_blockwise_act_quant(random(many(128), 256, dtype=bf16, grad=False))
    weights, weight_scales = kernels.fp8_blockwise_weight_quant(random(128, 256, dtype=bf16, grad=False))
    product = kernels.blockwise_fp8_gemm(values, scales, weights, weight_scales)
    return [
        values.float(),
        scales,
        weights.float(),
        kernels.fp8_blockwise_weight_dequant(weights, weight_scales),
        product,
    ]


@call("torchao")
def fp8_training_gemm():
    kernels = importlib.import_module("torchao.prototype.blockwise_fp8_training.kernels")
    values, scales = kernels.triton_fp8_blockwise_act_quant_lhs(random(many(128), 256, dtype=bf16, grad=False))
    weights, weight_scales = kernels.triton_fp8_blockwise_weight_quant_transposed_rhs(
        random(128, 256, dtype=bf16, grad=False)
    )
    return [
        values.float(),
        weights.float(),
        kernels.triton_fp8_gemm_1x128_128x128(values, weights, scales, weight_scales),
    ]


@call("torchao")
def bsr_dense_addmm():
    kernels = importlib.import_module("torchao.kernel.bsr_triton_ops")
    blocks = matrix(many(128), 128, dtype=torch.float16) * (
        integers(2, many(8), 8).repeat_interleave(16, 0).repeat_interleave(16, 1)
    )
    sparse = blocks.to(torch.float16).to_sparse_bsr((16, 16))
    return [kernels.bsr_dense_addmm(matrix(many(128), 64, torch.float16), sparse, matrix(128, 64, torch.float16))]


# --- unsloth: its kernels alone, without the start of the package, which asks for models ------------------------------


def unsloth(module: str) -> types.ModuleType:
    """A module of `unsloth.kernels`; what its package gets from unsloth_zoo is stood in for."""
    if "unsloth" not in sys.modules:
        from packaging.version import Version

        package = types.ModuleType("unsloth")
        spec = importlib.machinery.PathFinder.find_spec("unsloth", sys.path)
        if spec is None:
            raise ImportError("no unsloth on the path")
        package.__path__ = list(spec.submodule_search_locations)
        kernels = types.ModuleType("unsloth.kernels")
        kernels.__path__ = [f"{package.__path__[0]}/kernels"]
        device = types.ModuleType("unsloth.device_type")
        device.is_hip = lambda: False
        device.get_device_type = lambda: "cuda"
        device.DEVICE_TYPE = device.DEVICE_TYPE_TORCH = "cuda"
        device.DEVICE_COUNT = torch.cuda.device_count()
        device.ALLOW_PREQUANTIZED_MODELS = True
        sys.modules |= {"unsloth": package, "unsloth.kernels": kernels, "unsloth.device_type": device}
        for name, names in {
            "unsloth_zoo": {},
            "unsloth_zoo.utils": {"Version": lambda text: Version(str(text))},
            "unsloth_zoo.log": {"logger": logging.getLogger("unsloth")},
            "unsloth_zoo.temporary_patches": {},
            "unsloth_zoo.temporary_patches.common": {"torch_compile": lambda f=None, **_: f or (lambda g: g)},
            "unsloth_zoo.patching_utils": {"patch_layernorm": None},
            "unsloth_zoo.loss_utils": {"patch_loss_functions": None, "post_patch_loss_function": None},
        }.items():
            sys.modules[name] = types.ModuleType(name)
            vars(sys.modules[name]).update(names)
    return importlib.import_module(f"unsloth.kernels.{module}")


@call("unsloth")
def rms_layernorm():
    function = unsloth("rms_layernorm").Fast_RMS_Layernorm.apply
    return forward_and_backward(
        lambda x, w: function(x, w, 1e-6, False),
        random(2, many(128), 1024, dtype=bf16),
        random(1024, dtype=bf16, grad=False),
    )


@call("unsloth")
def layernorm():
    function = unsloth("layernorm").Fast_Layernorm.apply
    return forward_and_backward(
        lambda x, w, b: function(x, w, b, 1e-6),
        random(2, many(128), 1024),
        random(1024, grad=False),
        random(1024, grad=False),
    )


@call("unsloth")
def swiglu():
    shape = 2, many(64), 1024
    gate, up = random(*shape, dtype=bf16, grad=False), random(*shape, dtype=bf16, grad=False, scale=0.5)
    kernels = unsloth("swiglu")
    result = kernels.swiglu_fg_kernel(gate, up)
    return [
        result,
        *kernels.swiglu_DWf_DW_dfg_kernel(result.view(-1, 1024).clone(), gate.view(-1, 1024), up.view(-1, 1024)),
    ]


@call("unsloth")
def geglu():
    gate, up = random(2, many(64), 1024, grad=False), random(2, many(64), 1024, grad=False, scale=0.5)
    kernels = unsloth("geglu")
    return [kernels.geglu_exact_forward_kernel(gate, up), kernels.geglu_approx_forward_kernel(gate, up)]


@call("unsloth")
def cross_entropy():
    loss = unsloth("cross_entropy_loss").fast_cross_entropy_loss
    return forward_and_backward(lambda logits: loss(logits, integers(2048, 2, many(64))), random(2, many(64), 2048))


@call("unsloth")
def cross_entropy_of_many_classes():
    loss = unsloth("cross_entropy_loss").fast_cross_entropy_loss
    return forward_and_backward(lambda logits: loss(logits, integers(80000, 1, many(16))), random(1, many(16), 80000))


@call("unsloth")
def rope():
    rotate = unsloth("rope_embedding").fast_rope_embedding
    cos, sin = random(many(128), 64, grad=False), random(many(128), 64, grad=False, scale=0.5)
    return forward_and_backward(
        lambda q, k: rotate(q * 1, k * 1, cos, sin), random(2, 8, many(128), 64), random(2, 2, many(128), 64)
    )


@call("unsloth")
def fp8_products():
    kernels = unsloth("fp8")
    values, scales = kernels.act_quant(random(many(128), 256, dtype=bf16, grad=False))
    weights = random(128, 256, grad=False).to(torch.float8_e4m3fn)
    weight_scales = random(1, 2, grad=False).abs()
    return [
        values.float(),
        kernels.weight_dequant(weights, weight_scales),
        kernels.w8a8_block_fp8_matmul_triton(values, weights, scales, weight_scales, [128, 128]),
    ]
