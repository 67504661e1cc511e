"""The leg of models, in a worker: a step of a model by torch.compile, forward and backward, beside eager."""

from __future__ import annotations

import os
import time
from collections import Counter
from typing import Any

import torch
from models import MODELS

STEPS = 5  # in a turn
GRADIENTS = 6  # of so many parameters, evenly chosen, are compared


def no_dropout(model: torch.nn.Module) -> torch.nn.Module:
    """Random numbers of eager and of inductor differ, so none are drawn."""
    for part in model.modules():
        if isinstance(part, torch.nn.Dropout):
            part.p = 0.0
        for name in ("drop_prob", "drop_path_rate", "p"):
            if type(part).__name__ in ("DropPath", "StochasticDepth") and hasattr(part, name):
                setattr(part, name, 0.0)
    return model


def answer_of(found: Any) -> torch.Tensor:
    """The tensor that a model's result is about."""
    for name in ("logits", "last_hidden_state", "logits_per_image"):
        value = getattr(found, name, None)
        if value is not None:
            return value
    return found[0] if isinstance(found, (tuple, list)) else found


class Models:
    """The leg: `prepare` runs a model eagerly and compiled, `time` times its compiled steps."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.drop()

    def drop(self) -> None:
        self.compiled = self.model = self.parameters = self.inputs = None
        torch.cuda.empty_cache()

    def step(self, model: Any) -> list[torch.Tensor]:
        """The result and some gradients."""
        for parameter in self.model.parameters():
            parameter.grad = None
        with torch.autocast("cuda", torch.bfloat16, enabled=self.low):
            out = answer_of(model(**self.inputs) if isinstance(self.inputs, dict) else model(*self.inputs))
        out.float().sin().mean().backward()
        return [out.detach(), *(p.grad for p in self.parameters if p.grad is not None)]

    def prepare(self, program: dict[str, str]) -> dict[str, Any]:
        torch.manual_seed(0)
        self.low = program["variant"] == "bf16"
        model, self.inputs = MODELS[program["package"]][program["program"]]("cuda")
        # Those of transformers draw numbers in functions, too, which `eval` alone turns off; none has batch norms.
        self.model = no_dropout(model.to("cuda")).train(program["package"] != "transformers")
        for part in self.model.modules():  # a step would change what the next one computes
            if isinstance(part, torch.nn.modules.batchnorm._BatchNorm):
                part.momentum = 0.0
        parameters = [parameter for parameter in self.model.parameters() if parameter.requires_grad]
        self.parameters = parameters[:: max(1, len(parameters) // GRADIENTS)][:GRADIENTS]
        eager = self.step(self.model)
        torch.cuda.synchronize()
        self.compiled, start = torch.compile(self.model), time.perf_counter()
        found = self.step(self.compiled)
        torch.cuda.synchronize()
        seconds = time.perf_counter() - start
        path = os.path.join(self.folder, "results.pt")
        kind = torch.bfloat16 if self.low else torch.float32
        torch.save({n: [v.to(kind).cpu() for v in vs] for n, vs in (("results", found), ("eager", eager))}, path)
        return {"results": path, "timers": ["step"], "seconds": {"step": seconds}}

    def time(self, timer: str) -> list[float]:
        """Microseconds of each of some steps; `eager` is the timer of steps that are not compiled."""
        model, times = self.model if timer == "eager" else self.compiled, []
        self.step(model)
        for _ in range(STEPS):
            torch.cuda.synchronize()
            start = time.perf_counter()
            self.step(model)
            torch.cuda.synchronize()
            times.append((time.perf_counter() - start) * 1e6)
        return times

    def profile(self) -> dict[str, float]:
        """{kernel that inductor wrote: microseconds of all its launches in a step}."""
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profiler:
            self.step(self.compiled)
            torch.cuda.synchronize()
        found: Counter[str] = Counter()
        for event in profiler.events():
            if event.name.startswith("triton_") and event.device_type == torch.autograd.DeviceType.CUDA:
                found[event.name] += event.time_range.elapsed_us()
        return dict(found)


def load(folder: str) -> Models:
    return Models(folder)
