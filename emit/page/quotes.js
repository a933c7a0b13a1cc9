// Evidence: what the book says, where, and how the sentence was found.

/** "Physics 8 · 2.1 Speed · page 14" as a link to the section, where the section is in the graph. */
function placeOf(section, page) {
  const [book, id, title] = D.sections[section] || [-1, "", ""];
  const [, bookTitle, , labels] = D.books[book] || ["", "", "", []];
  const printed = labels[page];
  const where = printed ? say("page_printed", { page: printed }) : say("page_sheet", { page: page + 1 });
  const at = BY_ID.get(id);
  const name = title || id;
  return [
    bookTitle ? [bookTitle, " · "] : null,
    at === undefined ? name : el("a", { href: linkTo(NODES[at]) }, name),
    page === null ? null : [" · ", el("span", { title: say("page_sheet", { page: page + 1 }) }, where)],
  ];
}

function quoteBlock([section, page, words, match, score, route]) {
  const language = (D.books[(D.sections[section] || [-1])[0]] || [])[2];
  const notes = [
    match === "exact" ? null : T.matches[match] || match,
    score ? Math.round(score) + " %" : null,
    route ? T.routes[route] || route : null,
  ].filter(Boolean);
  return el("blockquote", { lang: language || null },
    el("p", {}, D.quotes[words]),
    el("footer", { lang: D.language }, el("cite", {}, placeOf(section, page)), notes.length ? el("span", { class: "note" }, " · " + notes.join(" · ")) : null));
}

/** Quotations, the first `open` of them at once. */
function quoteList(quotes, total, open) {
  const rest = quotes.slice(open);
  return [
    quotes.slice(0, open).map(quoteBlock),
    rest.length ? discloser(say("more_quotes", { count: total - open }), () => rest.map(quoteBlock)) : null,
    total > quotes.length && rest.length === 0 ? el("p", { class: "note" }, say("quotes_in_files", { count: total })) : null,
  ];
}

/** By which rules and how surely a node or an edge was found. */
function trust(properties) {
  const facts = [];
  if (Array.isArray(properties.rules) && properties.rules.length) {
    facts.push(say("by_rules", { rules: properties.rules.map((rule) => String(rule).replace(/_/g, " ")).join(", ") }));
  }
  if (typeof properties.confidence === "number") facts.push(say("confidence", { percent: Math.round(properties.confidence * 100) }));
  return facts.length ? el("p", { class: "note" }, facts.join(" · ")) : null;
}

/** Why an edge is there. */
function reasons(edge) {
  const pairs = (edge.properties.prerequisites || []).filter((pair) => pair.every((id) => BY_ID.has(id)));
  return [
    pairs.length ? [
      el("p", {}, say("because", { count: edge.properties.support || pairs.length })),
      el("ul", { class: "pairs" }, pairs.map(([first, then]) => el("li", {}, nodeLink(NODES[BY_ID.get(first)]), " → ", nodeLink(NODES[BY_ID.get(then)])))),
    ] : null,
    quoteList(edge.quotes, edge.total, edge.quotes.length),
    edge.quotes.length || pairs.length ? null : el("p", { class: "note" }, say("no_quote")),
    trust(edge.properties),
  ];
}

function nodeLink(node) {
  return el("a", { href: linkTo(node) }, titleOf(node));
}
