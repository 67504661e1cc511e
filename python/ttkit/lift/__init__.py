"""IR with layouts as source in Gluon.

`lifted(module)` writes the source; `check(module, source)` compiles it and compares.  An operation that Gluon can't say
is a `LiftError` with the operation and its place.
"""

from ttkit.lift.check import canonical_text, check
from ttkit.lift.errors import LiftError
from ttkit.lift.modules import Lifted, lifted

__all__ = ["LiftError", "Lifted", "canonical_text", "check", "lifted"]
