// One key is one decision: a key presses the button or enters the field that carries it in data-key.
"use strict";

const editing = (element) => element.matches("textarea, select, input:not([type=checkbox])");
let sent = false;

document.addEventListener("submit", (event) => {
  // A second press before the next page has come is not a second answer.
  if (sent) event.preventDefault();
  sent = true;
});

window.addEventListener("pageshow", () => { sent = false; });

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (!opener) return;
  const details = document.getElementById(opener.dataset.opens);
  details.open = true;
  details.querySelector("select, textarea, input").focus();
});

document.addEventListener("keydown", (event) => {
  const here = document.activeElement || document.body;
  if (event.key === "Escape") { here.blur(); return; }
  if (event.key === "Enter" && event.ctrlKey) {
    const save = document.querySelector("#correction[open] button[value=change]");
    if (save) { event.preventDefault(); save.click(); }
    return;
  }
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || event.repeat || editing(here)) return;
  const target = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!target || sent) return;
  event.preventDefault();
  if (target.matches("input")) target.focus();
  else target.click();
});
