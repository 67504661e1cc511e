// Headings that have all words of a query come first in the results: those with the fewest other words, and pages
// written by hand before the generated reference.  Sphinx orders by pages, and pages with the same score by name.
document.addEventListener("DOMContentLoaded", () => {
  if (typeof Search === "undefined") return; // another page
  const stemmer = new Stemmer();
  const wordsOf = (text) =>
    new Set(splitQuery(text.toLowerCase()).filter((word) => !stopwords.has(word)).map((word) => stemmer.stemWord(word)));

  // {key of a result: the result}, of headings; a result has the form of Sphinx's.
  const headings = (query, terms) => {
    const { alltitles, docnames, filenames, titles } = Search._index;
    const found = new Map();
    for (const [title, places] of Object.entries(alltitles)) {
      const words = wordsOf(title);
      if (!terms.size || ![...terms].every((term) => words.has(term))) continue;
      for (const [file, id] of places) {
        const isPage = titles[file] === title;
        const anchor = isPage || id === null ? "" : `#${id}`;
        const score =
          1000 * (terms.size / words.size) +
          (title.toLowerCase() === query.toLowerCase().trim() ? 4 : 0) +
          (isPage ? 1 : 0) -
          (docnames[file].startsWith("reference/") ? 2 : 0);
        const shown = isPage ? title : `${titles[file]} > ${title}`;
        found.set(docnames[file] + anchor, [docnames[file], shown, anchor, null, score, filenames[file], "title"]);
      }
    }
    return found;
  };

  const sphinxSearch = Search._performSearch;
  Search._performSearch = (query, terms, ...rest) => {
    const first = headings(query, terms);
    const others = sphinxSearch(query, terms, ...rest).filter((result) => !first.has(result[0] + (result[2] || "")));
    return [...others, ...[...first.values()].sort((a, b) => a[4] - b[4])]; // the last is shown first
  };
});
