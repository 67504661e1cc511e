// Pictures of tensors: colours, where elements are, zoom and pan, drawing.  page.js says what is shown.

const LEFT = 44, TOP = 18; // pixels of the axes

// --- Colours: those of Okabe and Ito, which the colour-blind tell apart, and lighter and darker ones of them.
const BASE = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#8c8c8c"];
const NONE = "#9aa5b1", UNTOUCHED = "#eceff1";
const bytes = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const mix = (from, to, share) => {
  const other = bytes(to);
  return "#" + bytes(from).map((value, n) => Math.round(value + (other[n] - value) * share).toString(16).padStart(2, "0")).join("");
};
const memory = new Map();
const remembered = (key, make) => { if (!memory.has(key)) memory.set(key, make()); return memory.get(key); };
const LEVELS = [["#ffffff", 0], ["#ffffff", 0.5], ["#000000", 0.4], ["#ffffff", 0.75]];
const hue = (n) => remembered(`hue ${n}`, () => mix(BASE[n % 8], ...LEVELS[Math.floor(n / 8) % 4]));
// Eight lanes have a colour, from light to dark.
const laneColour = (n) => remembered(`lane ${n}`, () => mix(BASE[n >> 3], n & 4 ? "#000000" : "#ffffff", [0.75, 0.5, 0.25, 0, 0.15, 0.3, 0.45, 0.6][n & 7]));
const scale = (share) => share < 0.5 ? mix("#e8742c", "#f3e9dc", 2 * share) : mix("#f3e9dc", "#6db7ea", 2 * share - 1);
const late = (time) => mix("#dbe9f6", "#08306b", time / Math.max(1, launch.last));
const many = (count) => mix("#cfe3f3", "#08306b", (count - 1) / Math.max(1, launch.most - 1));

// What an element of an event is called in the current mode, and its colour.
function group(event, n) {
  const mode = $("mode").value, owner = owners[event[2]];
  if (mode === "program") return [event[0], hue(launch.programs.indexOf(event[0]))];
  if (mode === "warp") return owner ? [owner[n] >> 5, hue(owner[n] >> 5)] : ["", NONE];
  if (mode === "lane") return owner ? [owner[n] & 31, laneColour(owner[n] & 31)] : ["", NONE];
  if (mode === "time") return [event[1], late(event[1])];
  return event[5] ? ["", scale(event[5][1] / Math.max(1, event[5][0]))] : ["", NONE];
}

// --- Where the elements of a tensor are drawn: matrices side by side, "faces", for more than two dimensions.
function geometryOf(tensor) {
  const shape = tensor.shape, rank = shape.length;
  let R = tensor.rows, C = tensor.columns, across = 1, down = 1;
  if (rank > 2) {
    R = shape[rank - 2];
    const faces = tensor.rows / Math.max(1, R);
    across = rank > 3 ? shape[rank - 3] : Math.min(faces, Math.max(1, Math.round(Math.sqrt(1.6 * faces * R / C))));
    down = Math.ceil(faces / across);
  }
  const gap = rank > 2 ? Math.max(1, Math.round(Math.max(R, C) / 16)) : 0;
  return { R, C, across, down, gap, size: tensor.rows * C, width: across * (C + gap) - gap, height: down * (R + gap) - gap };
}

function placeOf({ R, C, across, gap }, element) {
  const face = Math.floor(element / (R * C)), inside = element % (R * C);
  return [Math.floor(face / across) * (R + gap) + Math.floor(inside / C), (face % across) * (C + gap) + inside % C];
}

function elementAt({ R, C, across, down, gap, size }, row, column) {
  const j = Math.floor(column / (C + gap)), i = Math.floor(row / (R + gap)), r = row - i * (R + gap), c = column - j * (C + gap);
  if (row < 0 || column < 0 || r >= R || c >= C || j >= across || i >= down) return -1;
  const element = ((i * across + j) * R + r) * C + c;
  return element < size ? element : -1;
}

const indexOf = (shape, element) => shape.map((_, d) => {
  const inner = shape.slice(d + 1).reduce((a, b) => a * b, 1);
  return Math.floor(element / inner) % shape[d];
});

// --- A picture: a canvas, and a view that the wheel zooms and the mouse drags.
function drawingOf(tensor) {
  const figure = document.createElement("figure"), canvas = document.createElement("canvas"), geometry = geometryOf(tensor);
  figure.innerHTML = `<figcaption><b></b> <span>${tensor.shape.join(" × ")}</span><button title="show all of it again">fit</button></figcaption>`;
  figure.querySelector("b").textContent = tensor.name;
  figure.append(canvas);
  const drawing = { tensor, canvas, geometry, figure, touched: new Map(), painted: [], view: null };
  canvas.onmousemove = (move) => point(drawing, move);
  canvas.onmouseleave = () => { $("tip").style.display = "none"; };
  canvas.onwheel = (wheel) => { wheel.preventDefault(); zoom(drawing, wheel.offsetX, wheel.offsetY, wheel.deltaY < 0 ? 1.25 : 0.8); };
  canvas.ondblclick = (click) => zoom(drawing, click.offsetX, click.offsetY, 2);
  canvas.onpointerdown = (down) => { drawing.from = [down.clientX, down.clientY]; canvas.setPointerCapture(down.pointerId); };
  canvas.onpointerup = () => { drawing.from = null; };
  canvas.onpointermove = (move) => { if (drawing.from) pan(drawing, move); };
  figure.querySelector("button").onclick = () => { fit(drawing); render(drawing); };
  return drawing;
}

function zoom(drawing, x, y, by) {
  const { view } = drawing, cell = Math.min(64, Math.max(drawing.least, view.cell * by));
  const column = (x - LEFT) / view.cell + view.x, row = (y - TOP) / view.cell + view.y;
  Object.assign(view, { cell, x: column - (x - LEFT) / cell, y: row - (y - TOP) / cell });
  keepInside(drawing);
  render(drawing);
}

function pan(drawing, move) {
  const { view, from } = drawing;
  view.x -= (move.clientX - from[0]) / view.cell;
  view.y -= (move.clientY - from[1]) / view.cell;
  drawing.from = [move.clientX, move.clientY];
  keepInside(drawing);
  render(drawing);
}

function keepInside({ view, geometry, inner }) {
  view.x = Math.max(0, Math.min(view.x, geometry.width - inner[0] / view.cell));
  view.y = Math.max(0, Math.min(view.y, geometry.height - inner[1] / view.cell));
}

// All of the tensor; as much as is seen clearly of one whose elements would be less than a pixel.
function fit(drawing) {
  const { geometry, inner } = drawing, ratios = [inner[0] / geometry.width, inner[1] / geometry.height], whole = Math.min(...ratios);
  drawing.least = Math.min(whole, 1);
  drawing.view = { x: 0, y: 0, cell: Math.min(40, whole < 1 ? Math.max(whole, Math.min(3, Math.max(...ratios))) : whole) };
}

// As many pictures side by side as make the elements largest; together they fill the page.
function arrange() {
  const room = [$("tensors").clientWidth, Math.max(260, $("tensors").clientHeight)], count = Math.max(1, drawings.length);
  let best = { cell: -1 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns), box = [(room[0] - 16 * (columns - 1)) / columns, Math.max(170, (room[1] - 10 * (rows - 1)) / rows)];
    const cells = drawings.map(({ geometry }) => Math.min((box[0] - LEFT) / geometry.width, (box[1] - 24 - TOP) / geometry.height, 40));
    const cell = cells.reduce((a, b) => a + b, 0);
    if (cell > best.cell && box[0] > 200) best = { cell, columns, box };
  }
  const { columns = 1, box = room } = best;
  $("tensors").style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
  for (const drawing of drawings) {
    const size = [Math.floor(box[0]), Math.floor(box[1] - 24)], dense = window.devicePixelRatio || 1;
    Object.assign(drawing.canvas, { width: size[0] * dense, height: size[1] * dense });
    Object.assign(drawing.canvas.style, { width: `${size[0]}px`, height: `${size[1]}px` });
    drawing.inner = [size[0] - LEFT, size[1] - TOP];
    fit(drawing);
  }
}

// --- Drawing
function render(drawing) {
  const { canvas, geometry, view, inner } = drawing, context = canvas.getContext("2d"), dense = window.devicePixelRatio || 1;
  context.setTransform(dense, 0, 0, dense, 0, 0);
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.save();
  context.beginPath();
  context.rect(LEFT, TOP, inner[0], inner[1]);
  context.clip();
  context.fillStyle = UNTOUCHED;
  for (const [row, column] of faces(geometry)) box(context, view, row, column, geometry.R, geometry.C, "fillRect");
  for (const [event, strong] of drawing.painted) paint(drawing, context, event, strong);
  if ($("mode").value === "sharing") paintSharing(drawing, context);
  for (const [event, colour] of drawing.outlines || []) outline(drawing, context, event, colour);
  labels(drawing, context);
  context.restore();
  axes(drawing, context);
}

function faces({ R, C, across, gap, size }) {
  const found = [];
  for (let face = 0; face * R * C < size; face++) found.push([Math.floor(face / across) * (R + gap), (face % across) * (C + gap), face]);
  return found;
}

function box(context, view, row, column, rows, columns, how) {
  // At whole pixels, so that neighbours have no seam.
  const [left, right] = [column, column + columns].map((at) => Math.round(LEFT + (at - view.x) * view.cell));
  const [top, bottom] = [row, row + rows].map((at) => Math.round(TOP + (at - view.y) * view.cell));
  context[how](left, top, Math.max(1, right - left), Math.max(1, bottom - top));
}

const isSeen = ({ view, inner }, row, column) =>
  row + 1 > view.y && column + 1 > view.x && row < view.y + inner[1] / view.cell && column < view.x + inner[0] / view.cell;

// Elements of one colour that are neighbours are one rectangle.
function paint(drawing, context, event, strong) {
  const { geometry, view } = drawing, stripes = $("mode").value === "program" && +$("program").value < 0;
  if ($("mode").value === "sharing") return;
  const wide = Math.max(1, Math.round(16 / view.cell));
  let begin = null;
  const end = () => {
    if (!begin) return;
    context.fillStyle = strong ? begin.colour : mix(begin.colour, "#ffffff", 0.55);
    box(context, view, begin.row, begin.column, 1, begin.count, "fillRect");
    begin = null;
  };
  event.elements.forEach((element, n) => {
    if (element < 0) return;
    const [row, column] = placeOf(geometry, element);
    if (!isSeen(drawing, row, column)) return;
    let colour = group(event, n)[1];
    const sharers = stripes ? sharersOf(drawing).get(element) : null;
    if (sharers && sharers.length > 1) colour = hue(launch.programs.indexOf(sharers[Math.floor((row + column) / wide) % sharers.length]));
    if (begin && begin.row === row && begin.column + begin.count === column && begin.colour === colour) { begin.count++; return; }
    end();
    begin = { row, column, colour, count: 1 };
  });
  end();
}

// {element: the programs that touch it, in ascending order}, of what is recorded.
function sharersOf(drawing) {
  if (!drawing.sharers) {
    drawing.sharers = new Map();
    for (const program of launch.programs)
      for (const event of launch.events) {
        if (event[0] !== program || launch.tensors[event[3]] !== drawing.tensor) continue;
        for (const element of event.elements) {
          if (element < 0) continue;
          const known = drawing.sharers.get(element);
          if (!known) drawing.sharers.set(element, [program]);
          else if (known[known.length - 1] !== program) known.push(program);
        }
      }
  }
  return drawing.sharers;
}

function paintSharing(drawing, context) {
  for (const [element, programs] of sharersOf(drawing)) {
    const [row, column] = placeOf(drawing.geometry, element);
    if (!drawing.touched.has(element) || !isSeen(drawing, row, column)) continue;
    context.fillStyle = many(programs.length);
    box(context, drawing.view, row, column, 1, 1, "fillRect");
  }
}

function outline({ geometry, view }, context, event, colour) {
  const places = event.elements.filter((element) => element >= 0).map((element) => placeOf(geometry, element));
  if (!places.length) return;
  const least = (d) => places.reduce((a, b) => Math.min(a, b[d]), Infinity), most = (d) => places.reduce((a, b) => Math.max(a, b[d]), 0);
  context.strokeStyle = colour;
  context.lineWidth = 2;
  box(context, view, least(0), least(1), most(0) - least(0) + 1, most(1) - least(1) + 1, "strokeRect");
}

// In large cells the number of the program, warp, lane or step; the index of each face.
function labels(drawing, context) {
  const { geometry, view, tensor } = drawing;
  context.textBaseline = "middle";
  if (view.cell >= 20) {
    context.font = "10px system-ui, sans-serif";
    context.textAlign = "center";
    for (const [element, [event, n]] of drawing.touched) {
      const [row, column] = placeOf(geometry, element);
      if (!isSeen(drawing, row, column)) continue;
      const text = $("mode").value === "sharing" ? sharersOf(drawing).get(element).length : group(event, n)[0];
      inked(context, text, LEFT + (column + 0.5 - view.x) * view.cell, TOP + (row + 0.5 - view.y) * view.cell);
    }
  }
  if (tensor.shape.length < 3 || geometry.C * view.cell < 36) return;
  context.font = "bold 11px system-ui, sans-serif";
  context.textAlign = "left";
  for (const [row, column, face] of faces(geometry)) {
    const index = indexOf(tensor.shape, face * geometry.R * geometry.C).slice(0, -2);
    inked(context, `[${index.join(", ")}]`, LEFT + (column - view.x) * view.cell + 4, TOP + (row - view.y) * view.cell + 9);
  }
}

function inked(context, text, x, y) {
  context.strokeStyle = "rgba(255, 255, 255, 0.8)";
  context.lineWidth = 3;
  context.strokeText(text, x, y);
  context.fillStyle = "#1f2933";
  context.fillText(text, x, y);
}

// Indices of the last two dimensions, at distances that leave room for them; of a vector the index of each row's first.
function axes(drawing, context) {
  const { geometry, view, inner, tensor } = drawing, { R, C, across, down, gap } = geometry;
  const step = (room) => { let found = 1; while (found * view.cell < room) found *= 2; return found; };
  const [byColumns, byRows] = [step(28), step(16)], times = tensor.shape.length < 2 ? C : 1;
  Object.assign(context, { font: "10px system-ui, sans-serif", fillStyle: "#52606d", strokeStyle: "#9aa5b1", lineWidth: 1, textBaseline: "middle" });
  context.textAlign = "center";
  context.beginPath();
  for (let j = 0; j < across; j++)
    for (let c = 0; c < C; c += byColumns) {
      const x = (j * (C + gap) + c - view.x) * view.cell;
      if (x < -0.5 || x > inner[0]) continue;
      context.fillText(c, LEFT + Math.min(x + view.cell / 2, inner[0] - 8), 7);
      context.moveTo(LEFT + x + 0.5, TOP - 4);
      context.lineTo(LEFT + x + 0.5, TOP);
    }
  context.textAlign = "right";
  for (let i = 0; i < down; i++)
    for (let r = 0; r < R; r += byRows) {
      const y = (i * (R + gap) + r - view.y) * view.cell;
      if (y < -0.5 || y > inner[1]) continue;
      context.fillText(r * times, LEFT - 6, TOP + Math.min(y + view.cell / 2, inner[1] - 6));
      context.moveTo(LEFT - 4, TOP + y + 0.5);
      context.lineTo(LEFT, TOP + y + 0.5);
    }
  context.stroke();
}
