"""Kernel sources through a frontend, Triton's or ttkit's: text of the module that each makes, before any pass.

    python test/oracle/kernel_sources.py {triton,ttkit} KERNEL_FOLDER... [--only NAME...]     writes JSON to stdout

The kernel files import `triton` and `triton.language`; for ttkit these names lead to ttkit.
"""

import argparse
import contextlib
import importlib.util
import json
import pathlib
import re
import sys
import traceback
import types

HERE = pathlib.Path(__file__).parent
KERNELS = HERE.parent / "data" / "kernels"


def stand_in_for_triton():
    """Makes `import triton` lead to ttkit."""
    import ttkit.language
    from ttkit import frontend
    from ttkit.frontend import sizes

    triton = types.ModuleType("triton")
    triton.jit, triton.constexpr_function = frontend.jit, frontend.constexpr_function
    triton.cdiv, triton.next_power_of_2 = sizes.cdiv, sizes.next_power_of_2
    triton.language = ttkit.language
    sys.modules["triton"] = triton
    for name, module in list(sys.modules.items()):
        if name.startswith("ttkit.language"):
            sys.modules["triton" + name.removeprefix("ttkit")] = module


@contextlib.contextmanager
def as_triton():
    """A scope in which `import triton` leads to ttkit; afterwards modules are as before."""
    before = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "triton"}
    stand_in_for_triton()
    try:
        yield
    finally:
        for name in [name for name in sys.modules if name.split(".")[0] == "triton"]:
            del sys.modules[name]
        sys.modules.update(before)


def load_cases(folder, only=()):
    """The cases of every file in `folder` that has some, but those in Gluon."""
    for path in (str(KERNELS), str(folder)):
        if path not in sys.path:
            sys.path.append(path)
    cases = []
    for path in sorted(pathlib.Path(folder).glob("*.py")):
        text = path.read_text()
        if "\nCASES = " in text and "gluon" not in text:
            # Not kept in sys.modules: the files have common names.
            spec = importlib.util.spec_from_file_location(path.stem, path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            cases += module.CASES
    return [case for case in cases if not only or case.name in only]


def prepared_triton(case, arch):
    """A function that makes Triton's module for the case."""
    import warnings

    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import ASTSource, make_backend
    from triton.runtime.driver import driver

    warnings.simplefilter("ignore")
    target = GPUTarget("cuda", arch, 32)
    driver.set_active(types.SimpleNamespace(get_current_target=lambda: target))
    backend = make_backend(target)
    # Without `debug` Triton computes what would be asserted of overflow too, and asserts nothing: ttkit doesn't.
    options = backend.parse_options({"sanitize_overflow": case.options.get("debug", False), **case.options})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = ASTSource(case.kernel, case.signature, case.constants, case.attributes)
    implementation = backend.get_codegen_implementation(options)
    return lambda: source.make_ir(target, options, implementation, backend.get_module_map(), context)


def prepared_ttkit(case, arch):
    """A function that makes ttkit's module for the case."""
    import warnings

    import ttkit
    from ttkit.frontend import ASTSource, GPUTarget
    from ttkit.options import CompileOptions

    warnings.simplefilter("ignore")
    target = GPUTarget("cuda", arch, 32)
    source = ASTSource(case.kernel, case.signature, case.constants, case.attributes)
    context = ttkit.Context()
    return lambda: source.make_ir(target, CompileOptions.for_capability(target.arch, **case.options), context=context)


def module_text(frontend, case, arch):
    """The module as text with locations."""
    if frontend == "triton":
        return str(prepared_triton(case, arch)())
    return prepared_ttkit(case, arch)().operation.get_asm(enable_debug_info=True)


def texts(frontend, folders, only=(), first_arch_only=True):
    """{case.arch: (text, error)}, one of which is None."""
    if frontend == "ttkit":
        stand_in_for_triton()
    made = {}
    for folder in folders:
        for case in load_cases(folder, only):
            archs = [arch for arch in case.archs if isinstance(arch, int)]
            for arch in archs[:1] if first_arch_only else archs:
                try:
                    made[f"{case.name}.{arch}"] = (module_text(frontend, case, arch), None)
                except Exception as error:
                    chain, reached = [str(error)], error
                    while reached.__cause__ is not None:
                        reached = reached.__cause__
                        chain.append(str(reached))
                    if "-v" in sys.argv:
                        traceback.print_exc()
                    made[f"{case.name}.{arch}"] = (None, "\n".join(chain))
    return made


def normalized(module, locations=False):
    """The module, or its text, as ttkit prints it: without names of values and files that depend on who made it."""
    import ttkit

    module = ttkit.parse(module) if isinstance(module, str) else module
    printed = module.operation.get_asm(enable_debug_info=locations, use_local_scope=True)
    if locations:
        printed = re.sub(r'loc\("[^"]*?([^"/]*)":', r'loc("\1":', printed)
        printed = re.sub(r'"[^"]*/([^"/]*\.py)"', r'"\1"', printed)
        printed = _without_library_locations(printed)
    return printed


def _without_library_locations(printed):
    lines, in_library = [], False
    for line in printed.split("\n"):
        if line.startswith("  tt.func"):
            in_library = "language." in line
        lines.append(re.sub(r" loc\(.*?\)+(?=$|,|\))", "", line) if in_library else line)
    return "\n".join(lines)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("frontend", choices=["triton", "ttkit"])
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("-v", action="store_true")
    arguments = parser.parse_args()
    json.dump(texts(arguments.frontend, arguments.folders, arguments.only), sys.stdout)
