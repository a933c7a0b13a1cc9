// What can be taken away: files beside the page, with what they are and how big.

const FILES = JSON.parse(document.getElementById("files").textContent);

function fileSize(bytes) {
  if (bytes < 0) return "";
  const unit = bytes < 1e6 ? ["kilobyte", 1e3] : ["megabyte", 1e6];
  const number = { style: "unit", unit: unit[0], maximumFractionDigits: bytes < 1e4 ? 1 : 0 };
  return new Intl.NumberFormat(D.language, number).format(bytes / unit[1]);
}

function downloadsView() {
  const row = ([path, what, bytes]) => el("tr", {}, el("th", { scope: "row" }, el("a", { href: path }, path)),
    el("td", { class: "words" }, T.files[what] || what), el("td", {}, fileSize(bytes)));
  return el("article", {},
    el("h1", { tabindex: -1, id: "title" }, say("downloads")),
    el("p", { class: "intro" }, say("downloads_intro")),
    el("div", { class: "scroller", tabindex: 0, role: "group", "aria-label": say("downloads") }, el("table", { class: "files" },
      el("thead", {}, el("tr", {}, ["file", "what", "size"].map((name) => el("th", { scope: "col" }, say(name))))),
      el("tbody", {}, FILES.map(row)))));
}
