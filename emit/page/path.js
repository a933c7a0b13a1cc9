// What must be learned before a thing: drawn in layers, and as a list to study by.

const MOST_EXERCISES = 3;
const MOST_DRAWN = 48;
const CHAIN_BOX = { w: 158, h: 46, gap: 16 };
const CHAIN_ROW = 84;

/** What comes right before a node. */
function before(node) {
  return node.into.filter((edge) => relationOf(edge) === "prerequisite").map((edge) => NODES[edge.source]);
}

/** Everything that must be learned before the node, the nearest first. */
function neededFor(node) {
  const needed = new Set([node]);
  for (const one of needed) for (const other of before(one)) needed.add(other);
  needed.delete(node);
  return [...needed];
}

/** The same and the node itself in an order in which nothing comes before what it needs, else as the books teach. */
function pathTo(node) {
  const left = neededFor(node).sort(inOrder);
  const needed = new Set(left);
  const path = [];
  const done = new Set();
  while (left.length) {
    const at = left.findIndex((one) => before(one).every((other) => done.has(other) || !needed.has(other)));
    const [next] = left.splice(Math.max(at, 0), 1);
    done.add(next);
    path.push(next);
  }
  return [...path, node];
}

function pathView(node, width) {
  const path = pathTo(node);
  return el("article", {},
    el("h1", { tabindex: -1, id: "title" }, say("path_to", { name: titleOf(node) })),
    el("p", { class: "intro" }, say(path.length > 1 ? "path_intro" : "path_none", { count: count.format(path.length - 1) })),
    path.length > 1 ? chainFigure(node, width) : null,
    el("h2", {}, say("in_words")),
    el("ol", { class: "path" }, path.map(pathStep)));
}

/** A quotation to read first: from the section where the node is introduced, if there is one. */
function firstReading(node) {
  const home = HOME.has(node.at) ? NODES[HOME.get(node.at)].id : "";
  const taught = node.out.filter((edge) => relationOf(edge) === "location").flatMap((edge) => edge.quotes);
  return [...node.quotes, ...taught].find(([section]) => D.sections[section][1] === home) || node.quotes[0];
}

function pathStep(node) {
  const place = firstReading(node);
  const asked = node.into.filter((edge) => relationOf(edge) === "assessment").map((edge) => NODES[edge.source]).sort(inOrder);
  return el("li", {}, el("div", {}, dot(node), nodeLink(node), place ? el("span", { class: "note" }, " ", placeOf(place[0], place[1])) : null),
    leadOf(node) ? el("p", { class: "note" }, leadOf(node)) : null,
    asked.length ? discloser(say("exercises", { count: count.format(asked.length) }),
      () => lazily(el("ul", { class: "plain" }), asked, nodeRow, MOST_EXERCISES)) : null);
}

/** The chain of prerequisites from top to bottom, each layer as deep as the longest way to it. */
function chainFigure(node, width) {
  const needed = neededFor(node);
  const drawn = [...needed.slice(0, MOST_DRAWN), node].sort(inOrder).map((one) => one.at);
  const shown = new Set(drawn);
  const links = EDGES.filter((edge) => relationOf(edge) === "prerequisite" && shown.has(edge.source) && shown.has(edge.target));
  const left = needed.length + 1 - drawn.length;
  const shape = layeredPicture({
    keys: drawn, links: withoutDetours(links), size: CHAIN_BOX, row: CHAIN_ROW, room: width,
    label: say("chain_label", { name: titleOf(node), count: drawn.length - 1 }),
    classOf: (at) => (at === node.at ? "self" : ""),
    told: (edge) => titleOf(NODES[edge.source]) + " → " + titleOf(NODES[edge.target]),
  });
  return el("figure", { class: "picture map" },
    el("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": say("chain") }, shape),
    el("figcaption", {}, say("chain_caption"), left ? " " + say("chain_cut", { count: count.format(left) }) : null));
}

/** The links without those that only say what a chain of others says. */
function withoutDetours(links) {
  const next = new Map();
  for (const edge of links) next.set(edge.source, [...(next.get(edge.source) || []), edge.target]);
  return links.filter((edge) => {
    const seen = new Set((next.get(edge.source) || []).filter((other) => other !== edge.target));
    for (const at of seen) for (const other of next.get(at) || []) seen.add(other);
    return !seen.has(edge.target);
  });
}
