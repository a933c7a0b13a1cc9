// What the checks found, in sentences, grouped by check; lists are made when their group is opened.

const ACTIONS = ["set_aside", "review", "note"];
const AGAINST = "order";

/** All findings, and one more for each prerequisite that goes against the order of the books. */
function everyFinding() {
  const said = D.against.map(([source, target]) => [
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
    el("h1", { tabindex: -1, id: "title" }, say("findings")),
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
    el("summary", {}, el("h2", {}, T.checks[check] || check.replace(/_/g, " "), " ", el("span", { class: "count" }, count.format(rows.length)))));
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

function findingRow([, action, message, nodes, edge]) {
  return el("li", {},
    el("span", { class: "badge " + action }, T.actions[action] || action), " ",
    el("span", { class: "message" }, message),
    edge ? el("div", { class: "note" }, sentence(edge)) : null,
    nodes.length ? el("div", { class: "note" }, nodes.slice(0, 12).map((node, at) => [at ? " · " : "", endOf(node)]), nodes.length > 12 ? " …" : null) : null);
}

/** "A must be learned before B" with both as links. */
function sentence([type, source, target]) {
  const [role, , name] = D.relations[type] || ["", 0, "?"];
  const text = T.says[role] || "{source} – " + name + " – {target}";
  return text.split(/(\{source\}|\{target\})/).map((part) => (part === "{source}" ? endOf(source) : part === "{target}" ? endOf(target) : part));
}
