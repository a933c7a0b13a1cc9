// The data of the page by name, and the questions the views ask of it. Written by emit/page_data.py.

const D = JSON.parse(document.getElementById("data").textContent);
const T = D.texts;
const STRUCTURE = ["book", "chapter", "section"];

/** A text of the page in its language, `{name}` filled in. */
function say(key, values) {
  const text = T.ui[key] === undefined ? key : T.ui[key];
  return text.replace(/\{(\w+)\}/g, (slot, name) => (values && name in values ? String(values[name]) : slot));
}

const count = new Intl.NumberFormat(D.language);
const NODES = D.nodes.map(([id, type, name, properties, quotes, total], at) => ({
  at, id, type, name: name || id, properties, quotes, total, out: [], into: [],
}));
const EDGES = D.edges.map(([source, target, type, properties, quotes, total]) => ({
  source, target, type, properties, quotes, total,
}));
const BY_ID = new Map(NODES.map((node) => [node.id, node.at]));
const SECTION_BY_ID = new Map(D.sections.map((row, at) => [row[1], at]));
for (const edge of EDGES) {
  NODES[edge.source].out.push(edge);
  NODES[edge.target].into.push(edge);
}

const UNKNOWN = { role: "other", one: "?", many: "?", key: "name", lead: "", fields: {} };
function typeOf(node) { return D.types[node.type] || UNKNOWN; }
function roleOf(node) { return typeOf(node).role; }
function relationOf(edge) { return (D.relations[edge.type] || ["other", 0, "?"])[0]; }
function isSymmetric(edge) { return Boolean((D.relations[edge.type] || [])[1]); }
function linkTo(node) { return "#id=" + encodeURIComponent(node.id); }

/**
 * Where each node stands in the tree: first section met, its chapter and book, and the way through all sections.
 * What stands in a section that is no node (a chapter review, say) is met in the chapter.
 */
const HOME = new Map();
const PARENT = new Map();
const SECTION_ITEMS = new Map();
const READING = [];
for (const book of D.contents) {
  for (const part of book.parts) {
    if (part.node >= 0 && book.node >= 0) PARENT.set(part.node, book.node);
    for (const section of part.parts) {
      PARENT.set(section.node, part.node >= 0 ? part.node : book.node);
      SECTION_ITEMS.set(section.node, section.items);
      READING.push(section.node);
      for (const [item, first] of section.items) if (first) HOME.set(item, section.node);
    }
    if (!part.items.length) continue;
    SECTION_ITEMS.set(part.node, part.items);
    READING.push(part.node);
    for (const [item, first] of part.items) if (first) HOME.set(item, part.node);
  }
}

/** Book, chapter and section above a node, outermost first. */
function above(node) {
  const path = [];
  let at = HOME.has(node.at) ? HOME.get(node.at) : PARENT.get(node.at);
  while (at !== undefined && at >= 0) {
    path.unshift(NODES[at]);
    at = PARENT.get(at);
  }
  return path;
}

/** "2.1 Speed" for sections and chapters, the name for everything else. */
function titleOf(node) {
  const role = roleOf(node);
  if (!STRUCTURE.includes(role)) return node.name;
  const number = node.properties.number;
  if (!number || node.name.startsWith(String(number))) return node.name;
  return role === "chapter" ? say("chapter_title", { number, name: node.name }) : number + " " + node.name;
}

/** The text that explains a node: definition, description, stem. */
function leadOf(node) {
  const type = typeOf(node);
  const text = type.lead ? node.properties[type.lead] : "";
  return STRUCTURE.includes(type.role) || text === node.name ? "" : String(text || "");
}

function fieldName(key) { return T.fields[key] || key.replace(/_/g, " "); }

function valueName(key, value) { return (T.values[key] || {})[String(value)] || String(value); }

/** The other end of an edge, and whether the edge leads there from `node`. */
function neighbours(node) {
  const both = node.out.map((edge) => ({ edge, other: NODES[edge.target], side: "out" }));
  for (const edge of node.into) {
    both.push({ edge, other: NODES[edge.source], side: isSymmetric(edge) ? "out" : "in" });
  }
  return both.map((one) => ({ ...one, kind: relationOf(one.edge) + "." + one.side }));
}

/** Place in teaching order, for sorting: nodes that stand nowhere come last. */
const ORDER = new Map();
READING.forEach((section) => {
  for (const [item] of SECTION_ITEMS.get(section)) if (!ORDER.has(item)) ORDER.set(item, ORDER.size);
});
function inOrder(a, b) {
  const [x, y] = [ORDER.get(a.at), ORDER.get(b.at)];
  if (x !== y) return (x === undefined ? Infinity : x) - (y === undefined ? Infinity : y);
  return a.at - b.at;
}
