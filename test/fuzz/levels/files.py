"""Files that ttkit wrote for later or elsewhere, damaged: bundles, kernels beside their metadata, timings, headers."""

from __future__ import annotations

import copy
import json
import os
import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fuzz.damage import JUNK
from fuzz.level import ACCEPTED, REFUSED, refusal
from fuzz.levels.arguments import outcome_of
from fuzz.levels.ir import OF_COMPILING
from fuzz.levels.launches import OnStandIn
from fuzz.levels.records import changed


class Files(OnStandIn):
    """`# file: kind`, then the file."""

    name = "files"
    seconds = 60.0

    def prepare(self) -> None:
        super().prepare()
        os.environ["TRITON_CACHE_DIR"] = self.folder.name
        self.made = {name: self.compiled(name) for name in ("add", "copy_blocks")}
        self.seeds = self.files()

    def compiled(self, name: str) -> Any:
        """Source, options and kernel."""
        import ttkit
        from ttkit.frontend import ASTSource
        from ttkit.options import CompileOptions
        from ttkit.runtime.bundle import Exported
        from ttkit.target import GPUTarget

        types = {"add": {"x": "*fp32", "y": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"},
                 "copy_blocks": {"source": "tensordesc<fp32[8,8]>", "target": "tensordesc<fp32[8,8]>",
                                 "ROWS": "constexpr", "COLUMNS": "constexpr"}}[name]  # fmt: skip
        constants = {"add": {"BLOCK": 128}, "copy_blocks": {"ROWS": 8, "COLUMNS": 8}}[name]
        source = ASTSource(getattr(self.module, name), types, constants)
        kernel = ttkit.compile(source, GPUTarget("cuda", 90, 32))
        return Exported(source, CompileOptions.for_capability(90), kernel)

    def files(self) -> dict[str, str]:
        """A sound file of each kind."""
        from ttkit.autotuning.config import Config
        from ttkit.cache.packed_entry import pack
        from ttkit.runtime.bundle import contents_of
        from ttkit.runtime.preloading import Description
        from ttkit.runtime.specialization import Signature

        add = self.made["add"]
        bundle = {name: data.decode() for name, data in contents_of([add]).items() if name.endswith(".json")}
        config = {**vars(Config({"BLOCK": 128})), "maxnreg": 32}
        signature = Signature(add.source.signature, {(4,): 128}, {(0,): [["tt.divisibility", 16]]})
        described = Description(self.module.add, "k", signature, 0, add.options, True)
        header = "// tt-linker: add_0123abcd_0d1d2:CUdeviceptr x, CUdeviceptr y, int32_t n:BLOCK128_warps4xstages3\n"
        return {
            "bundle": bundle["bundle.json"],
            **{f"metadata {name}": made.kernel.metadata_json.decode() for name, made in self.made.items()},
            "timings": json.dumps({"key": [1], "configs_timings": [[config, [1.0, 0.9, 1.1]]]}),
            "store": self.store_of_times(),
            "entry": pack("KEY/k.json", {"k.json": b"{}", "k.ptx": b"ret;"}).decode(),
            "specialization": described.to_json(),
            "header": header + "// ttkit-parameters: 0 1 2\n",
        }

    def store_of_times(self) -> str:
        """What `ttkit tune --export` writes."""
        from ttkit.autotuning.store import Store, Timing

        store = Store(str(Path(self.folder.name, "tuning.sqlite")))
        store.record(
            [Timing("add", "s", "t", "GPU", "1", "1 MHz", "(5,)", "x", '{"BLOCK": 64}', 1.0, 0.9, 1.1, clock=1)]
        )
        choice = {"id": "a", "kernel": "add", "device": "GPU", "tuning_key": "(5,)"}
        store.choose([{**choice, "configuration": '{"BLOCK": 64}', "decided": 1.0}])
        return store.exported()

    def make(self, rng: random.Random) -> str:
        kind = rng.choice(sorted(self.seeds))
        text = self.seeds[kind]
        if text.startswith("{") and rng.random() < 0.85:
            value = json.loads(text)
            for _ in range(rng.choice((1, 1, 2, 5))):
                value = changed(rng, copy.deepcopy(value))
            text = json.dumps(value)
        else:
            for _ in range(rng.choice((1, 1, 3))):
                at, end = (rng.randrange(len(text) + 1) for _ in range(2))
                text = text[:at] + rng.choice((*JUNK, " ", ",", ":", "_0123abcd_")) + text[rng.choice((at, at, end)) :]
        return f"# file: {kind}\n{text}"

    def start(self) -> None:
        os.environ["TRITON_LIBCUDA_PATH"] = str(self.driver)
        self.place = Path(self.folder.name, f"of {os.getpid()}")
        self.place.mkdir()

    def check(self, text: str) -> str:
        from ttkit.frontend.errors import CompilationError
        from ttkit.runtime import ArgumentError, OutOfResources
        from ttkit.runtime.bundle import BundleError
        from ttkit.runtime.cuda_utils import libcuda

        head, text = text.split("\n", 1)
        kind, _, name = head.removeprefix("# file: ").partition(" ")
        look: Callable[[str, str], Any] = getattr(self, kind)
        of_driver = (libcuda.DriverError, libcuda.WrongArchitecture, OutOfResources, ArgumentError)
        clean = (BundleError, CompilationError, *of_driver, OSError, ValueError, TypeError, RuntimeError, *OF_COMPILING)
        try:
            return look(text, name) or ACCEPTED
        except clean as error:
            return refusal(error, clean)

    def bundle(self, text: str, _name: str) -> str:
        """A kernel of a bundle is launched, or is not there."""
        from ttkit.runtime.bundle import Bundle, BundleError, contents_of
        from ttkit.target import GPUTarget

        source, options, _ = self.made["add"]
        for file, data in contents_of([self.made["add"]]).items():
            (self.place / file).write_bytes(data)
        (self.place / "bundle.json").write_text(text, errors="surrogatepass")
        try:
            bundle = Bundle(str(self.place))
            bundle.described()
            found = bundle.find(source, GPUTarget("cuda", 90, 32), options)
        except BundleError:
            return REFUSED
        if found is not None:
            found[(1,)](4096, 4096, 4096, 300)
        return ""

    def metadata(self, text: str, name: str) -> str:
        """A cubin and the metadata beside it."""
        from ttkit.runtime.compiled_kernel import CompiledKernel

        (self.place / "k.cubin").write_bytes(self.made[name].kernel.kernel)
        (self.place / "k.json").write_text(text, errors="surrogatepass")
        kernel = CompiledKernel.from_file(self.place / "k.cubin")
        assert repr(kernel)
        tensor = self.module.Tensor()
        kernel[(1,)](*([tensor, tensor, tensor, 300] if name == "add" else [tensor, tensor]))
        return ""

    def store(self, text: str, _name: str) -> str:
        """Times that another machine exported are merged and shown."""
        from ttkit.autotuning.store import Store
        from ttkit.autotuning.store_report import report

        (self.place / "tuning.sqlite").unlink(missing_ok=True)
        store = Store(str(self.place / "tuning.sqlite"))
        store.merge(text.encode(errors="surrogatepass"))
        assert isinstance(report(store.timings(), store.choices()), str)
        assert store.merge(store.exported()) == (0, 0)
        return ""

    def entry(self, text: str, _name: str) -> str:
        """An entry of a shared cache."""
        from ttkit.cache.manager import DamagedEntry
        from ttkit.cache.packed_entry import unpack

        try:
            files = unpack("KEY/k.json", text.encode(errors="surrogatepass"))
        except DamagedEntry:
            return REFUSED
        assert all(os.path.basename(name) == name for name in files)
        return ""

    def timings(self, text: str, _name: str) -> str:
        """What the autotuner kept."""
        from ttkit.autotuning.saved_timings import SavedTimings

        saved = SavedTimings.__new__(SavedTimings)
        path = self.place / "t.json"
        path.write_text(text, errors="surrogatepass")
        saved.name, saved.manager = "t.json", SimpleNamespace(get_file=lambda _name: str(path))
        found = saved.load()
        for config, times in (found or {}).items():
            assert str(config) and min(times) is not None  # what the autotuner does with it
            dict(config.all_kwargs())
        return "" if found else REFUSED

    def specialization(self, text: str, _name: str) -> str:
        """What a hook was told, in another process."""
        self.module.add.preload(text)
        return ""

    def header(self, text: str, _name: str) -> str:
        """A header of `ttkit aot`, linked."""
        from ttkit.tools import link

        path = self.place / "add.h"
        path.write_text(text, errors="surrogatepass")
        return outcome_of(link.main, [str(path), "-o", str(self.place / "out")])
