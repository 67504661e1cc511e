"""Grids of kernels in C: expressions over parameters and constants, checked before anything is compiled.

The words are those of C's arithmetic: numbers, names, casts to integers and floats, unary and binary operators, `?:`
and parentheses.  Calls, assignments, members and subscripts are refused.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ttkit.aot.c_source import c_name, c_parameters
from ttkit.aot.signature import Signature, SignatureError
from ttkit.suggestions import suggestion

_NUMBER = r"0[xX][0-9a-fA-F]+[uUlL]*|(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?[fFlL]?|\d+[uUlL]*"
_TOKEN = re.compile(
    rf"\s*(?:(?P<number>{_NUMBER})(?!\w)|(?P<name>[A-Za-z_]\w*)|(?P<sign><<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^<>!~?:(),]))",
    re.ASCII,
)
_LEVELS = ("|| &&", "|", "^", "&", "== !=", "< <= > >=", "<< >>", "+ -", "* / %")
"""Binary operators, those that bind least first."""
_INTEGERS_ONLY = frozenset("| ^ & << >> % ~".split())
_TYPE_WORDS = frozenset("int unsigned signed long short char size_t double float".split())
_TYPE_WORDS |= {f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)}


LIMITS = (2**31 - 1, 65535, 65535)
"""The most programs in each dimension of a grid."""
_UNARY: dict[str, Callable[[Any], int | float]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": lambda value: ~int(value),
    "!": lambda value: int(not value),
}
_BINARY: dict[str, Callable[[Any, Any], int | float]] = {
    "||": lambda left, right: int(bool(left or right)),
    "&&": lambda left, right: int(bool(left and right)),
    "|": operator.or_,
    "^": operator.xor,
    "&": operator.and_,
    "==": lambda left, right: int(left == right),
    "!=": lambda left, right: int(left != right),
    "<": lambda left, right: int(left < right),
    "<=": lambda left, right: int(left <= right),
    ">": lambda left, right: int(left > right),
    ">=": lambda left, right: int(left >= right),
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


class _Token(NamedTuple):
    """A word of an expression.

    kind: number, name, sign; end after the last word.
    at: its first letter, counted from 0.
    """

    kind: str
    text: str
    at: int


class _Value(NamedTuple):
    """An operand, as far as is known.  number: its value, None where parameters decide."""

    is_float: bool
    number: int | float | None = None


def split_grid(text: str) -> list[str]:
    """The expressions between the commas that stand in no parentheses."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth <= 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()] if text.strip() else []


def check_grid(grid: Sequence[str], signature: Signature, kernel: str) -> None:
    """Refuses a grid that C does not compile, or whose names the launching function does not have.

    Args:
        grid: expressions in C, one for each dimension.
        kernel: its name, for messages.

    Raises:
        SignatureError: with the expression and a caret below the word that is wrong.
    """
    if not 1 <= len(grid) <= 3:
        found = f"{len(grid)}: {', '.join(grid)}" if grid else "none"
        raise SignatureError(f"--grid: a grid is one to three expressions, found {found}")
    for expression, limit in zip(grid, LIMITS, strict=False):
        _Expression(expression, signature, kernel).check(limit)


def _computed(sign: str, left: _Value, right: _Value) -> int | float | None:
    """The number that C computes of two values; None where one is not known, or where C leaves the result open."""
    if left.number is None or right.number is None:
        return None
    one, other = left.number, right.number
    if sign in ("/", "%"):
        if left.is_float or right.is_float:
            return one / other if other else None
        quotient = abs(one) // abs(other) * (-1 if (one < 0) != (other < 0) else 1)  # towards zero
        return quotient if sign == "/" else one - quotient * other
    if sign in ("<<", ">>"):
        if not 0 <= other < 31:
            return None
        return int(one) << int(other) if sign == "<<" else int(one) >> int(other)
    return _BINARY[sign](one, other)


class _Expression:
    """One expression, read from left to right.

    constants: the values of the constants that it can name.
    names: these, and the C types of parameters.
    """

    def __init__(self, text: str, signature: Signature, kernel: str) -> None:
        self.text, self.kernel = text, kernel
        self.constants = {c_name(name): value for name, value in signature.constants.items()}
        types = {one.name: one.type for one in c_parameters(signature.parameters)}
        self.names: dict[str, Any] = {**self.constants, **types}
        self.tokens = self._tokens()
        self.next = 0

    def check(self, limit: int) -> None:
        """Reads all of it; a value that no parameter changes must be a number of programs up to the limit."""
        number = self._conditional().number
        if self._token.kind != "end":
            raise self._error(f"'{self._token.text}' comes after the end of the expression")
        if number is not None and not (1 <= number <= limit and number == int(number)):
            message = f"a grid has 1 to {limit} programs in this dimension, found {number}"
            raise self._error(message, self.tokens[0].at)

    def _tokens(self) -> list[_Token]:
        found, at = [], 0
        end = len(self.text.rstrip())
        while at < end:
            match = _TOKEN.match(self.text, at)
            if match is None:
                at += len(self.text[at:]) - len(self.text[at:].lstrip())
                word = re.match(r"\w*|.", self.text[at:], re.ASCII)
                raise self._error(f"'{word[0] if word and word[0] else self.text[at]}' has no place in a grid", at)
            kind = str(match.lastgroup)
            found.append(_Token(kind, match[kind], match.start(kind)))
            at = match.end()
        return [*found, _Token("end", "", end)]

    @property
    def _token(self) -> _Token:
        return self.tokens[self.next]

    def _error(self, message: str, at: int | None = None) -> SignatureError:
        at = self._token.at if at is None else at
        return SignatureError(f"--grid: {message}\n  {self.text}\n  {' ' * at}^")

    def _taken(self, *texts: str) -> _Token | None:
        """The next word if it is one of these signs, which is then read."""
        token = self._token
        if token.kind != "sign" or token.text not in texts:
            return None
        self.next += 1
        return token

    def _conditional(self) -> _Value:
        condition = self._binary(0)
        if self._taken("?") is None:
            return condition
        first = self._conditional()
        if self._taken(":") is None:
            raise self._error("'?' needs ':' and a second value")
        second = self._conditional()
        known = None if condition.number is None else (first if condition.number else second).number
        return _Value(first.is_float or second.is_float, known)

    def _binary(self, level: int) -> _Value:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while sign := self._taken(*_LEVELS[level].split()):
            right = self._binary(level + 1)
            is_float = left.is_float or right.is_float
            if sign.text in _INTEGERS_ONLY and is_float:
                raise self._error(f"'{sign.text}' takes integers, found a floating-point operand", sign.at)
            if sign.text in "/%" and right.number == 0 and not is_float:
                raise self._error("division by zero", sign.at)
            left = _Value(is_float and level >= len(_LEVELS) - 2, _computed(sign.text, left, right))
        return left

    def _unary(self) -> _Value:
        if sign := self._taken("-", "+", "~", "!"):
            if self._token.text == sign.text and sign.text in "+-":
                raise self._error(f"'{sign.text * 2}' changes a variable, which a grid can't", sign.at)
            operand = self._unary()
            if sign.text == "~" and operand.is_float:
                raise self._error("'~' takes an integer, found a floating-point operand", sign.at)
            known = None if operand.number is None else _UNARY[sign.text](operand.number)
            return _Value(operand.is_float and sign.text != "!", known)
        if self._taken("(") is None:
            return self._operand()
        if self._token.text in _TYPE_WORDS:
            return self._cast()
        inner = self._conditional()
        self._close()
        return inner

    def _cast(self) -> _Value:
        """A cast, whose bracket was read."""
        is_float = False
        while self._token.text in _TYPE_WORDS:
            is_float |= self._token.text in ("float", "double")
            self.next += 1
        self._close()
        operand = self._unary()
        number = operand.number
        return _Value(is_float, number if number is None or is_float else int(number))

    def _close(self) -> None:
        if self._taken(")") is None:
            raise self._error("expected ')'")

    def _operand(self) -> _Value:
        token = self._token
        if token.kind == "number":
            self.next += 1
            is_hexadecimal = token.text[:2] in ("0x", "0X")
            if not is_hexadecimal and any(letter in token.text for letter in ".eEfF"):
                return _Value(True, float(token.text.rstrip("fFlL")))
            return _Value(False, int(token.text.rstrip("uUlL"), 16 if is_hexadecimal else 10))
        if token.kind == "name":
            return self._named(token)
        found = f"found '{token.text}'" if token.text else "found the end"
        raise self._error(f"expected a number, a parameter or a constant; {found}")

    def _named(self, token: _Token) -> _Value:
        name = token.text
        if self.tokens[self.next + 1].text == "(":
            message = f"'{name}' is a function, which the C file does not have; write (n + 3) / 4 for cdiv(n, 4)"
            raise self._error(message)
        if name not in self.names:
            raise self._error(f"'{name}' is not a parameter of {self.kernel}{self._known(name)}")
        found = self.names[name]
        if found == "CUdeviceptr":
            raise self._error(f"'{name}' is a pointer; a grid is computed from numbers")
        if not isinstance(found, (str, int, float)) or (isinstance(found, str) and name in self.constants):
            raise self._error(f"'{name}' is {found!r}, which is not a number")
        self.next += 1
        return _Value(found == "double" or isinstance(found, float), None if isinstance(found, str) else found)

    def _known(self, name: str) -> str:
        numbers = [one for one, kind in self.names.items() if kind != "CUdeviceptr"]
        return suggestion(name, numbers) or f"; it has {', '.join(numbers) or 'no numbers'}"
