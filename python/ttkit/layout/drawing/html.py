"""Pictures of layouts as a page: the facts, and the drawing, in which pointing at a cell shows all of its colour."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ttkit.layout.drawing.picture import Picture
from ttkit.layout.drawing.svg import svg

_STYLE = """
body { font-family: system-ui, sans-serif; margin: 1.5em; }
table { border-collapse: collapse; margin-bottom: 1em; }
td { padding: 0.15em 1em 0.15em 0; vertical-align: top; }
td + td { font-family: ui-monospace, monospace; }
svg.pointing g[class] { opacity: 0.25; }
svg.pointing g.pointed { opacity: 1; }
"""

_SCRIPT = """
for (const drawing of document.querySelectorAll("svg")) {
  const clear = () => {
    drawing.classList.remove("pointing");
    drawing.querySelectorAll(".pointed").forEach((cell) => cell.classList.remove("pointed"));
  };
  drawing.addEventListener("mouseover", (event) => {
    clear();
    const cell = event.target.closest("g[class]");
    if (!cell) return;
    drawing.classList.add("pointing");
    drawing.querySelectorAll("." + cell.classList[0]).forEach((same) => same.classList.add("pointed"));
  });
  drawing.addEventListener("mouseleave", clear);
}
"""


def html(title: str, sections: Sequence[tuple[str, Sequence[tuple[str, str]], Sequence[Picture]]]) -> str:
    """A page that stands alone.  sections: heading, facts (name, value) and pictures of each layout."""
    body = []
    for heading, lines, pictures in sections:
        rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>\n" for name, value in lines)
        body.append(f"<h2>{escape(heading)}</h2>\n<table>\n{rows}</table>\n")
        body += (f"<p>{svg(picture, titled=False)}</p>\n" for picture in pictures)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{escape(title)}</title>\n'
        f"<style>{_STYLE}</style></head>\n<body>\n{''.join(body)}<script>{_SCRIPT}</script>\n</body>\n</html>\n"
    )
