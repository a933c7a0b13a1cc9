// Which chapter comes before which: a layered drawing, and the same in words.

function chapterLinks() {
  return EDGES.filter((edge) => relationOf(edge) === "sequence");
}

function chaptersView() {
  const links = chapterLinks();
  const order = new Map();
  for (const book of D.contents) for (const part of book.parts) if (part.node >= 0) order.set(part.node, order.size);
  const joined = new Set(links.flatMap((edge) => [edge.source, edge.target]));
  const alone = [...order.keys()].filter((at) => !joined.has(at));
  return el("article", {},
    el("h1", { tabindex: -1, id: "title" }, say("chapters")),
    el("p", { class: "intro" }, say(links.length ? "chapters_intro" : "chapters_none")),
    links.length ? el("figure", { class: "picture map" }, el("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": say("chapters") },
      chapterPicture(links, order)), el("figcaption", {}, say("chapters_caption"), bookLegend(links, order))) : null,
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

function chapterPicture(links, order) {
  const size = { w: 176, h: 46, gap: 22 };
  const row = 92;
  const { keys, books } = drawnChapters(links, order);
  const { rows, ways, width } = layered(keys, links.map((edge) => [edge.source, edge.target]), size);
  const { root, tip } = picture(Math.ceil(width) + 8, rows.length * row - (row - size.h) + 12, say("chapters_label", { count: links.length }));
  const at = (spot) => ({ x: spot.x + 4, y: spot.row * row + size.h / 2 + 4 });
  const heaviest = Math.max(...links.map((edge) => edge.properties.support || 1));
  ways.forEach((way, place) => {
    const support = links[place].properties.support || 1;
    let path = "";
    for (let step = 1; step < way.length; step += 1) {
      const [from, to] = [at(way[step - 1]), at(way[step])];
      const start = { x: from.x, y: from.y + (way[step - 1].key === null ? 0 : size.h / 2) };
      const end = { x: to.x, y: to.y - (way[step].key === null ? 0 : size.h / 2) };
      path += step === 1 ? curve(start, end, true) : curve(start, end, true).replace(/^M\S+/, "");
    }
    const heading = titleOf(NODES[links[place].source]) + " → " + titleOf(NODES[links[place].target]);
    root.append(svg("path", { class: "line", d: path, "marker-end": tip, "stroke-width": 1 + 2.5 * Math.sqrt((support - 1) / Math.max(heaviest - 1, 1)) },
      svg("title", {}, heading + " (" + support + ")")));
  });
  for (const spot of rows.flat()) {
    if (spot.key === null) continue;
    const { x, y } = at(spot);
    root.append(box(NODES[spot.key], x, y, size, "book" + (books.indexOf(PARENT.get(spot.key)) % 5)));
  }
  return root;
}

function chapterWords(links, order) {
  const targets = new Map();
  for (const edge of links) targets.set(edge.target, [...(targets.get(edge.target) || []), edge]);
  const rows = [...targets].sort((a, b) => order.get(a[0]) - order.get(b[0]));
  return lazily(el("ul", { class: "words" }), rows, ([target, edges]) => el("li", {},
    el("b", {}, nodeLink(NODES[target])), bookNote(target), " ", say("needs"),
    el("ul", { class: "neighbours" }, edges.sort((a, b) => order.get(a.source) - order.get(b.source)).map((edge) => neighbourRow({ edge, other: NODES[edge.source] })))), 60);
}
