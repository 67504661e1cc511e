"""Compares the tt that ttkit makes by the rules of a later Triton with that Triton's own.

    python test/oracle/compare_versions.py --oracle OTHER/bin/python [FOLDER...] [--only NAME...] [--lines N] [--write]

OTHER has Triton 3.7.1, 3.8.0 or 3.9.0; it needs no GPU.  Without folders, the kernels of test/data/kernels,
test/data/language and test/data/versions are compared.  Both texts are read by ttkit, brought into its own form
(`canonical`) and printed, with functions numbered and without what is computed twice or not used: those differ between
versions, as Triton's names and order of constants do.  `--write` keeps Triton's texts for test/unit/test_versions.py.
"""

import argparse
import difflib
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
DATA = HERE.parent / "data"
sys.path += [str(HERE), str(DATA)]
FOLDERS = [DATA / "kernels", DATA / "language", DATA / "versions"]


def version_of(python):
    """The version of Triton that a Python has, as "3.9"."""
    shown = subprocess.run(
        [python, "-c", "import triton; print(triton.__version__)"], check=True, stdout=subprocess.PIPE
    )
    return shown.stdout.decode().split()[-1].rpartition(".")[0]


def canonical(text):
    """A module, as text, as ttkit writes it: without dead code and names of functions."""
    import ttkit
    from ttkit.passes.manager import run_passes

    with ttkit.Context():
        module = ttkit.parse(text)
        run_passes(module, "builtin.module(cse,symbol-dce)")
        printed = module.operation.get_asm(enable_debug_info=False, use_local_scope=True)
    printed = printed.replace("ttg.barrier all", "gpu.barrier")  # two names, to Triton 3.6 and since
    return numbered(without_dead_returns(CACHE_POLICY.sub(cache_options, printed)))


CACHE_POLICY = re.compile(
    r" \{(.*)cachePolicy = #tt.cache_policy<cache_modifier = (\w+), eviction_policy = (\w+)>(?:, )?(.*)\}"
)


def cache_options(found):
    """The cache policy of Triton 3.9 as the two options that it was before."""
    before, modifier, policy, after = found.groups()
    options = [f"cacheModifier = {modifier}"] * (modifier != "none")
    options += [f"evictionPolicy = {policy}"] * (policy != "evict_normal")
    rest = f" {{{before}{after}}}" if before or after else ""
    return "".join(f" {option}" for option in options) + rest


def numbered(printed):
    """The text with private functions called @f0, @f1 and so on, in the order of their first use."""
    names = {}

    def number(found):
        return f"@f{names.setdefault(found[0], len(names))}"

    public = set(re.findall(r'tt\.func public (@"[^"]*"|@[\w.$-]+)', printed))
    return re.sub(r'@"[^"]*"|@[\w.$-]+', lambda found: found[0] if found[0] in public else number(found), printed)


def without_dead_returns(printed):
    """Without the blocks that nothing leads to, which end functions after an early return."""
    return re.sub(r"\n  \^bb\d+:  // no predecessors\n(?:    (?!\^bb).*\n)*", "\n", printed)


def compare(expected, found, lines):
    """Prints what differs; gives the number of equal modules and of those that both refuse."""
    equal = refused = 0
    for name, (text, error) in expected.items():
        ours, our_error = found[name]
        if text is None or ours is None:
            if text is None and ours is None:
                refused += 1
            else:
                who = "ttkit" if ours is None else "Triton"
                print(f"--- {name}: only {who} fails\n{(our_error or error)[:800]}\n")
            continue
        try:
            left, right = canonical(text).split("\n"), canonical(ours).split("\n")
        except Exception as error:
            print(f"--- {name}: not read: {str(error)[:800]}\n")
            continue
        if left == right:
            equal += 1
            continue
        print(f"--- {name}")
        print("\n".join(list(difflib.unified_diff(left, right, "triton", "ttkit", lineterm="", n=2))[:lines]))
    print(f"{equal} of {len(expected)} equal, {refused} more are refused by both")
    return equal + refused


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=pathlib.Path, default=FOLDERS)
    parser.add_argument("--oracle", required=True, help="a Python that has Triton 3.7, 3.8 or 3.9")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--write", action="store_true", help="keep Triton's texts of test/data/versions")
    parser.add_argument("--lines", type=int, default=30, help="of each difference to show")
    arguments = parser.parse_args()
    import archives
    from compare_language import oracle_texts
    from kernel_sources import texts

    version = version_of(arguments.oracle)
    os.environ["TTKIT_TRITON_VERSION"] = version
    folders = [folder for folder in arguments.folders if folder.exists()]
    expected = oracle_texts(arguments.oracle, folders, arguments.only)
    if arguments.write:
        folder = DATA / "versions" / version
        folder.mkdir(parents=True, exist_ok=True)
        for name, (text, _) in expected.items():
            if text is not None:
                (folder / f"{name}.ttir").write_text(canonical(text) + "\n")
        archives.pack(folder)
        return 0
    return 0 if compare(expected, texts("ttkit", folders, arguments.only), arguments.lines) == len(expected) else 1


if __name__ == "__main__":
    sys.exit(main())
