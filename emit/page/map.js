// The whole graph as one map: from left to right as the books teach, one column a section, terms on top, and over them
// an arc for every prerequisite. Painted on a canvas, for ten thousand things; contents and search say the same in words.

const LANES = ["term", "procedure", "activity", "question"];
const COLUMN = 4;
const MOST_LARGE = 600;
const WIDEST = 16000; // pixels: what a canvas can hold everywhere
const ARCS = 150;
const TITLES = 34;

/** Places of all things that stand in a section, packed into its columns, lane under lane; and where each chapter is. */
function mapPlaces() {
  const places = [];
  const chapters = [];
  let x = 1; // in squares until all of them have found a place
  for (const section of READING) {
    const items = SECTION_ITEMS.get(section).filter(([, first]) => first).map(([item]) => NODES[item]);
    if (!items.length) continue;
    const chapter = roleOf(NODES[section]) === "section" ? PARENT.get(section) : section;
    if (!chapters.length || chapters[chapters.length - 1].at !== chapter) {
      x += chapters.length ? 1 : 0;
      chapters.push({ at: chapter, x });
    }
    let row = 1;
    let wide = 1;
    for (const lane of LANES) {
      const own = items.filter((node) => roleOf(node) === lane);
      own.forEach((node, at) => places.push({ node, x: x + (at % COLUMN), y: row + Math.floor(at / COLUMN) }));
      wide = Math.max(wide, Math.min(own.length, COLUMN));
      row += Math.ceil(own.length / COLUMN) + (own.length ? 1 : 0);
    }
    x += wide + 1;
    chapters[chapters.length - 1].end = x - 1;
  }
  const cell = Math.max(2, Math.min(places.length > MOST_LARGE ? 8 : 12, Math.floor(WIDEST / (x + 1))));
  for (const place of places) [place.x, place.y] = [place.x * cell, ARCS + TITLES + place.y * cell];
  for (const chapter of chapters) [chapter.x, chapter.end] = [chapter.x * cell, chapter.end * cell];
  const height = Math.max(ARCS + TITLES, ...places.map((place) => place.y)) + 2 * cell;
  return { cell, places, chapters, width: (x + 1) * cell, height, at: new Map(places.map((place) => [place.node.at, place])) };
}

function mapView() {
  const map = mapPlaces();
  const shape = el("canvas", { class: "map", role: "img", "aria-label": say("map_label", { count: map.places.length }) });
  const over = el("canvas", { class: "map over", "aria-hidden": "true" });
  const name = el("p", { class: "note", id: "pointed" }, say("map_hint"));
  const hitAt = (event) => {
    const frame = over.getBoundingClientRect();
    const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
    return map.places.find((place) => Math.abs(place.x - x) < map.cell / 2 && Math.abs(place.y - y) < map.cell / 2);
  };
  let pointed = null;
  over.addEventListener("mousemove", (event) => {
    const hit = hitAt(event) || null;
    if (hit === pointed) return;
    pointed = hit;
    name.textContent = hit ? titleOf(hit.node) + " – " + shortPlace(hit.node) : say("map_hint");
    over.style.cursor = hit ? "pointer" : "";
    paintPointed(over, map, hit);
  });
  over.addEventListener("click", (event) => {
    const hit = hitAt(event);
    if (hit) open(hit.node);
  });
  requestAnimationFrame(() => paintMap(shape, over, map));
  return el("article", { class: "wide" },
    el("h1", { tabindex: -1, id: "title" }, say("map")),
    el("p", { class: "intro" }, say("map_intro")),
    el("p", { class: "legend" }, LANES.map((lane) => el("span", {}, el("span", { class: "dot square " + lane, "aria-hidden": "true" }), T.many[lane] || lane)),
      el("span", {}, el("span", { class: "arc", "aria-hidden": "true" }), say("map_against"))),
    name,
    el("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": say("map") }, el("div", { class: "stack" }, shape, over)));
}

function colour(token) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + token).trim();
}

/** A canvas of the map's size, ready to be painted on in the map's measures. */
function prepared(shape, { width, height }) {
  const scale = Math.min(devicePixelRatio || 1, WIDEST / width);
  [shape.width, shape.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  [shape.style.width, shape.style.height] = [width + "px", height + "px"];
  const brush = shape.getContext("2d");
  brush.scale(scale, scale);
  return brush;
}

/** An arc for each prerequisite, the higher the farther it leads. */
function arcs(brush, { at, width }, edges, style, alpha) {
  brush.strokeStyle = style;
  brush.globalAlpha = alpha;
  brush.beginPath();
  for (const edge of edges) {
    const [from, to] = [at.get(edge.source), at.get(edge.target)];
    if (!from || !to) continue;
    const high = 8 + (ARCS - 14) * Math.sqrt(Math.abs(to.x - from.x) / width);
    brush.moveTo(from.x, ARCS);
    brush.bezierCurveTo(from.x, ARCS - high * 1.33, to.x, ARCS - high * 1.33, to.x, ARCS);
  }
  brush.stroke();
  brush.globalAlpha = 1;
}

function paintMap(shape, over, map) {
  const brush = prepared(shape, map);
  const needs = EDGES.filter((edge) => relationOf(edge) === "prerequisite");
  const early = new Set(tooEarly());
  arcs(brush, map, needs.filter((edge) => !early.has(edge)), colour("soft"), Math.max(0.08, Math.min(0.5, 6 / Math.sqrt(needs.length + 1))));
  arcs(brush, map, early, colour("warn"), 0.9);
  brush.font = "11px system-ui, sans-serif";
  for (const { at, x, end } of map.chapters) {
    brush.fillStyle = colour("line");
    brush.fillRect(x - map.cell / 2, ARCS + 3, Math.max(end - x, map.cell), 2);
    brush.fillStyle = colour("ink");
    const room = (end - x) / 11;
    if (at !== undefined && at >= 0 && room > 3) wrapped(titleOf(NODES[at]), room, 2).forEach((line, row) => brush.fillText(line, x - map.cell / 2, ARCS + 16 + row * 13));
  }
  for (const lane of LANES) {
    brush.fillStyle = colour(lane);
    const side = map.cell * 0.67;
    for (const place of map.places) if (roleOf(place.node) === lane) brush.fillRect(place.x - side / 2, place.y - side / 2, side, side);
  }
  prepared(over, map);
  shape.dataset.painted = String(map.places.length);
}

/** What the thing under the pointer needs and leads to, over the map. */
function paintPointed(over, map, hit) {
  const brush = over.getContext("2d");
  brush.clearRect(0, 0, map.width, map.height);
  if (!hit) return;
  const ofKind = (edges) => edges.filter((edge) => relationOf(edge) === "prerequisite");
  brush.lineWidth = 1.6;
  arcs(brush, map, ofKind(hit.node.into), colour("activity"), 1);
  arcs(brush, map, ofKind(hit.node.out), colour("accent"), 1);
  brush.strokeStyle = colour("ink");
  const around = [hit.node.at, ...ofKind(hit.node.into).map((edge) => edge.source), ...ofKind(hit.node.out).map((edge) => edge.target)];
  for (const at of around) {
    const place = map.at.get(at);
    if (place) brush.strokeRect(place.x - map.cell / 2, place.y - map.cell / 2, map.cell, map.cell);
  }
}
