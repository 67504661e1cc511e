"""A Triton of few lines, for tests of `ttkit.inside_triton`: modules are text, its two passes change text.

`install(monkeypatch, asks_for_key)` puts it into `sys.modules`; `compile(text)` is its compiler.
"""

import sys
from types import ModuleType, SimpleNamespace

ADDED = {"add_one": "tritongpu-one", "add_two": "tritongpu-two"}

BACKEND = """
class CUDABackend:
    @staticmethod
    def make_ttir(mod, metadata, options):
        pm = ir.pass_manager(mod.context)
        pm.enable_debug()
        passes.common.add_one(pm)
        pm.run(mod, "make_ttir")
        return mod

    def make_ttgir(self, mod, metadata, options):
        pm = ir.pass_manager(mod.context)
        printing = pm.enable_debug()
        passes.common.add_two(pm, printing)
        passes.common.add_one(pm)
        passes.common.add_two(pm, False)
        pm.run(mod, "make_ttgir")
        metadata["lines"] = mod.get_int_attr("lines")
        return mod

    def add_stages(self, stages, options):
        stages["ttir"] = lambda src, metadata: self.make_ttir(src, metadata, options)
        stages["ttgir"] = lambda src, metadata: self.make_ttgir(src, metadata, options)
        if knobs.runtime.add_stages_inspection_hook is not None:
            knobs.runtime.add_stages_inspection_hook(self, stages, options, None, 90)
"""


class Module:
    """A module as text; `ran` has the passes that Triton ran on it."""

    def __init__(self, text, context):
        self.text, self.context, self.ran = text, context, context.ran

    def get_entry_func_name(self):
        return "kernel"

    def get_int_attr(self, name):
        return len(self.text.splitlines())

    def __str__(self):
        return self.text


class PassManager:
    def __init__(self, context):
        self.context, self.passes = context, []

    def enable_debug(self):
        return False

    def get_pipeline_str(self):
        return f"any({','.join(self.passes)})"

    def run(self, module, tag):
        assert type(module) is Module and tag.startswith("make_")
        for name in self.passes:
            module.ran.append(name)
            if name in module.context.breaks:
                module.text = module.text.replace("arith.addi", "arith.subi")


def parse(path, context):
    with open(path) as file:
        return Module(file.read(), context)


def added(name):
    def add(manager, *rest):
        assert type(manager) is PassManager and True not in rest
        manager.passes.append(ADDED[name])

    return add


def install(monkeypatch, asks_for_key):
    """Makes this Triton importable.

    Args:
        asks_for_key: whether it asks the hook for a key, as 3.7 does and 3.6 does not.
    """
    names = "triton triton._C triton._C.libtriton triton._C.libtriton.ir triton._C.libtriton.passes triton.compiler "
    names += "triton._C.libtriton.passes.common triton.compiler.compiler triton.runtime triton.runtime.jit "
    names += "triton.runtime.cache triton.backend"
    modules = {name: ModuleType(name) for name in names.split()}
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
        if "." in name:
            parent, _, own = name.rpartition(".")
            setattr(modules[parent], own, module)
    bindings = modules["triton._C.libtriton"]
    bindings.ir.pass_manager, bindings.ir.parse_mlir_module = PassManager, parse
    for name in ADDED:
        setattr(bindings.passes.common, name, added(name))
    knobs = modules["triton"].knobs = SimpleNamespace(runtime=SimpleNamespace(add_stages_inspection_hook=None))
    backend = modules["triton.backend"]
    backend.ir, backend.passes, backend.knobs = bindings.ir, bindings.passes, knobs
    exec(BACKEND, vars(backend))

    def with_key():
        return knobs.runtime.add_stages_inspection_hook()

    def without_key():
        return ("", "")

    modules["triton.compiler.compiler"].compile = with_key if asks_for_key else without_key
    modules["triton.runtime.cache"].triton_key = lambda: "version"
    modules["triton.runtime.jit"].compute_cache_key = lambda kernels, specialization, options: tuple(specialization)
    return modules["triton"]


def compile(text, breaks=()):
    """The module after all stages, and the metadata."""
    module = Module(text, SimpleNamespace(ran=[], breaks=breaks))
    stages, metadata = {}, {}
    sys.modules["triton.backend"].CUDABackend().add_stages(stages, None)
    for stage in stages.values():
        module = stage(module, metadata)
    return module, metadata
