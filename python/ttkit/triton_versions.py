"""Versions of Triton that scripts, packages and kernels ask for, as plain values.

`ttkit.language.versions` says what they decide.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

Version = tuple[int, int]

KNOWN: tuple[Version, ...] = ((3, 6), (3, 7), (3, 8), (3, 9))
FIRST = KNOWN[0]
RELEASES = {(3, 6): "3.6.0", (3, 7): "3.7.1", (3, 8): "3.8.0", (3, 9): "3.9.0"}
"""{version: its release whose interface is known}."""
_SPELLED = re.compile(r"3\.([6-9])(\.\d+)?")


class UnknownVersion(ValueError):
    """A version of Triton whose rules are not known."""


def is_version(text: object) -> bool:
    """Whether a text spells one of `KNOWN`."""
    return isinstance(text, str) and _SPELLED.fullmatch(text.strip()) is not None


def parsed(text: str) -> Version:
    """A version as "3.8" or "3.8.0" spells it.

    Raises:
        UnknownVersion: none of `KNOWN`.
    """
    found = _SPELLED.fullmatch(text.strip())
    if found is None:
        expected = ", ".join(f"{major}.{minor}" for major, minor in KNOWN)
        raise UnknownVersion(f"version must be one of {expected}, not {text!r}")
    return 3, int(found[1])


class Choice:
    """The versions of a script and of its packages.

    Attributes:
        script: that of what no package and no kernel decides.
        packages: {package, with dots if it is within another: version}.
    """

    def __init__(self, script: Version = FIRST, packages: Mapping[str, Version] | None = None) -> None:
        self.script = script
        self.packages = dict(packages or {})

    @classmethod
    def of_text(cls, text: str) -> Choice:
        """As TTKIT_TRITON_VERSION spells it: "3.9", or "3.6,fla=3.8,flag_gems=3.7".

        Raises:
            UnknownVersion: one of them is not known.
        """
        script, packages = FIRST, {}
        for item in filter(None, text.split(",")):
            package, equals, version = item.rpartition("=")
            if equals:
                packages[package.strip()] = parsed(version)
            else:
                script = parsed(version)
        return cls(script, packages)

    def __str__(self) -> str:
        spelled = [f"{name}={major}.{minor}" for name, (major, minor) in sorted(self.packages.items())]
        return ",".join(["{}.{}".format(*self.script), *spelled])

    def of_module(self, module: str) -> Version:
        """The version for a module: that of the innermost package that has one."""
        name = module
        while name:
            if name in self.packages:
                return self.packages[name]
            name = name.rpartition(".")[0]
        return self.script
