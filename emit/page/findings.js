// What the checks found, in sentences, grouped by check; lists are made when their group is opened.

const ACTIONS = ["set_aside", "review", "note"];
const AGAINST = "against_order";

/** All findings, and one more for each prerequisite against the order of the chapters that no check has named. */
function everyFinding() {
  const named = new Set(D.findings.filter(([check]) => check === AGAINST).map((row) => (row[4] || []).slice(1).join(" ")));
  const said = D.against.filter((pair) => !named.has(pair.join(" "))).map(([source, target]) => [
    AGAINST, "note", say("against_order", { source: NODES[source].name, target: NODES[target].name }), [source, target], null,
  ]);
  return [...D.findings, ...said];
}

function findingsView(wanted) {
  const rows = everyFinding().filter((row) => !wanted || row[1] === wanted);
  const groups = new Map();
  for (const row of rows) groups.set(row[0], [...(groups.get(row[0]) || []), row]);
  const order = [...groups].sort((a, b) => worst(a[1]) - worst(b[1]) || b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  return el("article", {},
    el("h1", { tabindex: -1, id: "title" }, say("quality")),
    wanted ? null : qualityView(),
    el("h2", { id: "list" }, say("findings")),
    el("p", { class: "intro" }, say(D.findings.length || D.against.length ? "findings_intro" : "findings_none")),
    filters(wanted),
    order.map(([check, members]) => group(check, members, order.length === 1 || members.length <= 5)));
}

function worst(rows) {
  return Math.min(...rows.map((row) => ACTIONS.indexOf(row[1])));
}

function filters(wanted) {
  const all = everyFinding();
  const present = ACTIONS.filter((action) => all.some((row) => row[1] === action));
  if (present.length < 2) return null;
  const chip = (action, name, number) => el("a", {
    class: "chip", href: "#view=findings" + (action ? "&action=" + action : ""), "aria-current": (wanted || "") === action ? "true" : null,
  }, name, " ", el("span", { class: "count" }, count.format(number)));
  return el("p", { class: "chips" }, chip("", say("all"), all.length),
    present.map((action) => chip(action, T.actions[action] || action, all.filter((row) => row[1] === action).length)));
}

function group(check, rows, open) {
  const holder = el("details", { class: "group" },
    el("summary", {}, el("h3", {}, T.checks[check] || check.replace(/_/g, " "), " ", el("span", { class: "count" }, count.format(rows.length)))));
  const show = () => {
    if (!holder.open || holder.grown) return;
    holder.grown = true;
    holder.append(lazily(el("ul", { class: "findings" }), rows, findingRow, 50));
  };
  holder.addEventListener("toggle", show);
  if (open) {
    holder.open = true;
    show();
  }
  return holder;
}

function endOf(end) {
  return typeof end === "number" ? nodeLink(NODES[end]) : el("span", {}, String(end));
}

/** The things a finding is about; where two share a name, with the section they are introduced in. */
function concerned(nodes) {
  const names = nodes.map((node) => (typeof node === "number" ? titleOf(NODES[node]) : String(node)));
  return nodes.slice(0, 12).map((node, at) => {
    const shared = names.indexOf(names[at]) !== names.lastIndexOf(names[at]);
    const place = shared && typeof node === "number" ? shortPlace(NODES[node]) : "";
    return [at ? " · " : "", endOf(node), place ? " (" + place + ")" : null];
  });
}

function findingRow([, action, message, nodes, edge]) {
  return el("li", {},
    el("span", { class: "badge " + action }, T.actions[action] || action), " ",
    el("span", { class: "message" }, message),
    edge ? el("div", { class: "note" }, sentence(edge)) : null,
    nodes.length ? el("div", { class: "note" }, concerned(nodes), nodes.length > 12 ? " …" : null) : null);
}

/** "A must be learned before B" with both as links. */
function sentence([type, source, target]) {
  const [role, , name] = D.relations[type] || ["", 0, "?"];
  const text = T.says[role] || "{source} – " + name + " – {target}";
  return text.split(/(\{source\}|\{target\})/).map((part) => (part === "{source}" ? endOf(source) : part === "{target}" ? endOf(target) : part));
}
