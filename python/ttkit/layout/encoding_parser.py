"""Reads the text of a ttg layout attribute into its Python value."""

# The grammar:
#
#     layout := '#ttg.' mnemonic '<' part {[','] part} '>'
#     part   := '{' [entry {',' entry}] '}' | '[' pad {',' pad} ']' | entry
#     entry  := key '=' value        pad := integer ':+' integer
#     value  := integer | word | 'true' | 'false' | '[' [value {',' value}] ']' | layout

from __future__ import annotations

from typing import Any

import ttkit.layout.distributed_encodings as distributed_encodings
import ttkit.layout.shared_encodings as shared_encodings
from ttkit.layout.encoding_base import Layout
from ttkit.layout.shared_encodings import PaddedShared
from ttkit.patterns import pattern

_LAYOUTS: dict[str, type[Layout]] = {
    f"#{layout.dialect}.{layout.mnemonic}": layout
    for module in (distributed_encodings, shared_encodings)
    for layout in vars(module).values()
    if isinstance(layout, type) and issubclass(layout, Layout) and hasattr(layout, "mnemonic")
} | {f"#ttg.{distributed_encodings.GENERIC_LINEAR}": distributed_encodings.Linear}
_TOKEN = pattern(r"\s*(#[\w.]+|\w+|:\+|[\[\]{}<>=,])")
_KEYWORDS = {"true": True, "false": False}


def parse_layout(text: str) -> Layout:
    """The layout whose attribute is written `text`; aliases such as `#blocked` are not known here.

    Raises ValueError for text that is not a layout, and what the layout's constructor raises.
    """
    parser = _Parser(text)
    layout = parser.layout()
    parser.expect("")
    return layout


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.token = ""
        self.advance()

    def advance(self) -> str:
        """Moves to the next token, empty at the end; returns the previous one."""
        previous = self.token
        match = _TOKEN.match(self.text, self.position)
        if match is None and self.text[self.position :].strip():
            raise self.error(f"unexpected {self.text[self.position :].strip()[0]!r}")
        self.token, self.position = (match[1], match.end()) if match else ("", len(self.text))
        return previous

    def error(self, message: str) -> ValueError:
        """An error about the text as a whole."""
        return ValueError(f"{message} in layout {self.text!r}")

    def expect(self, token: str) -> None:
        """Takes a token, which must come next.  Raises ValueError: another does."""
        if self.token != token:
            raise self.error(f"expected {token or 'the end'!r}, found {self.token or 'the end'!r}")
        self.advance()

    def accept(self, token: str) -> bool:
        """Takes a token if it comes next; whether it did."""
        found = self.token == token
        if found:
            self.advance()
        return found

    def layout(self) -> Layout:
        """`#ttg.blocked<{sizePerThread = [1], ...}>`.  Raises ValueError: no such layout, or it refuses its fields."""
        cls = _LAYOUTS.get(self.token)
        if cls is None:
            raise self.error(f"unknown layout {self.token!r}")
        self.advance()
        self.expect("<")
        names = {field.key: field.name for field in cls.fields}
        fields: dict[str, Any] = {}
        while not self.accept(">"):
            self.part(fields, names)
            self.accept(",")
        if "order" in fields and cls is PaddedShared:
            return self.construct(PaddedShared.from_order, fields)
        return self.construct(cls, fields)

    def construct(self, constructor: Any, fields: dict[str, Any]) -> Layout:
        """The layout of these fields; Python's TypeErrors about them become errors about the text."""
        try:
            return constructor(**fields)
        except TypeError as error:  # a missing or unknown key
            raise self.error(str(error)) from None

    def part(self, fields: dict[str, Any], names: dict[str, str]) -> None:
        """`{key = value, ...}` or the `[interval:+padding, ...]` of padded layouts, added to `fields`."""
        if self.accept("{"):
            while not self.accept("}"):
                self.entry(fields, names)
                if self.token != "}":
                    self.expect(",")
        elif self.accept("["):
            pads = [self.pad()]
            while self.accept(","):
                pads.append(self.pad())
            self.expect("]")
            fields["pads"] = tuple(pads)
        else:
            self.entry(fields, names)

    def entry(self, fields: dict[str, Any], names: dict[str, str]) -> None:
        """`key = value`, added to `fields` under the name that `names` has for the key."""
        if not self.token.isidentifier():
            raise self.error(f"expected a key, found {self.token or 'the end'!r}")
        key = self.advance()
        self.expect("=")
        fields[names.get(key, key)] = self.value()

    def pad(self) -> tuple[int, int]:
        """`interval:+padding`, in elements."""
        interval = self.integer()
        self.expect(":+")
        return interval, self.integer()

    def integer(self) -> int:
        """A decimal number."""
        if not self.token.isdecimal():
            raise self.error(f"expected an integer, found {self.token or 'the end'!r}")
        return int(self.advance())

    def value(self) -> Any:
        """A layout, a keyword, a word, an integer, or a list of values."""
        if self.token.startswith("#"):
            return self.layout()
        if self.token in _KEYWORDS:
            return _KEYWORDS[self.advance()]
        if self.token.isidentifier():
            return self.advance()
        if not self.accept("["):
            return self.integer()
        values = []
        while not self.accept("]"):
            values.append(self.value())
            if self.token != "]":
                self.expect(",")
        return tuple(values)
