#!/usr/bin/env python3
"""Write test/data/ir: what Triton 3.6 prints for the kernels in test/data/kernels.

    python3 -m venv ORACLE && ORACLE/bin/pip install triton==3.6.0       # no GPU needed
    ORACLE/bin/python test/data/generate_ir.py [--pool DIR] [--only NAME ...]

Each case is compiled one pass at a time, up to the conversion to LLVM, and the IR is read off after every pass that
changed it.  The files kept are, for each case, the last ttir and ttgir of one target, and then whichever others hold an
op, attribute or layout parameter that no file kept so far holds, smallest first.  `--pool DIR` writes all of them to
DIR instead.

File names are <case>.<arch>[.<pass>][.loc].<ttir or ttgir>; `.loc` files keep debug locations.  All have been parsed
and printed once more by Triton, so that their value names are those that any reader of the text would give.
"""

import argparse
import contextlib
import dataclasses
import importlib
import multiprocessing
import os
import pathlib
import re
import shutil
import sys
import tempfile
import types

import archives
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource, make_backend
from triton.runtime.driver import driver

HERE = pathlib.Path(__file__).parent
TARGET_DIR = HERE / "ir"
MAX_BYTES = 5_500_000
LOCATED_CASES = {  # kept with debug locations too
    "attention.90", "calls.90", "descriptor_matmul.100", "early_return.90", "integer_atomics.90", "layer_norm.90",
    "mapped.90", "matmul_f16.80", "matmul_f16.90", "nested.90", "scans.90", "specialized_matmul.100",
    "mbarrier_ring.90", "tensor_memory_matmul.100",
}  # fmt: skip
OTHER_DIALECTS = ("nvws.", "amdg.", "amdgpu.", "rocdl.", "gluon.", "tti.", "proton", "nvg.")  # outside ttkit's reach


class LoweringReached(Exception):
    """The next pass leaves the dialects that this corpus is about."""


class Recorder:
    """Stands in for a module of Triton's bindings: `add_<pass>(manager, ...)` is noted instead of done."""

    def __init__(self, real):
        self.real = real

    def __getattr__(self, name):
        value = getattr(self.real, name)
        if isinstance(value, types.ModuleType):
            return Recorder(value)
        if name.startswith("add_"):
            return lambda manager, *args: manager.steps.append((name[4:], value, args))
        return value


class StepwiseManager:
    """Stands in for Triton's pass manager: runs each noted pass alone and reports the IR after it."""

    on_step = None

    def __init__(self, context):
        self.context = context
        self.steps = []

    def enable_debug(self):
        return False

    def run(self, module, stage):
        stage = stage.removeprefix("make_").replace("gluon_to_", "")
        for name, add, args in self.steps:
            if name == "to_llvmir":
                raise LoweringReached
            manager = ir.pass_manager(self.context)
            if name == "pipeline":
                args = (args[0], True)  # also dump the IR between its steps
            add(manager, *args)
            with captured_stderr() as written:
                manager.run(module, name)
                dumped = written()
            for label, text in re.findall(r"IR Dump After: (\w+)\n(.*?)(?=\n// -----//|\Z)", dumped, re.DOTALL):
                StepwiseManager.on_step(f"{stage}.{name}-{label}", reread(text, self.context))
            StepwiseManager.on_step(f"{stage}.{name}", module)


@contextlib.contextmanager
def captured_stderr():
    """Yields a function that returns what was written to file descriptor 2 within the block."""
    saved = os.dup(2)
    with tempfile.TemporaryFile("w+") as file:
        os.dup2(file.fileno(), 2)

        def written():
            file.seek(0)
            return file.read()

        try:
            yield written
        finally:
            os.dup2(saved, 2)
            os.close(saved)


def record_backend(backend):
    """Route the passes that `backend`'s stages add through StepwiseManager."""
    module = sys.modules[type(backend).__module__]
    for name in ("passes", "nvidia", "amd"):
        if isinstance(getattr(module, name, None), types.ModuleType):
            setattr(module, name, Recorder(getattr(module, name)))
    if isinstance(module.ir, types.ModuleType):
        bindings = Recorder(module.ir)
        bindings.pass_manager = StepwiseManager
        module.ir = bindings


def gpu_target(arch):
    if isinstance(arch, int):
        return GPUTarget("cuda", arch, 32)
    return GPUTarget("hip", arch, 64 if arch.startswith("gfx9") else 32)


def neutral(text):
    """Without the directories of this machine."""
    return re.sub(r'"(?:/[^"\n]*)?/([^/"\n]+\.py)"', r'"\1"', text)


def reprinted(text, located):
    """`text` as Triton prints it after reading it back: only the names that a reader of the text can know."""
    context = ir.context()
    ir.load_dialects(context)
    make_backend(GPUTarget("cuda", 90, 32)).load_dialects(context)
    module = reread(text, context)
    return neutral(str(module)) if located else module.str_nodebug()


def reread(text, context):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(text)
        file.flush()
        return ir.parse_mlir_module(file.name, context)


def compile_case(case, arch, out):
    """Write to folder `out` the IR of one case after each pass, numbered in order."""
    sink = pathlib.Path(out)
    texts = set()

    def keep(label, module):
        plain = module.str_nodebug()
        suffix = "ttgir" if "ttg.num-warps" in plain or "#ttg." in plain else "ttir"
        if plain in texts or any(f"{dialect}" in plain for dialect in OTHER_DIALECTS):
            return
        texts.add(plain)
        stem = f"{len(texts):02}.{case.name}.{arch}.{label}"
        (sink / f"{stem}.{suffix}").write_text(reprinted(plain, located=False))
        (sink / f"{stem}.loc.{suffix}").write_text(reprinted(str(module), located=True))

    StepwiseManager.on_step = keep
    driver.set_active(types.SimpleNamespace(get_current_target=lambda: gpu_target(arch)))
    backend = make_backend(gpu_target(arch))
    options = backend.parse_options(dict(case.options))
    source_class = ASTSource
    if hasattr(case.kernel, "is_gluon") and case.kernel.is_gluon():
        from triton.experimental.gluon._runtime import GluonASTSource as source_class
    source = source_class(case.kernel, case.signature, case.constants, case.attributes)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(
        gpu_target(arch), options, backend.get_codegen_implementation(options), backend.get_module_map(), context
    )
    keep("source.source", module)
    record_backend(backend)
    stages = {}
    backend.add_stages(stages, options, source.language)
    with contextlib.suppress(LoweringReached):
        for stage in ("ttir", "ttgir", "llir"):
            if stage in stages:
                module = stages[stage](module, {})


def run_isolated(case, arch, out):
    """compile_case in a process of its own: a crash of the compiler costs one case, and is said."""
    worker = multiprocessing.get_context("fork").Process(target=compile_case, args=(case, arch, out))
    worker.start()
    worker.join()
    return worker.exitcode


def features(text):
    """The pairs (op, word) of a module, and the words of its layouts and attributes; numbers do not count."""
    found = set()
    for line in text.splitlines():
        op = re.search(r"\b(?:tt|ttg|ttng|scf|cf|arith|math|ub|gpu|llvm|nvvm)\.[a-z_][\w.]*", line)
        line = re.sub(r"%[\w#:]+|@\w+|\^bb\d+|\bloc\(.*", "", line)
        line = re.sub(r"(?:\b\d+x)+|(?<=#[a-z])\d+|(?<=\w_)\d+", "", line)
        words = re.findall(r"[a-zA-Z_][\w.-]*(?: = [a-z]\w*)?", line)
        found.update((op.group() if op else "", word) for word in words)
        found.update(re.findall(r"![a-z]+\.[a-z_.]+|#[a-z]+\.[a-z_]+", line))
    return found


@dataclasses.dataclass(frozen=True)
class Text:
    """One file of the pool: NN.<case>.<arch>.<stage>.<pass>[.loc].<level>"""

    path: pathlib.Path

    @property
    def parts(self):
        number, case, arch, stage, step, *_ = self.path.name.split(".")
        return number, case, arch, stage, step

    @property
    def located(self):
        return ".loc." in self.path.name

    @property
    def unit(self):
        """What has one final text: a case, target, stage and form."""
        return (*self.parts[1:4], self.located)

    def name(self, final):
        """The name to check it in under; the final text of ttir and ttgir needs no pass."""
        _, case, arch, stage, step = self.parts
        short = final and stage in ("ttir", "ttgir")
        middle = [] if short else [stage] if stage == "source" else [step.replace("_", "-")]
        return ".".join([case, arch, *middle, *(["loc"] if self.located else []), self.path.suffix[1:]])


def select(pool):
    """The files to check in: {name: text}."""
    texts = [Text(path) for path in sorted(pool.iterdir())]
    final = {text.unit: text for text in texts}
    archs = {}
    for case, arch, stage, located in final:
        if stage in ("ttir", "ttgir") and not located:
            archs.setdefault(case, set()).add(arch)
    chosen = []
    for index, (case, known) in enumerate(sorted(archs.items())):
        arch = sorted(known)[index % len(known)]
        chosen += [
            final[unit]
            for unit in final
            if unit[:2] == (case, arch) and unit[2] != "llir" and not unit[3] and unit[2] != "source"
        ]
    seen = set().union(*(features(text.path.read_text()) for text in chosen))
    for text in sorted(texts, key=lambda text: (text.path.stat().st_size, text.path.name)):
        new = features(text.path.read_text()) - seen
        if new and not text.located and text not in chosen:
            chosen.append(text)
            seen |= new
    chosen += [
        text
        for unit, text in final.items()
        if text.located and ".".join(unit[:2]) in LOCATED_CASES and unit[2] in ("ttir", "ttgir")
    ]
    named = {}
    for text in chosen:
        name = text.name(final[text.unit] == text)
        if name in named:  # the same pass ran twice
            stem, _, level = name.rpartition(".")
            name = f"{stem}-{text.parts[0]}.{level}"
        assert name not in named, name
        named[name] = text.path.read_text()
    return named


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pool", help="write the IR after every pass to this folder; leave test/data/ir alone")
    parser.add_argument("--only", nargs="*", help="only these cases")
    args = parser.parse_args()
    sys.path.insert(0, str(HERE / "kernels"))
    modules = sorted(p.stem for p in (HERE / "kernels").glob("*.py") if p.stem != "cases")
    cases = [case for module in modules for case in importlib.import_module(module).CASES]
    names = [case.name for case in cases]
    assert len(set(names)) == len(names), "two cases share a name"
    pool = pathlib.Path(args.pool or tempfile.mkdtemp())
    pool.mkdir(parents=True, exist_ok=True)
    failures = []
    for case in cases:
        for arch in case.archs:
            if args.only and case.name not in args.only:
                continue
            if run_isolated(case, arch, pool):
                failures.append(f"{case.name}.{arch}")
    print("failed:", *failures or ["none"])
    if args.pool:
        return
    shutil.rmtree(TARGET_DIR, ignore_errors=True)
    TARGET_DIR.mkdir()
    files = select(pool)
    for name, text in files.items():
        (TARGET_DIR / name).write_text(text)
    archives.pack(TARGET_DIR)
    total = sum(map(len, files.values()))
    print(f"{len(files)} files, {total} bytes")
    assert total < MAX_BYTES, "too large to check in"
    shutil.rmtree(pool)


if __name__ == "__main__":
    main()
