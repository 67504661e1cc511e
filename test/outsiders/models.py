"""Models of torchvision, timm and transformers with random weights, each small enough for a step in milliseconds.

MODELS: {package: {name: function of the device}}, which gives a model and its inputs, by position or by name.
VARIANTS: {name: precision}, f32 for every third one, else autocast to bf16.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import torch

Built = tuple[torch.nn.Module, Any]
MODELS: dict[str, dict[str, Callable[[str], Built]]] = {"torchvision": {}, "timm": {}, "transformers": {}}


def image(batch: int, size: int, device: str) -> tuple[torch.Tensor]:
    return (torch.randn(batch, 3, size, size, device=device),)


def torchvision(name: str, batch: int, size: int, device: str) -> Built:
    models = importlib.import_module("torchvision.models")
    return models.get_model(name, weights=None), image(batch, size, device)


def timm(name: str, batch: int, size: int, device: str) -> Built:
    return importlib.import_module("timm").create_model(name, pretrained=False), image(batch, size, device)


for name, batch, size in (
    ("resnet18", 32, 224),
    ("mobilenet_v3_large", 32, 224),
    ("convnext_tiny", 16, 224),
    ("vit_b_16", 8, 224),
    ("swin_t", 8, 224),
    ("efficientnet_b0", 16, 224),
    ("regnet_y_400mf", 16, 224),
):
    MODELS["torchvision"][name] = functools.partial(torchvision, name, batch, size)
for name, batch, size in (
    ("vit_tiny_patch16_224", 16, 224),
    ("mixer_s16_224", 16, 224),
    ("deit_tiny_patch16_224", 16, 224),
    ("coat_tiny", 4, 224),
    ("convmixer_768_32", 4, 224),
    ("mobilevit_s", 8, 256),
):
    MODELS["timm"][name] = functools.partial(timm, name, batch, size)


BATCH, LENGTH, WORDS = 4, 512, 8192
BASE = {"hidden_size": 512, "num_hidden_layers": 3, "num_attention_heads": 8, "vocab_size": WORDS}
FEED = {"intermediate_size": 1376}
GROUPS = FEED | {"num_key_value_heads": 2, "head_dim": 64}
WIDE = {"d_model": 512, "d_ff": 1024, "d_kv": 64, "num_layers": 3, "num_heads": 8, "vocab_size": WORDS}
EARS = {"d_model": 384, "encoder_layers": 3, "decoder_layers": 3, "encoder_attention_heads": 6} | {
    "decoder_attention_heads": 6,
    "encoder_ffn_dim": 1536,
    "decoder_ffn_dim": 1536,
    "vocab_size": WORDS,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "decoder_start_token_id": 1,
}


def words(device: str, length: int = LENGTH) -> torch.Tensor:
    return torch.randint(3, WORDS, (BATCH, length), device=device)


def language(kind: str, end: str, settings: dict[str, Any], device: str) -> Built:
    """A model of transformers by its classes' names, with a configuration of its own."""
    package = importlib.import_module("transformers")
    configuration = getattr(package, f"{kind}Config")(**settings)
    if hasattr(configuration, "use_cache"):
        configuration.use_cache = False
    return getattr(package, kind + end)(configuration), {"input_ids": words(device)}


def mamba(device: str) -> Built:
    """Of few tokens: without kernels of its own the package takes a step of Python for each."""
    settings = {"hidden_size": 256, "num_hidden_layers": 1, "state_size": 8, "vocab_size": WORDS}
    model, _ = language("Mamba", "ForCausalLM", settings, device)
    return model, {"input_ids": words(device, 32)}


def t5(device: str) -> Built:
    model, inputs = language("T5", "ForConditionalGeneration", WIDE, device)
    return model, inputs | {"decoder_input_ids": words(device, 128)}


def whisper(device: str) -> Built:
    package = importlib.import_module("transformers")
    model = package.WhisperForConditionalGeneration(package.WhisperConfig(use_cache=False, **EARS))
    sound = torch.randn(BATCH, 80, 3000, device=device)
    return model, {"input_features": sound, "decoder_input_ids": words(device, 64)}


def clip(device: str) -> Built:
    package = importlib.import_module("transformers")
    text = BASE | FEED | {"max_position_embeddings": 77, "eos_token_id": 2, "bos_token_id": 1, "pad_token_id": 0}
    vision = {key: value for key, value in (BASE | FEED).items() if key != "vocab_size"} | {"patch_size": 32}
    model = package.CLIPModel(package.CLIPConfig(text_config=text, vision_config=vision))
    return model, {"input_ids": words(device, 77), "pixel_values": image(BATCH, 224, device)[0]}


for kind, end, settings in (
    ("Bert", "ForMaskedLM", BASE | FEED),
    ("GPT2", "LMHeadModel", {"n_embd": 512, "n_layer": 3, "n_head": 8, "vocab_size": WORDS, "n_positions": LENGTH}),
    ("Llama", "ForCausalLM", BASE | GROUPS),
    ("Qwen2", "ForCausalLM", BASE | FEED | {"num_key_value_heads": 2}),
    ("Mistral", "ForCausalLM", BASE | GROUPS | {"sliding_window": 256}),
    ("Gemma2", "ForCausalLM", BASE | GROUPS),
    ("Albert", "ForMaskedLM", BASE | FEED | {"embedding_size": 128}),
    ("DistilBert", "ForMaskedLM", {"dim": 512, "n_layers": 3, "n_heads": 8, "hidden_dim": 1376, "vocab_size": WORDS}),
):
    MODELS["transformers"][kind] = functools.partial(language, kind, end, settings)
MODELS["transformers"] |= {"Mamba": mamba, "T5": t5, "Whisper": whisper, "CLIP": clip}

VARIANTS = {
    name: "f32" if number % 3 == 2 else "bf16"
    for number, name in enumerate(name for models in MODELS.values() for name in models)
}
