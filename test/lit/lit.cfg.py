"""The suite of ttkit itself: as lit is configured for anyone's passes, and where the examples are."""

import shlex
from pathlib import Path

from ttkit.lit_config import configure

configure(config, __file__, "ttkit")
config.substitutions.append(("%examples", shlex.quote(str(Path(config.test_source_root).parents[1] / "examples"))))
config.environment["OPENBLAS_NUM_THREADS"] = "1"  # tests run on all cores, and their matrices are small
