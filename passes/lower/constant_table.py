"""Lower constants of tensors whose elements differ.

    %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32, #b>

Where all threads hold the same elements, the constant is one of their registers.  Elsewhere each thread loads its
elements from a table in global memory, which the module holds.

Ops: arith    Test: test/lit/lower/arith.mlir, test/unit/test_lower_constants.py
"""

import re
import struct
from collections.abc import Sequence

from mlir import ir

from ttkit.layout import LinearLayout
from ttkit.passes.lower.lowering import Lowering
from ttkit.passes.lower.type_conversion import NAN, fp8_format
from ttkit.passes.lower.unsupported import CannotLower

PACKING = {"f16": ("<e", "<H"), "f32": ("<f", "<I"), "f64": ("<d", "<Q")}


def tensor_of(low: Lowering, result: ir.Value, value: ir.DenseElementsAttr) -> ir.Value:
    """The vector of this thread's elements of a constant.

    Raises:
        CannotLower: the elements are of a type whose bits cannot be read.
    """
    emit, layout, type = low.emit, low.layout(result), low.types.vector(result.type)
    element = type.element_type
    integer = (
        element if isinstance(element, ir.IntegerType) else ir.IntegerType.get_signless(element.width, emit.context)
    )
    numbers = in_layout_order(layout, element_patterns(value))
    vector = emit.vector(type.shape[0], integer)
    if not any(any(layout.columns_of(dim)) for dim in layout.in_dims if dim != "register"):
        packed = LinearLayout(layout.ins, (("element", layout.out_bits),), layout.columns)
        return emit.bitcast(emit.constant(vector, [numbers[place] for place in packed.values("register")]), type)
    stored = integer if integer.width >= 8 else emit.i8
    table = low.symbols.table(numbers, stored)
    loaded = [
        emit.load(emit.gep(table, place, stored), stored, stored.width // 8)
        for place in low.owners.element_places(result)
    ]
    if stored != integer:
        loaded = [emit.cast("trunc", one, integer) for one in loaded]
    return emit.bitcast(emit.pack(loaded), type)


def in_layout_order(layout: LinearLayout, numbers: Sequence[int]) -> list[int]:
    """Elements listed with the first dimension fastest, given those listed with the last dimension fastest."""
    bits = [bits for _, bits in layout.outs]
    found = []
    for place in range(1 << sum(bits)):
        number = 0
        for size in bits:
            number = number << size | place & (1 << size) - 1
            place >>= size
        found.append(numbers[number])
    return found


def element_patterns(value: ir.DenseElementsAttr) -> list[int]:
    """The bits of each element as a signed integer, or 0 and 1 for i1; the last dimension is the fastest.

    The bindings read no f16, bf16 and fp8: floats come from the text, one hexadecimal string where there are many.
    """
    type = value.type.element_type
    if isinstance(type, ir.IntegerType):
        return [int(number) for number in value]
    text = str(value)
    body = text[len("dense<") : text.rindex("> : ")]
    if body.startswith('"0x'):
        data, size = bytes.fromhex(body[3:-1]), type.width // 8
        return [int.from_bytes(data[at : at + size], "little", signed=True) for at in range(0, len(data), size)]
    return [float_pattern(number, type) for number in re.findall(r"[^\[\],\s]+", body)]


def float_pattern(text: str, type: ir.FloatType) -> int:
    """The bits of a float that MLIR wrote, as a signed integer; NaN and infinities are written as bits.

    Raises:
        CannotLower: nothing here knows the bits of such floats.
    """
    width = type.width
    if text.startswith("0x"):
        bits = int(text, 16)
    else:
        attribute = ir.FloatAttr.get(type, float(text), ir.Location.unknown(type.context))
        number = attribute.value
        name = str(type)
        if name in PACKING:
            pack, unpack = PACKING[name]
            (bits,) = struct.unpack(unpack, struct.pack(pack, number))
        elif name == "bf16":
            (bits,) = struct.unpack("<I", struct.pack("<f", number))
            bits >>= 16
        elif width == 8:
            return float_bits(attribute)
        else:
            raise CannotLower(f"found elements of {name} that differ")
    return bits - (1 << width) if bits >> width - 1 else bits


def float_bits(value: ir.FloatAttr) -> int:
    """The byte of an fp8 number, as a signed integer.  It is read from that of the f16 number, which has as many."""
    format = fp8_format(value.type)
    number = value.value
    if number != number:
        return NAN
    half = struct.unpack("<h", struct.pack("<e", number * 2.0 ** (format.bias - 15)))[0]
    return (half >> 8) if format.bias == 15 else (half >> 7 & 0x7F) - 128 * (half < 0)
