"""Terms: what one element of a value is, as a function of its index, the program and the arguments.

Terms are hashed and shared: two terms of a session are equal exactly if they are one object.  A tensor is one term that
has a variable for each dimension, `x0`, `x1`...; along a dimension of size 1 the index is 0.  So a splat, a broadcast
and a change of layout leave a term as it is, and other views replace its variables.

    head        meaning
    const       a number: attr is the integer, or the bits of a float
    x           the index along a dimension of the tensor: attr (dimension, size)
    bound       the index that a reduction, a scan or a dot runs over: attr (level, size)
    argument    an argument of the kernel: attr its number
    count       iterations that the loop of a level has done: attr its level
    carried     a value that a loop carries: attr (level, name), args the index
    poly, ite   a sum of products, a choice; others are operations, with their attributes in attr

The sort "mem" is that of memory: what stands in it, and everything that has been done so far, in order.  Variables `x`
of what is stored belong to the store: nothing replaces them from outside.
"""

from __future__ import annotations

import itertools
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

Value = TypeVar("Value")

MEMORY = "mem"
CLOSED = ("system", "access", "closed")
"""Heads of terms besides memory whose variables `x` belong to them."""
SYMBOLS = ("count", "carried")
NOWHERE: frozenset[int] = frozenset()
BACKGROUND = ("in flight", "running")
"""Heads of terms that come to be when work in the background ends."""
BINDING = ("system",)
"""Heads of terms that bind the symbols of the level in their attr[0]."""


class Term:
    """A shared term; `make` makes it.

    number: counts up in the session: an order for the operands of commutative operations.
    indexed: whether it has variables `x` that may be replaced.
    level: the largest level of a `bound` in it; -1 without.
    loops: levels of loops whose symbols are free in it.
    depth: of the tree.
    waits: whether a part of it is in the background.
    """

    __slots__ = ("args", "attr", "cache", "depth", "head", "indexed", "level", "loops", "number", "sort", "waits")

    def __init__(self, head: str, args: tuple[Term, ...], attr: Any, sort: str, number: int) -> None:
        self.head, self.args, self.attr, self.sort, self.number = head, args, attr, sort, number
        indexed, level, depth, loops = head == "x", -1, 0, NOWHERE
        waits = head in BACKGROUND
        for arg in args:
            if arg.waits:
                waits = True
            if arg.indexed:
                indexed = True
            if arg.level > level:  # not `max`: terms are made by the million
                level = arg.level
            if arg.depth > depth:
                depth = arg.depth
            if arg.loops is not loops and arg.loops:
                loops = loops | arg.loops if loops else arg.loops
        self.indexed: bool = indexed and sort != MEMORY and head not in CLOSED
        self.level: int = attr[0] if head == "bound" else level
        self.depth: int = 1 + depth
        self.waits: bool = waits
        if head in SYMBOLS:
            loops = loops | {attr[0]}
        elif head in BINDING:
            loops = loops - {attr[0]}
        self.loops: frozenset[int] = loops
        self.cache: dict[Any, Any] | None = None

    @property
    def is_const(self) -> bool:
        """Whether it is a number."""
        return self.head == "const"

    def __repr__(self) -> str:
        return text_of(self)


Interval: TypeAlias = tuple[int, int]


class Session:
    """The table of the terms of one comparison; terms of two sessions do not mix.

    facts: intervals in which terms are taken to be.
    places, indices: what `at_place` and `at_index` made, as long as facts stay.
    casts: by sort, bits of terms in it.
    contents: by the type of a buffer, offsets and elements of what a slot of it holds, as long as facts stay.
    without: by a head, terms that have no part of it.
    many: a loop that has more iterations than are followed one by one (`iterations.Many`).
    """

    def __init__(self, facts: Callable[[Session], Mapping[Term, Interval]] | None = None) -> None:
        self.table: dict[Any, Term] = {}
        self.numbers = itertools.count()
        self.facts: dict[Term, Interval] = {}
        self.many: Any = None
        self.names: dict[Any, int] = {}
        self.without: dict[str, set[Term]] = {}
        self.places: dict[tuple[int, int], dict[Term, Term]] = {}
        self.indices: dict[tuple[tuple[int, Term], ...], dict[Term, Term]] = {}
        self.contents: dict[str, dict[Term, list[tuple[int, Term]]]] = {}
        self.casts: defaultdict[str, dict[Term, Term]] = defaultdict(dict)

    def __enter__(self) -> Session:
        self._outer = getattr(_current, "session", None)
        _current.session = self
        return self

    def __exit__(self, *error: object) -> None:
        _current.session = self._outer


_current = threading.local()


def session() -> Session:
    """The session of this thread."""
    return _current.session


def adopt(one: Session) -> None:
    """This thread goes on in a session of another one."""
    _current.session = one


def make(head: str, args: Iterable[Term] = (), attr: Any = None, sort: str = "i32") -> Term:
    """The term, as it is; `rebuild` simplifies."""
    here: Session = _current.session
    if args.__class__ is not tuple:
        args = tuple(args)
    key = (head, args, attr, sort)
    found = here.table.get(key)
    if found is None:
        found = here.table[key] = Term(head, args, attr, sort, next(here.numbers))
    return found


REBUILD: dict[str, Callable[[tuple[Term, ...], Any, str], Term]] = {}
"""By head, the function that makes a term of new operands and simplifies it."""


PLACED: dict[str, Callable[[Term, tuple[Term, ...], int, int], Term | None]] = {}
"""By head, a short way to the term that has a number in place of the index along a dimension, of its new operands."""


def rebuild(head: str, args: tuple[Term, ...], attr: Any, sort: str) -> Term:
    """The term, simplified."""
    maker = REBUILD.get(head)
    return make(head, args, attr, sort) if maker is None else maker(args, attr, sort)


Replacement: TypeAlias = Callable[[Term, "tuple[Term, ...]"], "Term | None"]


def rewritten(root: Term, replace: Replacement, skips: Callable[[Term], bool], memo: dict[Term, Term]) -> Term:
    """A term with some of its parts replaced, from the leaves up.

    Args:
        replace: takes a part and its new operands; gives what stands for it, None to make it anew.
        skips: parts that stay.
        memo: what stands for which part; of earlier calls with the same functions.
    """
    stack = [root]
    while stack:
        term = stack[-1]
        if term in memo:
            stack.pop()
            continue
        if skips(term):
            memo[term] = term
            stack.pop()
            continue
        found = [memo.get(arg) for arg in term.args]
        if not all(found):
            stack += [arg for arg, one in zip(term.args, found) if one is None]
            continue
        args: tuple[Term, ...] = tuple(found)  # type: ignore[arg-type]
        new = replace(term, args)
        if new is None:
            new = term if args == term.args else rebuild(term.head, args, term.attr, term.sort)
        memo[term] = new
        stack.pop()
    return memo[root]


def folded(root: Term, value_of: Callable[[Term], Value], known: dict[Term, Value]) -> Value:
    """A value of a term, from those of its operands.

    Args:
        value_of: the value of a term whose operands have theirs in `known`.
        known: values of terms; gets those of all parts.
    """
    stack = [root]
    while stack:
        term = stack[-1]
        missing = [arg for arg in term.args if arg not in known] if term not in known else []
        if missing:
            stack += missing
            continue
        stack.pop()
        if term not in known:
            known[term] = value_of(term)
    return known[root]


def at_index(root: Term, index: Mapping[int, Term]) -> Term:
    """A tensor's element: its variables `x`, by dimension, are replaced.  The same is worked out once in a session."""
    if not root.indexed:
        return root

    def replace(term: Term, args: tuple[Term, ...]) -> Term | None:
        """The index in place of the variable."""
        return index[term.attr[0]] if term.head == "x" and term.attr[0] in index else None

    memo = session().indices.setdefault(tuple(sorted(index.items(), key=lambda item: item[0])), {})
    return rewritten(root, replace, lambda term: not term.indexed, memo)


def at_bound(root: Term, size: int, level: int, place: Term) -> Term:
    """A term in which the index that an operation runs over, of `size` elements at a level, is replaced by `place`."""

    def replace(term: Term, args: tuple[Term, ...]) -> Term | None:
        """`place` for the bound index, nothing for other terms."""
        return place if term.head == "bound" and term.attr == (level, size) else None

    return rewritten(root, replace, lambda term: term.level < level, {})


def _placed(root: Term, dimension: int, here: Term, memo: dict[Term, Term]) -> Term:
    """A term with a number in place of the index along a dimension: what most of a proof of lowered code takes."""
    stack = [root]
    while stack:
        term = stack[-1]
        if term in memo:
            stack.pop()
            continue
        args = term.args
        found = [memo.get(arg) if arg.indexed else arg for arg in args]
        if not all(found):
            stack += [arg for arg, one in zip(args, found) if one is None]
            continue
        stack.pop()
        if term.head == "x":
            memo[term] = here if term.attr[0] == dimension else term
            continue
        new: tuple[Term, ...] = tuple(found)  # type: ignore[arg-type]
        if new == args:
            memo[term] = term
            continue
        placed = PLACED.get(term.head)
        made = placed(term, new, dimension, here.attr) if placed is not None else None
        memo[term] = rebuild(term.head, new, term.attr, term.sort) if made is None else made
    return memo[root]


def at_place(root: Term, index: Iterable[tuple[int, int]]) -> Term:
    """A tensor's element at known places: (dimension, index).  What elements share is worked out once in a session."""
    memos = session().places
    for dimension, place in index:
        if not root.indexed:
            return root
        memo = memos.get((dimension, place))
        if memo is None:
            memo = memos[dimension, place] = {}
        found = memo.get(root)
        if found is None:
            found = _placed(root, dimension, make("const", (), place, "i32"), memo)
        root = found
    return root


def free_symbols(root: Term, level: int) -> Iterator[Term]:
    """The symbols of a loop's level that no loop in the term binds, each once."""
    seen: set[Term] = set()
    stack = [root]
    while stack:
        term = stack.pop()
        if term in seen or level not in term.loops:
            continue
        seen.add(term)
        if term.head in SYMBOLS and term.attr[0] == level:
            yield term
        stack.extend(reversed(term.args))


def parts_within(*roots: Term) -> Iterator[Term]:
    """Terms and all their parts, each once."""
    stack, seen = list(roots), set()
    while stack:
        term = stack.pop()
        if term not in seen:
            seen.add(term)
            yield term
            stack.extend(term.args)


def has_part(root: Term, head: str) -> bool:
    """Whether a term has a part of that head; what has none is remembered in a session."""
    if head in BACKGROUND and not root.waits:
        return False
    without = session().without.setdefault(head, set())
    stack, seen = [root], set()
    while stack:
        term = stack.pop()
        if term not in seen and term not in without:
            if term.head == head:
                return True
            seen.add(term)
            stack.extend(term.args)
    without |= seen
    return False


def x(dimension: int, size: int) -> Term:
    """The index along a dimension of a size."""
    return make("x", (), (dimension, size)) if size != 1 else make("const", (), 0, "i32")


def indices(shape: tuple[int, ...]) -> list[Term]:
    """The index of a tensor's element."""
    return [x(d, size) for d, size in enumerate(shape)]


def text_of(term: Term, most: int = 6) -> str:
    """A term as text, down to a depth."""
    if term.head == "const":
        return str(term.attr) if term.sort[0] == "i" else f"{term.sort}:{term.attr:#x}"
    if term.head in ("x", "bound"):
        return f"{term.head}{term.attr[0]}"
    if term.head == "argument":
        return f"arg{term.attr}"
    if most == 0:
        return "..."
    if term.head == "poly":
        parts, args = [], iter(term.args)
        for factor, count in term.attr:
            names = [text_of(next(args), most - 1) for _ in range(count)]
            parts.append(" * ".join(([str(factor)] if factor != 1 or not names else []) + names))
        return f"({' + '.join(parts)})"
    name = term.head if term.attr is None else f"{term.head}[{term.attr}]"
    return f"{name}({', '.join(text_of(arg, most - 1) for arg in term.args)})"
