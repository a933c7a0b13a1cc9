// What was made from the graph: some benchmark questions with their answers, and some rows of training data.

function samplesView() {
  const { bench, train } = D.samples;
  const any = bench.length || train.length;
  return el("article", {},
    el("h1", { tabindex: -1, id: "title" }, say("samples")),
    el("p", { class: "intro" }, say(any ? "samples_intro" : "samples_none")),
    bench.length ? el("h2", {}, say("bench"), " ", total(bench)) : null,
    bench.map((one) => sampleGroup(one, questionSample)),
    train.length ? el("h2", {}, say("train"), " ", total(train)) : null,
    train.map((one) => sampleGroup(one, rowSample)));
}

function total(groups) {
  return el("span", { class: "count" }, count.format(groups.reduce((sum, [, number]) => sum + number, 0)));
}

/** One benchmark task or one kind of training data, opened on demand. */
function sampleGroup([name, number, rows], make) {
  const holder = el("details", { class: "group", "data-sample": name },
    el("summary", {}, el("h3", {}, T.made[name] || name, " ", el("span", { class: "count" }, say("shown_of", { shown: rows.length, count: count.format(number) })))));
  holder.addEventListener("toggle", () => {
    if (holder.open && !holder.grown) holder.append((holder.grown = el("ol", { class: "samples" }, rows.map(make))));
  });
  return holder;
}

function questionSample({ question, options, about, quotes }) {
  const node = BY_ID.has(about) ? NODES[BY_ID.get(about)] : null;
  const answer = () => [
    el("ul", { class: "options" }, options.map(([letter, text, right, id, layer]) => el("li", { class: right ? "right" : null },
      (right ? "✓ " : "✗ ") + letter + ". ", BY_ID.has(id) ? el("a", { href: linkTo(NODES[BY_ID.get(id)]) }, text) : text,
      layer ? el("span", { class: "note" }, " – ", T.layers[layer] || layer.replace(/_/g, " ")) : null))),
    quotes.map(([slug, page, words]) => {
      const book = D.books.find((one) => one[0] === slug) || ["", slug, "", []];
      const printed = book[3][page];
      return el("blockquote", { lang: book[2] || null }, el("p", {}, words), el("footer", { lang: D.language },
        book[1], " · ", printed ? say("page_printed", { page: printed }) : say("page_sheet", { page: page + 1 })));
    }),
    node ? el("p", { class: "note" }, say("asks_about"), " ", nodeLink(node)) : null,
  ];
  return el("li", {}, el("p", { class: "said" }, question),
    el("ul", { class: "options" }, options.map(([letter, text]) => el("li", {}, letter + ". " + text))),
    discloser(say("show_answer"), answer));
}

function rowSample({ question, answer }) {
  return el("li", {}, el("p", { class: "said" }, question), el("p", { class: "said answer" }, answer));
}
