"""Making operations of the llvm and nvvm dialects, with little Python per operation.

Methods are named like LLVM's instructions.  They take scalars or vectors: an elementwise instruction has the type of
its operands.  Each goes to the current place with the current location.
"""

from collections.abc import Sequence
from typing import Any

from mlir import ir

from ttkit.dialects._operation import create_unchecked
from ttkit.passes.lower.operations import Operations
from ttkit.tuning.llvm import MANY_BYTES, PICKED_SINGLY, VECTOR_PART, WIDE_VECTOR, WIDE_VECTORS

DYNAMIC = -(2**31)
"""In a list of constant indices: this one is a value."""


class Emitter(Operations):
    """The parts of code beside `Operations`.  Constants are made once per function, in front of its entry block."""

    def __init__(self, context: ir.Context) -> None:
        super().__init__(context)
        self._constants: dict[Any, ir.Value] = {}
        self._numbers: dict[int, ir.Value] = {}
        self._bits: dict[Any, ir.Value] = {}
        self._packed: dict[ir.Value, Sequence[ir.Value]] = {}
        self._splatted: dict[ir.Value, ir.Value] = {}
        self._shuffled: dict[ir.Value, tuple[ir.Value, ir.Value, Sequence[int]]] = {}
        self._loaded: dict[ir.Value, ir.Location] = {}
        self._cast: dict[ir.Value, ir.Value] = {}
        # LLVM walks a whole vector at each of its elements: wide ones are taken apart, and made of parts.
        self._divides_vectors = WIDE_VECTORS.on
        self._constants_place: ir.InsertionPoint | None = None

    # --- Functions ----------------------------------------------------------------------------------------------------
    def begin_function(self, constants: ir.InsertionPoint) -> None:
        """Starts a function whose constants go to `constants`."""
        self._numbers.clear()
        tables = (self._constants, self._bits, self._packed, self._splatted, self._shuffled, self._loaded, self._cast)
        for table in tables:
            table.clear()
        self._constants_place = constants

    # --- Constants ----------------------------------------------------------------------------------------------------
    def constant(self, type: ir.Type, value: Any) -> ir.Value:
        """A constant: a number, splatted for a vector type, or a sequence with one for each element."""
        key = (type, tuple(value) if isinstance(value, (list, tuple)) else (value, str(value)))
        found = self._constants.get(key)
        if found is None:
            found = self._constants[key] = self.constant_of(type, self._constant_attribute(type, value))
        return found

    def constant_of(self, type: ir.Type, attribute: ir.Attribute) -> ir.Value:
        """A constant by its attribute."""
        return create_unchecked(
            "llvm.mlir.constant", (type,), (), {"value": attribute}, loc=self.location, ip=self._constants_place
        ).result

    def _constant_attribute(self, type: ir.Type, value: Any) -> ir.Attribute:
        if isinstance(type, ir.VectorType):
            element = type.element_type
            if isinstance(value, (list, tuple)):
                return ir.DenseElementsAttr.get([_number(element, one) for one in value], type)
            return ir.DenseElementsAttr.get_splat(type, _number(element, value))
        return _number(type, value)

    def poison(self, type: ir.Type) -> ir.Value:
        """A poison value: LLVM may choose any."""
        found = self._constants.get(type)
        if found is None:
            found = self._constants[type] = create_unchecked(
                "llvm.mlir.poison", (type,), (), loc=self.location, ip=self._constants_place
            ).result
        return found

    def zero(self, type: ir.Type) -> ir.Value:
        """All bits zero: of any type, pointers included."""
        return self.op("llvm.mlir.zero", type)

    def i32_constant(self, value: int) -> ir.Value:
        """An i32; one a function for each value."""
        found = self._numbers.get(value)
        if found is None:
            found = self._numbers[value] = self.constant(self.i32, value)
        return found

    # --- Vectors ------------------------------------------------------------------------------------------------------
    def splat(self, value: ir.Value, length: int) -> ir.Value:
        """A vector with `length` times a scalar."""
        type = self.vector(length, value.type)
        first = self.op("llvm.insertelement", type, self.poison(type), value, self.i32_constant(0))
        result = first if length == 1 else self._shuffled_vector(first, first, [0] * length)
        self._splatted[result] = value
        self._packed[result] = [value] * length
        return result

    def shuffle(self, first: ir.Value, second: ir.Value, picks: Sequence[int]) -> ir.Value:
        """The elements `picks` of both vectors, one after the other."""
        if first is second:
            count = first.type.shape[0]
            return self.pick(first, [place % count for place in picks])
        return self._shuffled_vector(first, second, picks)

    def pick(self, vector: ir.Value, picks: Sequence[int]) -> ir.Value:
        """The elements `picks` of a vector; of one that was put together here from a vector that has all of them."""
        while not is_whole(vector, picks) and (parts := self._shuffled.get(vector)) is not None:
            first, second, picked = parts
            length, places = first.type.shape[0], [picked[place] for place in picks]
            is_second = first is not second and min(places) >= length
            if not (is_second or first is second or max(places) < length):
                break
            vector, picks = (second if is_second else first), [place % length for place in places]
        if is_whole(vector, picks):
            return vector
        count = vector.type.shape[0]
        is_wide = count >= WIDE_VECTOR and self._divides_vectors and len(picks) < count
        if is_wide or (vector in self._packed and (len(picks) == 1 or self._takes_few(vector, len(picks)))):
            return self.pack([self.extract(vector, place) for place in picks])
        return self._shuffled_vector(vector, vector, picks)

    def _takes_few(self, vector: ir.Value, picks: int) -> bool:
        """Whether so few elements of a vector made here are better taken from what it was made of.

        For each shuffle of a wide vector LLVM looks at all elements, many times.  Bytes are parts of words.
        """
        type = vector.type
        is_wide = type.shape[0] >= PICKED_SINGLY and self._divides_vectors
        return is_wide and picks * 8 <= type.shape[0] and type.element_type != self.i8

    def _shuffled_vector(self, first: ir.Value, second: ir.Value, picks: Sequence[int]) -> ir.Value:
        mask = ir.DenseI32ArrayAttr.get(list(picks), self.context)
        type = self.vector(len(picks), first.type.element_type)
        shuffled = self.op("llvm.shufflevector", type, first, second, mask=mask)
        self._shuffled[shuffled] = first, second, picks
        if (place := self._loaded.get(first)) is not None:
            self._loaded[shuffled] = place
        return shuffled

    def extract(self, vector: ir.Value, index: int) -> ir.Value:
        """The element at an index of a vector; of one that was put together here, what it was made of."""
        while (packed := self._packed.get(vector)) is None and (shuffled := self._shuffled.get(vector)) is not None:
            first, second, picks = shuffled
            index, count = picks[index], first.type.shape[0]
            vector, index = (first, index) if index < count else (second, index - count)
        if packed is not None:
            return packed[index]
        element = self.op("llvm.extractelement", vector.type.element_type, vector, self.i32_constant(index))
        if (place := self._loaded.get(vector)) is not None:
            element.owner.operation.location = place
        return element

    def extract_bit(self, vector: ir.Value, index: int) -> ir.Value:
        """An element of a vector of i1, computed of single bits: LLVM packs vectors of them that it has to take apart.

        Looks through comparisons, `and`, `or`, `xor` and shuffles.
        """
        if (splatted := self._splatted.get(vector)) is not None:
            return splatted
        if (shuffled := self._shuffled.get(vector)) is not None:
            first, second, picks = shuffled
            picked, count = picks[index], first.type.shape[0]
            return self.extract_bit(first, picked) if picked < count else self.extract_bit(second, picked - count)
        if vector in self._packed or isinstance(vector.owner, ir.Block):
            return self.extract(vector, index)
        owner = vector.owner.operation
        name = owner.name
        assert self.place is not None
        key = (self.place.block, vector, index)
        found = self._bits.get(key)
        if found is None:
            if name in ("llvm.and", "llvm.or", "llvm.xor"):
                bits = [self.extract_bit(operand, index) for operand in owner.operands]
                found = bits[0] if bits[0] == bits[1] and name != "llvm.xor" else self.same(name, *bits)
            elif name == "llvm.icmp":
                numbers = [self.extract(operand, index) for operand in owner.operands]
                found = self.op(name, self.i1, *numbers, predicate=owner.attributes["predicate"])
            else:
                found = self.extract(vector, index)
            self._bits[key] = found
        return found

    def insert(self, vector: ir.Value, value: ir.Value, index: int) -> ir.Value:
        """A vector with another element at an index."""
        return self.same("llvm.insertelement", vector, value, self.i32_constant(index))

    def unpack(self, vector: ir.Value) -> list[ir.Value]:
        """The elements of a vector."""
        return [self.extract(vector, index) for index in range(vector.type.shape[0])]

    def pack(self, values: Sequence[ir.Value], wide: int = WIDE_VECTOR) -> ir.Value:
        """A vector of scalars; one of `wide` or more is made of shorter ones."""
        type = values[0].type
        divides = self._divides_vectors
        if divides and type == self.i8 and len(values) >= MANY_BYTES and len(values) % 4 == 0:
            words = [self.bitcast(self.pack(values[i : i + 4]), self.i32) for i in range(0, len(values), 4)]
            return self.bitcast(self.pack(words), self.vector(len(values), type))
        if divides and len(values) >= wide and len(values) % VECTOR_PART == 0:
            vector = self.concat([self.pack(values[i : i + VECTOR_PART]) for i in range(0, len(values), VECTOR_PART)])
        else:
            vector = self.poison(self.vector(len(values), type))
            for index, value in enumerate(values):
                vector = self.insert(vector, value, index)
        self._packed[vector] = values
        return vector

    def concat(self, vectors: Sequence[ir.Value]) -> ir.Value:
        """Vectors of one length, one after the other; their number is a power of two."""
        while len(vectors) > 1:
            picks = range(2 * vectors[0].type.shape[0])
            vectors = [self.shuffle(a, b, picks) for a, b in zip(vectors[::2], vectors[1::2])]
        return vectors[0]

    def slice(self, vector: ir.Value, start: int, length: int) -> ir.Value:
        """`length` elements from `start` on."""
        return self.pick(vector, range(start, start + length))

    def packed_struct(self, type: ir.Type, values: Sequence[ir.Value]) -> ir.Value:
        """A struct of these values."""
        struct = self.poison(type)
        for index, value in enumerate(values):
            struct = self.same("llvm.insertvalue", struct, value, position=self.position(index))
        return struct

    def field(self, struct: ir.Value, index: int, type: ir.Type) -> ir.Value:
        """A field of a struct."""
        return self.op("llvm.extractvalue", type, struct, position=self.position(index))

    # --- Arithmetic ---------------------------------------------------------------------------------------------------
    def add(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """`a + b` of integers, modulo 2^width."""
        return self.same("llvm.add", a, b)

    def sub(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """`a - b` of integers, modulo 2^width."""
        return self.same("llvm.sub", a, b)

    def mul(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """`a * b` of integers, modulo 2^width."""
        return self.same("llvm.mul", a, b)

    def and_(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """`a & b`."""
        return self.same("llvm.and", a, b)

    def or_(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """`a | b`."""
        return self.same("llvm.or", a, b)

    def or_disjoint(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """`or` of numbers that share no set bit, which LLVM may also see as a sum."""
        return self.same("llvm.or", a, b, isDisjoint=ir.UnitAttr.get(self.context))

    def xor(self, a: ir.Value, b: ir.Value) -> ir.Value:
        """`a ^ b`."""
        return self.same("llvm.xor", a, b)

    def flip(self, a: ir.Value, bits: int) -> ir.Value:
        """`a ^ bits` of an i32."""
        return self.xor(a, self.i32_constant(bits)) if bits else a

    def shl(self, a: ir.Value, bits: int) -> ir.Value:
        """`a << bits`."""
        return self.same("llvm.shl", a, self.constant(a.type, bits))

    def lshr(self, a: ir.Value, bits: int) -> ir.Value:
        """`a >> bits`, filled with zeros."""
        return self.same("llvm.lshr", a, self.constant(a.type, bits))

    def compare(self, predicate: str, a: ir.Value, b: ir.Value) -> ir.Value:
        """An integer comparison: eq, ne, slt, sle, sgt, sge, ult, ule, ugt, uge."""
        return self.op("llvm.icmp", self.like(a, self.i1), a, b, predicate=self.integer(ICMP.index(predicate)))

    def select(self, condition: ir.Value, then: ir.Value, otherwise: ir.Value) -> ir.Value:
        """`then` where `condition`, an i1 or a vector of them, holds, else `otherwise`."""
        return self.op("llvm.select", then.type, condition, then, otherwise)

    def cast(self, name: str, value: ir.Value, element: ir.Type) -> ir.Value:
        """bitcast, zext, sext, trunc, ptrtoint, inttoptr... to another element type."""
        return self.op(f"llvm.{name}", self.like(value, element), value)

    def bitcast(self, value: ir.Value, type: ir.Type) -> ir.Value:
        """The same bits as another type of the same width."""
        if value.type == type:
            return value
        origin = self._cast.get(value, value)
        if origin.type == type:
            return origin
        result = self.op("llvm.bitcast", type, origin)
        self._cast[result] = origin
        return result

    # --- Memory -------------------------------------------------------------------------------------------------------
    def gep(self, pointer: ir.Value, index: ir.Value | int, element: ir.Type) -> ir.Value:
        """The address of the `index`th element after a pointer; vectors of either make a vector."""
        type = pointer.type
        if isinstance(index, int):
            if index == 0:
                return pointer
            operands: tuple[ir.Value, ...] = (pointer,)
            constant = index
        else:
            operands, constant = (pointer, index), DYNAMIC
            if isinstance(index.type, ir.VectorType) and not isinstance(type, ir.VectorType):
                type = self.vector(index.type.shape[0], type)
        return self.op(
            "llvm.getelementptr",
            type,
            *operands,
            rawConstantIndices=self.constant_index(constant),
            elem_type=self.type_attribute(element),
        )

    def load(self, pointer: ir.Value, type: ir.Type, alignment: int, **attributes: Any) -> ir.Value:
        """alignment: of the address, in bytes."""
        loaded = self.op("llvm.load", type, pointer, alignment=self.integer(alignment), **attributes)
        if isinstance(type, ir.VectorType):
            # LLVM puts loads of single elements where these are taken, with the location of what takes them.
            self._loaded[loaded] = self.location
        return loaded

    def store(self, value: ir.Value, pointer: ir.Value, alignment: int, **attributes: Any) -> None:
        """alignment: of the address, in bytes."""
        self.effect("llvm.store", value, pointer, alignment=self.integer(alignment), **attributes)


ICMP = ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge")


def is_whole(vector: ir.Value, picks: Sequence[int]) -> bool:
    """Whether picks are all elements of a vector in their order."""
    return len(picks) == vector.type.shape[0] and all(place == number for number, place in enumerate(picks))


def _number(type: ir.Type, value: Any) -> ir.Attribute:
    if isinstance(type, ir.IntegerType):
        bits = type.width
        value = int(value) & (1 << bits) - 1
        return ir.IntegerAttr.get(type, value - (1 << bits) if bits > 1 and value >> bits - 1 else value)
    return ir.FloatAttr.get(type, float(value), loc=ir.Location.unknown(type.context))
