// The search box: names first, then other names, then explanations; works without spaces and accents.

const MOST_RESULTS = 24;

function folded(text) {
  return String(text).normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

let searchable = null;

/** Every node with what it is found by; made once, when the page has been painted or at the first key. */
function searchIndex() {
  if (!searchable) searchable = NODES.map(searchEntry);
  return searchable;
}

function searchEntry(node) {
  const others = Array.isArray(node.properties.aliases) ? node.properties.aliases.map(String) : [];
  return {
    node, others, name: folded(titleOf(node)), foldedOthers: others.map(folded), lead: folded(leadOf(node)),
    question: roleOf(node) === "question",
  };
}

/** How well an entry fits, 0 best; -1 if it does not. */
function fit(entry, wanted) {
  const at = entry.name.indexOf(wanted);
  const late = entry.question ? 5 : 0;
  if (at === 0) return (entry.name.length === wanted.length ? 0 : 1) + late;
  if (at > 0) return (/[\s\-(]/.test(entry.name[at - 1]) ? 2 : 4) + late;
  if (entry.foldedOthers.some((name) => name.includes(wanted))) return 3 + late;
  return entry.lead.includes(wanted) ? 10 + late : -1;
}

let lastFound = { wanted: "", entries: [] };

/** Best first. Who types on searches what was found so far: every longer text is found in some of it only. */
function found(text) {
  const wanted = folded(text).trim();
  if (!wanted) return [];
  const hits = [];
  for (const entry of lastFound.wanted && wanted.includes(lastFound.wanted) ? lastFound.entries : searchIndex()) {
    const rank = fit(entry, wanted);
    if (rank >= 0) hits.push([rank, entry.name.length, entry]);
  }
  lastFound = { wanted, entries: hits.map((hit) => hit[2]) };
  hits.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2].node.at - b[2].node.at);
  return hits.map((hit) => hit[2]);
}

/** The section, or the chapter where the section has no number ("Introduction" says little). */
function shortPlace(node) {
  const path = above(node);
  const told = [...path].reverse().find((step) => roleOf(step) !== "section" || step.properties.number);
  return told ? titleOf(told) : typeOf(node).one;
}

/** A combobox as the ARIA practices describe it. */
function searchBox(open) {
  const list = el("ul", { id: "hits", role: "listbox", "aria-label": say("results"), hidden: true });
  const input = el("input", {
    id: "search", type: "search", role: "combobox", autocomplete: "off", spellcheck: "false",
    "aria-expanded": "false", "aria-controls": "hits", "aria-autocomplete": "list",
    "aria-label": say("search"), placeholder: say("search_hint"),
  });
  let hits = [];
  let active = -1;
  function close() {
    list.hidden = true;
    active = -1;
    input.setAttribute("aria-expanded", "false");
    input.removeAttribute("aria-activedescendant");
  }
  function choose(at) {
    const entry = hits[at];
    if (!entry) return;
    close();
    input.value = "";
    open(entry.node);
  }
  function mark(at) {
    if (list.children[active]) list.children[active].setAttribute("aria-selected", "false");
    active = at;
    if (at < 0) return input.removeAttribute("aria-activedescendant");
    list.children[at].setAttribute("aria-selected", "true");
    return input.setAttribute("aria-activedescendant", "hit" + at);
  }
  function row(entry, at) {
    const wanted = folded(input.value).trim();
    const alias = entry.name.includes(wanted) ? null : entry.others[entry.foldedOthers.findIndex((name) => name.includes(wanted))];
    return el("li", { id: "hit" + at, role: "option", "aria-selected": "false", onpointerdown: (event) => event.preventDefault(),
      onclick: () => choose(at) },
      dot(entry.node), el("span", { class: "hit-name" }, titleOf(entry.node), alias ? el("i", {}, " " + alias) : null),
      el("span", { class: "hit-place" }, shortPlace(entry.node)));
  }
  function update() {
    const all = found(input.value);
    hits = all.slice(0, MOST_RESULTS);
    if (!input.value.trim()) return close();
    replace(list, hits.map(row));
    if (!hits.length) replace(list, el("li", { class: "none", role: "option", "aria-disabled": "true" }, say("nothing_found")));
    list.hidden = false;
    list.scrollTop = 0;
    input.setAttribute("aria-expanded", "true");
    announce(say("found", { count: count.format(all.length) }));
    return mark(hits.length ? 0 : -1);
  }
  input.addEventListener("input", update);
  input.addEventListener("focus", () => { if (input.value.trim()) update(); });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move && hits.length && !list.hidden) {
      mark((active + move + hits.length) % hits.length);
      list.children[active].scrollIntoView({ block: "nearest" });
      event.preventDefault();
    } else if (event.key === "Enter" && !event.isComposing) {
      choose(Math.max(active, 0));
    } else if (event.key === "Escape") {
      if (input.value) input.value = "";
      else input.blur();
      close();
      event.preventDefault();
    }
  });
  return el("div", { class: "search", role: "search" }, input, el("kbd", { "aria-hidden": "true" }, "/"), list);
}
