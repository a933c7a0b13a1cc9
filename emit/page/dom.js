"use strict";
// Making elements. Text from books only ever becomes a text node; nothing here parses HTML.

const SVG = "http://www.w3.org/2000/svg";

/** A new element; a property that starts with "on" is a listener, children are nodes or texts, null is left out. */
function el(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** A new SVG element, as `el`. */
function svg(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}

function replace(element, ...children) {
  element.replaceChildren();
  return append(element, children);
}

/** `list` with the first `step` rows and a button for the next ones: ten thousand rows cost what a hundred do. */
function lazily(list, rows, make, step) {
  const holder = el("div", {}, list);
  let shown = 0;
  const more = el("button", { type: "button", class: "more", onclick: () => show(true) });
  function show(moveFocus) {
    const next = rows.slice(shown, shown + step).map(make);
    shown += next.length;
    append(list, next);
    if (moveFocus && next.length) (next[0].querySelector("a, button") || next[0]).focus();
    if (shown >= rows.length) return more.remove();
    more.textContent = say("more", { count: rows.length - shown });
    if (!more.isConnected) holder.append(more);
    return undefined;
  }
  show(false);
  return holder;
}

/** A button that shows what `make` returns, made when it is first pressed. */
function discloser(label, make, className) {
  const body = el("div", { class: "disclosed", hidden: true });
  const button = el("button", {
    type: "button",
    class: className || "quiet",
    "aria-expanded": "false",
    onclick: () => {
      if (!body.hasChildNodes()) append(body, [make()]);
      body.hidden = !body.hidden;
      button.setAttribute("aria-expanded", String(!body.hidden));
    },
  }, label);
  return [button, body];
}
