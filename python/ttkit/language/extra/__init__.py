"""What is particular to a target."""

from ttkit.language.extra import cuda, libdevice

__all__ = ["cuda", "libdevice"]
