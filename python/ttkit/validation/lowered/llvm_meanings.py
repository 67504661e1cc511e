"""Operations of the llvm dialect on vectors, structs, pointers and memory."""

from __future__ import annotations

from typing import Any

from ttkit.interpreter.decode import Instruction
from ttkit.interpreter.errors import NotInterpretable
from ttkit.interpreter.lowered.ptx_text import split_outside
from ttkit.interpreter.lowered.type_sizes import dynamic, fields_of, size_of
from ttkit.interpreter.values import ValueType
from ttkit.validation.booleans import truth
from ttkit.validation.comparisons import resized
from ttkit.validation.integers import add, number, scaled
from ttkit.validation.lowered.accesses import GLOBAL, SHARED, load_global, load_shared, store_global, store_shared
from ttkit.validation.lowered.bits import bits, bytes_of, cast, joined, split
from ttkit.validation.lowered.elementwise import check_promises, each, element_sort
from ttkit.validation.lowered.meanings import means
from ttkit.validation.lowered.messages import load_table, print_line, report, store_on_stack
from ttkit.validation.lowered.registers import (
    Register,
    Struct,
    Value,
    Vector,
    collapsed,
    mapped,
    parts_of,
    uniform,
)
from ttkit.validation.terms import Term, make
from ttkit.validation.values import NotModelled


@means("llvm.mlir.undef", "llvm.mlir.poison")
def undefined(machine: Any, op: Instruction) -> Value:
    """A value without definition."""
    return undefined_of(op.result_types[0])


def undefined_of(kind: ValueType) -> Value:
    """A value of a type, without definition."""
    if kind.element is None:
        return Struct((None,) * len(field_types(kind.text)))  # type: ignore[arg-type]
    register = (make("undefined", (), "poison", element_sort(kind)),)
    return Vector((register,) * kind.shape[0]) if kind.shape else register


@means("llvm.mlir.zero")
def zero(machine: Any, op: Instruction) -> Value:
    """Zero.

    Raises:
        NotModelled: of a struct.
    """
    kind = op.result_types[0]
    if kind.element is None:
        raise NotModelled(f"zero of type {kind.text}", op)
    sort = element_sort(kind)
    register = (number(0, sort) if sort[0] == "i" else make("const", (), 0, sort),)
    return Vector((register,) * kind.shape[0]) if kind.shape else register


def field_types(text: str) -> list[str]:
    """The types of a struct's fields.

    Raises:
        NotModelled: it is not a struct.
    """
    if not text.startswith("!llvm.struct<("):
        raise NotModelled(f"values of type {text}")
    return split_outside(text.removeprefix("!llvm.struct<(").removesuffix(")>"), "<([", ">)]")


# --- vectors and structs


@means("llvm.extractvalue")
def extract_value(machine: Any, op: Instruction, struct: Struct) -> Value:
    """A field.

    Raises:
        NotModelled: it has not been set, or is inside of another struct.
    """
    [place] = op.attributes["position"]
    found = struct.fields[place]
    if found is None:
        return undefined_of(op.result_types[0])
    if isinstance(found, tuple) and op.result_types[0].element is not None:
        kind = op.result_types[0]
        return regrouped(op, (found,), kind) if kind.shape or found[0].sort != element_sort(kind) else found
    return found


@means("llvm.insertvalue")
def insert_value(machine: Any, op: Instruction, struct: Struct, value: Value) -> Struct:
    """The struct with another value in a field."""
    [place] = op.attributes["position"]
    fields = list(struct.fields)
    fields[place] = value
    return Struct(tuple(fields))


def place_of(op: Instruction, index: Register, count: int) -> int:
    """A known index of a vector.

    Raises:
        NotModelled: it is not known, or outside.
    """
    term = uniform(index)
    if not term.is_const or not 0 <= term.attr < count:
        raise NotModelled("an index of a vector that is not known", op)
    return int(term.attr)


@means("llvm.extractelement")
def extract_element(machine: Any, op: Instruction, vector: Vector, index: Register) -> Register:
    """vector[index]"""
    return vector.parts[place_of(op, index, len(vector.parts))]


@means("llvm.insertelement")
def insert_element(machine: Any, op: Instruction, vector: Vector, value: Register, index: Register) -> Vector:
    """The vector with another value at an index."""
    place = place_of(op, index, len(vector.parts))
    return Vector((*vector.parts[:place], value, *vector.parts[place + 1 :]))


@means("llvm.shufflevector")
def shuffle_vector(machine: Any, op: Instruction, a: Vector, b: Vector) -> Vector:
    """The elements of both vectors that the mask names."""
    both = (*a.parts, *b.parts)
    sort = a.parts[0][0].sort
    poison = (make("undefined", (), "poison", sort),)
    return Vector(tuple(poison if n < 0 else both[n] for n in op.attributes["mask"]))


@means("llvm.bitcast", pure=True)
def bitcast(machine: Any, op: Instruction, value: Value) -> Value:
    """The same bits."""
    return regrouped(op, parts_of(value), op.result_types[0])


def regrouped(op: Instruction, parts: tuple[Register, ...], kind: ValueType) -> Value:
    """The bits of registers as a value of another type.

    Raises:
        NotModelled: of booleans.
    """
    sort = element_sort(kind)
    count = kind.shape[0] if kind.shape else 1
    if parts[0][0].sort == sort and len(parts) == count:
        return Vector(parts) if kind.shape else parts[0]
    if "i1" in (sort, parts[0][0].sort):
        raise NotModelled("bits of booleans", op)
    size = bytes_of(sort)

    def of_thread(*terms: Term) -> tuple[Term, ...]:
        """The same for one thread."""
        given = bytes_of(terms[0].sort)
        if given >= size:
            pieces = [piece for term in terms for piece in split(term, size)]
        else:
            step = size // given
            pieces = [joined([bits(one) for one in terms[n : n + step]]) for n in range(0, len(terms), step)]
        return tuple(cast(piece, sort) for piece in pieces)

    found = mapped_several(of_thread, count, *parts)
    return Vector(tuple(found)) if kind.shape else found[0]


def mapped_several(function: Any, count: int, *registers: Register) -> list[Register]:
    """A function of registers that gives several terms, thread by thread."""
    threads = max(map(len, registers))
    memo: dict[tuple[Term, ...], tuple[Term, ...]] = {}
    rows = []
    for terms in zip(*(register * threads if len(register) == 1 else register for register in registers)):
        made = memo.get(terms)
        if made is None:
            made = memo[terms] = function(*terms)
        rows.append(made)
    return [collapsed(row[n] for row in rows) for n in range(count)]


# --- pointers


@means("llvm.mlir.addressof")
def address_of(machine: Any, op: Instruction) -> Register:
    """The first byte of shared memory, or of a text or a table of the module."""
    return (number(machine.module.global_addresses[op.attributes["global_name"]], "i64"),)


@means("llvm.getelementptr", pure=True)
def element_pointer(machine: Any, op: Instruction, base: Value, *given: Value) -> Value:
    """base + index * size of an element; further indices choose fields.

    Raises:
        NotModelled: a type without a known size.
    """
    text, left = str(op.attributes["elem_type"]), iter(given)
    result = base
    try:
        for place, index in enumerate(op.attributes["rawConstantIndices"]):
            if place == 0:
                size = size_of(op, text)
            elif text.startswith(("!llvm.array", "array", "vector")):
                text = text.removesuffix(">").partition("x")[2].strip()
                size = size_of(op, text)
            else:
                text, offset = fields_of(op, text)[0][index]
                result = each(lambda term, by=offset: add(term, number(by, "i64")), result)
                continue
            result = moved_by(result, next(left) if dynamic(index) else index, size)
    except NotInterpretable as error:
        raise NotModelled(str(error).splitlines()[0], op) from None
    return result


def moved_by(base: Value, index: Value | int, size: int) -> Value:
    """base + index * size, of a pointer or a vector of them, either of which may be one for all."""
    if isinstance(index, int):
        by = number(index * size, "i64")
        return each(lambda term: add(term, by), base)
    if isinstance(index, Vector) and not isinstance(base, Vector):
        base = Vector((base,) * len(index.parts))  # type: ignore[arg-type]
    if isinstance(base, Vector) and not isinstance(index, Vector):
        index = Vector((index,) * len(base.parts))  # type: ignore[arg-type]
    return each(lambda term, by: add(term, scaled(resized(by, "i64", signed=True), size)), base, index)


# --- memory

BASE_ALIGNMENT = 16
"""What the place of shared memory is known to be a multiple of, in bytes."""
PROMISES_OF_ACCESSES = ("invariant", "invariantGroup", "access_groups", "alias_scopes", "noalias_scopes", "tbaa")


def space_of(op: Instruction, kind: ValueType) -> int:
    """The address space of a pointer.

    Raises:
        NotModelled: it is not known.
    """
    if "ptr<3>" in kind.text:
        return SHARED
    if "ptr<1>" in kind.text:
        return GLOBAL
    raise NotModelled("memory of one thread, or of an unknown space", op)


def check_plain(op: Instruction) -> None:
    """Raises NotModelled if an access is volatile or ordered, or if it promises something about others."""
    if op.attributes.get("volatile_") or op.attributes.get("ordering"):
        raise NotModelled("a volatile or ordered access", op)
    if promised := [name for name in PROMISES_OF_ACCESSES if op.attributes.get(name)]:
        raise NotModelled(f"a promise to LLVM that is not checked: {promised[0]}", op)


def check_base(op: Instruction, alignment: int) -> None:
    """Raises NotModelled for an access to shared memory that is aligned to more than the place of all of it."""
    if alignment > BASE_ALIGNMENT:
        raise NotModelled(f"shared memory that is not known to begin at a multiple of {alignment} bytes", op)


@means("llvm.load")
def load(machine: Any, op: Instruction, address: Register) -> Value:
    """Memory at a pointer.

    Raises:
        NotModelled: it is read as a struct.
    """
    is_volatile = bool(op.attributes.get("volatile_"))
    if not is_volatile or op.attributes.get("ordering"):
        check_plain(op)
    kind, everybody = op.result_types[0], (truth(True),)
    if kind.element is None:
        raise NotModelled(f"a value of type {kind.text}", op)
    size, count = bytes_of(element_sort(kind)), kind.shape[0] if kind.shape else 1
    alignment = int(op.attributes.get("alignment", size * count))
    if space_of(op, op.operand_types[0]) == SHARED:
        check_plain(op)
        check_base(op, alignment)
        words = load_shared(machine, address, size, count, everybody, alignment)
    elif (found := load_table(machine, op, address, size, count)) is not None:
        words = found
    else:
        words = load_global(machine, address, size, count, everybody, None, alignment, is_volatile)
    parts = [mapped(lambda term: of_word(term, element_sort(kind)), word) for word in words]
    return Vector(tuple(parts)) if kind.shape else parts[0]


def of_word(term: Term, sort: str) -> Term:
    """A word of memory as a number; a byte as a boolean."""
    return resized(term, "i1", signed=False) if sort == "i1" else cast(term, sort)


@means("llvm.store")
def store(machine: Any, op: Instruction, value: Value, address: Register) -> tuple:
    """Writes memory at a pointer."""
    check_plain(op)
    if op.operand_types[1].text == "!llvm.ptr":
        store_on_stack(machine, op, value, address)
        return ()
    parts = parts_of(value)
    size = bytes_of(parts[0][0].sort)
    function = store_shared if space_of(op, op.operand_types[1]) == SHARED else store_global
    alignment = int(op.attributes.get("alignment", size * len(parts)))
    if function is store_shared:
        check_base(op, alignment)
    function(machine, address, [mapped(bits, part) for part in parts], (truth(True),), alignment=alignment)
    return ()


@means("llvm.call")
def call(machine: Any, op: Instruction, *values: Value) -> Value:
    """A function of libdevice, of the driver, or of the kernel.

    Raises:
        NotModelled: another function.
    """
    check_promises(op)
    name = op.attributes.get("callee", "")
    function = machine.module.functions.get(name)
    if function is not None and function.body is not None:
        return machine.called(function, values)
    if name == "vprintf":
        return print_line(machine, op, *values)  # type: ignore[arg-type]
    if name == "__assertfail":
        return report(machine, op, values[0])  # type: ignore[arg-type]
    if not name.startswith("__nv_") or not op.result_types:
        raise NotModelled(f"a call of {name}", op)
    sort = element_sort(op.result_types[0])
    return each(lambda *terms: make("call", terms, ("libdevice", name), sort), *values)
