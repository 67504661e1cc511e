"""Layout attributes to and from `ttkit.layout` values, each looked up once per context.

Attributes are unique within a context, so the address of one identifies it for as long as the context lives.  The
tables hold addresses, not attributes, which would keep the context alive; libttkit tells when a context dies, and its
entries are forgotten.
"""

import atexit
import functools
from typing import TYPE_CHECKING, Any, ClassVar

from mlir import ir

from ttkit._signatures import ContextDestroyed
from ttkit.dialects._type_base import LIBRARY, attribute_at, attribute_pointer, context_pointer

if TYPE_CHECKING:
    from ttkit.layout import LinearLayout
    from ttkit.layout.encodings import Layout

_LAYOUTS: dict[int, "Layout"] = {}  # by address of the attribute
_ATTRIBUTES: dict[tuple[int, "Layout"], int] = {}  # by address of the context
_KNOWN: dict[int, set[int]] = {}  # address of a context -> the addresses of its attributes in _LAYOUTS


def layout_of(subject: ir.Attribute | ir.Type | ir.Value) -> "Layout | None":
    """The layout of a layout attribute, a type, or a value of such a type; None for a tensor without a layout.

    Raises:
        ValueError: the attribute is not a layout.
        TypeError: the type is one that has no layout.
    """
    if isinstance(subject, ir.Value):
        subject = subject.type
    attribute = encoding_of(subject) if isinstance(subject, ir.Type) else subject
    if attribute is None:
        return None
    pointer = attribute_pointer(attribute)
    found = _LAYOUTS.get(pointer)
    return found if found is not None else _read(attribute, pointer)


def linear_layout_of(subject: ir.Type | ir.Value) -> "LinearLayout":
    """The linear layout of a tensor, memory descriptor or tensor descriptor type, or of a value of one.

    For a memory descriptor it is the shape of the allocation, without the dimensions that count buffers.

    Raises:
        TypeError: the type has no layout.
        ttkit.layout.UnsuitableShape: the layout does not suit the shape.
    """
    from ttkit.layout import to_linear_layout

    type = subject.type if isinstance(subject, ir.Value) else subject
    layout = layout_of(type)
    if layout is None:
        raise TypeError(f"{type} has no layout")
    type = getattr(type, "block_type", type)  # of a tensor descriptor
    shape = getattr(type, "alloc_shape", None) or type.shape
    return to_linear_layout(tuple(shape)[len(shape) - layout.rank :], layout)


def encoding_of(type: Any) -> ir.Attribute | None:
    """The layout attribute of a tensor, memory descriptor or tensor descriptor type.

    Raises:
        TypeError: the type is none of these.
    """
    if isinstance(type, ir.RankedTensorType):
        return type.encoding
    name = getattr(type, "type_name", None)  # the modules of these types import this one
    if name == "ttg.memdesc":
        return type.encoding
    if name == "tt.tensordesc":
        return type.block_type.encoding
    raise TypeError(f"{type} has no layout: it is not a tensor, memory descriptor or tensor descriptor")


def attribute(layout: "Layout", context: ir.Context | None = None) -> ir.Attribute:
    """The attribute of `layout` in `context`, by default the current one.

    Raises:
        ir.MLIRError: the attribute's verifier refuses the layout.
        ValueError: there is no current context.
    """
    context = context or ir.Context.current
    if context is None:
        raise ValueError("no context given, and none is current")
    key = (context_pointer(context), layout)
    pointer = _ATTRIBUTES.get(key)
    if pointer is not None:
        return attribute_at(pointer)
    made = ir.Attribute.parse(_text(layout), context)
    _remember(made, layout)
    return made


@functools.lru_cache(1024)
def _text(layout: "Layout") -> str:
    """The attribute's text, made once for all contexts."""
    return str(layout)


class LayoutAttribute(ir.Attribute):
    """A layout attribute; a class for each kind, as `ttg.BlockedEncodingAttr`.  `Class(attribute)` casts.

    Raises:
        ValueError: the attribute is of another kind.
    """

    value_class: ClassVar[type[Any]]

    def __init__(self, cast_from: ir.Attribute) -> None:
        if not self.isinstance(cast_from):
            raise ValueError(f"{cast_from} is not a {type(self).__name__}")
        ir.Attribute.__init__(self, cast_from)

    @classmethod
    def isinstance(cls, other: ir.Attribute) -> bool:
        """Whether the attribute is of this kind."""
        value = cls.value_class
        return str(other).startswith(f"#{value.dialect}.{value.mnemonic}<") and isinstance(layout_of(other), value)

    @classmethod
    def _of(cls, layout: "Layout", context: ir.Context | None) -> Any:
        return cls(attribute(layout, context))

    @property
    def layout(self) -> Any:
        """The `ttkit.layout` value."""
        return layout_of(self)


def field(name: str) -> Any:
    """The accessor of a field of the value."""
    return property(lambda attribute: getattr(attribute.layout, name))


def _read(attribute: ir.Attribute, pointer: int) -> "Layout":
    from ttkit.layout.encodings import parse_layout

    layout = _LAYOUTS[pointer] = parse_layout(str(attribute))
    _remember(attribute, layout)
    return layout


def _remember(attribute: ir.Attribute, layout: "Layout") -> None:
    context = attribute.context
    context_key, attribute_key = context_pointer(context), attribute_pointer(attribute)
    if context_key not in _KNOWN:
        _KNOWN[context_key] = set()
        LIBRARY.ttkitWatchContext(context_key)
    _KNOWN[context_key].add(attribute_key)
    _LAYOUTS[attribute_key] = layout
    _ATTRIBUTES[context_key, layout] = attribute_key


@ContextDestroyed
def _forget(context_key: int) -> None:
    for attribute_key in _KNOWN.pop(context_key):
        layout = _LAYOUTS.pop(attribute_key)
        _ATTRIBUTES.pop((context_key, layout), None)


LIBRARY.ttkitSetContextDestroyed(_forget)
# A context that outlives the interpreter must not call back into it.
atexit.register(LIBRARY.ttkitSetContextDestroyed, ContextDestroyed())
