"""lit's test format, also in a checkout whose path has a blank."""

import copy
import os
import shlex

import lit.formats
import lit.TestRunner


class QuotingShTest(lit.formats.ShTest):
    """Quotes `%s`, `%S`, `%t` and `%T` where one of them has a blank.  (In a module, since lit's workers pickle it.)"""

    def execute(self, test, lit_config):
        folder, temporary = lit.TestRunner.getTempPaths(test)
        source = test.getSourcePath()
        paths = {"%s": source, "%S": os.path.dirname(source), "%t": temporary, "%T": folder}
        if any(" " in path for path in paths.values()):
            test.config = copy.copy(test.config)
            quoted = [(name, shlex.quote(path)) for name, path in paths.items()]
            test.config.substitutions = [*test.config.substitutions, *quoted]
        return super().execute(test, lit_config)
