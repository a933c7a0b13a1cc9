// The frame: header, views, addresses (#id=…, #view=…), keys.

const side = document.getElementById("side");
const main = document.getElementById("main");
const VIEWS = [["", "start"], ["chapters", "chapters"], ["map", "map"], ["teaching", "teaching"], ["samples", "samples"], ["findings", "quality"], ["downloads", "downloads"]];
const tree = treeView();
let started = false;

function announce(text) {
  document.getElementById("said").textContent = text;
}

function address() {
  const parts = new URLSearchParams(location.hash.slice(1).replace(/\+/g, "%2B"));
  return { id: parts.get("id"), view: parts.get("view") || "", type: parts.get("type") || "", action: parts.get("action") || "", to: parts.get("to") };
}

function open(node) {
  if (location.hash === linkTo(node)) show();
  else location.hash = linkTo(node);
}

/** Shows what the address says; the heading gets the focus, so that keys and screen readers start there. */
function show() {
  const { id, view, type, action, to } = address();
  const at = id === null ? undefined : BY_ID.get(id);
  const width = Math.min(main.clientWidth - 2 * parseFloat(getComputedStyle(main).paddingLeft), 960);
  let content;
  if (at !== undefined) content = cardView(NODES[at], width);
  else if (id !== null) content = lostView(id);
  else if (view === "chapters") content = chaptersView(width);
  else if (view === "findings") content = findingsView(action);
  else if (view === "samples") content = samplesView();
  else if (view === "downloads") content = downloadsView();
  else if (view === "map") content = mapView();
  else if (view === "teaching") content = teachingView();
  else if (view === "path" && BY_ID.has(to)) content = pathView(NODES[BY_ID.get(to)], width);
  else if (view === "path") content = lostView(to || "");
  else if (view === "list") content = listView(type);
  else content = startView();
  replace(main, content);
  const scroller = main.querySelector(".picture .scroller");
  if (scroller) scroller.scrollLeft = (scroller.scrollWidth - scroller.clientWidth) / 2;
  revealInTree(tree, at === undefined ? null : NODES[at]);
  const heading = document.getElementById("title");
  document.title = (id || view ? heading.textContent + " – " : "") + D.title;
  for (const link of document.querySelectorAll("#views a")) {
    if (link.dataset.view === (id === null ? view : "-")) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.body.classList.remove("side-open");
  document.getElementById("opener").setAttribute("aria-expanded", "false");
  if (started) {
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }
  started = true;
}

/** An address that leads nowhere, with what is called alike: the words of an id are those of the name it was made of. */
function lostView(id) {
  const alike = found(id.split(":").pop().replace(/-/g, " ")).slice(0, 8).map((entry) => entry.node);
  return el("article", {},
    el("h1", { tabindex: -1, id: "title" }, say("lost")),
    el("p", {}, say("lost_hint")), el("p", {}, el("code", {}, id)),
    alike.length ? [el("h2", {}, say("lost_alike")), el("ul", { class: "plain" }, alike.map(nodeRow))] : null);
}

/** All nodes of one type. */
function listView(type) {
  const at = D.types.findIndex((kind) => kind.name === type);
  const rows = NODES.filter((node) => node.type === at);
  if (at >= 0 && !STRUCTURE.includes(D.types[at].role)) rows.sort(inOrder);
  return el("article", {},
    el("h1", { tabindex: -1, id: "title" }, at < 0 ? say("lost") : D.types[at].many, " ", el("span", { class: "count" }, count.format(rows.length))),
    el("p", { class: "intro" }, say("list_intro")),
    lazily(el("ul", { class: "plain" }), rows, nodeRow, 100));
}

function tally() {
  const numbers = D.types.map(() => 0);
  for (const node of NODES) if (node.type >= 0) numbers[node.type] += 1;
  return numbers;
}

function startView() {
  const needed = NODES.filter((node) => roleOf(node) === "term")
    .map((node) => [node.out.filter((edge) => relationOf(edge) === "prerequisite").length, node])
    .filter(([number]) => number > 1).sort((a, b) => b[0] - a[0] || inOrder(a[1], b[1])).slice(0, 10);
  return el("article", {},
    el("h1", { tabindex: -1, id: "title" }, D.title),
    el("p", { class: "intro" }, say("intro"), " ", el("button", { type: "button", class: "quiet bare", onclick: surprise }, say("surprise"))),
    el("section", {}, el("h2", {}, say("books")), el("ul", { class: "cards" }, D.contents.filter((book) => book.node >= 0).map(bookCard))),
    needed.length ? el("section", {}, el("h2", {}, say("most_needed")), el("p", { class: "note" }, say("most_needed_hint")),
      el("ol", { class: "needed" }, needed.map(([number, node]) => el("li", {}, dot(node), nodeLink(node), " ", el("span", { class: "note" }, say("leads_to_count", { count: number })))))) : null,
    el("section", {}, el("h2", {}, say("keys")), el("p", { class: "note" }, say("keys_hint"))));
}

/** Opens any concept. */
function surprise() {
  const terms = NODES.filter((node) => roleOf(node) === "term");
  if (terms.length) open(terms[Math.floor(Math.random() * terms.length)]);
}

function bookCard(book) {
  return el("li", {}, el("h3", {}, nodeLink(NODES[book.node])),
    el("ol", {}, book.parts.filter((part) => part.node >= 0).map((part) => el("li", {}, nodeLink(NODES[part.node])))));
}

function header() {
  const numbers = tally();
  return [
    el("div", { class: "bar" },
      el("button", { id: "opener", type: "button", "aria-expanded": "false", "aria-controls": "side", onclick: toggleSide }, say("contents")),
      el("a", { class: "brand", href: "#" }, D.title),
      searchBox(open),
      el("nav", { id: "views", "aria-label": say("views") }, VIEWS.map(([view, name]) => el("a", { href: view ? "#view=" + view : "#", "data-view": view }, say(name))))),
    el("p", { class: "counts", role: "group", "aria-label": say("in_graph") }, D.types.map((kind, at) => (numbers[at]
      ? el("a", { href: "#view=list&type=" + encodeURIComponent(kind.name) }, el("span", { class: "dot " + kind.role, "aria-hidden": "true" }), el("b", {}, count.format(numbers[at])), " ", numbers[at] === 1 ? kind.one : kind.many)
      : null)), el("span", {}, el("b", {}, count.format(EDGES.length)), " ", say("edges"))),
  ];
}

function toggleSide() {
  const isOpen = document.body.classList.toggle("side-open");
  document.getElementById("opener").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) (tree.querySelector("a[tabindex='0']") || document.getElementById("opener")).focus();
}

function footer() {
  return el("p", {}, say("footer"), " ", el("a", { href: "#view=downloads" }, say("downloads")));
}

document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) && !event.ctrlKey && !event.metaKey) {
    document.getElementById("search").focus();
    event.preventDefault();
  } else if (event.key === "Escape" && document.body.classList.contains("side-open")) {
    toggleSide();
    document.getElementById("opener").focus();
  } else if (event.key === "Escape" && main.contains(event.target)) {
    const link = tree.querySelector("a[tabindex='0']");
    if (link && link.offsetParent) link.focus();
  }
});

const skip = document.getElementById("skip");
skip.textContent = say("skip");
skip.addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
const head = document.getElementById("top");
replace(head, header());
new ResizeObserver(() => document.documentElement.style.setProperty("--head", head.offsetHeight + "px")).observe(head);
side.setAttribute("aria-label", say("contents"));
replace(side, el("h2", {}, say("contents")), tree);
replace(document.getElementById("foot"), footer());
addEventListener("hashchange", show);
let lastWidth = innerWidth;
addEventListener("resize", () => {
  if (innerWidth !== lastWidth && (address().id !== null || address().view === "chapters")) {
    started = false;
    show();
  }
  lastWidth = innerWidth;
});
show();
requestAnimationFrame(() => setTimeout(searchIndex, 0));
