"""Changes of Python functions: the syntax tree of a kernel with expressions and statements replaced, moved, wrapped."""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Callable, Iterator

VALUES = """0 1 -1 2 3 7 64 1<<20 (1<<31) (1<<63) -(1<<63) (1<<70) 1.5 -0.0 1e400 float('nan') 'x' '' b'x' None True
    False
    () (1,) (1,2) [] [1,2] {} {'a':1} ... 1j tl tl.float32 tl.int1 tl.pointer_type(tl.float32) tl.arange(0,16)
    tl.zeros([16],tl.float32) tl.full([4,4],0,tl.int32) tl.program_id(0) tl.constexpr(3) int len range(4) tl.range(4)
    (lambda_:=3) (yield) [q_for_q_in_(1,2)] f'{1}' 10**300 tl.load tl.zeros([],tl.float32) tl.make_block_ptr slice(1)
    (*(1,2),) not_1 x y out n BLOCK self""".split()
BLOCKS = """if VALUE: STATEMENT
for i in range(VALUE): STATEMENT
for i in tl.range(VALUE, VALUE, VALUE): STATEMENT
for i in tl.static_range(4): STATEMENT
for i in VALUE: STATEMENT
while VALUE: STATEMENT
with VALUE as w: STATEMENT
if VALUE: return VALUE
assert VALUE, VALUE
return VALUE
del VALUE
global g
import os
raise VALUE
a, b = VALUE
a: tl.constexpr = VALUE
a += VALUE
a[VALUE] = VALUE
a.b = VALUE
tl.store(VALUE, VALUE, mask=VALUE)
tl.static_assert(VALUE)
tl.device_assert(VALUE, VALUE)
tl.device_print(VALUE, VALUE)
break
continue
pass
try: STATEMENT\nexcept VALUE: STATEMENT
match VALUE:\n  case 1: STATEMENT
def f(): return VALUE
class C: pass
a = [i for i in VALUE]
a = lambda q: VALUE
a = VALUE if VALUE else VALUE
a = VALUE and VALUE or VALUE
a = VALUE < VALUE < VALUE
a = VALUE[VALUE:VALUE, None]""".replace("\\n", "\n")
OPERATORS: tuple[tuple[type, ...], ...] = (
    (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.LShift, ast.RShift,
     ast.BitOr, ast.BitAnd, ast.BitXor),
    (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.Is, ast.IsNot, ast.In, ast.NotIn),
    (ast.UAdd, ast.USub, ast.Not, ast.Invert),
    (ast.And, ast.Or),
)  # fmt: skip
Change = Callable[[random.Random, ast.FunctionDef, "Pieces"], None]


class Pieces:
    """Expressions and statements of many kernels, to put into others."""

    def __init__(self, functions: list[str]) -> None:
        trees = [ast.parse(text) for text in functions]
        nodes = [node for tree in trees for node in ast.walk(tree)]
        self.expressions = [node for node in nodes if isinstance(node, ast.expr) and not isinstance(node, ast.Starred)]
        self.statements = [
            node for node in nodes if isinstance(node, ast.stmt) and not isinstance(node, ast.FunctionDef)
        ]
        self.called = sorted({ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)})
        self.values = [value for text in VALUES if (value := parsed(text.replace("_", " "))) is not None]
        self.blocks = [line for line in BLOCKS.split("\n") if not line.startswith(("except", "  case"))]

    def expression(self, rng: random.Random) -> ast.expr:
        return copy.deepcopy(rng.choice(self.values if rng.random() < 0.5 else self.expressions))


def parsed(text: str) -> ast.expr | None:
    """An expression; None for what is none."""
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return None


def expressions(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Places of expressions: parent, field, position in the list."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                yield node, field, None
            elif isinstance(value, list):
                yield from ((node, field, n) for n, item in enumerate(value) if isinstance(item, ast.expr))


def bodies(tree: ast.AST) -> list[list[ast.stmt]]:
    """Lists of statements."""
    lists = (getattr(node, field, None) for node in ast.walk(tree) for field in ("body", "orelse", "finalbody"))
    return [item for item in lists if isinstance(item, list) and item]


def other_expression(rng: random.Random, tree: ast.FunctionDef, pieces: Pieces) -> None:
    """An expression replaced by one of this kernel, of any, or by an odd value."""
    places = list(expressions(tree))
    if not places:
        return
    node, field, at = rng.choice(places)
    own = rng.choice(places)
    new = get(*own) if rng.random() < 0.4 else pieces.expression(rng)
    put(node, field, at, copy.deepcopy(new))


def get(node: ast.AST, field: str, at: int | None) -> ast.expr:
    """An expression in a field, or at a place of it."""
    value = getattr(node, field)
    return value if at is None else value[at]


def put(node: ast.AST, field: str, at: int | None, new: ast.expr) -> None:
    """Replaces an expression in a field, or at a place of it."""
    if at is None:
        setattr(node, field, new)
    else:
        getattr(node, field)[at] = new


def other_operator(rng: random.Random, tree: ast.FunctionDef, _pieces: Pieces) -> None:
    """Another operator of its group in the place of one."""
    nodes = [node for node in ast.walk(tree) if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.AugAssign))]
    nodes += [node for node in ast.walk(tree) if isinstance(node, ast.Compare)]
    if not nodes:
        return
    node = rng.choice(nodes)
    old = node.ops[0] if isinstance(node, ast.Compare) else node.op
    new = rng.choice(next(group for group in OPERATORS if isinstance(old, group)))()
    if isinstance(node, ast.Compare):
        node.ops[0] = new
    else:
        node.op = new


def other_call(rng: random.Random, tree: ast.FunctionDef, pieces: Pieces) -> None:
    """Another function, an argument more or less, by position or by name."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    if not calls:
        return
    call, how = rng.choice(calls), rng.random()
    if how < 0.4:
        call.func = ast.parse(rng.choice(pieces.called), mode="eval").body
    elif how < 0.6:
        call.args.insert(rng.randint(0, len(call.args)), pieces.expression(rng))
    elif how < 0.8 and call.args:
        call.args.pop(rng.randrange(len(call.args)))
    else:
        names = (
            "axis mask other dtype sem scope eviction_policy num_stages BLOCK combine_fn shape boundary_check".split()
        )
        call.keywords.append(ast.keyword(rng.choice(names), pieces.expression(rng)))


def other_statement(rng: random.Random, tree: ast.FunctionDef, pieces: Pieces) -> None:
    """Statements deleted, repeated, exchanged, taken from elsewhere, wrapped."""
    body = rng.choice(bodies(tree))
    at, how = rng.randrange(len(body)), rng.random()
    if how < 0.2 and len(body) > 1:
        del body[at]
    elif how < 0.3:
        body.insert(rng.randint(0, len(body)), copy.deepcopy(body[at]))
    elif how < 0.4:
        other = rng.randrange(len(body))
        body[at], body[other] = body[other], body[at]
    elif how < 0.6:
        body.insert(at, copy.deepcopy(rng.choice(pieces.statements)))
    else:
        text = rng.choice(pieces.blocks)
        while "VALUE" in text:
            text = text.replace("VALUE", f"({ast.unparse(pieces.expression(rng))})", 1)
        text = text.replace("STATEMENT", "pass")
        try:
            new = ast.parse(text).body[0]
        except SyntaxError:
            return
        inner = getattr(new, "body", None)
        if isinstance(inner, list) and inner and rng.random() < 0.7:
            inner[:] = [copy.deepcopy(body[at])]
            body[at] = new
        else:
            body.insert(at, new)


CHANGES: tuple[Change, ...] = (
    (other_expression,) * 5 + (other_operator, other_call, other_call) + (other_statement,) * 3
)


def change_function(rng: random.Random, text: str, pieces: Pieces) -> str:
    """A function changed in one to three places; its parameters stay."""
    module = ast.parse(text)
    tree = module.body[0]
    assert isinstance(tree, ast.FunctionDef)
    whole, tree.args, tree.decorator_list = tree.args, ast.parse("def f(): pass").body[0].args, []
    for _ in range(rng.choice((1, 1, 2, 3))):
        rng.choice(CHANGES)(rng, tree, pieces)
    tree.args = whole
    try:
        return ast.unparse(ast.fix_missing_locations(module))
    except (ValueError, AttributeError, TypeError, RecursionError):  # a tree that is no program
        return text
