// The map without WebGL: one pixel per cell in a picture that the canvas scales, and lines and
// outlines for the cells in sight. The same interface as MapGl.

import { lookup, ROW, FIXED } from "./palette.js";
import { BACKWARD, STATE } from "./trace.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./camera.js").Box} Box */
/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {import("./grid_map.js").GridMap} GridMap */
/** @typedef {import("./palette.js").Palette} Palette */
/**
 * One pixel per cell, the rows that are out of date, what the others were painted with, and the words of the
 * search that are in the picture.
 * @typedef {{canvas: HTMLCanvasElement, context: CanvasRenderingContext2D, image: ImageData, from: number, to: number, key: string, words: Uint32Array}} Picture
 */

export class MapCanvas {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) throw new Error("this browser draws no pictures");
    this.context = context;
    this.colours = new Uint32Array(0);
    /** @type {GridMap | null} */
    this.map = null;
    /** @type {Map<Replay | null, Picture>} */
    this.pictures = new Map();
    /** @type {Palette | null} */
    this.palette = null;
    /** Another number for each map and palette. */
    this.generation = 0;
  }

  setPalette(/** @type {Palette} */ palette) {
    this.palette = palette;
    this.colours = new Uint32Array(lookup(palette).buffer);
    this.generation++;
  }

  setMap(/** @type {GridMap} */ map) {
    if (this.map !== map) this.generation++;
    this.map = map;
    const [from, to] = map.takeDirtyRows();
    for (const picture of this.pictures.values()) touch(picture, from, to);
  }

  forget(/** @type {Replay} */ replay) {
    this.pictures.delete(replay);
  }

  /** @private The picture of a search, with what has changed painted anew. @returns {Picture} */
  picture(
    /** @type {GridMap} */ map,
    /** @type {Replay | null} */ replay,
    /** @type {Replay | null} */ other,
    /** @type {boolean} */ heat,
  ) {
    const { width, height } = map;
    let picture = this.pictures.get(replay);
    if (!picture || picture.image.width !== width || picture.image.height !== height) {
      const canvas = document.createElement("canvas");
      canvas.width = width;
      canvas.height = height;
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      const words = new Uint32Array(width * height);
      picture = { canvas, context, image: context.createImageData(width, height), from: 0, to: height, key: "", words };
      this.pictures.set(replay, picture);
    }
    const key = `${this.generation} ${heat} ${other !== null}`;
    if (picture.key !== key || map.heights !== null) touch(picture, 0, height);
    picture.key = key;
    // Of a search alone only the cells that have changed are painted: a fifth of the time while dragging.
    const [low, high] = other === null && replay !== null ? replay.takeDirtyRows() : [height, 0];
    if (other !== null) for (const search of [replay, other]) if (search !== null) touch(picture, ...search.takeDirtyRows());
    let from = picture.from,
      to = Math.min(picture.to, height);
    if (to > from) this.paint(picture.image, map, replay, other, heat, from, to);
    if (replay !== null && replay.shift === 0) {
      const last = Math.min(high, height);
      if (last > low) {
        this.paintChanges(picture, map, replay, heat, low, last);
        from = Math.min(from, low);
        to = Math.max(to, last);
      }
      if (picture.to > picture.from)
        picture.words.set(replay.words.subarray(picture.from * width, to * width), picture.from * width);
    }
    if (to > from) picture.context.putImageData(picture.image, 0, 0, 0, from, width, to - from);
    picture.from = height;
    picture.to = 0;
    return picture;
  }

  /**
   * @param {Box} box
   * @param {Camera} camera
   * @param {Replay | null} replay
   * @param {Replay | null} other
   * @param {{heat: boolean, lines: boolean}} options
   */
  draw(box, camera, replay, other, options) {
    const { context, map, palette } = this;
    if (map === null || palette === null) return;
    const ratio = this.canvas.width / Math.max(this.canvas.clientWidth, 1);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.save();
    context.beginPath();
    context.rect(box.x, box.y, box.width, box.height);
    context.clip();
    context.fillStyle = palette.paper;
    context.fillRect(box.x, box.y, box.width, box.height);
    const picture = this.picture(map, replay, other, options.heat);
    const [x, y] = camera.origin(box);
    context.imageSmoothingEnabled = camera.scale < 1;
    context.drawImage(picture.canvas, x, y, map.width * camera.scale, map.height * camera.scale);
    if (replay !== null && replay.shift > 0) this.drawCorners(x, y, camera.scale, map, replay, other, options.heat);
    if (camera.scale >= 5) this.details(box, camera, map, replay, other === null, options.lines);
    context.restore();
  }

  /** @private The cells of some rows whose search state is not the one in the picture. */
  paintChanges(
    /** @type {Picture} */ picture,
    /** @type {GridMap} */ map,
    /** @type {Replay} */ replay,
    /** @type {boolean} */ heat,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) {
    const pixels = new Uint32Array(picture.image.data.buffer);
    const { words: shown } = picture;
    const { words } = replay;
    const { shades } = map;
    const { colours } = this;
    for (let cell = from * map.width; cell < to * map.width; cell++) {
      const word = words[cell];
      if (word === shown[cell]) continue;
      shown[cell] = word;
      const shade = shades[cell];
      if (shade === 255) continue;
      const state = this.stateColour(word, 0, false, heat);
      pixels[cell] =
        state !== 0 ? state : shade === 0 ? colours[ROW.fixed * 256 + FIXED.floor] : colours[ROW.terrain * 256 + shade];
    }
  }

  /** @private Every cell of some rows as a pixel; walls alone leave the rest clear. */
  paint(
    /** @type {ImageData} */ image,
    /** @type {GridMap} */ map,
    /** @type {Replay | null} */ replay,
    /** @type {Replay | null} */ other,
    /** @type {boolean} */ heat,
    /** @type {number} */ from,
    /** @type {number} */ to,
  ) {
    const pixels = new Uint32Array(image.data.buffer);
    const { colours } = this;
    const fixed = (/** @type {number} */ at) => colours[ROW.fixed * 256 + at];
    const [low, high] = map.heights === null ? [0, 0] : map.heightRange();
    const relief = (4 * Math.min(map.width, map.height)) / 64 / Math.max(high - low, 1e-6);
    // Searches over corners are drawn between floor and walls, half a cell off.
    const a = replay?.shift === 0 ? replay : null,
      b = other?.shift === 0 ? other : null;
    for (let y = from, cell = from * map.width; y < to; y++) {
      for (let x = 0; x < map.width; x++, cell++) {
        const shade = map.shades[cell];
        if (shade === 255) {
          pixels[cell] = fixed(FIXED.wall);
          continue;
        }
        const state = this.stateColour(
          a === null ? 0 : a.words[cell],
          b === null ? 0 : b.words[cell],
          other !== null,
          heat,
        );
        pixels[cell] =
          state !== 0
            ? state
            : map.heights !== null
              ? lit(
                  colours[ROW.hills * 256 + Math.round((255 * (map.heights[cell] - low)) / Math.max(high - low, 1e-6))],
                  map,
                  map.heights,
                  cell,
                  relief,
                )
              : shade === 0
                ? fixed(FIXED.floor)
                : colours[ROW.terrain * 256 + shade];
      }
    }
  }

  /** @private The colour of a node by its word and that of the other search of a difference; 0 for none. */
  stateColour(
    /** @type {number} */ word,
    /** @type {number} */ second,
    /** @type {boolean} */ difference,
    /** @type {boolean} */ heat,
  ) {
    const { colours } = this;
    const state = word & 15,
      value = (word >> 8) & 255,
      block = (word >> 16) & 255;
    if (difference) {
      const inA = state === STATE.closed || block > 0;
      const inB = (second & 15) === STATE.closed || ((second >> 16) & 255) > 0;
      return inA || inB ? colours[ROW.fixed * 256 + (inA && inB ? FIXED.both : inA ? FIXED.onlyA : FIXED.onlyB)] : 0;
    }
    if (state === STATE.open) return heat ? colours[ROW.heat * 256 + value] : colours[ROW.fixed * 256 + FIXED.openFill];
    if (state === STATE.raised || (heat && state !== 0)) return colours[ROW.heat * 256 + value];
    if (state !== 0) return colours[(word & BACKWARD ? ROW.backward : ROW.closed) * 256 + value];
    return block > 0 ? colours[ROW.closed * 256 + (block >> 1)] : 0;
  }

  /** @private A search over corners, then the walls again. */
  drawCorners(
    /** @type {number} */ left,
    /** @type {number} */ top,
    /** @type {number} */ scale,
    /** @type {GridMap} */ map,
    /** @type {Replay} */ replay,
    /** @type {Replay | null} */ other,
    /** @type {boolean} */ heat,
  ) {
    const picture = (
      /** @type {number} */ width,
      /** @type {number} */ height,
      /** @type {(i: number) => number} */ colour,
    ) => {
      const canvas = document.createElement("canvas");
      canvas.width = width;
      canvas.height = height;
      const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
      const image = context.createImageData(width, height);
      const pixels = new Uint32Array(image.data.buffer);
      for (let i = 0; i < pixels.length; i++) pixels[i] = colour(i);
      context.putImageData(image, 0, 0);
      return canvas;
    };
    const second = other?.shift === replay.shift ? other.words : null;
    const nodes = picture(replay.width, replay.height, (i) =>
      this.stateColour(replay.words[i], second?.[i] ?? 0, other !== null, heat),
    );
    const wall = this.colours[ROW.fixed * 256 + FIXED.wall];
    const walls = picture(map.width, map.height, (i) => (map.shades[i] === 255 ? wall : 0));
    const { context } = this;
    context.save();
    context.beginPath();
    context.rect(left, top, map.width * scale, map.height * scale);
    context.clip();
    context.drawImage(nodes, left - scale / 2, top - scale / 2, nodes.width * scale, nodes.height * scale);
    context.drawImage(walls, left, top, map.width * scale, map.height * scale);
    context.restore();
  }

  /** @private Seams, shadows and the outlines of open cells. */
  details(
    /** @type {Box} */ box,
    /** @type {Camera} */ camera,
    /** @type {GridMap} */ map,
    /** @type {Replay | null} */ replay,
    /** @type {boolean} */ outlines,
    /** @type {boolean} */ lines,
  ) {
    const { context } = this;
    const palette = /** @type {Palette} */ (this.palette);
    const [left, top] = camera.toMap(box, box.x, box.y);
    const [right, bottom] = camera.toMap(box, box.x + box.width, box.y + box.height);
    const [ox, oy] = camera.origin(box);
    const scale = camera.scale;
    const x0 = Math.max(0, Math.floor(left)),
      x1 = Math.min(map.width, Math.ceil(right));
    const y0 = Math.max(0, Math.floor(top)),
      y1 = Math.min(map.height, Math.ceil(bottom));
    const drop = Math.min(0.18 * scale, 3.5);
    for (let y = y0; y < y1; y++) {
      for (let x = x0; x < x1; x++) {
        if (!map.isFree(x, y)) continue;
        const px = ox + x * scale,
          py = oy + y * scale;
        if (lines && scale >= 6) {
          context.fillStyle = palette.seam;
          context.globalAlpha = 0.7;
          context.fillRect(px, py, scale, 1);
          context.fillRect(px, py, 1, scale);
          context.globalAlpha = 1;
        }
        context.fillStyle = `rgb(0 0 0 / ${palette.shadow})`;
        if (map.contains(x, y - 1) && !map.isFree(x, y - 1)) context.fillRect(px, py, scale, drop);
        if (map.contains(x - 1, y) && !map.isFree(x - 1, y)) context.fillRect(px, py, drop, scale);
        if (
          outlines &&
          replay !== null &&
          replay.width > 1 &&
          (replay.words[y * replay.width + x] & 15) === STATE.open
        ) {
          const line = Math.max(1, Math.min(scale * 0.14, 3)),
            off = replay.shift * scale;
          context.strokeStyle = palette.open;
          context.lineWidth = line;
          context.strokeRect(px + line / 2 - off, py + line / 2 - off, scale - line, scale - line);
        }
      }
    }
  }
}

function touch(/** @type {Picture} */ picture, /** @type {number} */ from, /** @type {number} */ to) {
  if (to <= from) return;
  picture.from = Math.min(picture.from, from);
  picture.to = Math.max(picture.to, to);
}

/** A colour in the light from the upper left. */
function lit(
  /** @type {number} */ colour,
  /** @type {GridMap} */ map,
  /** @type {Float32Array} */ heights,
  /** @type {number} */ cell,
  /** @type {number} */ relief,
) {
  const right = cell + 1 < heights.length ? cell + 1 : cell,
    below = cell + map.width < heights.length ? cell + map.width : cell;
  const east = (heights[right] - heights[cell]) * relief,
    south = (heights[below] - heights[cell]) * relief;
  const light = Math.min(Math.max((1 + east + south) / Math.sqrt(1 + east * east + south * south), 0.5), 1.25);
  const channel = (/** @type {number} */ shift) =>
    Math.min(Math.round(((colour >>> shift) & 255) * light), 255) << shift;
  return (0xff000000 | channel(16) | channel(8) | channel(0)) >>> 0;
}
