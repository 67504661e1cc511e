"""The examples' tests run as the suite in test/lit does."""

import os

here = os.path.dirname(__file__)
lit_config.load_config(config, os.path.join(here, "..", "test", "lit", "lit.cfg.py"))
config.name = "examples"
config.test_source_root = here
config.test_exec_root = os.path.join(here, "Output")
config.excludes = ["kernels"]
