"""Writes the modules that mutations.py begins with.

    ORACLE/bin/python test/oracle/mutation_corpus.py OUTPUT.json.gz

A list of {"name", "place", "text", "options"}: tt as Triton's front end makes it of the kernels of test/data and bench
(for each kind of GPU that they are for), and the modules written for a pass, in test/lit/passes and
test/data/pass_cases.  `place` is the pass that a module is for, "" where it is the input of all; `options` those of
compilation, such as `num_warps`.
"""

import gzip
import importlib.util
import json
import re
import sys
import types
import warnings
from pathlib import Path

import gluon_corpus
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler.compiler import ASTSource, make_backend
from triton.runtime.driver import driver

TEST = Path(__file__).resolve().parents[1]
BENCH = TEST.parent / "bench"
LARGEST = 16_000  # bytes of a module; most of the time would go into parsing larger ones
COMMENTS = re.compile(r"^\s*//.*\n", re.MULTILINE)


def source_text(kernel, signature, constants, attributes, options, arch):
    """The module that the front end makes, without locations."""
    target = GPUTarget("cuda", arch, 32)
    driver.set_active(types.SimpleNamespace(get_current_target=lambda: target))
    backend = make_backend(target)
    parsed = backend.parse_options(dict(options))
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    source = ASTSource(kernel, signature, constants, attributes)
    implementation = backend.get_codegen_implementation(parsed)
    return source.make_ir(target, parsed, implementation, backend.get_module_map(), context).str_nodebug()


def kernels_of_tests():
    """(name, arguments of `source_text` but the last, GPUs) of the kernels in test/data."""
    from kernel_sources import load_cases

    for folder in (TEST / "data" / "kernels", TEST / "data" / "language"):
        for case in load_cases(folder):
            archs = [arch for arch in case.archs if isinstance(arch, int)]
            yield case.name, (case.kernel, case.signature, case.constants, case.attributes, case.options), archs


def kernels_of_benchmarks():
    """The same of those that are measured."""
    import triton
    import triton.language as tl

    sys.path.insert(0, str(BENCH))
    from cubin_cases import Descriptor, Memory, all_cases

    modules = {}
    for case in all_cases():
        if case.source not in modules:
            spec = importlib.util.spec_from_file_location(case.source, BENCH / f"{case.source}.py")
            module = importlib.util.module_from_spec(spec)
            module.jit, module.tl = triton.jit, tl
            spec.loader.exec_module(module)
            modules[case.source] = module
        kernel = getattr(modules[case.source], case.kernel)
        constants = {
            key: getattr(tl, value) if isinstance(value, str) else value for key, value in case.constants.items()
        }
        arguments, signature, hints = iter(case.arguments), {}, {}
        for index, name in enumerate(kernel.arg_names):
            if name in constants:
                signature[name] = "constexpr"
                continue
            argument = next(arguments)
            scalar = {int: "i32", float: "fp32"}.get(type(argument))
            signature[name] = scalar or argument.type
            if isinstance(argument, Memory) or (scalar == "i32" and argument % 16 == 0):
                hints[(index,)] = [["tt.divisibility", 16]]
        tma = any(isinstance(argument, Descriptor) for argument in case.arguments)
        yield case.name, (kernel, signature, constants, hints, case.options), [90] if tma else [80]


def front_end():
    """The modules of kernels, each text once."""
    seen = set()
    for cases in (kernels_of_tests(), kernels_of_benchmarks()):
        for name, arguments, archs in cases:
            for arch in archs:
                try:
                    text = source_text(*arguments, arch)
                except Exception:  # a mistake on purpose, or another version's function
                    continue
                if len(text) <= LARGEST and text not in seen:
                    seen.add(text)
                    yield {"name": f"{name}.{arch}", "place": "", "text": text, "options": dict(arguments[-1])}


def in_gluon(kernels):
    """Kernels with open layouts, stored in one of theirs or in one that is chosen for the access."""
    for item in kernels:
        for stored_as in (gluon_corpus.blocked, lambda rank: gluon_corpus.COALESCED):
            if text := gluon_corpus.with_open_layouts(item["text"], stored_as):
                yield {**item, "place": "gluon-inline", "text": text}


def places():
    """Names of passes by the stem of their file, from the registry's text: ttkit is not there."""
    rows = re.findall(r'"([\w-]+)": \(?\s*"ttkit\.passes\.(\w+):', (TEST.parent / "passes" / "registry.py").read_text())
    return {stem: name for name, stem in rows}


def written_for_passes():
    """The modules of lit tests and goldens, by the pass they are for."""
    known = places()
    files = [(path, known.get(path.stem, "")) for path in sorted((TEST / "lit" / "passes").glob("*.mlir"))]
    files += [(path, path.stem) for path in sorted((TEST / "data" / "pass_cases").glob("*.mlir"))]
    files += [(path, "test-print-membar") for path in sorted((TEST / "lit" / "lower").glob("*.mlir"))]
    explicit = ("copies_to", "mbarrier", "tensor_memory", "asynchronous", "cluster", "copy_to_tensor", "wgmma")
    files += [
        (path, "tritongpu-allocate-warp-groups")
        for path in sorted((TEST / "data" / "ir").glob("*.ttgir"))
        if path.name.startswith(explicit) and ".loc." not in path.name
    ]
    for path, place in files:
        if not place or "invalid" in path.stem or "errors" in path.stem:
            continue
        for number, part in enumerate(re.split(r"^// -----.*$", path.read_text(), flags=re.MULTILINE)):
            text = COMMENTS.sub("", part)
            if text.strip() and len(text) <= LARGEST and "loc(" not in text and "{{" not in text:
                yield {"name": f"{path.name}#{number}", "place": place, "text": text, "options": {}}


def main():
    warnings.simplefilter("ignore")
    sys.path.insert(0, str(Path(__file__).parent))
    kernels = list(front_end())
    made = [*kernels, *in_gluon(kernels), *written_for_passes()]
    with gzip.open(sys.argv[1], "wt") as file:
        json.dump(made, file)
    print(f"{len(made)} modules, {sum(not item['place'] for item in made)} of kernels")


if __name__ == "__main__":
    main()
