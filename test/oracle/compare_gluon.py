"""Compares the ttgir that ttkit and Triton make of the same kernels in Gluon.

    python test/oracle/compare_gluon.py --oracle ORACLE/bin/python [--only NAME...] [--write]
    python test/oracle/compare_gluon.py --oracle OTHER/bin/python --later [--only NAME...] [--write]

Both texts are read and printed again by ttkit, with constants in one order.  `--write` renews test/data/gluon/ttgir,
with which test/unit/test_gluon.py compares without Triton.  With `--later` the kernels are those of
test/data/gluon_later, by the rules of Triton 3.9, which the other Python has.
"""

import argparse
import difflib
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
DATA = HERE.parent / "data"
FOLDER = DATA / "gluon"
sys.path[:0] = [str(DATA / "kernels"), str(DATA)]


LATER = DATA / "gluon_later"


def load_cases(only=(), folder=FOLDER):
    """{case.arch: (case, arch)} of a folder's kernels."""
    import importlib.util

    found = {}
    for path in sorted(folder.glob("*.py")):
        spec = importlib.util.spec_from_file_location(f"gluon_{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for case in module.CASES:
            if not only or case.name in only:
                more = {f"{case.name}.{arch}": (case, arch) for arch in case.archs}
                assert not found.keys() & more.keys(), f"two kernels are named {case.name}"
                found |= more
    return found


def triton_text(case, arch):
    """The ttgir that Triton makes."""
    import types

    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget
    from triton.compiler.compiler import make_backend
    from triton.experimental.gluon._runtime import GluonASTSource
    from triton.runtime.driver import driver

    target = GPUTarget("cuda", arch, 32)
    driver.set_active(types.SimpleNamespace(get_current_target=lambda: target))
    backend = make_backend(target)
    # Without `debug` Triton computes what would be asserted of overflow too, and asserts nothing: ttkit doesn't.
    options = backend.parse_options({"sanitize_overflow": case.options.get("debug", False), **case.options})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = GluonASTSource(case.kernel, case.signature, case.constants, case.attributes)
    implementation = backend.get_codegen_implementation(options)
    module = source.make_ir(target, options, implementation, backend.get_module_map(), context)
    stages = {}
    backend.add_stages(stages, options, source.language)
    return stages["ttgir"](module, {}).str_nodebug()


def ttkit_text(case, arch):
    """The ttgir that ttkit makes."""
    import ttkit
    from ttkit.compiler.compilation import Compilation
    from ttkit.options import CompileOptions

    source = ttkit.ASTSource(case.kernel, case.signature, case.constants, case.attributes)
    target = ttkit.GPUTarget("cuda", arch, 32)
    made = Compilation(source, target, CompileOptions.for_capability(arch, **case.options), until="ttgir").run()
    return made.asm["ttgir"]


def normalized(text):
    """The module as ttkit prints it, with constants in one order and without locations."""
    from compare import sort_constants

    import ttkit

    # Since 3.7 a barrier has an operation of its own; since 3.9 waits for reads of TMA alone say so.
    text = text.replace("ttg.barrier all\n", "gpu.barrier\n").replace(
        "{pendings = 0 : i32, read_only}", "{pendings = 0 : i32}"
    )
    module = ttkit.parse(text)
    sort_constants(module.operation)
    if "ttng.two-ctas" in module.operation.attributes:  # since 3.9; false for these kernels
        del module.operation.attributes["ttng.two-ctas"]
    return module.operation.get_asm(enable_debug_info=False, use_local_scope=True)


def texts(of, only, source):
    """{case.arch: (text, error)}, one of which is None."""
    made = {}
    for name, (case, arch) in load_cases(only, source).items():
        try:
            made[name] = of(case, arch), None
        except Exception as error:
            chain, reached = [str(error)], error
            while reached.__cause__ is not None:
                reached = reached.__cause__
                chain.append(str(reached))
            made[name] = None, "\n".join(chain)
    return made


def write(expected, source):
    """Triton's texts as files, and their archive."""
    import archives

    folder = source / "ttgir"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.ttgir"):
        old.unlink()
    for name, (text, _) in expected.items():
        if text is not None:
            (folder / f"{name}.ttgir").write_text(normalized(text))
    archives.pack(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oracle", help="a Python that has Triton 3.6")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--write", action="store_true", help="Triton's texts to test/data/gluon/ttgir")
    parser.add_argument("--triton", action="store_true", help="print Triton's texts as JSON, in its own Python")
    parser.add_argument("--lines", type=int, default=40, help="of each difference to show")
    parser.add_argument("--later", action="store_true", help="the kernels for Triton 3.9")
    arguments = parser.parse_args()
    source = LATER if arguments.later else FOLDER
    if arguments.triton:
        print(json.dumps(texts(triton_text, arguments.only, source)))
        return 0
    command = [arguments.oracle, __file__, "--triton", *["--later"] * arguments.later, "--only", *arguments.only]
    written = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    expected = json.loads(written.splitlines()[-1])
    import ttkit.compat

    ttkit.compat.install(children=False, version="3.9" if arguments.later else None)
    different = 0
    found = texts(ttkit_text, arguments.only, source)
    for name, (text, error) in expected.items():
        ours, our_error = found[name]
        if text is None or ours is None:
            print(f"--- {name}\nTriton: {error}\nttkit: {our_error}\n")
            different += 1
        elif (left := normalized(text)) != (right := normalized(ours)):
            different += 1
            lines = difflib.unified_diff(left.split("\n"), right.split("\n"), "triton", "ttkit", lineterm="", n=2)
            print(f"--- {name}", *list(lines)[: arguments.lines], sep="\n")
    print(f"{len(expected) - different} of {len(expected)} equal")
    if arguments.write:
        write(expected, source)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
