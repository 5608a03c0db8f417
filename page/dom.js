// Elements without a template language: h("button.primary", {onclick}, "Play").

/** @typedef {Node | string | number | null | undefined | false | any[]} Child */

/**
 * Makes an element. The first argument is a tag with classes; properties starting with "on" are
 * listeners, those that the element knows are set as such, all others become attributes.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...Child} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name || "div");
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) {
      element.addEventListener(key.slice(2), value);
    } else if (key === "style") {
      element.style.cssText = value;
    } else if (key in element && !key.includes("-") && key !== "list" && key !== "form") {
      /** @type {any} */ (element)[key] = value;
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} parent
 * @param {Child[]} children
 */
function append(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(parent, child);
    else parent.append(typeof child === "number" ? String(child) : child);
  }
}

/**
 * Replaces the content of an element.
 * @param {Element} parent
 * @param {...Child} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, children);
}

/**
 * The element with this id, which the page is known to have.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @returns {T}
 */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element "${id}"`);
  return /** @type {T} */ (element);
}

const ICONS = {
  hand: "M8 12V5.5a1.5 1.5 0 0 1 3 0V11V4a1.5 1.5 0 0 1 3 0v7V5.5a1.5 1.5 0 0 1 3 0V12V8.5a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6h-2c-2.4 0-3.8-1-5-3l-3-5c-.9-1.600 1.200-2.900 2.400-1.500L8 13",
  ends: "M7 17a3 3 0 1 0 0-.01M9 15l5-5M17 3l4 4-4 4-4-4z",
  wall: "M3 5h18v14H3zM3 9.700h18M3 14.300h18M9 5v4.700M15 9.700v4.600M9 14.300V19M15 5v0",
  cost: "M3 17c3-4 6-4 9 0s6 4 9 0M3 11c3-4 6-4 9 0s6 4 9 0",
  height: "M2 19L9 7l4 6.500L16 9l6 10z",
  erase: "M8 20h12M5 15L14.500 5.500l5 5L11 19H8.500z M10 10l5 5",
  order: "M5 3l6.500 15 2-6.500L20 9.500z",
  door: "M6 21V3h12v18M3 21h18M14.500 12v.010",
  place: "M9 10a3.200 3.200 0 1 0-.010 0M3 20c0-4 2.300-6.200 6-6.200 1.600 0 3 .400 4 1.200M18 13v8M14 17h8",
  play: "M7 4.500v15l12-7.500z",
  pause: "M7 5v14M17 5v14",
  back: "M17 5v14L7 12zM6 5v14",
  forward: "M7 5v14l10-7zM18 5v14",
  first: "M19 5v14L9 12zM8 5v14M5 5v14",
  last: "M5 5v14l10-7zM16 5v14M19 5v14",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
  redo: "M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  compare: "M4 4h7v16H4zM13 4h7v16h-7z",
  share:
    "M10 14a4 4 0 0 0 5.700 0l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-5.700 0l-3 3a4 4 0 0 0 5.700 5.700l1-1",
  folder: "M3 6h6l2 2.500h10V19H3z",
  save: "M12 4v11M7.500 11L12 15.500 16.500 11M4 19.500h16",
  theme: "M12 3a9 9 0 1 0 9 9c0-.500 0-1-.100-1.400A6 6 0 0 1 12 3z",
  help: "M9 9a3 3 0 1 1 4.500 2.600c-1 .600-1.500 1.200-1.500 2.400M12 17.500v.010M12 3a9 9 0 1 0 .010 0",
  tour: "M12 3a9 9 0 1 0 .010 0M15.500 8.500l-2 5-5 2 2-5z",
  close: "M6 6l12 12M18 6L6 18",
  sliders: "M4 7h9M17 7h3M15 5v4M4 17h3M11 17h9M9 15v4",
  units:
    "M8 11a3 3 0 1 0-.010 0M3 20c0-3.500 2-5.500 5-5.500s5 2 5 5.500M17 10.500a2.500 2.500 0 1 0-.010 0M15.500 14c3.500-.500 5.500 1.500 5.500 5",
  cube: "M12 3l8 4.500v9L12 21l-8-4.500v-9zM4 7.500l8 4.500 8-4.500M12 12v9",
  search: "M10.500 4a6.500 6.500 0 1 0 .010 0M15.500 15.500L21 21",
  dice: "M4 4h16v16H4zM8.500 8.500v.010M15.500 8.500v.010M12 12v.010M8.500 15.500v.010M15.500 15.500v.010",
  flag: "M6 21V4h11l-2.500 4L17 12H6",
};

/** @typedef {keyof typeof ICONS} IconName */

/**
 * A drawing in the colour of the text beside it.
 * @param {IconName} name
 * @returns {SVGElement}
 */
export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let noticeTimer;

/**
 * Says something in the line above the map and to screen readers.
 * @param {string} text
 * @param {"info" | "bad"} [kind]
 */
export function say(text, kind = "info") {
  const line = byId("notice");
  line.textContent = text;
  line.dataset.kind = kind;
  line.hidden = text === "";
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => (line.hidden = true), kind === "bad" ? 9000 : 4500);
}

/** Saves bytes or text under a name, as the browser saves a download. */
export function download(/** @type {string} */ name, /** @type {BlobPart} */ data, type = "") {
  const url = URL.createObjectURL(new Blob([data], { type }));
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** 1234567 as "1,234,567". */
export function count(/** @type {number} */ number) {
  return Math.round(number)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A time in the unit that suits it. */
export function duration(/** @type {number} */ microseconds) {
  if (microseconds < 1000) return `${digits(microseconds)} µs`;
  if (microseconds < 1e6) return `${digits(microseconds / 1e3)} ms`;
  return `${digits(microseconds / 1e6)} s`;
}

/** A number of bytes in the unit that suits it. */
export function size(/** @type {number} */ bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${digits(bytes / 1024)} KiB`;
  return `${digits(bytes / 1024 / 1024)} MiB`;
}

/** Three figures. */
export function digits(/** @type {number} */ value) {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  return size >= 100 || Number.isInteger(value) ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Canvases of one size, one above the other, as a picture. @param {...HTMLCanvasElement} layers @returns {Promise<Blob | null>} */
export function pictureOf(...layers) {
  const canvas = document.createElement("canvas");
  canvas.width = layers[0].width;
  canvas.height = layers[0].height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  for (const layer of layers) context.drawImage(layer, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}
