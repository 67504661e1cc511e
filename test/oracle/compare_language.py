"""Compares the tt that ttkit and Triton make of the same kernels, before any pass.

    python test/oracle/compare_language.py --oracle ORACLE/bin/python [FOLDER...] [--only NAME...] [--locations]

Both texts are read and printed again by ttkit, so that names of values and aliases do not matter; functions of the
language's own library are named after ttkit's modules in one and Triton's in the other, which is undone.  With
`--locations` the locations are compared too: those of operations outside of the library, with the names of variables.
"""

import argparse
import difflib
import json
import pathlib
import subprocess
import sys

from kernel_sources import normalized, texts

HERE = pathlib.Path(__file__).parent
DATA = HERE.parent / "data"
sys.path.append(str(DATA))
import archives  # noqa: E402

LOCATED = ("named.90", "branches.90", "loops.90", "choices.90", "early_value.90", "swapped.90", "custom_reductions.90")


def oracle_texts(python, folders, only):
    """Triton's tt of the kernels in folders, or why it refuses them, by name."""
    command = [python, HERE / "kernel_sources.py", "triton", *folders, "--only", *only]
    written = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(written.splitlines()[-1])  # Triton prints modules that it refuses


def write(expected):
    """The normalized texts, a file each; of some also with locations."""
    folder = DATA / "language" / "tt"
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.ttir"):
        old.unlink()
    for name, (text, _) in expected.items():
        if text is None:
            continue
        (folder / f"{name}.ttir").write_text(normalized(text))
        if name in LOCATED:
            (folder / f"{name}.loc.ttir").write_text(normalized(text, locations=True))
    archives.pack(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=pathlib.Path, default=[DATA / "kernels", DATA / "language"])
    parser.add_argument("--oracle", required=True, help="a Python that has Triton 3.6")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--locations", action="store_true")
    parser.add_argument(
        "--write", action="store_true", help="Triton's texts to test/data/language/tt, for the unit tests"
    )
    parser.add_argument("--lines", type=int, default=30, help="of each difference to show")
    arguments = parser.parse_args()
    folders = [folder for folder in arguments.folders if folder.exists()]
    expected = oracle_texts(arguments.oracle, folders, arguments.only)
    if arguments.write:
        write(expected)
        return 0
    found = texts("ttkit", folders, arguments.only)
    different = refused = 0
    for name, (text, error) in expected.items():
        ours, our_error = found[name]
        if text is None or ours is None:
            if (text is None) != (ours is None):
                different += 1
                who = "ttkit" if ours is None else "Triton"
                print(f"--- {name}: only {who} fails\n{our_error or error}\n")
            else:
                refused += 1
            continue
        left, right = (normalized(side, arguments.locations).split("\n") for side in (text, ours))
        if left != right:
            different += 1
            print(f"--- {name}")
            print(
                "\n".join(
                    list(difflib.unified_diff(left, right, "triton", "ttkit", lineterm="", n=2))[: arguments.lines]
                )
            )
    print(f"{len(expected) - different} of {len(expected)} equal, of which {refused} are refused by both")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
