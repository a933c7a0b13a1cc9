// What teachers and authors can act on: what comes too early, what nobody asks about.

/** Prerequisites whose target is taught before their source. */
function tooEarly() {
  return EDGES.filter((edge) => relationOf(edge) === "prerequisite"
    && ORDER.has(edge.source) && ORDER.has(edge.target) && HOME.get(edge.source) !== HOME.get(edge.target)
    && ORDER.get(edge.source) > ORDER.get(edge.target))
    .sort((a, b) => inOrder(NODES[a.target], NODES[b.target]) || inOrder(NODES[a.source], NODES[b.source]));
}

/** Terms and procedures that no question asks about; said only where the books have questions at all. */
function neverAsked() {
  if (!NODES.some((node) => roleOf(node) === "question")) return [];
  return NODES.filter((node) => roleOf(node) === "term" || roleOf(node) === "procedure")
    .filter((node) => !node.into.some((edge) => relationOf(edge) === "assessment")).sort(inOrder);
}

/** Questions that ask about nothing, or about nothing that the books teach anywhere. */
function askingNothing() {
  const taught = (edge) => relationOf(edge) === "assessment" && NODES[edge.target].out.some((other) => relationOf(other) === "location");
  return NODES.filter((node) => roleOf(node) === "question" && !node.out.some(taught)).sort(inOrder);
}

function teachingView() {
  const group = (key, rows, row) => el("section", { class: "group", "data-group": key },
    el("h2", {}, say(key), " ", el("span", { class: "count" }, count.format(rows.length))),
    el("p", { class: "note" }, say(rows.length ? key + "_hint" : "nothing_here")),
    rows.length ? lazily(el("ul", { class: "plain" }), rows, row, 15) : null);
  return el("article", {},
    el("h1", { tabindex: -1, id: "title" }, say("teaching")),
    el("p", { class: "intro" }, say("teaching_intro")),
    group("too_early", tooEarly(), earlyRow),
    group("never_asked", neverAsked(), placedRow),
    group("asking_nothing", [...askingNothing(), ...D.aside], (row) => (row instanceof Array ? asideRow(row) : placedRow(row))));
}

/** A question that was set aside: it has no card, but a place. */
function asideRow([name, [place]]) {
  return el("li", { class: "node" }, el("span", {}, place ? D.quotes[place[2]] : name),
    place ? el("span", { class: "note place" }, placeOf(place[0], place[1])) : null);
}

function placedRow(node) {
  return append(nodeRow(node), [el("span", { class: "note place" }, shortPlace(node))]);
}

function earlyRow(edge) {
  const [source, target] = [NODES[edge.source], NODES[edge.target]];
  const [button, body] = discloser(say("why"), () => reasons(edge));
  button.setAttribute("aria-label", say("why_label", { name: titleOf(target) }));
  const where = (node) => el("span", { class: "note" }, " (" + shortPlace(node) + ")");
  return el("li", {}, nodeLink(target), where(target), " ", say("needs"), " ", nodeLink(source), where(source), " ", button, body);
}
