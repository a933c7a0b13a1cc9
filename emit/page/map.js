// The whole graph as one map: from left to right as the books teach, one column a section, terms on top. Painted on a
// canvas, for ten thousand things; the contents on the left and the search are the same in words.

const LANES = ["term", "procedure", "activity", "question"];
const CELL = 9;
const COLUMN = 4;
const MOST_LINES = 30000;

/** Place of every thing that stands in a section: packed into its section's columns, lane under lane. */
function mapPlaces() {
  const places = [];
  let x = CELL;
  for (const section of READING) {
    const items = SECTION_ITEMS.get(section).filter(([, first]) => first).map(([item]) => NODES[item]);
    if (!items.length) continue;
    let y = 0;
    let wide = 1;
    for (const lane of LANES) {
      const own = items.filter((node) => roleOf(node) === lane);
      own.forEach((node, at) => places.push({ node, x: x + (at % COLUMN) * CELL, row: y + Math.floor(at / COLUMN) }));
      wide = Math.max(wide, Math.min(own.length, COLUMN));
      y += Math.ceil(own.length / COLUMN) + (own.length ? 1 : 0);
    }
    x += wide * CELL + CELL;
  }
  return { places, width: x + CELL, height: (Math.max(0, ...places.map((place) => place.row)) + 3) * CELL };
}

function mapView() {
  const { places, width, height } = mapPlaces();
  const shape = el("canvas", { class: "map", role: "img", "aria-label": say("map_label", { count: places.length }) });
  const name = el("p", { class: "note", id: "pointed" }, say("map_hint"));
  const at = new Map(places.map((place) => [place.node.at, place]));
  const nearest = (event) => {
    const box = shape.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return places.find((place) => Math.abs(place.x - x) < CELL / 2 && Math.abs((place.row + 1) * CELL - y) < CELL / 2);
  };
  shape.addEventListener("mousemove", (event) => {
    const hit = nearest(event);
    name.textContent = hit ? titleOf(hit.node) + " – " + shortPlace(hit.node) : say("map_hint");
    shape.style.cursor = hit ? "pointer" : "";
  });
  shape.addEventListener("click", (event) => {
    const hit = nearest(event);
    if (hit) open(hit.node);
  });
  requestAnimationFrame(() => paintMap(shape, { places, at, width, height }));
  return el("article", {},
    el("h1", { tabindex: -1, id: "title" }, say("map")),
    el("p", { class: "intro" }, say("map_intro")),
    el("p", { class: "legend" }, LANES.map((lane) => el("span", {}, el("span", { class: "dot " + lane, "aria-hidden": "true" }), " ", T.many[lane] || lane))),
    name,
    el("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": say("map") }, shape));
}

function paintMap(shape, { places, at, width, height }) {
  const style = getComputedStyle(document.documentElement);
  const colour = (token) => style.getPropertyValue("--" + token).trim();
  const scale = Math.min(devicePixelRatio || 1, 16000 / width);
  [shape.width, shape.height] = [Math.ceil(width * scale), Math.ceil(height * scale)];
  [shape.style.width, shape.style.height] = [width + "px", height + "px"];
  const brush = shape.getContext("2d");
  brush.scale(scale, scale);
  brush.strokeStyle = colour("soft");
  brush.globalAlpha = 0.13;
  brush.beginPath();
  for (const edge of EDGES.slice(0, MOST_LINES)) {
    const [from, to] = [at.get(edge.source), at.get(edge.target)];
    if (relationOf(edge) !== "prerequisite" || !from || !to) continue;
    brush.moveTo(from.x, (from.row + 1) * CELL);
    brush.lineTo(to.x, (to.row + 1) * CELL);
  }
  brush.stroke();
  brush.globalAlpha = 1;
  for (const lane of LANES) {
    brush.fillStyle = colour(lane);
    for (const place of places) if (roleOf(place.node) === lane) brush.fillRect(place.x - 3, (place.row + 1) * CELL - 3, 6, 6);
  }
  shape.dataset.painted = String(places.length);
}
