// Taking things away: a link, a picture, the map, the command line, Rust.

import { close, open } from "./dialogs.js";
import { download, h, icon, say } from "./dom.js";
import { keepInAddress, link } from "./links.js";
import { question } from "./planning.js";
import { picture } from "./stage.js";
import { focused, state } from "./state.js";
import { terrainPicture } from "./terrain_view.js";

/** Files are named after the map. */
function stem() {
  return (
    state.map
      .peek()
      .name.replace(/\.[a-z]+$/i, "")
      .replace(/[^\w-]+/g, "-") || "map"
  );
}

/** @param {string} text @param {string} what */
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    say(`${what} copied.`);
  } catch {
    // Without permission: shown, to be copied by hand.
    const area = /** @type {HTMLTextAreaElement} */ (h("textarea", { value: text, readOnly: true, rows: 8 }));
    open(what, area);
    area.select();
  }
}

export async function copyLink() {
  const address = await link();
  await keepInAddress();
  await copy(address, address.length > 8000 ? `Link (${Math.round(address.length / 1000)} kB)` : "Link");
}

export async function savePicture() {
  const blob = state.view.peek() === "terrain" ? await terrainPicture() : await picture();
  if (blob) download(`${stem()}.png`, blob, "image/png");
}

/** What the session writes. @param {string} format @param {Record<string, any>} [fields] */
async function exported(format, fields = {}) {
  try {
    return await state.session.export({ format, ...question(focused()), file: state.map.peek().name, ...fields });
  } catch (error) {
    say(/** @type {Error} */ (error).message, "bad");
    return null;
  }
}

/** @param {string} format @param {Record<string, any>} [fields] */
async function saveAs(format, fields) {
  const file = await exported(format, fields);
  if (file) download(file.name || `${stem()}.${format}`, /** @type {BlobPart} */ (file.data), file.type);
}

/** @param {string} format @param {string} what */
export async function copyAs(format, what) {
  const file = await exported(format);
  if (file) await copy(typeof file.data === "string" ? file.data : new TextDecoder().decode(file.data), what);
}

export function shareDialog() {
  const card = (
    /** @type {import("./dom.js").IconName} */ name,
    /** @type {string} */ title,
    /** @type {string} */ text,
    /** @type {() => unknown} */ act,
  ) =>
    h(
      "button.card",
      {
        onclick: () => {
          close();
          void act();
        },
      },
      h("b", {}, icon(name), " ", title),
      h("span", {}, text),
    );
  open(
    "Save and share",
    h(
      "div.gallery",
      {},
      card("share", "Copy link", "Restores the map with its edits, the planners and the moment.", copyLink),
      card("save", "Picture (PNG)", "What is on the stage now.", savePicture),
      card("save", "Drawing (SVG)", "Map, search and path as vectors.", () =>
        saveAs("svg", { trace: { limit: 100_000 } }),
      ),
      card("save", "Map (.map)", "For MovingAI’s tools and the command line.", () => saveAs("map")),
      card("save", "Drawing (.txt)", "Dots and hashes.", () => saveAs("text")),
      card("save", "Posthoc trace", "The search for another viewer.", () =>
        saveAs("posthoc", { trace: { limit: 50_000 } }),
      ),
      card("share", "Copy as command", "The same question on the command line.", () =>
        copyAs("command", "Command line"),
      ),
      card("share", "Copy as Rust", "The same question as a program.", () => copyAs("rust", "Rust program")),
    ),
  );
}
