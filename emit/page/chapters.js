// Which chapter comes before which: a layered drawing, and the same in words.

function chapterLinks() {
  return EDGES.filter((edge) => relationOf(edge) === "sequence");
}

const NARROW = 620;

function chaptersView(width) {
  const links = chapterLinks();
  const order = new Map();
  for (const book of D.contents) for (const part of book.parts) if (part.node >= 0) order.set(part.node, order.size);
  const joined = new Set(links.flatMap((edge) => [edge.source, edge.target]));
  const alone = [...order.keys()].filter((at) => !joined.has(at));
  return el("article", {},
    el("h1", { tabindex: -1, id: "title" }, say("chapters")),
    el("p", { class: "intro" }, say(links.length ? "chapters_intro" : "chapters_none")),
    links.length ? el("figure", { class: "picture map" }, el("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": say("chapters") },
      width < NARROW ? chapterColumn(links, order, width) : chapterPicture(links, order, width)), el("figcaption", {}, say("chapters_caption"), bookLegend(links, order))) : null,
    links.length ? el("section", {}, el("h2", {}, say("in_words")), chapterWords(links, order)) : null,
    alone.length ? el("section", {}, el("h2", {}, say("chapters_alone")), el("ul", {}, alone.map((at) => el("li", {}, nodeLink(NODES[at]), bookNote(at))))) : null);
}

function bookNote(at) {
  const book = PARENT.get(at);
  return D.contents.length > 1 && book !== undefined ? el("span", { class: "note" }, " " + NODES[book].name) : null;
}

/** Chapters of the drawing in curriculum order, and their books, in the order of their colours. */
function drawnChapters(links, order) {
  const keys = [...new Set(links.flatMap((edge) => [edge.source, edge.target]))].sort((a, b) => order.get(a) - order.get(b));
  return { keys, books: [...new Set(keys.map((key) => PARENT.get(key)))] };
}

function bookLegend(links, order) {
  const { books } = drawnChapters(links, order);
  if (books.length < 2) return null;
  return el("span", { class: "legend" }, books.map((book, at) => el("span", {}, el("span", { class: "swatch book" + (at % 5), "aria-hidden": "true" }), NODES[book] ? NODES[book].name : "")));
}

function chapterPicture(links, order, room) {
  const { keys, books } = drawnChapters(links, order);
  return layeredPicture({
    keys, links, size: { w: 168, h: 58, gap: 20 }, row: 104, room,
    label: say("chapters_label", { count: links.length }),
    classOf: (at) => "book" + (books.indexOf(PARENT.get(at)) % 5),
    told: (edge) => titleOf(NODES[edge.source]) + " → " + titleOf(NODES[edge.target]) + " (" + (edge.properties.support || 1) + ")",
    thick: (edge) => thickness(edge, links),
  });
}

/** Of a link's line: one pixel for a single prerequisite, three and a half for the strongest link. */
function thickness(edge, links) {
  const heaviest = Math.max(2, ...links.map((other) => other.properties.support || 1));
  return (1 + 2.5 * Math.sqrt(((edge.properties.support || 1) - 1) / (heaviest - 1))).toFixed(2);
}

/** For narrow screens: one column in curriculum order, with the links as arcs beside it. */
function chapterColumn(links, order, room) {
  const { keys, books } = drawnChapters(links, order);
  const row = 58;
  const margin = Math.min(110, room / 3);
  const size = { w: room - margin - 8, h: 44 };
  const place = new Map(keys.map((key, at) => [key, at]));
  const { root, tip } = picture(room, keys.length * row + 4, say("chapters_label", { count: links.length }));
  const y = (key) => place.get(key) * row + size.h / 2 + 4;
  const x = size.w + 4;
  const longest = Math.max(...links.map((edge) => place.get(edge.target) - place.get(edge.source)), 2);
  for (const edge of links) {
    const out = x + 14 + ((margin - 22) * (place.get(edge.target) - place.get(edge.source))) / longest;
    const [from, to] = [y(edge.source) + 8, y(edge.target) - 8];
    root.append(svg("path", { class: "line", d: `M${x},${from} C${out},${from} ${out},${to} ${x + 2},${to}`, "marker-end": tip, "stroke-width": thickness(edge, links) }));
  }
  for (const key of keys) root.append(box(NODES[key], size.w / 2 + 4, y(key), size, "book" + (books.indexOf(PARENT.get(key)) % 5)));
  return walkable(root);
}

function chapterWords(links, order) {
  const targets = new Map();
  for (const edge of links) targets.set(edge.target, [...(targets.get(edge.target) || []), edge]);
  const rows = [...targets].sort((a, b) => order.get(a[0]) - order.get(b[0]));
  return lazily(el("ul", { class: "words" }), rows, ([target, edges]) => el("li", {},
    el("b", {}, nodeLink(NODES[target])), bookNote(target), " ", say("needs"),
    el("ul", { class: "neighbours" }, edges.sort((a, b) => order.get(a.source) - order.get(b.source)).map((edge) => neighbourRow({ edge, other: NODES[edge.source] })))), 60);
}
