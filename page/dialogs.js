// One dialog at a time, closed by Escape, by its button or by a click beside it.

import { byId, fill, h, icon } from "./dom.js";

const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
dialog.addEventListener("click", (event) => {
  if (event.target === dialog) dialog.close();
});

/**
 * @param {string} title
 * @param {...import("./dom.js").Child} content
 */
export function open(title, ...content) {
  fill(
    dialog,
    h(
      "header",
      {},
      h("h2", { id: "dialog-title" }, title),
      h("button.plain", { onclick: close, "aria-label": "Close" }, icon("close")),
    ),
    h("div", {}, ...content),
  );
  dialog.setAttribute("aria-labelledby", "dialog-title");
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
}

export function close() {
  dialog.close();
}

export function isOpen() {
  return dialog.open;
}
