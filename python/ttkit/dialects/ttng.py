"""The ttng dialect in Python: operations, and layouts of tensor memory.  `tt` says how they behave."""

from typing import TYPE_CHECKING

from mlir import ir

from ttkit.dialects._enums import on_demand
from ttkit.dialects._ttng_ops import *  # noqa: F403
from ttkit.dialects._type_base import LIBRARY, attribute_at, attribute_pointer

if TYPE_CHECKING:
    from ttkit.dialects._ttng_attributes import *  # noqa: F403
else:
    __getattr__ = on_demand("ttng", "attributes")


def cache_policy_fields(policy: ir.Attribute) -> dict[str, str | int | float]:
    """The fields of a `#ttng.cache_policy` by name: words, numbers of bytes, fractions; empty for another attribute.

    A `#tt.cache_policy` gives those that mean the same.
    """
    found = LIBRARY.ttkitCachePolicyGetFields(attribute_pointer(policy))
    return {field.name: field.attr.value for field in attribute_at(found)} if found else {}
