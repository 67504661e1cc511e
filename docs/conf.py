"""Sphinx's configuration of the site, which `make docs` builds into build/site."""

import sys
from pathlib import Path

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text
from sphinx.application import Sphinx

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python" / "ttkit"))
from installation import VERSION  # noqa: E402

project = "ttkit"
copyright = "the authors of ttkit"
version = release = VERSION
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["reference/*.tmp"]
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]
# Pages link to files of the checkout too, which are not on the site; test/unit/test_docs.py follows all links.
suppress_warnings = ["myst.xref_missing"]
highlight_language = "none"  # blocks without a language are commands and what they print
html_theme = "furo"
html_title = f"ttkit {VERSION}"
html_static_path = ["static"]
html_js_files = ["search.js"]
html_copy_source = False
html_show_sphinx = False
# Headings of reference pages are signatures, longer than any sidebar.
html_theme_options = {"navigation_with_keys": True}


class MLIRLexer(RegexLexer):
    """Colours of MLIR."""

    name, aliases, filenames = "MLIR", ["mlir"], ["*.mlir", "*.ttir", "*.ttgir"]
    tokens = {
        "root": [
            (r"//.*", Comment.Single),
            (r'"(\\.|[^"\\])*"', String),
            (r"%[\w$.#:-]+", Name.Variable),
            (r"@[\w$.-]+", Name.Function),
            (r"#[\w$.-]+", Name.Decorator),
            (r"\^\w+", Name.Label),
            (r"![\w$.]+", Keyword.Type),
            (r"\b(tensor|memref|vector|index|none|[su]?i\d+|b?f\d+|tf32|f8\w+)\b", Keyword.Type),
            (r"\b(true|false|unit|dense|loc|attributes|module|private|public)\b", Keyword),
            (r"\b[a-z]\w*\.[\w.]+", Name.Builtin),
            (r"-?\b(0x[\da-fA-F]+|\d+(\.\d+)?([eE][+-]?\d+)?)\b", Number),
            (r"->|[=:+*/-]", Operator),
            (r"[()\[\]{}<>,?|]", Punctuation),
            (r"\w+|\s+|.", Text),
        ]
    }


class TableGenLexer(RegexLexer):
    """Colours of TableGen; descriptions are texts."""

    name, aliases = "TableGen", ["tablegen"]
    tokens = {
        "root": [
            (r"//.*|/\*(.|\n)*?\*/", Comment),
            (r'"(\\.|[^"\\])*"|\[\{(.|\n)*?\}\]', String),
            (r"\b(class|def|let|in|defvar|foreach|include|ins|outs|multiclass|defm)\b", Keyword),
            (r"\$\w+", Name.Variable),
            (r"\b\d+\b", Number),
            (r"\w+|\s+|.", Text),
        ]
    }


def setup(app: Sphinx) -> None:
    """Registers the highlighting of MLIR and of td files with Sphinx."""
    app.add_lexer("mlir", MLIRLexer)
    app.add_lexer("tablegen", TableGenLexer)
