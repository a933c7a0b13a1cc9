// The neighbourhood of a node: what comes first on the left, what follows on the right, kinds above and below.
// On a narrow screen: what comes first above, what follows below.

const SIDES = {
  "prerequisite.in": "before", "prerequisite.out": "after",
  "sequence.in": "before", "sequence.out": "after",
  "taxonomy.out": "over", "taxonomy.in": "under", "association.out": "under",
  "demonstration.in": "under", "demonstration.out": "after", "assessment.out": "after",
};
const MOST_BESIDE = 6;
const MOST_STACKED = 3;

/** The picture with its caption, or null for a node that has nothing to draw. */
function neighbourhood(node, width) {
  const sides = { before: [], after: [], over: [], under: [] };
  const seen = new Set([node.at]);
  for (const one of neighbours(node).sort((a, b) => inOrder(a.other, b.other))) {
    const side = SIDES[one.kind];
    if (!side || seen.has(one.other.at)) continue;
    seen.add(one.other.at);
    sides[side].push(one);
  }
  if (seen.size === 1) return null;
  const wide = width >= 620;
  const drawn = wide ? acrossPicture(node, sides, Math.min(width, 900)) : downPicture(node, sides, Math.max(width, 280));
  return el("figure", { class: "picture" }, drawn, el("figcaption", {}, say(wide ? "picture_wide" : "picture_narrow")));
}

function cutTo(list, most) {
  return { shown: list.slice(0, list.length > most ? most - 1 : most), left: list.length > most ? list.length - most + 1 : 0 };
}

function label(node) {
  return say("picture_label", { name: titleOf(node) });
}

function moreText(x, y, left) {
  return left ? svg("text", { x, y, class: "rest" }, say("and_more", { count: left })) : null;
}

function acrossPicture(node, sides, width) {
  const size = { w: Math.min(210, width / 3 - 46), h: 44 };
  const row = 56;
  const cut = {
    before: cutTo(sides.before, MOST_BESIDE), after: cutTo(sides.after, MOST_BESIDE),
    over: cutTo(sides.over, MOST_STACKED), under: cutTo(sides.under, MOST_STACKED),
  };
  const rowsOf = (part) => part.shown.length + (part.left ? 0.6 : 0);
  const up = Math.max(rowsOf(cut.before) / 2, rowsOf(cut.after) / 2, rowsOf(cut.over) + 0.5) * row;
  const down = Math.max(rowsOf(cut.before) / 2, rowsOf(cut.after) / 2, rowsOf(cut.under) + 0.5) * row;
  const height = up + down + 16;
  const middle = { x: width / 2, y: up + 8 };
  const { root, tip } = picture(width, height, label(node));
  const beside = (part, x, isBefore) => part.shown.forEach((one, at) => {
    const y = middle.y + (at - (rowsOf(part) - 1) / 2) * row;
    const [left, right] = isBefore ? [{ x: x + size.w / 2, y }, { x: middle.x - size.w / 2, y: middle.y }]
      : [{ x: middle.x + size.w / 2, y: middle.y }, { x: x - size.w / 2, y }];
    root.append(svg("path", { class: "line", d: curve(left, right, false), "marker-end": tip }), box(one.other, x, y, size));
    if (at === part.shown.length - 1 && part.left) root.append(moreText(x, y + row * 0.75, part.left));
  });
  const stacked = (part, sign) => part.shown.forEach((one, at) => {
    const y = middle.y + sign * (at + 1) * row;
    const from = middle.y + sign * (at * row + size.h / 2);
    const to = y - sign * (size.h / 2);
    const dashed = !one.kind.startsWith("taxonomy");
    root.append(svg("path", { class: "line kind" + (dashed ? " dashed" : ""), d: `M${middle.x},${from} V${to}` }), box(one.other, middle.x, y, size));
    if (at === part.shown.length - 1 && part.left) root.append(moreText(middle.x, y + sign * row * 0.65 + 4, part.left));
  });
  beside(cut.before, size.w / 2 + 6, true);
  beside(cut.after, width - size.w / 2 - 6, false);
  stacked(cut.over, -1);
  stacked(cut.under, 1);
  root.append(box(node, middle.x, middle.y, size, "self"));
  return walkable(root);
}

function downPicture(node, sides, width) {
  const size = { w: (width - 44) / 2, h: 44 };
  const row = 54;
  const before = cutTo(sides.before, MOST_BESIDE);
  const after = cutTo([...sides.after, ...sides.under], MOST_BESIDE);
  const rowsOf = (part) => Math.ceil(part.shown.length / 2) + (part.left ? 0.5 : 0);
  const self = rowsOf(before) * row + row / 2 + 6;
  const height = self + row / 2 + rowsOf(after) * row + 10;
  const { root, tip } = picture(width, height, label(node));
  const middle = width / 2;
  const grid = (part, top) => part.shown.forEach((one, at) => {
    const x = at % 2 ? width - size.w / 2 - 4 : size.w / 2 + 4;
    const y = top + (Math.floor(at / 2) + 0.5) * row;
    const edge = at % 2 ? x - size.w / 2 : x + size.w / 2;
    root.append(svg("path", { class: "line", d: `M${edge},${y} H${middle}` }), box(one.other, x, y, size));
  });
  if (before.shown.length) {
    root.append(svg("path", { class: "line", d: `M${middle},${row / 2 + 6} V${self - size.h / 2}`, "marker-end": tip }));
    grid(before, 6);
    append(root, [moreText(middle, self - size.h / 2 - 14, before.left)]);
  }
  if (after.shown.length) {
    const last = self + (Math.ceil(after.shown.length / 2)) * row;
    root.append(svg("path", { class: "line", d: `M${middle},${self + size.h / 2} V${last}` }));
    grid(after, self + row / 2);
    append(root, [moreText(middle, height - 8, after.left)]);
  }
  root.append(box(node, middle, self, { w: Math.min(220, width - 40), h: 44 }, "self"));
  return walkable(root);
}
