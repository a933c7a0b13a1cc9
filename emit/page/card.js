// The card of a node: what it is, what the book says about it, and what stands around it.

const RELATION_ORDER = [
  "prerequisite.in", "prerequisite.out", "sequence.in", "sequence.out", "taxonomy.out", "taxonomy.in", "association.out",
  "demonstration.in", "demonstration.out", "assessment.out", "assessment.in", "location.out",
];
const IN_CONTENTS = new Set(["location.in", "containment.in", "containment.out"]);
const FIRST_NEIGHBOURS = 8;
const TRUST = ["rules", "confidence", "support"];
const MOST_BESIDE_NAME = 110;
const PLAIN = new Set(["string", "number", "boolean"]);

function cardView(node, width) {
  const role = roleOf(node);
  const lead = leadOf(node);
  const whole = isCutOff(node);
  return el("article", { class: "card" },
    crumbs(node),
    el("p", { class: "kind" }, dot(node), typeOf(node).one),
    el("h1", { tabindex: -1, id: "title", class: role === "question" ? "long" : null }, whole ? lead : titleOf(node)),
    aliases(node),
    lead && !whole ? el("p", { class: "lead" }, lead) : null,
    before(node).length ? el("p", {}, el("a", { class: "to-path", href: "#view=path&to=" + encodeURIComponent(node.id) }, say("path_link"))) : null,
    facts(node),
    evidence(node),
    STRUCTURE.includes(role) ? inside(node) : null,
    neighbourhood(node, width),
    relations(node),
    doubts(node),
    el("p", { class: "permalink" }, el("a", { href: linkTo(node) }, say("permalink")), " ", el("code", {}, node.id)));
}

/** True if the name is only the beginning of the text that explains the node, as with long questions. */
function isCutOff(node) {
  return node.name.endsWith("…") && leadOf(node).startsWith(node.name.slice(0, -1).trimEnd());
}

function crumbs(node) {
  const path = above(node);
  if (!path.length) return null;
  return el("nav", { class: "crumbs", "aria-label": say("place") },
    el("ol", {}, path.map((step) => el("li", {}, nodeLink(step)))));
}

function aliases(node) {
  const names = node.properties.aliases;
  return Array.isArray(names) && names.length ? el("p", { class: "aliases" }, say("also_called"), " ", names.join(" · ")) : null;
}

/** All other properties, those of the schema first and in its order. */
function facts(node) {
  const type = typeOf(node);
  const known = Object.keys(type.fields);
  const skipped = new Set([type.lead, "aliases", "name", "variants", ...TRUST, ...(STRUCTURE.includes(type.role) ? ["number", "order", "kind"] : [])]);
  const keys = [...known, ...Object.keys(node.properties).filter((key) => !known.includes(key)).sort()];
  const rows = keys.filter((key) => !skipped.has(key)).map((key) => [key, factValue(node, key, type.fields[key])]);
  const shown = rows.filter(([, value]) => value !== null)
    .map(([key, value]) => [fieldName(key), el("dd", { class: "is-" + key.replace(/\W/g, "") }, value)]);
  for (const [key, values] of Object.entries(node.properties.variants || {})) {
    shown.push([say("variants", { field: fieldName(key) }), el("dd", {}, listValue(node, key, values))]);
  }
  if (!shown.length) return null;
  return el("dl", { class: "facts" }, shown.map(([name, value]) => [el("dt", {}, name), value]));
}

function factValue(node, key, field) {
  const value = node.properties[key];
  if (value === undefined || value === null || value === "" || (Array.isArray(value) && !value.length)) return null;
  if (/_page$/.test(key) && Number.isInteger(value)) {
    const section = SECTION_BY_ID.get(node.id);
    const label = section === undefined ? "" : ((D.books[D.sections[section][0]] || [])[3] || [])[value];
    return label ? say("page_printed", { page: label }) : say("page_sheet", { page: value + 1 });
  }
  if (field && Number.isInteger(value) && field[1] !== null && field[0] !== null) return say("of_most", { value, most: field[1] });
  if (Array.isArray(value)) return listValue(node, key, value);
  return PLAIN.has(typeof value) ? valueName(key, value) : JSON.stringify(value);
}

function listValue(node, key, values) {
  if (values.every((value) => PLAIN.has(typeof value)) && values.every((value) => String(value).length < 40)) {
    return values.map((value) => valueName(key, value)).join(" · ");
  }
  const lead = leadOf(node);
  const rows = values.filter((value) => !(value && value.text && value.text === lead));
  if (!rows.length) return null;
  return el("ul", {}, rows.map((value) => {
    if (PLAIN.has(typeof value)) return el("li", {}, valueName(key, value));
    if (!value || typeof value.text !== "string") return el("li", {}, JSON.stringify(value));
    const section = SECTION_BY_ID.get(value.section);
    return el("li", {}, value.text, section === undefined ? null : el("span", { class: "note" }, " — ", placeOf(section, null)));
  }));
}

function evidence(node) {
  if (!node.quotes.length) return null;
  return el("section", { class: "evidence" }, el("h2", {}, say("evidence")), quoteList(node.quotes, node.total, 2), trust(node.properties));
}

/** What a book, chapter or section holds. */
function inside(node) {
  const items = SECTION_ITEMS.get(node.at) || [];
  const parts = [...PARENT].filter(([, parent]) => parent === node.at).map(([child]) => NODES[child]);
  const row = (part) => el("li", {}, nodeLink(part), " ", el("span", { class: "note" }, heldBy(part)));
  return [
    parts.length ? el("section", {}, el("h2", {}, say("holds")), lazily(el("ul", { class: "parts" }), parts, row, 60)) : null,
    sectionInside(items),
  ];
}

/** "12 concepts" of a section or of all sections of a chapter, first meetings only. */
function heldBy(node) {
  const parts = [...PARENT].filter(([, parent]) => parent === node.at).map(([child]) => child);
  const items = [node.at, ...parts].flatMap((part) => SECTION_ITEMS.get(part) || []);
  const terms = items.filter(([item, first]) => first && roleOf(NODES[item]) === "term").length;
  return terms ? say("concepts_here", { count: terms }) : "";
}

function sectionInside(items) {
  const groups = [
    ["new_here", items.filter(([item, first]) => first && roleOf(NODES[item]) !== "question")],
    ["again_here", items.filter(([item, first]) => !first && roleOf(NODES[item]) !== "question")],
    ["questions_here", items.filter(([item]) => roleOf(NODES[item]) === "question")],
  ];
  return groups.filter(([, rows]) => rows.length).map(([heading, rows]) => el("section", {},
    el("h2", {}, say(heading), " ", el("span", { class: "count" }, count.format(rows.length))),
    lazily(el("ul", { class: "plain" }), rows, ([item]) => nodeRow(NODES[item]), heading === "questions_here" ? FIRST_NEIGHBOURS : 60)));
}

/** A line of a list: mark, name, and the beginning of what explains it. */
function nodeRow(node) {
  const whole = isCutOff(node);
  const lead = leadOf(node);
  const short = lead.length > MOST_BESIDE_NAME ? lead.slice(0, MOST_BESIDE_NAME).trimEnd() + "…" : lead;
  return el("li", { class: "node" }, dot(node), el("span", {}, whole ? el("a", { href: linkTo(node) }, lead) : nodeLink(node), short && !whole ? el("span", { class: "note" }, " ", short) : null));
}

function relations(node) {
  const groups = new Map();
  for (const one of neighbours(node)) {
    if (IN_CONTENTS.has(one.kind)) continue;
    if (!groups.has(one.kind)) groups.set(one.kind, []);
    groups.get(one.kind).push(one);
  }
  if (!groups.size) return STRUCTURE.includes(roleOf(node)) ? null : el("p", { class: "note" }, say("no_neighbours"));
  const kinds = [...groups.keys()].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  return el("div", { class: "relations" }, kinds.map((kind) => relationGroup(kind, groups.get(kind))));
}

function rankOf(kind) {
  const rank = RELATION_ORDER.indexOf(kind);
  return rank < 0 ? RELATION_ORDER.length : rank;
}

function relationGroup(kind, ones) {
  ones.sort((a, b) => inOrder(a.other, b.other));
  const list = el("ul", { class: "neighbours" });
  return el("section", { class: "group" },
    el("h2", {}, T.relations[kind] || kind, " ", el("span", { class: "count" }, count.format(ones.length))),
    lazily(list, ones, neighbourRow, FIRST_NEIGHBOURS));
}

function neighbourRow({ edge, other }) {
  const [button, body] = discloser(say("why"), () => reasons(edge));
  button.setAttribute("aria-label", say("why_label", { name: titleOf(other) }));
  const bare = !edge.quotes.length && !Object.keys(edge.properties).length;
  return el("li", {}, el("div", { class: "pair" }, dot(other), el("span", { class: "name" }, nodeLink(other)), bare ? null : button), bare ? null : body);
}

/** What checks had to say about this node or an edge at it. */
function doubts(node) {
  const rows = D.findings.filter(([, , , nodes, edge]) => nodes.includes(node.at) || (edge && (edge[1] === node.at || edge[2] === node.at)));
  if (!rows.length) return null;
  const list = (some) => lazily(el("ul", { class: "findings" }), some, findingRow, 10);
  const notes = rows.filter((row) => row[1] === "note");
  const doubted = rows.filter((row) => row[1] !== "note");
  return el("section", { class: "doubts" }, el("h2", {}, say("doubts")), doubted.length ? list(doubted) : null,
    notes.length ? discloser(say("notes", { count: count.format(notes.length) }), () => list(notes)) : null);
}
