"""Functions, models and templates that torch.compile writes Triton kernels for, as calls.py has calls of packages.

Kernels come from inductor: pointwise, reductions, scans, sorts, atomics, random numbers, products and convolutions by
its templates, attention by flex_attention, and models of torchvision and transformers with random weights.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable

import torch
import torch.nn.functional as F
from calls import DEVICE, bf16, call, forward_and_backward, integers, random

f16, f32 = torch.float16, torch.float32
TEMPLATES = {"max_autotune": True, "max_autotune_gemm_backends": "TRITON", "max_autotune_conv_backends": "TRITON"}


def compiled(function, *inputs, dynamic: bool = False, whole: bool = True, **config) -> list[torch.Tensor]:
    """Results and gradients of `function`, compiled with settings of inductor whose dots are written `__`.

    `whole`: without a break in torch's graph."""
    from torch._inductor import config as inductor

    settings = {name.replace("__", "."): value for name, value in config.items()}
    with inductor.patch({"compile_threads": 1, "fx_graph_cache": False, **settings}):
        return forward_and_backward(torch.compile(function, dynamic=dynamic, fullgraph=whole), *inputs)


def plain(*shape: int, dtype=f32, scale: float = 1.0) -> torch.Tensor:
    return random(*shape, dtype=dtype, grad=False, scale=scale)


# --- Pointwise, reductions, scans -------------------------------------------------------------------------------------


def several(functions: dict[str, Callable], *inputs, **config) -> list[torch.Tensor]:
    """What each function gives for the inputs, all in one compiled function, which inductor fuses as it likes."""
    return compiled(lambda *values: [function(*values) for function in functions.values()], *inputs, **config)


UNARY = (
    "exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh sqrt rsqrt erf "
    "erfc lgamma digamma sigmoid reciprocal floor ceil round trunc frac abs neg sign isnan isinf logical_not relu "
    "nan_to_num special.i0 special.i0e special.i1 special.erfinv special.ndtri special.log_ndtr special.bessel_j0 "
    "special.bessel_y1"
)


def named(name: str) -> Callable:
    function = torch
    for part in name.split("."):
        function = getattr(function, part)
    return function


for kind in (f32, f16, bf16, torch.float64):

    @call("torch", f"unary_{str(kind).split('.')[1]}")
    def unary(kind=kind):
        names = [name for name in UNARY.split() if kind.itemsize > 2 or "." not in name]  # not all in 16 bits
        values = torch.cat([plain(500, dtype=kind), torch.linspace(-0.999, 0.999, 500, dtype=kind, device=DEVICE)])
        limits = torch.tensor([0.0, -0.0, float("inf"), -float("inf"), float("nan"), 1, -1], dtype=kind, device=DEVICE)
        return several({name: named(name) for name in names}, torch.cat([values, limits]))


@call("torch")
def binary():
    names = "add sub mul div pow atan2 fmod remainder floor_divide maximum minimum hypot copysign nextafter eq lt ge"
    return several({name: named(name) for name in names.split()}, plain(33, 1000), plain(33, 1000) + 0.5)


@call("torch")
def integer_arithmetic():
    names = "bitwise_and bitwise_or bitwise_xor floor_divide remainder fmod maximum add mul sub lt".split()
    results = []
    for kind in (torch.int8, torch.uint8, torch.int16, torch.int32, torch.int64):
        left, right = integers(100, 999).to(kind), integers(9, 999).to(kind) + 1
        results += several({name: named(name) for name in names}, left, right)
        results += compiled(lambda a, b: [a << (b % 5), a >> (b % 5), ~a, -a, a.float() / b, a == b], left, right)
    return results


@call("torch")
def conversions():
    kinds = [f16, bf16, f32, torch.float64, torch.int8, torch.int32, torch.int64]
    short = [torch.float8_e4m3fn, torch.float8_e5m2]
    values = plain(2000, scale=30.0).clamp(-100, 100)

    def chain(x):
        results = [x.to(kind).to(to) for kind in kinds for to in (f32, torch.int32, bf16)]
        results += [x.to(kind).to(to) for kind in short for to in (f32, bf16)]
        return [r.float() for r in results] + [x.view(torch.int32), x.to(bf16).view(torch.int16), x > 0]

    return compiled(chain, values)


REDUCTIONS = "sum mean amax amin argmax argmin prod any all var std logsumexp softmax log_softmax"


@call("torch")
def reductions_by_rows():
    return several(
        {n: (lambda x, n=n: named(n)(x, -1)) for n in (REDUCTIONS + " cumsum cumprod").split()}, plain(65, 1537)
    )


@call("torch")
def reductions_by_columns():
    return several({n: (lambda x, n=n: named(n)(x, 0)) for n in REDUCTIONS.split()}, plain(1300, 70, dtype=bf16))


@call("torch")
def reductions_whole():
    names = "sum mean amax amin argmax any all var std"
    return several({n: named(n) for n in names.split()}, plain(301, 4001))


@call("torch")
def reductions_by_several_programs():
    functions = {n: (lambda x, n=n: named(n)(x, -1)) for n in REDUCTIONS.split()[:12]}
    return several(functions, plain(3, 100000), triton__cooperative_reductions=True)


@call("torch")
def reductions_in_several_kernels():
    return several(
        {n: (lambda x, n=n: named(n)(x, -1)) for n in ("sum", "amax", "softmax")},
        plain(40, 3000),
        triton__multi_kernel=1,
        triton__persistent_reductions=True,
    )


@call("torch")
def scans():
    def scan(x, y):
        from torch._higher_order_ops.associative_scan import associative_scan

        first = associative_scan(lambda a, b: a * b, x, dim=1, combine_mode="pointwise")
        pair = associative_scan(lambda a, b: (a[0] * b[0], a[1] * b[0] + b[1]), (x, y), dim=1, combine_mode="pointwise")
        return [first, *pair, torch.cumsum(x, 0), torch.cummax(x, 1)[0], torch.cummin(x, 0)[1]]

    return compiled(scan, plain(17, 700).sigmoid(), plain(17, 700))


@call("torch")
def sorts():
    def sort(x):
        values, places = torch.sort(x, dim=-1, stable=True)
        return [values, places, torch.sort(x.T, dim=0, descending=True)[0], torch.argsort(x, stable=True)]

    return compiled(sort, plain(50, 300)) + compiled(sort, integers(1000, 50, 128).to(torch.int16))


@call("torch")
def gathers_and_atomics():
    places, table = integers(500, 3000), random(500, 64)

    def gather(table, source):
        rows = F.embedding(places, table)
        added = torch.zeros_like(table).index_add(0, places, source)
        put = torch.zeros(500, 64, device=DEVICE).index_put((places,), source, accumulate=True)
        most = torch.full((500, 64), -9.0, device=DEVICE).scatter_reduce(
            0, places[:, None].expand(-1, 64), source, "amax"
        )
        return [
            rows,
            added,
            put,
            most,
            torch.gather(table, 1, places[:500, None] % 64),
            torch.bucketize(source, table[0]),
        ]

    return compiled(gather, table, plain(3000, 64), assert_indirect_indexing=True)


@call("torch")
def random_numbers():
    def draw(x):
        return [F.dropout(x, 0.3), torch.rand_like(x), torch.randn_like(x), torch.randint_like(x, 5, 1000)]

    torch.manual_seed(3)
    return compiled(draw, plain(70, 900))


@call("torch")
def shapes():
    def mix(x, y):
        cut = torch.cat([x[:, ::3], y[:, 5:40].flip(1), F.pad(x, (3, 5))], dim=1)
        return [
            cut,
            torch.roll(x, 7, 1),
            x.T.contiguous() + y.T,
            torch.tril(x[:, :33]),
            torch.where(x > y, x, 0.0).T.sum(1),
        ]

    return compiled(mix, plain(33, 128), plain(33, 128), combo_kernels=True) + compiled(
        mix, plain(33, 128), plain(33, 128), triton__prefer_nd_tiling=True, triton__max_tiles=3
    )


for option in (
    "use_block_ptr",
    "use_tensor_descriptor",
    "codegen_upcast_to_fp32",
    "mix_order_reduction",
    "dense_indexing",
):

    @call("torch", f"with_{option}")
    def with_option(option=option):
        from torch._inductor import config as inductor

        setting = {f"triton__{option}": not getattr(inductor.triton, option)}
        norm = lambda x, w, b: F.layer_norm(x, (1024,), w, b).relu() + x.T.contiguous().T
        weights = random(1024, dtype=bf16), random(1024, dtype=bf16)
        return compiled(norm, random(256, 1024, dtype=bf16), *weights, **setting)


@call("torch")
def dynamic_shapes():
    function = lambda x, y: [(x @ y).relu().softmax(-1), x.sum(0), (x[1:] * x[:-1]).amax(1)]
    return compiled(function, plain(37, 53), plain(53, 91), dynamic=True)


@call("torch")
def control_flow():
    def flow(x):
        branch = torch.cond(x.sum() > 0, lambda v: v.sin() * 2, lambda v: v.cos(), (x,))
        return [branch, torch.vmap(lambda row: row.softmax(0).cumsum(0))(x)]

    return compiled(flow, plain(30, 200))


# --- Layers with gradients --------------------------------------------------------------------------------------------

CLASSES = integers(5000, 200)
LAYERS = {
    "layer_norm": (lambda x, w, b: F.layer_norm(x, (512,), w, b), ((300, 512), (512,), (512,))),
    "rms_norm": (lambda x, w: F.rms_norm(x, (768,), w), ((300, 768), (768,))),
    "group_norm": (lambda x, w, b: F.group_norm(x, 8, w, b), ((4, 64, 14, 14), (64,), (64,))),
    "batch_norm": (lambda x, w, b: F.batch_norm(x, None, None, w, b, True), ((8, 32, 28, 28), (32,), (32,))),
    "cross_entropy": (lambda x: F.cross_entropy(x, CLASSES, label_smoothing=0.1), ((200, 5000),)),
    "swiglu": (lambda x, y: F.silu(x) * y, ((100, 2048), (100, 2048))),
    "gelu_dropout_free": (lambda x, w: F.gelu(x, approximate="tanh") @ w, ((100, 256), (256, 128))),
    "max_pool": (lambda x: F.max_pool2d(x, 3, 2, 1), ((4, 16, 30, 30),)),
    "avg_pool": (lambda x: F.adaptive_avg_pool2d(x, 7), ((4, 16, 28, 28),)),
    "upsample": (lambda x: F.interpolate(x, scale_factor=2.0, mode="bilinear"), ((2, 8, 20, 20),)),
    "bicubic": (lambda x: F.interpolate(x, size=(33, 41), mode="bicubic"), ((2, 8, 20, 20),)),
    "grid_sample": (lambda x, g: F.grid_sample(x, g.tanh(), align_corners=False), ((2, 8, 20, 20), (2, 9, 9, 2))),
    "kl_div": (lambda x, y: F.kl_div(x.log_softmax(-1), y.flip(0).softmax(-1)), ((64, 1000), (64, 1000))),
    "huber": (lambda x, y: F.huber_loss(x, y.flip(0)), ((64, 1000), (64, 1000))),
    "pixel_shuffle": (lambda x: F.pixel_shuffle(x, 2) * 2, ((2, 16, 9, 9),)),
}


@call("torch")
def layers():
    results = []
    for function, sizes in LAYERS.values():
        results += compiled(function, *(random(*size) for size in sizes))
    return results


@call("torch")
def layers_in_bf16():
    results = []
    for name, (function, sizes) in LAYERS.items():
        if name not in ("grid_sample", "bicubic"):
            results += compiled(function, *(random(*size, dtype=bf16) for size in sizes))
    return results


@call("torch")
def optimizers():
    results = []
    for name in ("AdamW", "SGD", "RMSprop", "Adagrad", "NAdam"):
        weights = [torch.nn.Parameter(plain(50 + 7 * n, 33)) for n in range(12)]
        optimizer = getattr(torch.optim, name)(weights, lr=1e-2, foreach=True)
        for weight in weights:
            weight.grad = weight.detach().sin()
        torch.compile(optimizer.step)()
        results += [weight.detach() for weight in weights]
    return results


# --- Products and convolutions by templates ---------------------------------------------------------------------------


@call("torch")
def products():
    results = []
    for kind in (f16, bf16, f32):
        left, right, bias = plain(200, 256, dtype=kind), plain(256, 192, dtype=kind), plain(192, dtype=kind)
        results += compiled(lambda a, b, c: torch.addmm(c, a, b).relu(), left, right, bias, **TEMPLATES)
        stacked = plain(6, 100, 64, dtype=kind), plain(6, 64, 80, dtype=kind)
        results += compiled(lambda a, b: torch.bmm(a, b).sigmoid(), *stacked, **TEMPLATES)
    return results


@call("torch")
def products_of_integers():
    left, right = (integers(200, 128, 256) - 100).to(torch.int8), (integers(100, 256, 128) - 50).to(torch.int8)
    results = compiled(torch._int_mm, left, right, **TEMPLATES)
    return results + compiled(lambda a, b: a.to(bf16) @ b, left, plain(256, 64, dtype=bf16), **TEMPLATES)


@call("torch")
def products_with_scales():
    left, right = plain(128, 256).to(torch.float8_e4m3fn), plain(192, 256).to(torch.float8_e4m3fn).T
    whole = torch.tensor(0.5, device=DEVICE), torch.tensor(0.25, device=DEVICE)
    rows = plain(128, 1).abs(), plain(1, 192).abs()
    multiply = lambda a, b, s, t: torch._scaled_mm(a, b, s, t, out_dtype=bf16)
    return [part for scales in (whole, rows) for part in compiled(multiply, left, right, *scales, **TEMPLATES)]


@call("torch")
def products_by_descriptors():
    return compiled(
        lambda a, b: a @ b,
        plain(512, 256, dtype=bf16),
        plain(256, 512, dtype=bf16),
        triton__enable_persistent_tma_matmul=True,
        **TEMPLATES,
    )


@call("torch")
def grouped_products():
    ends = torch.tensor([40, 40, 130, 256], dtype=torch.int32, device=DEVICE)
    left, right = plain(256, 128, dtype=bf16), plain(4, 64, 128, dtype=bf16).transpose(1, 2)
    return compiled(lambda a, b: torch._grouped_mm(a, b, offs=ends), left, right, **TEMPLATES)


@call("torch")
def convolutions():
    image = plain(2, 32, 20, 20, dtype=f16).to(memory_format=torch.channels_last)
    results = compiled(
        lambda x, w: F.conv2d(x, w, padding=1).relu(), image, plain(64, 32, 3, 3, dtype=f16), **TEMPLATES
    )
    results += compiled(
        lambda x, w: F.conv2d(x, w, stride=2, groups=4), image, plain(64, 8, 3, 3, dtype=f16), **TEMPLATES
    )
    cube = plain(1, 16, 8, 10, 10, dtype=f16)
    return results + compiled(
        lambda x, w: F.conv3d(x, w, padding=1), cube, plain(16, 16, 3, 3, 3, dtype=f16), **TEMPLATES
    )


# --- flex_attention ---------------------------------------------------------------------------------------------------

SCORES = {
    "softcap": lambda score, b, h, i, j: 20 * torch.tanh(score / 20),
    "alibi": lambda score, b, h, i, j: score - (h + 1) * 0.01 * (i - j).abs(),
}
MASKS = {
    "causal": lambda b, h, i, j: i >= j,
    "window": lambda b, h, i, j: (i >= j) & (i - j < 100),
    "documents": lambda b, h, i, j: (i // 100) == (j // 100),
}


def flex(
    width: int, kind, mask: str | None = None, score: str | None = None, groups: int = 1, rows: int = 300, **options
):
    from torch.nn.attention.flex_attention import create_block_mask, flex_attention

    blocks = create_block_mask(MASKS[mask], 1, 1, rows, 300, device=DEVICE) if mask else None
    attend = lambda q, k, v: flex_attention(
        q, k, v, SCORES.get(score), blocks, enable_gqa=groups > 1, kernel_options=options or None
    )
    queries = random(2, 4 * groups, rows, width, dtype=kind, grad=rows > 1)
    return compiled(attend, queries, *(random(2, 4, 300, width, dtype=kind, grad=rows > 1, scale=s) for s in (1, 0.5)))


for width, kind, mask, score in (
    (64, bf16, None, None),
    (64, f16, "causal", None),
    (128, bf16, "causal", "softcap"),
    (64, f32, "window", None),
    (128, f16, "documents", "alibi"),
    (96, bf16, None, "alibi"),
    (256, bf16, "causal", None),
):
    title = "_".join(["flex", str(width), str(kind).split(".")[1], mask or "all", score or "plain"])
    call("torch", title)(lambda case=(width, kind, mask, score): flex(*case))
call("torch", "flex_groups")(lambda: flex(64, bf16, "causal", groups=4))
call("torch", "flex_decoding")(lambda: flex(128, bf16, groups=4, rows=1))
call("torch", "flex_small_blocks")(lambda: flex(64, bf16, "causal", BLOCK_M=32, BLOCK_N=32, num_warps=4, num_stages=2))


# --- Models with random weights ---------------------------------------------------------------------------------------


def model_of(build: Callable[[], torch.nn.Module], *inputs: torch.Tensor) -> list[torch.Tensor]:
    """What a model gives in bf16 where autocast has that, and the gradients of its first four parameters.

    As bf16, by which it is then judged: sums in another order, as of another XBLOCK, move a result by a rounding of it.
    """
    torch.manual_seed(0)
    model = build().to(DEVICE)
    for part in model.modules():  # random numbers have a call of their own
        if isinstance(part, torch.nn.Dropout):
            part.p = 0.0
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad][:4]

    def run(*values):
        with torch.autocast(DEVICE, bf16):
            found = model(*values[len(parameters) :])
        return getattr(found, "logits", getattr(found, "last_hidden_state", found)).float().sin()

    return [value.to(bf16) for value in compiled(run, *parameters, *inputs, whole=False)]


for name in ("resnet18", "mobilenet_v3_small", "convnext_tiny", "vit_b_16", "swin_t", "efficientnet_b0"):

    @call("torchvision", name)
    def vision(name=name):
        models = importlib.import_module("torchvision.models")
        return model_of(lambda: getattr(models, name)(weights=None), plain(2, 3, 224, 224))


SMALL_MODEL = {"hidden_size": 256, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 1000}
FEED = {"intermediate_size": 512}
LANGUAGE = {
    "Bert": ("BertModel", SMALL_MODEL | FEED),
    "GPT2": ("GPT2LMHeadModel", {"n_embd": 256, "n_layer": 2, "n_head": 4, "vocab_size": 1000}),
    "Llama": ("LlamaForCausalLM", SMALL_MODEL | FEED | {"num_key_value_heads": 2}),
    "Qwen3": ("Qwen3ForCausalLM", SMALL_MODEL | FEED | {"num_key_value_heads": 2, "head_dim": 64}),
    "Gemma2": ("Gemma2ForCausalLM", SMALL_MODEL | FEED | {"num_key_value_heads": 2, "head_dim": 64}),
    "Mamba": ("MambaForCausalLM", {"hidden_size": 128, "num_hidden_layers": 1, "vocab_size": 1000, "state_size": 8}),
}
for name, (model_class, settings) in LANGUAGE.items():

    @call("transformers", name)
    def language(name=name, model_class=model_class, settings=settings):
        transformers = importlib.import_module("transformers")
        configuration = getattr(transformers, f"{name}Config")(**settings)
        return model_of(lambda: getattr(transformers, model_class)(configuration), integers(1000, 2, 64))
