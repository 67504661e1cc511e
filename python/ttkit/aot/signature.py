"""Signatures of kernels that are compiled ahead of time: `"*fp32:16, i32:16, 1024, i32"`, an item a parameter.

An item is a type as signatures of jitted functions spell it; a type with `:16` for a multiple of 16, or with `:1` for
the integer 1; or the value of a constant: a number, True, False, None, or a text in quotes.
"""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass, field
from typing import Any

from ttkit.language.jit_function import JITFunction
from ttkit.language.parameters import canonical_signature
from ttkit.runtime.arguments import packing
from ttkit.runtime.parameters import DESCRIPTOR
from ttkit.runtime.pointers import ArgumentError

CONSTANT = "constexpr"


class SignatureError(ValueError):
    """A signature that does not fit its kernel: what was found, and what to write."""


@dataclass(frozen=True)
class Parameter:
    """A parameter of a kernel, and what one signature says of it.

    kind: its type, such as "*fp32"; CONSTANT for a constant.
    hint: 1 or 16 if the value is known to be 1, or a multiple of 16; else None.
    value: of a constant.
    """

    name: str
    kind: str
    hint: int | None = None
    value: Any = None

    @property
    def is_passed(self) -> bool:
        """Whether the compiled kernel takes it."""
        return self.kind != CONSTANT and self.hint != 1


@dataclass(frozen=True)
class Signature:
    """A kernel's parameters as they are compiled.

    items: the signature's items as they were written.
    """

    parameters: tuple[Parameter, ...]
    items: tuple[str, ...] = field(default=())

    @classmethod
    def parse(cls, text: str, function: JITFunction) -> Signature:
        """Reads the signature of a function; constants at the end that have defaults may be left out.

        Raises:
            SignatureError: it does not fit.
        """
        items = split_items(text)
        described = f"kernel {function.__name__} has the parameters {', '.join(function.arg_names)}"
        if len(items) > len(function.params):
            raise SignatureError(f"{described}; the signature has {len(items)} items: {text}")
        parameters = []
        for param, item in zip(function.params, items):
            try:
                parameters.append(_parameter(param.name, item, param.is_constexpr))
            except SignatureError as error:
                raise SignatureError(f"parameter {param.name}: {error}") from None
        for param in function.params[len(items) :]:
            if not (param.is_constexpr and param.has_default):
                raise SignatureError(f"{described}; the signature says nothing of {param.name}: {text}")
            parameters.append(Parameter(param.name, CONSTANT, value=param.default))
        return cls(tuple(parameters), tuple(items))

    @property
    def types(self) -> dict[str, str]:
        """{name: type} as ASTSource takes them."""
        return {one.name: one.kind if one.is_passed else CONSTANT for one in self.parameters}

    @property
    def constants(self) -> dict[str, Any]:
        """{name: value} of all that the kernel is compiled for; first the constants, then what is known to be 1."""
        found = {one.name: one.value for one in self.parameters if one.kind == CONSTANT}
        return found | {one.name: 1 for one in self.parameters if one.hint == 1}

    @property
    def attributes(self) -> dict[tuple[int, ...], list[list[Any]]]:
        """{path: attributes} as ASTSource takes them."""
        return {(n,): [["tt.divisibility", 16]] for n, one in enumerate(self.parameters) if one.hint == 16}

    @property
    def suffix(self) -> str:
        """The hints as Triton's names have them: each item's number, with `c` for 1 and `d` for 16."""
        letters = {1: "c", 16: "d", None: ""}
        return "".join(f"{n}{letters[one.hint]}" for n, one in enumerate(self.parameters[: len(self.items)]))

    def digest(self, num_warps: int, num_stages: int) -> str:
        """Eight hexadecimal digits of the signature, the ones that Triton's tool names files by."""
        text = " ".join([*self.items, f"warps{num_warps}xstages{num_stages}"])
        return hashlib.sha256(text.encode()).hexdigest()[:8]


def split_items(text: str) -> list[str]:
    """The items between the commas that stand in no bracket and no quotes."""
    items, depth, quote, start = [], 0, "", 0
    for index, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        elif letter == "," and depth == 0:
            items.append(text[start:index].strip())
            start = index + 1
        else:
            depth += (letter in "[<(") - (letter in "]>)")
    return [*items, text[start:].strip()] if text.strip() else []


def _parameter(name: str, item: str, is_constexpr: bool) -> Parameter:
    constant = _literal(item)
    if constant is not None:
        return Parameter(name, CONSTANT, value=constant[0])
    if is_constexpr:
        raise SignatureError(f"it is a constexpr, so it needs a value; found '{item}'")
    spelled, colon, hint = item.partition(":")
    kind = canonical_signature(spelled.strip())
    if colon and hint.strip() not in ("1", "16"):
        raise SignatureError(f"a hint is 1 or 16, found '{hint.strip()}'")
    if colon and hint.strip() == "1" and not _is_integer(kind):
        raise SignatureError(f"only an integer can be known to be 1, found '{item}'")
    if kind.startswith("tensordesc_im2col"):
        raise SignatureError(f"'{item}': C launchers encode no descriptors of images; pass a tensor map: nvTmaDesc")
    if not DESCRIPTOR.match(kind):
        try:
            packing(kind)
        except ArgumentError:
            raise SignatureError(
                f"'{item}' is neither a type nor a value; write *fp32, i32:16, tensordesc<fp16[64,64]>, 1024 or 'text'"
            ) from None
    return Parameter(name, kind, int(hint) if colon else None)


def _literal(item: str) -> tuple[Any] | None:
    """The value of a constant, in a tuple; None for what is not a literal."""
    try:
        value = ast.literal_eval(item)
    except (ValueError, SyntaxError):
        try:
            return (float(item),)  # inf and nan too
        except ValueError:
            return None
    return (value,)


def _is_integer(kind: str) -> bool:
    return kind[:1] in "iu" and kind[1:].isdecimal()
