"""`ttkit.inside_triton` with the Triton that is installed: every kernel's module goes to ttkit and back between passes.

    ORACLE/bin/python test/oracle/inside_triton.py SITE_PACKAGES_OF_TTKIT [--only NAME...] [--arch 90] [--check]

For each kernel of test/data/kernels: compiled by Triton alone, then with a pass of ttkit's, which leaves a note in the
module, before each of Triton's passes of ttir and ttgir.  Both must give the same PTX.  With `--check` the interpreter
runs the kernel on both sides of each of Triton's passes, too.
"""

import argparse
import os
import site
import sys
import tempfile
import warnings

from kernel_sources import KERNELS, load_cases


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site_packages")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--arch", type=int, default=90)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    site.addsitedir(arguments.site_packages)
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TRITON_CACHE_DIR"] = folder
        return 0 if compared(arguments) else 1


def compared(arguments):
    """Whether all kernels are the same; prints those that are not."""
    import triton

    good, failed, modules = 0, [], 0
    for case in load_cases(KERNELS, arguments.only):
        try:
            alone = compiled(case, arguments.arch)
        except Exception:
            continue  # Triton refuses it for this target
        try:
            noted, visits = with_notes(case, arguments.arch)
            assert noted.asm["ptx"] == alone.asm["ptx"], "the PTX differs"
            assert noted.hash != alone.hash, "the key is the same"
            if arguments.check:
                checked(case, arguments.arch)
            good, modules = good + 1, modules + visits
        except Exception as error:
            failed.append(case.name)
            print(f"{case.name}: {type(error).__name__}: {str(error)[:500]}")
    print(
        f"Triton {triton.__version__}, sm_{arguments.arch}: {good} kernels equal, {modules} modules exchanged, {failed}"
    )
    return not failed


def compiled(case, arch):
    """A kernel by Triton, for sm_`arch`."""
    import triton
    from triton.backends.compiler import GPUTarget

    source = triton.compiler.ASTSource(case.kernel, case.signature, case.constants, case.attributes)
    return triton.compile(source, target=GPUTarget("cuda", arch, 32), options=dict(case.options))


def with_notes(case, arch):
    """The kernel compiled with a note before each pass, and how many there were."""
    from mlir import ir

    from ttkit import inside_triton

    with inside_triton.trace() as steps:
        compiled(case, arch)
    places = {(step.place.stage, step.place.name) for step in steps if step.place.stage != "llir"}
    visits = []

    def note(op):
        visits.append(1)
        op.attributes["test.note"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(32), len(visits))

    for stage, name in sorted(places):
        inside_triton.insert_before(name, note, stage=stage)
    try:
        return compiled(case, arch), len(visits)
    finally:
        inside_triton.reset()


def checked(case, arch):
    """A kernel by Triton, of which the interpreter checks each pass."""
    from ttkit import inside_triton

    with inside_triton.check(runs=1):
        compiled(case, arch)


if __name__ == "__main__":
    sys.exit(main())
