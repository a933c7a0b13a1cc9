// Drawing: boxes with wrapped text, arrows, and layers for graphs without cycles.
// Layers by longest path, order inside a layer by barycentres (Sugiyama, Tagawa, Toda 1981).

/** Width of a text in em, roughly: wide characters count one, others about half. */
function widthOf(text) {
  let width = 0;
  for (const sign of text) width += /[\u1100-\u11ff\u2e80-\uffef]/.test(sign) ? 1 : /[A-ZÄÖÜmwMW]/.test(sign) ? 0.68 : 0.52;
  return width;
}

/** At most `most` lines of at most `width` em; the last one ends in an ellipsis if something is left out. */
function wrapped(text, width, most) {
  const pieces = text.match(/[\u1100-\u11ff\u2e80-\uffef]|[^\s\u1100-\u11ff\u2e80-\uffef]+\s*|\s+/g) || [];
  const lines = [""];
  for (const piece of pieces) {
    const line = lines[lines.length - 1];
    if (line && widthOf((line + piece).trimEnd()) > width) lines.push(piece);
    else lines[lines.length - 1] = line + piece;
  }
  const cut = lines.slice(0, most).map((line) => line.trim());
  const last = cut.length - 1;
  const signs = [...cut[last]];
  if (lines.length > most || widthOf(cut[last]) > width) {
    while (signs.length > 1 && widthOf(signs.join("")) > width - 0.8) signs.pop();
    cut[last] = signs.join("").trim() + "…";
  }
  return cut;
}

/** A node as a box centred on (x, y), a link to its card. */
function box(node, x, y, size, className) {
  const sign = className === "self" ? 14.5 : 13;
  const lines = wrapped(titleOf(node), (size.w - 18) / sign, Math.floor((size.h - 8) / 16));
  const inside = [
    svg("title", {}, titleOf(node)),
    svg("rect", { x: x - size.w / 2, y: y - size.h / 2, width: size.w, height: size.h, rx: 7 }),
    svg("text", { x, y: y - (lines.length - 1) * 8 + 4.5 },
      lines.map((line, at) => svg("tspan", { x, dy: at ? 16 : 0 }, line))),
  ];
  return svg("a", { href: linkTo(node), tabindex: -1, class: "box " + roleOf(node) + " " + (className || "") }, inside);
}

let markers = 0;
/** An empty picture whose arrows end in `url(#id)`. */
function picture(width, height, label) {
  const id = "tip" + (markers += 1);
  const tip = svg("marker", { id, viewBox: "0 0 8 8", refX: 7.2, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto", class: "tip" },
    svg("path", { d: "M0,0.6 L7.4,4 L0,7.4 z" }));
  const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "group", "aria-label": label }, svg("defs", {}, tip));
  return { root, tip: `url(#${id})` };
}

function curve(from, to, upright) {
  const bend = upright ? Math.max(16, Math.abs(to.y - from.y) / 2) : Math.max(20, Math.abs(to.x - from.x) / 2);
  return upright
    ? `M${from.x},${from.y} C${from.x},${from.y + bend} ${to.x},${to.y - bend} ${to.x},${to.y}`
    : `M${from.x},${from.y} C${from.x + bend},${from.y} ${to.x - bend},${to.y} ${to.x},${to.y}`;
}

/** Layer of each key: the length of the longest way to it. `pairs` must form no cycle. */
function layersOf(keys, pairs) {
  const into = new Map(keys.map((key) => [key, []]));
  for (const [source, target] of pairs) into.get(target).push(source);
  const layer = new Map();
  const visit = (key) => {
    if (!layer.has(key)) layer.set(key, Math.max(-1, ...into.get(key).map(visit)) + 1);
    return layer.get(key);
  };
  keys.forEach(visit);
  return layer;
}

const MOVES = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** One tab stop for the whole picture; arrow keys go to the nearest box on that side. */
function walkable(root) {
  const boxes = [...root.querySelectorAll(".box")];
  const start = boxes.find((one) => one.classList.contains("self")) || boxes[0];
  if (start) start.setAttribute("tabindex", 0);
  const middle = (one) => {
    const shape = one.querySelector("rect");
    const [x, y, w, h] = ["x", "y", "width", "height"].map((name) => Number(shape.getAttribute(name)));
    return [x + w / 2, y + h / 2];
  };
  root.addEventListener("keydown", (event) => {
    const move = MOVES[event.key];
    const from = event.target.closest && event.target.closest(".box");
    if (!move || !from) return;
    const [x, y] = middle(from);
    const far = (one) => {
      const [dx, dy] = [middle(one)[0] - x, middle(one)[1] - y];
      const along = dx * move[0] + dy * move[1];
      const aside = Math.abs(dx * move[1] + dy * move[0]);
      return along > 4 ? along + aside * (move[0] ? 3 : 0.4) : Infinity; // up and down: the next layer first
    };
    const next = boxes.reduce((best, one) => (far(one) < far(best) ? one : best), from);
    event.preventDefault();
    if (far(next) === Infinity) return;
    from.setAttribute("tabindex", -1);
    next.setAttribute("tabindex", 0);
    next.focus();
  });
  return root;
}

/** Rows of places {key, x, w} from top to bottom and the way of each pair through them; `key` is null at bends. */
function layered(keys, pairs, size) {
  const layer = layersOf(keys, pairs);
  const rows = [];
  const place = new Map();
  const put = (key, row) => {
    const spot = { key, row, w: key === null ? 26 : size.w + size.gap, up: [], down: [], x: 0 };
    (rows[row] = rows[row] || []).push(spot);
    return spot;
  };
  for (const key of keys) place.set(key, put(key, layer.get(key)));
  const ways = pairs.map(([source, target]) => {
    const way = [place.get(source)];
    for (let row = layer.get(source) + 1; row < layer.get(target); row += 1) way.push(put(null, row));
    way.push(place.get(target));
    for (let at = 1; at < way.length; at += 1) {
      way[at - 1].down.push(way[at]);
      way[at].up.push(way[at - 1]);
    }
    return way;
  });
  for (const row of rows) spread(row);
  for (let sweep = 0; sweep < 10; sweep += 1) {
    const down = sweep % 2 === 0;
    for (const row of down ? rows : [...rows].reverse()) {
      for (const spot of row) spot.pull = mean((down ? spot.up : spot.down).map((other) => other.x), spot.x);
      row.sort((a, b) => a.pull - b.pull);
      if (sweep < 6) spread(row);
      else relax(row);
    }
  }
  const left = Math.min(...rows.flat().map((spot) => spot.x - spot.w / 2));
  for (const spot of rows.flat()) spot.x -= left;
  return { rows, ways, width: Math.max(...rows.flat().map((spot) => spot.x + spot.w / 2)) };
}

function mean(values, otherwise) {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : otherwise;
}

/** Side by side in the present order, centred on 0. */
function spread(row) {
  let x = -row.reduce((sum, spot) => sum + spot.w, 0) / 2;
  for (const spot of row) {
    spot.x = x + spot.w / 2;
    x += spot.w;
  }
}

/** As near to where they are pulled as the order and the widths allow. */
function relax(row) {
  let edge = -Infinity;
  for (const spot of row) {
    spot.x = Math.max(spot.pull, edge + spot.w / 2);
    edge = spot.x + spot.w / 2;
  }
  const shift = mean(row.map((spot) => spot.pull - spot.x), 0);
  for (const spot of row) spot.x += shift;
}

/** A drawing at most this much wider than the page is made smaller; a wider one is scrolled. */
const MOST_SHRUNK = 1.45;

/** Boxes in layers from top to bottom with an arrow for each link; a wide one keeps its size and is scrolled. */
function layeredPicture({ keys, links, size, row, room, label, classOf, told, thick }) {
  const { rows, ways, width } = layered(keys, links.map((edge) => [edge.source, edge.target]), size);
  const { root, tip } = picture(Math.ceil(width) + 8, rows.length * row - (row - size.h) + 12, label);
  if (width > room * MOST_SHRUNK) root.setAttribute("class", "large");
  const at = (spot) => ({ x: spot.x + 4, y: spot.row * row + size.h / 2 + 4 });
  ways.forEach((way, place) => {
    let path = "";
    for (let step = 1; step < way.length; step += 1) {
      const [from, to] = [at(way[step - 1]), at(way[step])];
      const piece = curve({ x: from.x, y: from.y + size.h / 2 }, { x: to.x, y: to.y - size.h / 2 }, true);
      path += step === 1 ? piece : piece.replace("M", "L"); // straight down beside the boxes of a layer it passes
    }
    root.append(svg("path", { class: "line", d: path, "marker-end": tip, "stroke-width": thick ? thick(links[place]) : null },
      svg("title", {}, told(links[place]))));
  });
  for (const spot of rows.flat()) {
    if (spot.key === null) continue;
    const { x, y } = at(spot);
    root.append(box(NODES[spot.key], x, y, size, classOf(spot.key)));
  }
  return walkable(root);
}
