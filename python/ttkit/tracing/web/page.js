// The trace page: a list of passes, the IR before and after each side by side, and the levels of a kernel line by line.
"use strict";
(async () => {
  const { EditorState, EditorView, Decoration, StateEffect, StateField, MergeView, unifiedMergeView } = CM;
  const data = await readData();
  const root = document.getElementById("page");
  const NARROW = 760; // pixels: below, the diff is one column
  const editors = []; // those on screen
  let wanted = ""; // what is searched

  // --- data -----------------------------------------------------------------------------------------------------------

  async function readData() {
    const bytes = Uint8Array.from(atob(document.getElementById("data").textContent), (c) => c.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(plain).text());
  }

  const sums = (steps) => { let last = 0; return steps.map((step) => (last += step)); };
  const unpacked = new Map();
  function text(number) {
    if (!unpacked.has(number)) {
      const packed = data.texts[number];
      unpacked.set(number, { lines: sums(packed.lines), places: sums(packed.places) });
    }
    return unpacked.get(number);
  }
  const textOf = (number) => text(number).lines.map((line) => data.lines[line]).join("\n");
  const isChanged = (pass) => pass.before !== pass.after;
  const passesOf = (kernel) => kernel.stages.flatMap((stage, s) => stage.passes.map((pass, p) => ({ pass, s, p, stage })));

  // The lines that are on one side only, how often each; positive for those that came.
  const deltas = new Map();
  function delta(pass) {
    const key = `${pass.before} ${pass.after}`;
    if (!deltas.has(key)) {
      const counts = new Map();
      const count = (number, by) => text(number).lines.forEach((line) => counts.set(line, (counts.get(line) || 0) + by));
      if (isChanged(pass)) { count(pass.after, 1); count(pass.before, -1); }
      deltas.set(key, [...counts].filter(([, times]) => times));
    }
    return deltas.get(key);
  }
  const touches = (pass, words) =>
    pass.name.toLowerCase().includes(words) ||
    delta(pass).some(([line]) => data.lines[line].toLowerCase().includes(words)) ||
    pass.remarks.some(([, , message]) => message.toLowerCase().includes(words));

  // --- elements -------------------------------------------------------------------------------------------------------

  function make(tag, attributes = {}, ...children) {
    const found = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) found.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) found.setAttribute(name, value === true ? "" : value);
    }
    found.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return found;
  }
  const time = (seconds) => seconds === null || seconds === undefined ? "" :
    seconds < 1e-3 ? `${(1e6 * seconds).toFixed(0)} µs` : seconds < 1 ? `${(1e3 * seconds).toFixed(1)} ms` : `${seconds.toFixed(2)} s`;
  const change = ([before, after]) => before === after ? `${after}` : `${before} → ${after}`;

  // --- editors --------------------------------------------------------------------------------------------------------

  const mlir = CM.StreamLanguage.define({
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match(/^\/\/.*/) || stream.match(/^;.*/)) return "comment";
      if (stream.match(/^"(?:[^"\\]|\\.)*"/)) return "string";
      if (stream.match(/^%[\w$.#-]+/)) return "variableName";
      if (stream.match(/^[#!][\w.$]+/)) return "typeName";
      if (stream.match(/^@[\w$.-]+/) || stream.match(/^\^\w+/)) return "labelName";
      if (stream.match(/^(?:tensor|memref|vector|i\d+|f\d+|bf16|index|f8E\w+|tf32)\b/)) return "typeName";
      if (stream.match(/^[A-Za-z_]\w*\.[\w.]+/)) return "keyword";
      if (stream.match(/^-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/)) return "number";
      stream.match(/^[\w$]+/) || stream.next();
      return null;
    },
  });
  const { tags } = CM;
  const colours = CM.HighlightStyle.define([
    { tag: tags.comment, class: "t-comment" }, { tag: tags.string, class: "t-string" },
    { tag: tags.variableName, class: "t-value" }, { tag: tags.typeName, class: "t-type" },
    { tag: tags.keyword, class: "t-operation" }, { tag: tags.number, class: "t-number" },
    { tag: tags.labelName, class: "t-label" },
  ]);
  // A region folds from the line that opens it to the line that closes it, which stands as far to the left.
  const regions = CM.foldService.of((state, start) => {
    const line = state.doc.lineAt(start);
    if (!/[{(]\s*$/.test(line.text)) return null;
    const indent = line.text.search(/\S/);
    for (let number = line.number + 1; number <= state.doc.lines; number++) {
      const other = state.doc.line(number);
      if (other.text.trim() && other.text.search(/\S/) <= indent) return number - 1 > line.number ? { from: line.to, to: state.doc.line(number - 1).to } : null;
    }
    return null;
  });
  const mark = StateEffect.define();
  const marks = StateField.define({
    create: () => Decoration.none,
    update(found, transaction) {
      for (const effect of transaction.effects) if (effect.is(mark)) found = effect.value;
      return found;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
  const marked = Decoration.line({ class: "linked" });
  const seek = StateEffect.define();
  const soughtWords = StateField.define({
    create: () => Decoration.none,
    update(found, transaction) {
      for (const effect of transaction.effects) if (effect.is(seek)) found = effect.value;
      return found;
    },
    provide: (field) => EditorView.decorations.from(field),
  });
  const soughtWord = Decoration.mark({ class: "sought" });

  function extensions(label, number, kernel, onLine, first = 1) {
    return [
      EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label }),
      CM.lineNumbers({ formatNumber: (line) => String(line + first - 1) }), mlir, CM.syntaxHighlighting(colours), regions, CM.foldGutter(), CM.search({ top: true }),
      CM.highlightSelectionMatches(), marks, soughtWords, CM.keymap.of([...CM.searchKeymap, ...CM.foldKeymap, ...CM.defaultKeymap]),
      kernel ? CM.hoverTooltip((view, position) => hover(view, position, kernel), { hoverTime: 150 }) : [],
      EditorView.domEventHandlers({
        click(event, view) {
          const line = event.target.closest(".cm-line");
          if (line && onLine) onLine(view.state.doc.lineAt(view.posAtDOM(line)).number - 1, number);
          return false;
        },
      }),
    ];
  }

  function markLines(view, numbers, scroll) {
    const set = Decoration.set(numbers.map((number) => marked.range(view.state.doc.line(number + 1).from)));
    const first = scroll && numbers.length ? view.state.doc.line(numbers[0] + 1).from : null;
    const box = view.scrollDOM, scrolls = box.scrollHeight > box.clientHeight + 1;
    view.dispatch({ effects: [mark.of(set), ...(first === null || scrolls ? [] : [EditorView.scrollIntoView(first, { y: "center" })])] });
    // One that scrolls itself must not move the page around it, as CodeMirror would.
    if (first !== null && scrolls) box.scrollTop = view.lineBlockAt(first).top - box.clientHeight / 2;
  }

  // Marks what is searched in the texts on screen; shows the first place in a line that the pass changed.
  function highlight(pass) {
    const words = wanted.toLowerCase();
    const changed = new Set(pass ? delta(pass).map(([line]) => data.lines[line]) : []);
    let first = null;
    for (const view of views()) {
      const found = [], text = view.state.doc.toString().toLowerCase();
      for (let at = words ? text.indexOf(words) : -1; at >= 0 && found.length < 5000; at = text.indexOf(words, at + words.length)) {
        found.push(soughtWord.range(at, at + words.length));
        if (changed.has(view.state.doc.lineAt(at).text)) first = first || { view, line: view.state.doc.lineAt(at).number - 1 };
      }
      view.dispatch({ effects: seek.of(Decoration.set(found)) });
    }
    if (first) markLines(first.view, [first.line], true);
  }

  function drop() {
    for (const editor of editors.splice(0)) editor.destroy();
  }

  // --- hover ----------------------------------------------------------------------------------------------------------

  function nameAt(view, position) {
    const line = view.state.doc.lineAt(position);
    for (const found of line.text.matchAll(/%[\w$.-]+|#\w+/g)) {
      const from = line.from + found.index;
      if (position >= from && position <= from + found[0].length) return { name: found[0], from, to: from + found[0].length };
    }
    return null;
  }

  const escaped = (name) => name.replace(/[$.*+?^{}()|[\]\\]/g, "\\$&");

  function facts(lines, name, near) {
    const uses = [];
    const whole = new RegExp(`${escaped(name)}(?![\\w$.-])`);
    let from = 0, to = lines.length; // of the function
    for (let number = near; number >= 0; number--) if (/^\s*\w+\.func\b/.test(lines[number])) { from = number; break; }
    for (let number = near + 1; number < lines.length; number++) if (/^\s*\w+\.func\b/.test(lines[number])) { to = number; break; }
    let defined = -1;
    const result = new RegExp(`^[^=]*${escaped(name)}(?![\\w$.-])(:\\d+)?(,[^=]*)? = `);
    const argument = new RegExp(`${escaped(name)}(: | = )`);
    for (let number = from; number < to; number++) {
      if (!whole.test(lines[number])) continue;
      if (defined < 0 && (lines[number].trimStart().startsWith("%") && result.test(lines[number]) || argument.test(lines[number]))) defined = number;
      else uses.push(number);
    }
    return { defined, uses, type: defined < 0 ? "" : typeOf(lines[defined], name) };
  }

  function balanced(words) {
    const parts = [];
    let depth = 0, last = 0;
    for (let at = 0; at < words.length; at++) {
      if ("<([{".includes(words[at])) depth++;
      else if (words[at] === ">" && words[at - 1] === "-") continue;
      else if (">)]}".includes(words[at]) && --depth < 0) { parts.push(words.slice(last, at)); return parts; }
      else if (words[at] === "," && depth === 0) { parts.push(words.slice(last, at)); last = at + 1; }
    }
    parts.push(words.slice(last));
    return parts;
  }

  function typeOf(line, name) {
    const argument = line.match(new RegExp(`${escaped(name)}: (.*)`));
    if (argument) return balanced(argument[1])[0].split(" {")[0].trim();
    const carried = line.match(/iter_args\((.*?)\) -> \((.*)\)/);
    if (carried && carried[1].includes(`${name} = `)) {
      const place = carried[1].split(",").findIndex((part) => part.trim().startsWith(`${name} = `));
      return (balanced(carried[2])[place] || "").trim();
    }
    const plain = line.replace(/\s*\{\s*$/, "");
    const arrow = plain.lastIndexOf(" -> "), colon = plain.lastIndexOf(" : ");
    return arrow > 0 ? plain.slice(arrow + 4) : colon > 0 ? plain.slice(colon + 3) : "";
  }

  function hover(view, position, kernel) {
    const found = nameAt(view, position);
    if (!found) return null;
    return { pos: found.from, end: found.to, above: false, create: () => ({ dom: tooltip(view, found.name, position, kernel) }) };
  }

  function tooltip(view, name, position, kernel) {
    const lines = view.state.doc.toString().split("\n");
    const near = view.state.doc.lineAt(position).number - 1;
    const box = make("div", { class: "hover" });
    if (name.startsWith("#")) {
      const line = lines.find((one) => one.startsWith(`${name} = `));
      box.append(make("code", {}, line || name));
      return box;
    }
    const { defined, uses, type } = facts(lines, name, near);
    const go = (number) => make("button", { type: "button", onclick: () => {
      markLines(view, [number], true);
    } }, `line ${number + 1}`);
    box.append(make("b", {}, name), type ? make("code", { class: "type" }, type) : "");
    if (defined >= 0) box.append(make("div", {}, "defined in ", go(defined)));
    box.append(make("div", {}, uses.length ? `${uses.length} use${uses.length > 1 ? "s" : ""}: ` : "no uses", ...uses.slice(0, 12).map(go), uses.length > 12 ? " …" : ""));
    const layout = type && kernel.types[type];
    if (layout) box.append(drawing(layout));
    return box;
  }

  // --- layouts --------------------------------------------------------------------------------------------------------

  // Draws who holds each element: its warp as the colour, its lane as the lightness; in shared memory, its bank.
  function drawing(layout) {
    const [height, width] = layout.shape.length > 1 ? layout.shape.slice(-2) : [1, layout.shape[0] || 1];
    const rows = Math.min(height, 64), columns = Math.min(width, 64);
    const holders = new Map();
    const inputs = Object.entries(layout.bases).flatMap(([name, bases]) => bases.map((basis, bit) => ({ name, bit, basis })));
    const total = 2 ** Math.min(inputs.length, 17);
    for (let index = 0; index < total; index++) {
      const at = layout.shape.map(() => 0), place = {};
      inputs.forEach(({ name, bit, basis }, number) => {
        if (index >> number & 1) { basis.forEach((value, axis) => (at[axis] ^= value)); place[name] = (place[name] || 0) | 1 << bit; }
      });
      if (at.slice(0, -2).some((value) => value)) continue;
      const key = (at.length > 1 ? at[at.length - 2] : 0) * width + (at.length ? at[at.length - 1] : 0);
      if (!holders.has(key)) holders.set(key, place);
    }
    const size = Math.max(3, Math.min(14, Math.floor(420 / columns), Math.floor(240 / rows)));
    const canvas = make("canvas", { width: columns * size, height: rows * size, class: "layout", role: "img", "aria-label": "who holds each element" });
    const pen = canvas.getContext("2d");
    const bytes = Math.max(1, Math.floor((parseInt((layout.element.match(/\d+/) || ["32"])[0], 10)) / 8));
    const warps = 2 ** ((layout.bases.warp || []).length);
    for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) {
      const place = holders.get(row * width + column) || {};
      const memory = "offset" in layout.bases;
      const hue = memory ? (((place.offset || 0) * bytes >> 2) & 31) * 360 / 32 : (place.warp || 0) * 360 / warps;
      const light = memory ? 60 : 35 + (place.lane || 0) * 1.4;
      pen.fillStyle = `hsl(${hue} 65% ${light}%)`;
      pen.fillRect(column * size, row * size, size - (size > 4), size - (size > 4));
    }
    const told = make("div", { class: "told" }, `${layout.shape.join("x")}${rows < height || columns < width ? `, its first ${rows}x${columns}` : ""}; ${"offset" in layout.bases ? "colours are banks" : "a colour a warp, lighter lanes are later ones"}`);
    canvas.addEventListener("mousemove", (event) => {
      const side = size * canvas.clientWidth / canvas.width; // a narrow window shrinks it
      const row = Math.floor(event.offsetY / side), column = Math.floor(event.offsetX / side);
      const place = holders.get(row * width + column) || {};
      told.textContent = `(${row}, ${column}): ${Object.keys(layout.bases).map((name) => `${name} ${place[name] || 0}`).join(", ")}`;
    });
    return make("div", {}, canvas, told);
  }

  // --- the list of passes ---------------------------------------------------------------------------------------------

  const state = () => {
    const [k, view, s, p] = location.hash.replace(/^#\/?/, "").split("/");
    return { k: Math.min(Number(k) || 0, data.kernels.length - 1), view: view || "passes", s: Number(s), p: Number(p) };
  };
  const address = (k, s, p) => `#/${k}/passes/${s}/${p}`;

  function entry(k, { pass, s, p }, current) {
    const kind = isChanged(pass) ? "changed" : "same";
    const wrong = pass.check && pass.check !== "same results";
    const proof = ["refuted", "open", "proved"].find((one) => (pass.proof || "").includes(`: ${one}`)) || "";
    const bad = pass.verdict !== "valid" || wrong || proof === "refuted";
    const seconds = Array.isArray(pass.seconds) ? pass.seconds.map(time).join(" | ") : time(pass.seconds);
    return make("a", { href: address(k, s, p), class: `pass ${kind}${bad ? " bad" : ""}`, "aria-current": current ? "true" : null, title: pass.arguments },
      make("span", { class: "name" }, pass.on ? `${pass.name} @${pass.on}` : pass.name),
      pass.first ? make("span", { class: "flag" }, "first difference") : "",
      pass.only ? make("span", { class: "flag" }, `only ${pass.only}`) : "",
      pass.remarks.length ? make("span", { class: "flag" }, `${pass.remarks.length} remark${pass.remarks.length > 1 ? "s" : ""}`) : "",
      pass.verdict !== "valid" || wrong ? make("span", { class: "flag" }, pass.verdict !== "valid" ? pass.verdict : "results differ") : "",
      proof ? make("span", { class: "flag" }, proof) : "",
      make("span", { class: "count" }, isChanged(pass) ? change(pass.operations) : ""),
      make("span", { class: "time" }, seconds));
  }

  function list(k, at) {
    const kernel = data.kernels[k], words = wanted.toLowerCase();
    const box = make("nav", { id: "passes", "aria-label": "passes" });
    kernel.stages.forEach((stage, s) => {
      const all = passesOf(kernel).filter((one) => one.s === s);
      const took = all.reduce((sum, { pass }) => sum + (Array.isArray(pass.seconds) ? 0 : pass.seconds), 0);
      const section = make("section", {}, make("h2", {}, stage.name, make("span", { class: "time" }, took ? `${all.length} passes, ${time(took)}` : "")));
      let folded = [];
      const flush = () => {
        if (!folded.length) return;
        const open = folded.some(({ p }) => s === at.s && p === at.p);
        section.append(make("details", { open }, make("summary", {}, `${folded.length} unchanged`), ...folded.map((one) => entry(k, one, s === at.s && one.p === at.p))));
        folded = [];
      };
      for (const one of all) {
        if (words && !touches(one.pass, words)) continue;
        if (isChanged(one.pass) || one.pass.verdict !== "valid" || one.pass.remarks.length || one.pass.only || words) {
          flush();
          section.append(entry(k, one, s === at.s && one.p === at.p));
        } else folded.push(one);
      }
      flush();
      box.append(section);
    });
    if (!box.querySelector("a")) box.append(make("p", {}, words ? "no pass has this in its name or in lines that it changed" : "no passes"));
    return box;
  }

  // --- one pass -------------------------------------------------------------------------------------------------------

  function about(pass, labels) {
    const rows = [];
    const row = (name, ...value) => rows.push(make("div", {}, make("dt", {}, name), make("dd", {}, ...value)));
    row("pass", make("code", {}, pass.arguments || pass.name));
    row("time", Array.isArray(pass.seconds) ? pass.seconds.map(time).join(" | ") : time(pass.seconds));
    row(labels ? "operations, both sides" : "operations", change(pass.operations));
    const kinds = Object.entries(pass.kinds).sort(([, a], [, b]) => Math.abs(b[1] - b[0]) - Math.abs(a[1] - a[0]));
    if (kinds.length) row("of these", kinds.slice(0, 8).map(([name, counts]) => `${name} ${change(counts)}`).join(", ") + (kinds.length > 8 ? ` and ${kinds.length - 8} kinds more` : ""));
    const counted = Object.entries(pass.statistics || {});
    if (counted.length) row("statistics", counted.map(([name, count]) => `${name} ${count}`).join(", "));
    if (!labels) row("verifier", pass.verdict === "valid" ? "valid" : "the pass failed, or left invalid IR");
    if (pass.check) row("--check-passes", pass.check);
    if (pass.proof) row("--prove-passes", pass.proof);
    const layouts = Object.entries(pass.layouts || {}).filter(([, value]) => value !== null);
    if (layouts.length) row("layouts", layouts.map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`).join(", "));
    for (const [severity, place, message] of pass.remarks) row(severity, message, place ? make("div", { class: "place" }, place) : "");
    return make("dl", { class: "about" }, ...rows);
  }

  // The loops that the pass has scheduled, of both sides where two traces are compared.
  function schedules(pass) {
    return (pass.schedules || []).map(([title, picture]) => make("details", { class: "schedule", open: true }, make("summary", {}, `schedule: ${title}`),
      make("img", { src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`, alt: `the schedule of the ${title}` })));
  }

  function onLine(k) {
    return (line, number) => {
      const place = data.places[text(number).places[line] || 0];
      const bar = document.getElementById("origin");
      bar.replaceChildren();
      if (!place.length) { bar.append("this line has no source line"); return; }
      if (data.kernels[k].levels.length) bar.append(make("a", { href: `#/${k}/levels/${text(number).places[line]}` }, "all levels of this line"), " from ");
      for (const [file, row] of place) {
        const source = data.sources[file], words = source && source.lines[row - source.first];
        bar.append(make("span", { class: "frame" }, `${file.split("/").pop()}:${row}`, words ? make("code", {}, words.trim()) : ""));
      }
    };
  }

  // An editor for IR, or for a pipeline.
  function editor(parent, label, words) {
    const made = new EditorView({ parent, state: EditorState.create({ doc: words, extensions: [
      EditorView.contentAttributes.of({ "aria-label": label }), CM.lineNumbers(), mlir, CM.syntaxHighlighting(colours), CM.history(), regions, CM.foldGutter(),
      CM.search({ top: true }), CM.keymap.of([...CM.historyKeymap, ...CM.searchKeymap, ...CM.foldKeymap, ...CM.defaultKeymap])] }) });
    editors.push(made);
    return made;
  }

  function showPass(box, k, { pass, s, p }) {
    const kernel = data.kernels[k], labels = data.sides;
    const names = labels || ["before", "after"];
    const tools = make("div", { class: "tools" },
      make("button", { type: "button", onclick: () => step(-1), title: "key k" }, "previous change"),
      make("button", { type: "button", onclick: () => step(1), title: "key j" }, "next change"),
      make("button", { type: "button", id: "find", onclick: () => { editors.length && CM.openSearchPanel(editors[0].b || editors[0]); }, title: "Ctrl-F in the text" }, "find in text"),
      make("button", { type: "button", onclick: () => views().forEach(CM.foldAll) }, "fold all"),
      make("button", { type: "button", onclick: () => views().forEach(CM.unfoldAll) }, "unfold all"));
    const diff = make("div", { id: "diff" });
    box.append(about(pass, labels), ...schedules(pass), tools, make("div", { id: "origin", role: "status" }, "click a line to see where it comes from"), diff);
    if (window.workbench) diff.before(window.workbench({ kernel: k, stage: s, pass: p, make, editor, textOf: (side) => textOf(side === "before" ? pass.before : pass.after) }));
    const collapse = { margin: 4, minSize: 8 };
    const settings = { scanLimit: 2000, timeout: 400 };
    const before = textOf(pass.before), after = textOf(pass.after);
    if (!isChanged(pass)) {
      diff.append(make("p", { class: "same" }, labels ? "The same on both sides." : "The pass has changed nothing."));
      editors.push(new EditorView({ parent: diff, state: EditorState.create({ doc: after, extensions: extensions("IR", pass.after, kernel, onLine(k)) }) }));
    } else if (window.innerWidth < NARROW) {
      editors.push(new EditorView({ parent: diff, state: EditorState.create({ doc: after, extensions: [
        ...extensions(names[1], pass.after, kernel, onLine(k)),
        unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: collapse, diffConfig: settings })] }) }));
    } else {
      diff.append(make("div", { class: "heads" }, make("b", {}, names[0]), make("b", {}, names[1])));
      editors.push(new MergeView({
        parent: diff, a: { doc: before, extensions: extensions(names[0], pass.before, kernel, onLine(k)) },
        b: { doc: after, extensions: extensions(names[1], pass.after, kernel, onLine(k)) },
        collapseUnchanged: collapse, gutter: true, highlightChanges: true, diffConfig: settings,
      }));
    }
    if (wanted) highlight(pass);
  }
  const views = () => editors.flatMap((editor) => editor.a ? [editor.a, editor.b] : [editor]);

  // --- the levels -----------------------------------------------------------------------------------------------------

  function levels(kernel) {
    const found = [];
    const used = new Set(kernel.levels.filter((level) => level.text !== null).flatMap((level) => [...new Set(text(level.text).places)]));
    for (const [file, source] of Object.entries(data.sources)) {
      const numbers = [...used].flatMap((place) => data.places[place].filter(([name]) => name === file).map(([, line]) => line));
      if (!numbers.length) continue;
      found.push({ title: file.split("/").pop(), file, first: source.first, words: source.lines.join("\n"), frames: source.lines.map((_, index) => `${file}:${index + source.first}`) });
    }
    // The kernel's own file first: where calls begin.
    const begun = (file) => [...used].filter((place) => data.places[place].at(-1)?.[0] === file).length;
    found.sort((a, b) => begun(b.file) - begun(a.file));
    for (const level of kernel.levels) found.push({ ...level, words: level.text === null ? level.problem : textOf(level.text) });
    return found;
  }

  function showLevels(box, k, place) {
    const kernel = data.kernels[k], all = levels(kernel);
    if (!all.length) { box.append(make("p", {}, "This trace has no levels: it is of a pipeline alone.")); return; }
    const said = make("div", { id: "origin", role: "status" }, "click a line to see the lines of all levels that belong to it");
    const columns = make("div", { id: "levels" });
    const choices = make("div", { class: "tools" });
    const shown = [];
    const first = all.filter((level) => level.file).slice(1).map((level) => level.title); // of other files: on demand
    for (const level of all) {
      const column = make("section", { class: "level", hidden: first.includes(level.title) && level.file || level.name === "source" }, make("h2", {}, level.title));
      columns.append(column);
      const choice = make("input", { type: "checkbox", checked: !column.hidden, onchange: () => { column.hidden = !choice.checked; } });
      choices.append(make("label", {}, choice, level.title));
      const view = new EditorView({ parent: column, state: EditorState.create({ doc: level.words, extensions: extensions(level.title, level.text, level.file ? null : kernel, (line) => select(level, line), level.first) }) });
      editors.push(view);
      shown.push({ level, view });
    }
    box.append(choices, said, columns);

    // Two lines belong together if they come from the same place; or if one level knows the calls that led there, and
    // the other, as PTX, the innermost line alone.
    function belong(one, other) {
      if (one.length > other.length) [one, other] = [other, one];
      return one.length > 0 && one.every(([file, row], index) => file === other[index][0] && row === other[index][1]);
    }
    function select(from, line) {
      if (from.file) {
        const frame = from.frames[line];
        show(data.places.filter((place) => place.some(([file, row]) => `${file}:${row}` === frame)), [frame], from);
      } else if (from.text !== null && text(from.text).places[line]) follow(text(from.text).places[line], from);
      else said.textContent = "this line has no source line";
    }
    function follow(number, from) {
      show([data.places[number]], data.places[number].map(([file, row]) => `${file}:${row}`), from);
    }
    function show(places, frames, from) {
      const chosen = data.places.map((other) => places.some((place) => belong(place, other)));
      const counts = [];
      for (const { level, view } of shown) {
        let numbers = [];
        if (level.file) numbers = level.frames.flatMap((frame, number) => frames.includes(frame) ? [number] : []);
        else if (level.text !== null) numbers = text(level.text).places.flatMap((place, number) => chosen[place] ? [number] : []);
        markLines(view, numbers, level !== from);
        if (!level.file || numbers.length) counts.push(`${level.title} ${numbers.length}`);
      }
      said.textContent = `${frames.map((frame) => frame.split("/").pop()).join(", called at ")}; lines: ${counts.join(", ")}`;
    }
    if (data.places[place]?.length) follow(place, null);
  }

  // --- the page -------------------------------------------------------------------------------------------------------

  function step(by) {
    const { k, s, p } = state(), kernel = data.kernels[k];
    const words = wanted.toLowerCase();
    const order = passesOf(kernel), here = order.findIndex((one) => one.s === s && one.p === p);
    for (let index = here + by; index >= 0 && index < order.length; index += by) {
      if (isChanged(order[index].pass) && (!words || touches(order[index].pass, words))) {
        location.hash = address(k, order[index].s, order[index].p);
        return;
      }
    }
  }

  // Lists the passes that have the words, and shows the first of them if the one on screen has none.
  function search(k, words) {
    wanted = words;
    const passes = document.getElementById("passes"), order = passesOf(data.kernels[k]), at = state();
    const has = (one) => touches(one.pass, words.toLowerCase());
    let chosen = order.find((one) => one.s === at.s && one.p === at.p);
    const other = passes && words && !(chosen && isChanged(chosen.pass) && has(chosen)) && (order.find((one) => isChanged(one.pass) && has(one)) || order.find(has));
    if (other) {
      chosen = other;
      history.replaceState(null, "", address(k, chosen.s, chosen.p));
      drop();
      const body = make("article", {});
      document.querySelector("article").replaceWith(body);
      showPass(body, k, chosen);
    } else highlight(passes && chosen ? chosen.pass : null);
    passes?.replaceWith(list(k, state()));
  }

  function setTheme(name) {
    document.documentElement.dataset.theme = name;
    try { localStorage.setItem("ttkit-theme", name); } catch { /* of a file that may store nothing */ }
  }
  const theme = () => document.documentElement.dataset.theme;

  function head(k, view) {
    const kernel = data.kernels[k];
    const choice = make("select", { id: "kernel", "aria-label": "kernel", onchange: () => { location.hash = `#/${choice.value}/passes`; } },
      ...data.kernels.map((one, number) => make("option", { value: number, selected: number === k }, `${one.name}${one.error ? " (failed)" : ""}`)));
    const field = make("input", { id: "search", type: "search", placeholder: "passes that change…  /", "aria-label": "search passes and the lines that they change", value: wanted,
      oninput: () => search(k, field.value.trim()) });
    const spent = Object.entries(kernel.seconds).map(([name, seconds]) => `${name} ${time(seconds)}`).join(", ");
    const options = Object.entries(kernel.about).map(([name, value]) => `${name}=${value}`).join(" ");
    return make("header", {},
      make("h1", {}, data.title), choice,
      make("a", { href: `#/${k}/passes`, "aria-current": view === "passes" ? "page" : null }, "passes"),
      kernel.levels.length ? make("a", { href: `#/${k}/levels`, "aria-current": view === "levels" ? "page" : null }, "levels") : null,
      field,
      make("button", { type: "button", id: "theme", title: "light or dark, key t", onclick: () => setTheme(theme() === "dark" ? "light" : "dark") }, "light/dark"),
      make("details", { class: "kernel" }, make("summary", {}, spent || "about"), make("p", {}, options || "a pipeline")),
      kernel.error ? make("p", { class: "error" }, kernel.error) : null,
      kernel.summary ? make("p", { class: "summary" }, kernel.summary) : null);
  }

  function show() {
    drop();
    if (!data.kernels.length) { root.replaceChildren(make("header", {}, make("h1", {}, data.title)), "No kernel was compiled."); return; }
    const at = state(), kernel = data.kernels[at.k];
    const body = make("article", {});
    if (at.view === "levels") {
      root.replaceChildren(head(at.k, "levels"), body);
      root.className = "wide";
      showLevels(body, at.k, at.s || 0);
      return;
    }
    const order = passesOf(kernel);
    const chosen = order.find((one) => one.s === at.s && one.p === at.p) || order.find((one) => one.pass.first) || order.find((one) => isChanged(one.pass)) || order[0];
    if (chosen) { at.s = chosen.s; at.p = chosen.p; if (!location.hash.includes("passes/")) history.replaceState(null, "", address(at.k, at.s, at.p)); }
    const scrolled = document.getElementById("passes")?.scrollTop || 0;
    root.className = "";
    root.replaceChildren(head(at.k, "passes"), list(at.k, at), body);
    document.getElementById("passes").scrollTop = scrolled;
    if (chosen) showPass(body, at.k, chosen);
  }

  window.addEventListener("hashchange", show);
  let narrow = window.innerWidth < NARROW;
  window.addEventListener("resize", () => { if (narrow !== window.innerWidth < NARROW) { narrow = !narrow; show(); } });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /INPUT|SELECT|TEXTAREA/.test(event.target.tagName) || event.target.isContentEditable) return;
    const does = { j: () => step(1), k: () => step(-1), t: () => setTheme(theme() === "dark" ? "light" : "dark"), "/": () => document.getElementById("search").focus() }[event.key];
    if (does) { event.preventDefault(); does(); }
  });
  let kept = null;
  try { kept = localStorage.getItem("ttkit-theme"); } catch { /* likewise */ }
  setTheme(kept || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  show();
  document.documentElement.dataset.ready = Math.round(performance.now());
})();
