// The contents: book, chapter, section, and what is met there, as a tree that is built where it is opened.

const MOST_OPEN = 4;

/** A coloured mark for the kind of a node; its name stands in text wherever the mark does. */
function dot(node) {
  return el("span", { class: "dot " + roleOf(node), title: typeOf(node).one, "aria-hidden": "true" });
}

function treeView() {
  const tree = el("ul", { role: "tree", "aria-label": say("contents"), class: "tree" });
  const top = D.contents.map((book) => branch(book.node, 1, () => bookParts(book)));
  append(tree, [top.filter(Boolean)]);
  tree.addEventListener("keydown", treeKeys);
  tree.addEventListener("click", (event) => {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    if (event.target.closest(".twist")) return toggle(item);
    item.querySelector("a").focus();
    return undefined;
  });
  const first = tree.querySelector("a");
  if (first) first.tabIndex = 0;
  if (top.length <= MOST_OPEN) top.filter(Boolean).forEach((book) => toggle(book, true));
  return tree;
}

function bookParts(book) {
  return book.parts.flatMap((part) => (part.node >= 0
    ? [branch(part.node, 2, () => part.parts.map((section) => sectionBranch(section, 3)))]
    : part.parts.map((section) => sectionBranch(section, 2))));
}

function sectionBranch(section, level) {
  const shown = section.items.filter(([item]) => roleOf(NODES[item]) !== "question");
  return branch(section.node, level, shown.length
    ? () => shown.map(([item, first]) => branch(item, level + 1, null, !first))
    : null);
}

/** One row; its children are made when it is opened. */
function branch(at, level, children, again) {
  const node = NODES[at];
  const label = el("a", { href: node ? linkTo(node) : null, tabindex: -1, class: again ? "again" : "", "data-at": at },
    level > 1 && node && !STRUCTURE.includes(roleOf(node)) ? dot(node) : null,
    el("span", {}, node ? titleOf(node) : say("untitled"), again ? el("small", {}, say("again")) : null));
  const item = el("li", { role: "treeitem", "aria-level": level, "aria-expanded": children ? "false" : null },
    el("span", { class: "row" }, el("span", { class: children ? "twist" : "leaf", "aria-hidden": "true" }), label));
  item.grow = children;
  return item;
}

function toggle(item, open) {
  if (!item.grow) return;
  const wanted = open === undefined ? item.getAttribute("aria-expanded") !== "true" : open;
  let group = item.querySelector(":scope > ul");
  if (!group && wanted) item.append((group = el("ul", { role: "group" }, item.grow())));
  if (group) group.hidden = !wanted;
  item.setAttribute("aria-expanded", String(wanted));
}

function treeKeys(event) {
  const item = event.target.closest("[role=treeitem]");
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = [...event.currentTarget.querySelectorAll("[role=treeitem]")].filter((row) => !row.closest("ul[hidden]"));
  const at = rows.indexOf(item);
  const open = item.getAttribute("aria-expanded");
  const go = {
    ArrowDown: () => rows[at + 1],
    ArrowUp: () => rows[at - 1],
    Home: () => rows[0],
    End: () => rows[rows.length - 1],
    ArrowRight: () => (open === "false" ? (toggle(item, true), item) : open === "true" ? rows[at + 1] : null),
    ArrowLeft: () => (open === "true" ? (toggle(item, false), item) : item.parentElement.closest("[role=treeitem]")),
  }[event.key];
  if (!go) return;
  event.preventDefault();
  const next = go();
  if (next) rove(event.currentTarget, next.querySelector("a"));
}

/** Exactly one row of the tree can be reached with Tab; this one from now on. */
function rove(tree, link) {
  for (const other of tree.querySelectorAll("a[tabindex='0']")) other.tabIndex = -1;
  link.tabIndex = 0;
  link.focus();
}

/** Opens the way to a node and marks it; the focus stays where it is. */
function revealInTree(tree, node) {
  for (const old of tree.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  if (!node) return;
  const way = [...above(node), node];
  for (const step of way) {
    const found = [...tree.querySelectorAll("a[data-at='" + step.at + "']")];
    const link = found.find((one) => !one.classList.contains("again")) || found[0];
    if (!link) return;
    if (step !== node) toggle(link.closest("[role=treeitem]"), true);
    else {
      link.setAttribute("aria-current", "true");
      for (const other of tree.querySelectorAll("a[tabindex='0']")) other.tabIndex = -1;
      link.tabIndex = 0;
      const side = tree.closest("nav");
      const box = link.getBoundingClientRect();
      const frame = side.getBoundingClientRect();
      if (box.top < frame.top || box.bottom > frame.bottom) side.scrollTop += box.top - frame.top - frame.height / 3;
    }
  }
}
