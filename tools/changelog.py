"""The changes of `changelog.d/`, collected into Added, Changed and Fixed.

    python tools/changelog.py                      print the sections; exit code 1 if an entry has the wrong form
    python tools/changelog.py --release VERSION    write them into CHANGELOG.md below its preamble, delete the entries

An entry is a file `changelog.d/NAME.added.md`, `.changed.md` or `.fixed.md`: one line of at most 400 characters, which
says what a user notices, in sentences.
"""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SECTIONS = {"added": "Added", "changed": "Changed", "fixed": "Fixed"}
FILE_NAME = re.compile(rf"[a-z0-9_]+\.({'|'.join(SECTIONS)})\.md")
LONGEST = 400
FIRST_SECTION = re.compile(r"^## ", re.MULTILINE)


def problems(folder: Path) -> list[str]:
    """What is wrong with the entries of a folder, a line each."""
    found = []
    for path in sorted(folder.iterdir()) if folder.exists() else []:
        text = path.read_text(encoding="utf-8")
        wrong = [
            (
                not FILE_NAME.fullmatch(path.name),
                f"is not called NAME.{{{','.join(SECTIONS)}}}.md, NAME of a-z, 0-9, _",
            ),
            (text.count("\n") != 1 or not text.endswith("\n"), "is not one line"),
            (len(text.strip()) > LONGEST, f"has {len(text.strip())} characters, more than {LONGEST}"),
            (not text.rstrip().endswith("."), "does not end with a full stop"),
            (text.startswith(("-", "*", "#", " ")), "begins with markup: write the sentence alone"),
        ]
        found += [f"changelog.d/{path.name} {message}" for is_wrong, message in wrong if is_wrong]
    return found


def collected(folder: Path) -> str:
    """The entries of a folder as Markdown: a heading for each section that has any, entries by file name."""
    parts = []
    for kind, title in SECTIONS.items():
        entries = [path.read_text(encoding="utf-8").strip() for path in sorted(folder.glob(f"*.{kind}.md"))]
        if entries:
            parts.append(f"### {title}\n\n" + "\n".join(f"- {entry}" for entry in entries) + "\n")
    return "\n".join(parts)


def release(root: Path, version: str) -> None:
    """Move the entries into CHANGELOG.md, as the section of a version above all others.

    Raises:
        ValueError: there is no entry, or CHANGELOG.md has no section.
    """
    folder, file = root / "changelog.d", root / "CHANGELOG.md"
    entries, text = collected(folder), file.read_text(encoding="utf-8")
    first = FIRST_SECTION.search(text)
    if not entries or first is None:
        raise ValueError("changelog.d has no entry" if not entries else f"{file} has no section that begins with '## '")
    file.write_text(f"{text[: first.start()]}## {version}\n\n{entries}\n{text[first.start() :]}", encoding="utf-8")
    for path in folder.glob("*.md"):
        path.unlink()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--release", metavar="VERSION", help="move the entries into CHANGELOG.md")
    arguments = parser.parse_args()
    folder = ROOT / "changelog.d"
    wrong = problems(folder)
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    if arguments.release:
        release(ROOT, arguments.release)
    else:
        print(collected(folder), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
