// The map in three dimensions: heights as a surface (or walls as blocks), paths draped over it, the
// search as a tint; an orbit camera. Patches of 64 x 64 cells are instances of one mesh whose
// vertices read their heights from the texture, so that no geometry is built per map.

import { byId, pictureOf } from "./dom.js";
import { link } from "./map_gl.js";
import { ROWS, lookup, rgb } from "./palette.js";
import { Pen } from "./overlay.js";
import { Camera } from "./camera.js";
import { effect } from "./signals.js";
import { colours } from "./stage.js";
import { focused, placeOf, state } from "./state.js";
import {
  BOX_FRAGMENT,
  BOX_VERTEX,
  GROUND_FRAGMENT,
  GROUND_VERTEX,
  LINE_FRAGMENT,
  LINE_VERTEX,
  SIDE,
  boxVertices,
  patchIndices,
  ribbon,
} from "./terrain_shaders.js";
import { multiply, invert, lookAt, perspective, transform } from "./matrix.js";

/** @typedef {import("./matrix.js").Vector} Vector */

/** More patches than this are drawn with every second cell, and so on. */
const MOST_PATCHES = 400;

/** What the person has set: angles, distance, middle, exaggeration. */
export const orbit = { azimuth: -0.6, elevation: 0.72, distance: 1.75, x: 0.5, y: 0.5, exaggeration: 1, slopes: false };

const canvas = /** @type {HTMLCanvasElement} */ (byId("terrain"));
const overlay = /** @type {HTMLCanvasElement} */ (byId("overlay"));
const stage = byId("stage");

/** @type {Scene | null} */
let scene = null;
let asked = false;

class Scene {
  constructor() {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: false });
    if (gl === null) throw new Error("Terrain in three dimensions needs WebGL2, which this browser does not have.");
    this.gl = gl;
    this.ground = link(gl, GROUND_VERTEX, GROUND_FRAGMENT);
    this.box = link(gl, BOX_VERTEX, BOX_FRAGMENT);
    this.line = link(gl, LINE_VERTEX, LINE_FRAGMENT);
    this.heights = this.texture();
    this.cells = this.texture();
    this.search = this.texture();
    this.colours = this.texture();
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.patch = this.patchMesh();
    this.boxes = this.boxMesh();
    this.lineArray = gl.createVertexArray();
    this.lineBuffer = gl.createBuffer();
    /** @type {import("./grid_map.js").GridMap | null} */
    this.map = null;
    this.seen = "";
    this.view = new Float64Array(16);
  }

  /** @returns {WebGLTexture} */
  texture() {
    const { gl } = this;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const key of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, key, gl.NEAREST);
    for (const key of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, key, gl.CLAMP_TO_EDGE);
    return texture;
  }

  patchMesh() {
    const { gl } = this;
    const indices = patchIndices();
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    return { array, count: indices.length };
  }

  boxMesh() {
    const { gl } = this;
    const vertices = boxVertices();
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 24, 0);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribPointer(1, 3, gl.FLOAT, false, 24, 12);
    const cells = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, cells);
    gl.enableVertexAttribArray(2);
    gl.vertexAttribPointer(2, 2, gl.FLOAT, false, 8, 0);
    gl.vertexAttribDivisor(2, 1);
    gl.bindVertexArray(null);
    return { array, cells, vertices: vertices.length / 6, count: 0 };
  }

  /** Takes over the map if it is another one or has changed. */
  load() {
    const { gl } = this;
    const map = state.map.peek();
    const seen = `${map.revision} ${map.heightsVersion}`;
    if (this.map === map && this.seen === seen) return;
    this.map = map;
    this.seen = seen;
    gl.bindTexture(gl.TEXTURE_2D, this.heights);
    const heights = map.heights ?? new Float32Array(map.width * map.height);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, map.width, map.height, 0, gl.RED, gl.FLOAT, heights);
    gl.bindTexture(gl.TEXTURE_2D, this.cells);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, map.width, map.height, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, map.shades);
    // Walls stand up where the ground is flat.
    /** @type {number[]} */
    const walls = [];
    if (map.heights === null) {
      for (let i = 0; i < map.shades.length; i++)
        if (map.shades[i] === 255) walls.push(i % map.width, Math.floor(i / map.width));
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.boxes.cells);
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(walls), gl.DYNAMIC_DRAW);
    this.boxes.count = walls.length / 2;
  }

  /** Cells per metre on the screen. */
  rise() {
    const map = state.map.peek();
    const [low, high] = map.heightRange();
    // By default the relief is a seventh of the map's side, if it is less in truth.
    const truth = 1 / map.cellSize;
    const shown = Math.max(truth, Math.min(map.width, map.height) / 7 / Math.max(high - low, 1e-6));
    return { low, high, scale: map.heights === null ? 0 : shown * orbit.exaggeration };
  }

  matrix() {
    const map = state.map.peek();
    const reach = Math.max(map.width, map.height);
    const { low, high, scale } = this.rise();
    const target = /** @type {Vector} */ ([orbit.x * map.width, ((high - low) * scale) / 3, orbit.y * map.height]);
    // A flat map has nothing that stands out of it.
    const far = orbit.distance * reach * (map.heights === null ? 0.75 : 1);
    const eye = /** @type {Vector} */ ([
      target[0] + far * Math.sin(orbit.azimuth) * Math.cos(orbit.elevation),
      target[1] + far * Math.sin(orbit.elevation),
      target[2] + far * Math.cos(orbit.azimuth) * Math.cos(orbit.elevation),
    ]);
    const projection = perspective(
      0.75,
      canvas.clientWidth / Math.max(canvas.clientHeight, 1),
      reach * 0.01,
      reach * 8,
    );
    return multiply(projection, lookAt(eye, target));
  }

  draw() {
    const { gl } = this;
    const ratio = devicePixelRatio || 1;
    const width = Math.round(stage.clientWidth * ratio),
      height = Math.round(stage.clientHeight * ratio);
    for (const each of [canvas, overlay]) {
      if (each.width !== width || each.height !== height) {
        each.width = width;
        each.height = height;
      }
    }
    this.load();
    const map = state.map.peek();
    const paint = colours();
    const pane = focused();
    gl.viewport(0, 0, width, height);
    const float = (/** @type {string} */ colour) =>
      /** @type {[number, number, number]} */ (rgb(colour).map((value) => value / 255));
    gl.clearColor(...float(paint.paper), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    const view = this.matrix();
    this.view = view;
    const matrix = new Float32Array(view);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.colours);
    gl.texImage2D(
      gl.TEXTURE_2D,
      0,
      gl.RGBA,
      256,
      ROWS,
      0,
      gl.RGBA,
      gl.UNSIGNED_BYTE,
      lookup(map.heights === null ? { ...paint, hills: [paint.floor, paint.floor] } : paint),
    );
    gl.bindTexture(gl.TEXTURE_2D, this.search);
    const { replay } = pane;
    gl.texImage2D(
      gl.TEXTURE_2D,
      0,
      gl.RGBA8UI,
      replay.width,
      replay.height,
      0,
      gl.RGBA_INTEGER,
      gl.UNSIGNED_BYTE,
      replay.bytes,
    );

    gl.useProgram(this.ground);
    const at = (/** @type {string} */ name) => gl.getUniformLocation(this.ground, name);
    [
      ["heights", this.heights],
      ["ground", this.cells],
      ["search", this.search],
      ["colours", this.colours],
    ].forEach(([name, texture], unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, /** @type {WebGLTexture} */ (texture));
      gl.uniform1i(at(/** @type {string} */ (name)), unit);
    });
    gl.activeTexture(gl.TEXTURE0);
    const { low, high, scale } = this.rise();
    const slope = state.slope.peek();
    let stride = 1;
    const patches = (/** @type {number} */ side) => Math.ceil(Math.max(side - 1, 1) / (SIDE * stride));
    while (patches(map.width) * patches(map.height) > MOST_PATCHES) stride *= 2;
    gl.uniformMatrix4fv(at("view"), false, matrix);
    gl.uniform2i(at("size"), map.width, map.height);
    gl.uniform1i(at("columns"), patches(map.width));
    gl.uniform1i(at("stride"), stride);
    gl.uniform2f(at("rise"), low, scale);
    gl.uniform1f(at("wall"), map.heights === null ? 0 : 0);
    gl.uniform3f(at("range"), low, 1 / Math.max(high - low, 1e-6), map.heights === null ? 0 : contour(high - low));
    gl.uniform3f(at("steep"), orbit.slopes ? 1 : 0, map.heights !== null ? slope.limit : 0, map.cellSize);
    gl.uniform1f(at("shift"), replay.shift);
    gl.uniform3f(at("wallColour"), ...float(map.heights === null ? paint.seam : paint.wall));
    gl.uniform1i(
      at("tint"),
      replay.trace !== null && (state.cursor.peek() < replay.trace.count || map.heights === null) ? 1 : 0,
    );
    gl.bindVertexArray(this.patch.array);
    gl.drawElementsInstanced(
      gl.TRIANGLES,
      this.patch.count,
      gl.UNSIGNED_SHORT,
      0,
      patches(map.width) * patches(map.height),
    );

    if (this.boxes.count > 0) {
      gl.useProgram(this.box);
      gl.uniformMatrix4fv(gl.getUniformLocation(this.box, "view"), false, matrix);
      gl.uniform1f(gl.getUniformLocation(this.box, "wall"), Math.min(1.6, Math.max(map.width, map.height) / 40));
      gl.uniform3f(gl.getUniformLocation(this.box, "paint"), ...float(paint.wall));
      gl.bindVertexArray(this.boxes.array);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, this.boxes.vertices, this.boxes.count);
    }
    this.paths(matrix, [width, height], ratio);
    gl.bindVertexArray(null);
    this.marks(ratio);
  }

  /** The paths of all panes, with casings. */
  paths(/** @type {Float32Array} */ matrix, /** @type {[number, number]} */ frame, /** @type {number} */ ratio) {
    const { gl } = this;
    const paint = colours();
    gl.useProgram(this.line);
    const at = (/** @type {string} */ name) => gl.getUniformLocation(this.line, name);
    gl.uniformMatrix4fv(at("view"), false, matrix);
    gl.uniform2f(at("frame"), ...frame);
    state.panes.peek().forEach((pane, number) => {
      const points = pane.planned.peek()?.points;
      if (!points || points.length < 4) return;
      const mesh = ribbon(points, (x, y) => this.up(x, y));
      gl.bindVertexArray(this.lineArray);
      gl.bindBuffer(gl.ARRAY_BUFFER, this.lineBuffer);
      gl.bufferData(gl.ARRAY_BUFFER, mesh, gl.DYNAMIC_DRAW);
      for (const [place, length, offset] of [
        [0, 3, 0],
        [1, 3, 12],
        [2, 2, 24],
      ]) {
        gl.enableVertexAttribArray(place);
        gl.vertexAttribPointer(place, length, gl.FLOAT, false, 32, offset);
      }
      for (const [colour, width, nearer] of /** @type {[string, number, number][]} */ ([
        [paint.casing, 8, 0.0012],
        [paint.routes[number % paint.routes.length], 4.5, 0.0024],
      ])) {
        gl.uniform1f(at("width"), width * ratio);
        gl.uniform1f(at("lift"), 0.15);
        gl.uniform1f(at("nearer"), nearer + number * 0.0004);
        gl.uniform3f(at("paint"), .../** @type {[number, number, number]} */ (rgb(colour).map((value) => value / 255)));
        gl.drawArrays(gl.TRIANGLES, 0, mesh.length / 8);
      }
    });
  }

  /** How high the surface is drawn at a place. */
  up(/** @type {number} */ x, /** @type {number} */ y) {
    const map = state.map.peek();
    if (map.heights === null) return 0;
    const { low, scale } = this.rise();
    const u = Math.min(Math.max(x - 0.5, 0), map.width - 1),
      v = Math.min(Math.max(y - 0.5, 0), map.height - 1);
    const [c, r] = [Math.floor(u), Math.floor(v)];
    const [c1, r1] = [Math.min(c + 1, map.width - 1), Math.min(r + 1, map.height - 1)];
    const { heights, width } = map;
    const top = heights[r * width + c] * (1 - u + c) + heights[r * width + c1] * (u - c);
    const low2 = heights[r1 * width + c] * (1 - u + c) + heights[r1 * width + c1] * (u - c);
    return (top * (1 - v + r) + low2 * (v - r) - low) * scale;
  }

  /** Start, goal and the cell under the pointer, drawn flat over the picture. */
  marks(/** @type {number} */ ratio) {
    const context = /** @type {CanvasRenderingContext2D} */ (overlay.getContext("2d"));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, stage.clientWidth, stage.clientHeight);
    // A pen whose unit is the pixel.
    const flat = new Camera();
    flat.scale = 1;
    const pen = new Pen(context, { x: 0, y: 0, width: 0, height: 0 }, flat, colours(), state.map.peek());
    const put = (/** @type {[number, number]} */ place, /** @type {(x: number, y: number) => void} */ draw) => {
      const at = this.project(...place);
      if (at) draw(at[0], at[1]);
    };
    pen.scale = 1;
    pen.left = 0;
    pen.top = 0;
    pen.markRadius = () => 8;
    put(placeOf("goal"), (x, y) => pen.goalMark(x, y));
    put(placeOf("start"), (x, y) => pen.startMark(x, y));
    const hover = state.hover.peek();
    if (hover) put([hover[0] + 0.5, hover[1] + 0.5], (x, y) => pen.disc(x, y, 4, pen.palette.ink));
  }

  /** Where a place of the map is on the stage. @returns {[number, number] | null} */
  project(/** @type {number} */ x, /** @type {number} */ y) {
    const [u, v, , w] = transform(this.view, [x, this.up(x, y), y]);
    return w <= 0 ? null : [((u / w + 1) / 2) * stage.clientWidth, ((1 - v / w) / 2) * stage.clientHeight];
  }

  /** The cell that a place of the stage shows. @returns {import("./state.js").Cell | null} */
  pick(/** @type {number} */ px, /** @type {number} */ py) {
    const back = invert(this.view);
    if (!back) return null;
    const ndc = [(px / stage.clientWidth) * 2 - 1, 1 - (py / stage.clientHeight) * 2];
    const point = (/** @type {number} */ depth) => {
      const [x, y, z, w] = transform(back, [ndc[0], ndc[1], depth]);
      return [x / w, y / w, z / w];
    };
    const [near, far] = [point(-1), point(1)];
    const map = state.map.peek();
    // Along the ray until it is below the surface, then halving.
    const at = (/** @type {number} */ t) => [0, 1, 2].map((i) => near[i] + (far[i] - near[i]) * t);
    const below = (/** @type {number} */ t) => {
      const [x, y, z] = at(t);
      return y < (x >= 0 && z >= 0 && x < map.width && z < map.height ? this.up(x, z) : -1e9);
    };
    let low = 0;
    for (let i = 1; i <= 900; i++) {
      const t = (i / 900) ** 2.2;
      if (below(t)) {
        let high = t;
        for (let k = 0; k < 18; k++) {
          const middle = (low + high) / 2;
          if (below(middle)) high = middle;
          else low = middle;
        }
        const [x, , z] = at(high);
        const cell = /** @type {import("./state.js").Cell} */ ([Math.floor(x), Math.floor(z)]);
        return map.contains(...cell) ? cell : null;
      }
      low = t;
    }
    return null;
  }
}

/** A round number of metres between contour lines, about twelve of them. */
function contour(/** @type {number} */ range) {
  const rough = range / 12;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1e-9)));
  return power * ([1, 2, 5, 10].find((step) => step * power >= rough) ?? 10);
}

/** Draws the terrain in the next frame. */
export function invalidateTerrain() {
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    if (state.view.peek() === "terrain") scene?.draw();
  });
}

/** The terrain as a picture. @returns {Promise<Blob | null>} */
export function terrainPicture() {
  scene?.draw();
  return pictureOf(canvas, overlay);
}

/** The pointer: drag turns, Shift or the right button moves, the wheel goes nearer. */
function listen(/** @type {(end: "start" | "goal", cell: import("./state.js").Cell) => void} */ moveEnd) {
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  /** @type {"turn" | "pan" | "start" | "goal"} */
  let mode = "turn";
  const local = (/** @type {PointerEvent | WheelEvent} */ event) => {
    const frame = stage.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  canvas.addEventListener("pointerdown", (event) => {
    event.stopPropagation();
    canvas.setPointerCapture(event.pointerId);
    const place = local(event);
    fingers.set(event.pointerId, place);
    mode = event.button !== 0 || event.shiftKey ? "pan" : "turn";
    for (const end of /** @type {const} */ (["start", "goal"])) {
      const at = scene?.project(...placeOf(end));
      if (at && Math.hypot(at[0] - place.x, at[1] - place.y) < 16) mode = end;
    }
    if (mode === "start" || mode === "goal") state.dragging.set(true);
  });
  canvas.addEventListener("pointermove", (event) => {
    const place = local(event);
    const before = fingers.get(event.pointerId);
    if (!before) {
      const cell = scene?.pick(place.x, place.y) ?? null;
      state.hover.set(cell);
      state.pointer.set(cell ? [cell[0] + 0.5, cell[1] + 0.5] : null);
      return;
    }
    event.stopPropagation();
    const [dx, dy] = [place.x - before.x, place.y - before.y];
    if (fingers.size === 2) {
      const [a, b] = [...fingers.values()];
      const old = Math.hypot(a.x - b.x, a.y - b.y);
      Object.assign(before, place);
      const [c, d] = [...fingers.values()];
      zoom(old / Math.max(Math.hypot(c.x - d.x, c.y - d.y), 1));
      return invalidateTerrain();
    }
    Object.assign(before, place);
    if (mode === "turn") {
      orbit.azimuth -= dx * 0.006;
      orbit.elevation = Math.min(Math.max(orbit.elevation + dy * 0.005, 0.08), 1.55);
    } else if (mode === "pan") {
      const step = orbit.distance / stage.clientHeight;
      const [sin, cos] = [Math.sin(orbit.azimuth), Math.cos(orbit.azimuth)];
      orbit.x -= (dx * cos + dy * sin) * step;
      orbit.y -= (dy * cos - dx * sin) * step;
    } else {
      const cell = scene?.pick(place.x, place.y);
      if (cell) moveEnd(mode, cell);
    }
    invalidateTerrain();
  });
  const end = (/** @type {PointerEvent} */ event) => {
    event.stopPropagation();
    fingers.delete(event.pointerId);
    if (fingers.size === 0) state.dragging.set(false);
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      event.stopPropagation();
      zoom(Math.exp(event.deltaY * 0.0012));
      invalidateTerrain();
    },
    { passive: false },
  );
}

/** @param {number} factor */
export function zoom(factor) {
  orbit.distance = Math.min(Math.max(orbit.distance * factor, 0.1), 4);
}

/** Shows or hides the terrain as the view says. @param {(end: "start" | "goal", cell: import("./state.js").Cell) => void} moveEnd @param {(message: string) => void} complain */
export function startTerrain(moveEnd, complain) {
  listen(moveEnd);
  new ResizeObserver(invalidateTerrain).observe(stage);
  effect(() => {
    const on = state.view.get() === "terrain";
    canvas.hidden = !on;
    byId("map").hidden = on;
    if (!on) return;
    try {
      scene ??= new Scene();
    } catch (error) {
      state.view.set("search");
      return complain(/** @type {Error} */ (error).message);
    }
    for (const value of [
      state.map,
      state.start,
      state.goal,
      state.cursor,
      state.hover,
      state.style,
      state.dark,
      state.slope,
    ])
      value.get();
    for (const pane of state.panes.get()) pane.planned.get();
    invalidateTerrain();
  });
}
