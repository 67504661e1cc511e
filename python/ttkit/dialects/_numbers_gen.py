"""The enumerations of tt and ttg under their former name: import them of `ttkit.dialects.tt`."""

from ttkit.dialects._tt_enums import *  # noqa: F403
from ttkit.dialects._ttg_enums import *  # noqa: F403
