"""`python test/fuzz/native/seeds.py DIR`: DIR/corpus and DIR/dict for libFuzzer, of the tests' IR."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from fuzz.damage import token_kind
from fuzz.level import TOKEN
from fuzz.levels.ir import seed_texts, sound_forms

LONGEST_TOKEN = 60
SEED_BYTES = 2_000
"""Longer seeds would take most of the time; the forms of the others have their operations."""


def write(folder: Path) -> None:
    """Writes a file for each piece of IR, in both forms, and the words that they are made of."""
    texts = seed_texts()
    texts = [text for text in [*texts, *sound_forms(texts, generic=True)] if len(text) <= SEED_BYTES]
    (folder / "corpus").mkdir(parents=True, exist_ok=True)
    for text in texts:
        name = hashlib.sha1(text.encode()).hexdigest()
        (folder / "corpus" / name).write_text(text)
    words = {token for text in texts for token in TOKEN.findall(text) if token_kind(token) in ("keyword", "!", "#")}
    chosen = sorted(word for word in words if 2 < len(word) <= LONGEST_TOKEN and word.isascii())
    (folder / "dict").write_text("".join(f'"{word}"\n' for word in chosen))
    print(f"{len(texts)} seeds, {len(chosen)} words")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
