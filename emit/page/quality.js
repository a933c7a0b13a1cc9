// How good the graph is: evidence, measures of the whole and of each book, agreement of annotators, findings by kind.

const percent = new Intl.NumberFormat(D.language, { style: "percent", maximumFractionDigits: 1 });

/** A table; the first column is a heading of its row, the others are numbers. */
function numbersTable(label, heads, rows) {
  return el("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": label }, el("table", {},
    el("thead", {}, el("tr", {}, heads.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, rows.map(([name, ...cells]) => el("tr", {}, el("th", { scope: "row" }, name), cells.map((cell) => el("td", {}, cell)))))));
}

function qualityView() {
  return [evidenceTable(), measuresTable(), agreementTable(), findingsTable()];
}

/** How many things and relations there are of each kind, and how many of them a quotation stands behind. */
function evidenceTable() {
  const rows = [];
  const add = (name, members) => {
    const quoted = members.filter((one) => one.total).length;
    if (members.length) rows.push([name, count.format(members.length), quoted ? percent.format(quoted / members.length) : "–"]);
  };
  D.types.forEach((kind, at) => add(kind.many, NODES.filter((node) => node.type === at)));
  for (const role of new Set(D.relations.map((one) => one[0]))) {
    add((T.says[role] || role).replace(/\{\w+\}/g, "…"), EDGES.filter((edge) => relationOf(edge) === role));
  }
  const matches = Object.entries(D.quality.matches).map(([how, number]) => count.format(number) + " " + (T.matches[how] || how));
  return el("section", {}, el("h2", {}, say("quality_evidence")),
    el("p", { class: "note" }, say("quality_evidence_hint"), " ", matches.join(" · ")),
    numbersTable(say("quality_evidence"), [say("kind"), say("how_many"), say("with_quote")], rows));
}

function measuresTable() {
  const told = D.quality.measures;
  if (!told.length) return null;
  const names = [...new Set(told.flatMap(([, found]) => Object.keys(found)))];
  const whose = told.length === 2 ? told.slice(0, 1) : told;
  const heads = whose.map(([id]) => (id === "" ? say("together") : BY_ID.has(id) ? titleOf(NODES[BY_ID.get(id)]) : id));
  const cell = ([value, isShare]) => (value === null ? "–" : (isShare ? percent : count).format(value));
  return el("section", {}, el("h2", {}, say("quality_graph")),
    numbersTable(say("quality_graph"), [say("measure"), ...heads],
      names.map((name) => [T.measures[name] || name.replace(/_/g, " "), ...whose.map(([, found]) => cell(found[name] || [null, 0]))])));
}

function agreementTable() {
  const rows = D.quality.agreement;
  const share = (value) => (value === undefined || value === null ? "–" : percent.format(value));
  return el("section", {}, el("h2", {}, say("quality_agreement")),
    el("p", { class: "note" }, say(rows.length ? "quality_agreement_hint" : "quality_agreement_none")),
    rows.length ? numbersTable(say("quality_agreement"), [say("kind"), say("judged"), say("unanimous"), say("pairwise"), "Fleiss κ"],
      rows.map((row) => [[row.subject, row.kind, row.type].filter(Boolean).join(" · "), count.format(row.tasks), share(row.unanimous), share(row.pairwise),
        typeof row.kappa === "number" ? row.kappa.toFixed(2) : "–"])) : null);
}

/** Findings by check and by what became of the thing. */
function findingsTable() {
  const all = everyFinding();
  if (!all.length) return null;
  const checks = [...new Set(all.map((row) => row[0]))].sort();
  const present = ACTIONS.filter((action) => all.some((row) => row[1] === action));
  const number = (check, action) => all.filter((row) => row[0] === check && row[1] === action).length;
  return el("section", {}, el("h2", {}, say("quality_findings"), " ", el("span", { class: "count" }, count.format(all.length))),
    numbersTable(say("quality_findings"), [say("check"), ...present.map((action) => T.actions[action] || action)],
      checks.map((check) => [T.checks[check] || check.replace(/_/g, " "),
        ...present.map((action) => (number(check, action) ? count.format(number(check, action)) : "–"))])));
}
