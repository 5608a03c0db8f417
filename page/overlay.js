// What is drawn over the map as lines: paths, marks of the ends, rays, intervals, sight checks,
// parents, blocks and sectors, numbers in cells.

import { KIND, STATE } from "./trace.js";
import { along, css } from "./palette.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./camera.js").Box} Box */
/** @typedef {import("./palette.js").Palette} Palette */
/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {import("./state.js").Pane} Pane */
/** @typedef {import("./session.js").Layer} Layer */

/** More lines than this at once are noise, and slow. */
const MOST_MARKS = 5000;

export class Pen {
  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Box} box
   * @param {Camera} camera
   * @param {Palette} palette
   * @param {{width: number, height: number}} map
   */
  constructor(context, box, camera, palette, map) {
    this.context = context;
    this.map = map;
    this.box = box;
    this.camera = camera;
    this.palette = palette;
    this.scale = camera.scale;
    const [left, top] = camera.origin(box);
    this.left = left;
    this.top = top;
    /** The part of the map in sight. */
    const [x0, y0] = camera.toMap(box, box.x, box.y);
    const [x1, y1] = camera.toMap(box, box.x + box.width, box.y + box.height);
    this.sight = { x0: Math.floor(x0), y0: Math.floor(y0), x1: Math.ceil(x1), y1: Math.ceil(y1) };
  }

  x(/** @type {number} */ x) {
    return this.left + x * this.scale;
  }

  y(/** @type {number} */ y) {
    return this.top + y * this.scale;
  }

  /** A line through points, given as x, y, x, y … */
  polyline(/** @type {ArrayLike<number>} */ points) {
    const { context } = this;
    context.beginPath();
    for (let i = 0; i + 1 < points.length; i += 2) {
      if (i === 0) context.moveTo(this.x(points[0]), this.y(points[1]));
      else context.lineTo(this.x(points[i]), this.y(points[i + 1]));
    }
  }

  /** A line with a casing, as in the pictures. */
  cased(/** @type {ArrayLike<number>} */ points, /** @type {string} */ colour, width = this.routeWidth(), alpha = 1) {
    const { context, palette } = this;
    context.lineJoin = "round";
    context.lineCap = "round";
    context.globalAlpha = alpha;
    this.polyline(points);
    context.strokeStyle = palette.casing;
    context.lineWidth = width + Math.max(2, width * 0.7);
    context.stroke();
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.stroke();
    context.globalAlpha = 1;
  }

  routeWidth() {
    return Math.max(2.6, Math.min(this.scale * 0.34, 6));
  }

  /** The start: a disc with an eye. @param {number} x @param {number} y @param {boolean} [raised] being dragged */
  startMark(x, y, raised = false) {
    const r = this.markRadius(raised);
    this.disc(x, y, r + 2, this.palette.casing);
    this.disc(x, y, r, this.palette.start);
    this.disc(x, y, r * 0.36, this.palette.casing);
  }

  /** The goal: a diamond with an eye. @param {number} x @param {number} y @param {boolean} [raised] */
  goalMark(x, y, raised = false) {
    const r = this.markRadius(raised) * 1.22;
    const { context, palette } = this;
    const diamond = (/** @type {number} */ size, /** @type {string} */ colour) => {
      context.beginPath();
      context.moveTo(this.x(x), this.y(y) - size);
      context.lineTo(this.x(x) + size, this.y(y));
      context.lineTo(this.x(x), this.y(y) + size);
      context.lineTo(this.x(x) - size, this.y(y));
      context.closePath();
      context.fillStyle = colour;
      context.fill();
    };
    context.lineJoin = "round";
    diamond(r + 2.8, palette.casing);
    diamond(r, palette.goal);
    this.disc(x, y, r * 0.3, palette.casing);
  }

  markRadius(/** @type {boolean} */ raised) {
    return Math.max(6.5, Math.min(this.scale * 0.46, 15)) * (raised ? 1.25 : 1);
  }

  disc(/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ radius, /** @type {string} */ colour) {
    const { context } = this;
    context.beginPath();
    context.arc(this.x(x), this.y(y), radius, 0, 2 * Math.PI);
    context.fillStyle = colour;
    context.fill();
  }

  ring(/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ colour) {
    const { context } = this;
    const radius = Math.max(5, this.scale * 0.62);
    for (const [width, stroke] of /** @type {[number, string][]} */ ([
      [4.5, this.palette.casing],
      [2.2, colour],
    ])) {
      context.beginPath();
      context.arc(this.x(x), this.y(y), radius, 0, 2 * Math.PI);
      context.strokeStyle = stroke;
      context.lineWidth = width;
      context.stroke();
    }
  }

  /** A short arrow from a node towards its parent. */
  arrow(/** @type {[number, number]} */ [x, y], /** @type {[number, number]} */ [px, py]) {
    const { context } = this;
    const length = Math.hypot(px - x, py - y);
    if (length === 0) return;
    const reach = Math.min(0.42, length / 2, 24 / this.scale);
    const [dx, dy] = [((px - x) / length) * reach, ((py - y) / length) * reach];
    const tip = [this.x(x + dx), this.y(y + dy)];
    context.moveTo(this.x(x - dx * 0.3), this.y(y - dy * 0.3));
    context.lineTo(tip[0], tip[1]);
    const head = Math.min(this.scale * 0.16, 9);
    const angle = Math.atan2(dy, dx);
    for (const turn of [2.5, -2.5]) {
      context.moveTo(tip[0], tip[1]);
      context.lineTo(tip[0] + Math.cos(angle + turn) * head, tip[1] + Math.sin(angle + turn) * head);
    }
  }
}

/**
 * What a planner prepared: blocks with their tables, sectors, regions.
 * @param {Pen} pen
 * @param {Layer[]} layers
 * @param {[number, number] | null} hover
 * @param {{x: number, y: number, width: number, height: number} | null} edited what was just edited: its blocks are marked
 */
export function drawLayers(pen, layers, hover, edited) {
  const { context, palette, sight } = pen;
  layers.forEach((layer, number) => {
    context.strokeStyle = palette.routes[(number + 1) % palette.routes.length];
    if (layer.kind === "rects" && layer.columns.rects && pen.scale >= 1) {
      const { rects, groups } = layer.columns;
      /** The group under the pointer: who shares its table. */
      let shared = -1;
      context.globalAlpha = Math.min(0.6, pen.scale / 12);
      context.lineWidth = 1;
      context.beginPath();
      for (let i = 0; i < rects.length; i += 4) {
        const [x, y, w, h] = [rects[i], rects[i + 1], rects[i + 2], rects[i + 3]];
        if (hover && hover[0] >= x && hover[1] >= y && hover[0] < x + w && hover[1] < y + h)
          shared = groups?.[i / 4] ?? -1;
        if (x + w < sight.x0 || y + h < sight.y0 || x > sight.x1 || y > sight.y1) continue;
        context.rect(pen.x(x) + 0.5, pen.y(y) + 0.5, w * pen.scale - 1, h * pen.scale - 1);
      }
      context.stroke();
      if (edited !== null) {
        context.fillStyle = palette.current;
        context.globalAlpha = 0.4;
        for (let i = 0; i < rects.length; i += 4) {
          const [x, y, w, h] = [rects[i], rects[i + 1], rects[i + 2], rects[i + 3]];
          if (x + w <= edited.x || y + h <= edited.y || x >= edited.x + edited.width || y >= edited.y + edited.height)
            continue;
          context.fillRect(pen.x(x), pen.y(y), w * pen.scale, h * pen.scale);
        }
      }
      if (shared >= 0 && groups) {
        context.globalAlpha = 0.28;
        context.fillStyle = palette.routes[2];
        for (let i = 0; i < rects.length; i += 4) {
          if (groups[i / 4] !== shared) continue;
          context.fillRect(pen.x(rects[i]), pen.y(rects[i + 1]), rects[i + 2] * pen.scale, rects[i + 3] * pen.scale);
        }
      }
      context.globalAlpha = 1;
    } else if (layer.kind === "cells" && layer.columns.labels) {
      drawBorders(pen, layer.columns.labels);
    } else if (layer.kind === "points" && layer.columns.points) {
      const { points } = layer.columns;
      const radius = Math.max(1.5, Math.min(pen.scale * 0.22, 5));
      for (let i = 0; i < Math.min(points.length, 2 * MOST_MARKS * 4); i += 2) {
        if (points[i] < sight.x0 || points[i] > sight.x1 || points[i + 1] < sight.y0 || points[i + 1] > sight.y1)
          continue;
        pen.disc(points[i], points[i + 1], radius + 1, palette.casing);
        pen.disc(points[i], points[i + 1], radius, palette.routes[(number + 1) % palette.routes.length]);
      }
    } else if (layer.kind === "links" && layer.columns.ends) {
      const { ends } = layer.columns;
      context.globalAlpha = 0.35;
      context.lineWidth = 1;
      context.beginPath();
      for (let i = 0; i < Math.min(ends.length, 4 * MOST_MARKS * 4); i += 4) {
        context.moveTo(pen.x(ends[i]), pen.y(ends[i + 1]));
        context.lineTo(pen.x(ends[i + 2]), pen.y(ends[i + 3]));
      }
      context.stroke();
      context.globalAlpha = 1;
    }
  });
}

/** Lines between cells of different labels. */
function drawBorders(/** @type {Pen} */ pen, /** @type {ArrayLike<number>} */ labels) {
  const { context, sight } = pen;
  if (pen.scale < 1.5) return;
  const { width, height } = pen.map;
  context.lineWidth = Math.max(1, Math.min(pen.scale * 0.12, 2.5));
  context.globalAlpha = 0.8;
  context.beginPath();
  for (let y = Math.max(sight.y0, 0); y < Math.min(sight.y1, height); y++) {
    for (let x = Math.max(sight.x0, 0); x < Math.min(sight.x1, width); x++) {
      const here = labels[y * width + x];
      if (here === 0xffffffff) continue;
      if (x + 1 < width && labels[y * width + x + 1] !== here && labels[y * width + x + 1] !== 0xffffffff) {
        context.moveTo(pen.x(x + 1), pen.y(y));
        context.lineTo(pen.x(x + 1), pen.y(y + 1));
      }
      if (y + 1 < height && labels[(y + 1) * width + x] !== here && labels[(y + 1) * width + x] !== 0xffffffff) {
        context.moveTo(pen.x(x), pen.y(y + 1));
        context.lineTo(pen.x(x + 1), pen.y(y + 1));
      }
    }
  }
  context.stroke();
  context.globalAlpha = 1;
}

/** Rays, intervals and sight checks: those of the current expansion strongly, earlier ones faintly. */
export function drawMarks(/** @type {Pen} */ pen, /** @type {Replay} */ replay, most = MOST_MARKS) {
  const trace = replay.trace;
  if (trace === null) return;
  const { counts } = trace;
  if (counts[KIND.ray] + counts[KIND.interval] + counts[KIND.sight] + counts[KIND.blind] === 0) return;
  const { context, palette } = pen;
  const whole = replay.cursor === trace.count;
  const current = whole ? trace.count : trace.current(replay.cursor);
  const start = Math.max(trace.segment(replay.cursor), current - most * 4);
  /** @type {Record<string, number[]>} */
  const faint = { ray: [], interval: [], sight: [], blind: [] };
  /** @type {Record<string, number[]>} */
  const strong = { ray: [], interval: [], sight: [], blind: [] };
  const names = new Map([
    [KIND.ray, "ray"],
    [KIND.interval, "interval"],
    [KIND.sight, "sight"],
    [KIND.blind, "blind"],
  ]);
  for (let i = replay.cursor - 1, found = 0; i >= start && found < most; i--) {
    const name = names.get(/** @type {any} */ (trace.kind[i] & 127));
    if (!name) continue;
    found++;
    (i >= current ? strong : faint)[name].push(i);
  }
  const lines = (
    /** @type {number[]} */ events,
    /** @type {string} */ colour,
    /** @type {number} */ width,
    /** @type {number} */ alpha,
    dash = false,
  ) => {
    if (events.length === 0) return;
    context.beginPath();
    for (const event of events) {
      const [x, y] = trace.position(trace.from[event]),
        [u, v] = trace.position(trace.at[event]);
      context.moveTo(pen.x(x), pen.y(y));
      context.lineTo(pen.x(u), pen.y(v));
    }
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.globalAlpha = alpha;
    context.setLineDash(dash ? [4, 4] : []);
    context.lineCap = "butt";
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  };
  const thin = Math.max(0.9, Math.min(pen.scale * 0.08, 1.6));
  // The more there are, the fainter.
  const old = Math.max(
    0.16,
    Math.min(0.55, 14 / Math.sqrt(faint.ray.length + faint.sight.length + faint.blind.length + 1)),
  );
  lines(faint.ray, palette.open, thin, old);
  lines(faint.interval, palette.routes[1], thin * 1.4, Math.min(old + 0.25, 0.6));
  lines(faint.sight, palette.start, thin, old);
  lines(faint.blind, palette.goal, thin, old * 0.8, true);
  lines(strong.ray, palette.open, thin * 2, 0.95);
  lines(strong.interval, palette.current, thin * 3, 1);
  lines(strong.sight, palette.start, thin * 2, 0.95);
  lines(strong.blind, palette.goal, thin * 2, 0.95, true);
}

/** Arrows from nodes in sight to their parents. */
export function drawParents(/** @type {Pen} */ pen, /** @type {Replay} */ replay) {
  const trace = replay.trace;
  if (trace === null || pen.scale < 12) return;
  const { context, palette, sight } = pen;
  context.beginPath();
  for (let y = Math.max(sight.y0, 0); y < Math.min(sight.y1 + 1, replay.height); y++) {
    for (let x = Math.max(sight.x0, 0); x < Math.min(sight.x1 + 1, replay.width); x++) {
      const event = replay.last[y * replay.width + x];
      const parent = event < 0 ? 0xffffffff : trace.parent(event);
      if (parent !== 0xffffffff) pen.arrow(trace.position(trace.at[event]), trace.position(parent));
    }
  }
  context.strokeStyle = palette.ink;
  context.globalAlpha = 0.6;
  context.lineWidth = Math.min(Math.max(1, pen.scale * 0.05), 2.5);
  context.lineCap = "round";
  context.stroke();
  context.globalAlpha = 1;
}

/** g, h and f in the cells, once there is room. */
export function drawNumbers(/** @type {Pen} */ pen, /** @type {Replay} */ replay) {
  const trace = replay.trace;
  if (trace === null || pen.scale < (trace.corners ? 56 : 40)) return;
  const { context, palette, sight } = pen;
  const large = Math.min(pen.scale * 0.27, 20),
    small = large * 0.66;
  context.fillStyle = palette.ink;
  context.textBaseline = "middle";
  for (let y = Math.max(sight.y0, 0); y < Math.min(sight.y1 + 1, replay.height); y++) {
    for (let x = Math.max(sight.x0, 0); x < Math.min(sight.x1 + 1, replay.width); x++) {
      const event = replay.last[y * replay.width + x];
      if (event < 0) continue;
      const g = trace.g[event] / trace.scale,
        f = trace.f[event] / trace.scale;
      const cx = pen.x(x + 0.5 - replay.shift),
        cy = pen.y(y + 0.5 - replay.shift),
        half = pen.scale / 2;
      context.font = `600 ${large}px ui-monospace, monospace`;
      context.textAlign = "center";
      // Of a block's boundary the cost counts, elsewhere the priority.
      const plain = trace.state(event) === STATE.reached || trace.state(event) === STATE.raised;
      context.fillText((trace.state(event) === STATE.reached ? g : f).toFixed(1), cx, cy + half * (plain ? 0 : 0.6));
      if (plain) continue;
      context.font = `${small}px ui-monospace, monospace`;
      context.textAlign = "left";
      context.fillText(g.toFixed(1), cx - half * 0.86, cy - half * 0.66);
      context.textAlign = "right";
      context.fillText((f - g).toFixed(1), cx + half * 0.86, cy - half * 0.66);
    }
  }
}

/** The way an agent has walked so far. */
export function drawWalk(
  /** @type {Pen} */ pen,
  /** @type {Replay} */ replay,
  /** @type {string} */ colour,
  /** @type {[number, number]} */ start,
) {
  const trace = replay.trace;
  if (trace === null || trace.counts[KIND.moved] === 0) return;
  const done = trace.done(replay.cursor, "move");
  if (done === 0) return;
  const moves = trace.lists.move;
  /** @type {number[]} */
  const points = [...start];
  for (let i = 0; i < done; i++) points.push(...trace.position(trace.at[moves[i] - 1]));
  pen.cased(points, colour, Math.max(1.6, pen.routeWidth() * 0.6));
  const [x, y] = points.slice(-2);
  pen.disc(x, y, pen.markRadius(false) * 0.8 + 2, pen.palette.casing);
  pen.disc(x, y, pen.markRadius(false) * 0.8, colour);
}

/** The chain of parents from a node to the start. */
export function drawChain(
  /** @type {Pen} */ pen,
  /** @type {Replay} */ replay,
  /** @type {number} */ event,
  /** @type {string} */ colour,
  alpha = 0.9,
) {
  const trace = replay.trace;
  if (trace === null || event < 0 || trace.hasBlocks) return;
  const chain = replay.parents(event);
  if (chain.length === 0) return;
  /** @type {number[]} */
  const points = [];
  for (const link of chain) points.push(...trace.position(trace.at[link]));
  const root = trace.parent(chain[chain.length - 1]);
  if (root !== 0xffffffff) points.push(...trace.position(root));
  pen.cased(points, colour, Math.max(1.5, pen.routeWidth() * 0.55), alpha);
}

/** The legend of a heat map. */
export function heatGradient(/** @type {string[]} */ stops) {
  return `linear-gradient(90deg, ${Array.from({ length: 9 }, (_, i) => css(along(stops, i / 8))).join(", ")})`;
}
