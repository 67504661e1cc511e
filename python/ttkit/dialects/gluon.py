"""The gluon dialect in Python: a class and a builder for each operation.  `tt` says how they behave."""

from ttkit.dialects._gluon_ops import *  # noqa: F403
