"""Conditions on polynomials."""

from __future__ import annotations

from dataclasses import dataclass

from ttkit.sanitizer.proof.polynomials import Poly


@dataclass(frozen=True)
class Condition:
    """kind: "le" (poly at most zero), "and", "or", "true", "false", or "unknown"."""

    kind: str
    poly: Poly | None = None
    parts: tuple[Condition, ...] = ()

    def facts(self) -> list[Poly]:
        """Polynomials that are at most zero where it holds."""
        if self.kind == "le":
            assert self.poly is not None
            return [self.poly]
        return [fact for part in self.parts for fact in part.facts()] if self.kind == "and" else []

    @property
    def is_exact(self) -> bool:
        """Whether nothing in it is unknown."""
        return self.kind != "unknown" and all(part.is_exact for part in self.parts)

    def negated(self) -> Condition:
        """The condition that holds where this one does not."""
        if self.kind == "le":
            assert self.poly is not None
            return at_most_zero(Poly.of(1) - self.poly)
        if self.kind in ("and", "or"):
            return Condition("or" if self.kind == "and" else "and", parts=tuple(part.negated() for part in self.parts))
        return {"true": FALSE, "false": TRUE}.get(self.kind, UNKNOWN_CONDITION)


TRUE, FALSE, UNKNOWN_CONDITION = Condition("true"), Condition("false"), Condition("unknown")


def at_most_zero(poly: Poly) -> Condition:
    """The condition that a polynomial is 0 or less."""
    return Condition("le", poly)


def both(*parts: Condition) -> Condition:
    """The condition that all of these hold."""
    return Condition("and", parts=parts)


def either(*parts: Condition) -> Condition:
    """The condition that one of these holds."""
    return Condition("or", parts=parts)
