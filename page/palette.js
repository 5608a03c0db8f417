// The colours of the map, by theme and palette.
//
// "picture" is that of the pictures the command line draws: paper, slate walls, and expanded cells
// from pale green (first) to blue (last). "clear" keeps states apart for every kind of colour vision
// (Machado 2009, CIEDE2000: no two states closer than 20.2 in light and 17.5 in dark).
// In both a shape says the same as the colour: outlines for open cells, a disc and a diamond for the
// ends, a cased line for the path.

/**
 * @typedef {object} Palette
 * @property {string} paper around the map
 * @property {string} floor free cells
 * @property {string} seam lines between them
 * @property {string} wall blocked cells
 * @property {string} ink text on the map
 * @property {string} casing around lines and marks
 * @property {string} open the outline of open cells
 * @property {string} openFill their inside
 * @property {string} current the ring around the cell being expanded
 * @property {string[]} closed expanded cells, first to last
 * @property {string[]} backward the same for the search from the goal
 * @property {string[]} heat small to large values
 * @property {string} start
 * @property {string} goal
 * @property {string[]} routes paths, by pane
 * @property {string[]} hills low to high
 * @property {string[]} terrain cheap to dear
 * @property {[string, string, string]} difference only in one, only in the other, in both
 * @property {number} shadow how dark the shadow of walls is
 */

/** The palettes: picture and clear, each light and dark. */
const PALETTES = ["picture light", "picture dark", "clear light", "clear dark"];

/** Each colour in all of them, in this order. @type {{[role in keyof Palette]: Palette[role][]}} */
const COLOURS = {
  paper: ["#f4f1ea", "#14171c", "#eef0f2", "#0a0c0e"],
  floor: ["#fdfcf8", "#1e232b", "#ffffff", "#101316"],
  seam: ["#efebe1", "#272d37", "#e9ecef", "#1b2025"],
  wall: ["#363c4a", "#5c6678", "#2a2d31", "#777e88"],
  ink: ["#2a2e38", "#e9e6de", "#17191c", "#f2f4f6"],
  casing: ["#ffffff", "#0d0f13", "#ffffff", "#000000"],
  open: ["#c77f00", "#ffc24d", "#7d5600", "#8a6d00"],
  openFill: ["#ffd98a", "#a87c24", "#e09e0e", "#fed949"],
  current: ["#e6392b", "#ff6a5a", "#000000", "#ffffff"],
  closed: [
    ["#e4f4d8", "#a9deb9", "#62bec8", "#4586c6"],
    ["#5fae8d", "#3a8a8c", "#2a6a8c", "#27497c"],
    ["#7ec3f3", "#7ec3f3"],
    ["#0e5287", "#0e5287"],
  ],
  backward: [
    ["#f7e3ef", "#e3b5d6", "#b98acb", "#8463b8"],
    ["#a9739c", "#85538f", "#63407f", "#45306b"],
    ["#c9b6ee", "#c9b6ee"],
    ["#4a3b78", "#4a3b78"],
  ],
  heat: [
    ["#fff3c4", "#fbc36b", "#ec7a4d", "#b8305a", "#5a1a63"],
    ["#2b1b3d", "#6b2362", "#b8405a", "#ec8a4d", "#ffe08a"],
    ["#fff7bc", "#fec44f", "#d95f0e", "#7f2704"],
    ["#1a1423", "#5b2a86", "#c2557a", "#f5d76e"],
  ],
  start: ["#1f8a4c", "#3ecf86", "#0a7e66", "#40e0ac"],
  goal: ["#b5179e", "#e86ad6", "#b61d0c", "#f74736"],
  routes: [
    ["#e6392b", "#2563d9", "#f59f00", "#8b3fc9"],
    ["#ff5a4a", "#6ea0ff", "#ffb938", "#bd85f5"],
    ["#bf10bc", "#0b4fb3", "#5a3a00", "#00695c"],
    ["#fd88d9", "#7cc4ff", "#ffe9a8", "#63f0d0"],
  ],
  hills: [
    ["#9dc08b", "#c5d39a", "#eae0b3", "#ddc292", "#c6a280", "#f1ece6"],
    ["#3d5a3c", "#5a6b45", "#7d7850", "#84694c", "#76584b", "#b3aca6"],
    ["#e8eef2", "#c9d3da", "#a7b4be", "#87949f", "#6c7883", "#f4f4f4"],
    ["#1b2227", "#2b343b", "#3e4952", "#55606a", "#6e7984", "#aab3ba"],
  ],
  terrain: [
    ["#fdfcf8", "#e6cfa0", "#a8825a"],
    ["#1e232b", "#54452c", "#7d5a36"],
    ["#ffffff", "#d9d2c4", "#a2937a"],
    ["#101316", "#3b3527", "#6a5b3d"],
  ],
  difference: [
    ["#f0a35e", "#5b9bd8", "#d5d8d2"],
    ["#c27a38", "#3c79b8", "#3a4048"],
    ["#e09e0e", "#3f8fd2", "#d9dde1"],
    ["#fed949", "#3f8fd2", "#2a3036"],
  ],
  shadow: [0.16, 0.35, 0.12, 0.3],
};

/**
 * @param {string} style picture or clear
 * @param {boolean} dark
 * @returns {Palette}
 */
export function palette(style, dark) {
  const at = Math.max(PALETTES.indexOf(`${style} ${dark ? "dark" : "light"}`), 0);
  const own = Object.entries(COLOURS).map(([role, colours]) => [role, colours[at]]);
  return Object.fromEntries(own);
}

/** #rrggbb as three bytes. @returns {[number, number, number]} */
export function rgb(/** @type {string} */ colour) {
  const code = parseInt(colour.slice(1), 16);
  return [code >> 16, (code >> 8) & 255, code & 255];
}

/**
 * The colour at a part, from 0 to 1, of the way through evenly spaced colours.
 * @param {string[]} stops
 * @param {number} part
 * @returns {[number, number, number]}
 */
export function along(stops, part) {
  const place = Math.min(Math.max(part, 0), 1) * (stops.length - 1);
  const stop = Math.min(Math.floor(place), stops.length - 2);
  const [a, b] = [rgb(stops[stop]), rgb(stops[stop + 1])];
  const mix = (/** @type {number} */ i) => Math.round(a[i] + (b[i] - a[i]) * (place - stop));
  return [mix(0), mix(1), mix(2)];
}

/** @returns {string} */
export function css(/** @type {[number, number, number]} */ [r, g, b]) {
  return `rgb(${r} ${g} ${b})`;
}

// Rows of the lookup texture, 256 colours each.
export const ROW = { closed: 0, backward: 1, heat: 2, terrain: 3, hills: 4, fixed: 5 };
export const ROWS = 6;
// Places in the row of single colours.
export const FIXED = {
  paper: 0,
  floor: 1,
  seam: 2,
  wall: 3,
  open: 4,
  openFill: 5,
  onlyA: 6,
  onlyB: 7,
  both: 8,
};

/** The lookup texture of a palette: RGBA, 256 wide, one row per ramp. */
export function lookup(/** @type {Palette} */ colours) {
  const bytes = new Uint8Array(256 * ROWS * 4);
  const put = (/** @type {number} */ row, /** @type {number} */ at, /** @type {number[]} */ colour) =>
    bytes.set([...colour, 255], (row * 256 + at) * 4);
  const ramps = /** @type {const} */ (["closed", "backward", "heat", "terrain", "hills"]);
  for (const name of ramps) {
    for (let at = 0; at < 256; at++) put(ROW[name], at, along(colours[name], at / 255));
  }
  const { paper, floor, seam, wall, open, openFill, difference } = colours;
  [paper, floor, seam, wall, open, openFill, ...difference].forEach((colour, at) => put(ROW.fixed, at, rgb(colour)));
  return bytes;
}
