// The map by WebGL2: one rectangle per pane; ground and search state are textures of one texel per
// cell, and the colours are looked up in the shader, so that panning and zooming move no data.
//
// Zoomed out, a pixel covers many cells: it shows the most important of up to 8 x 8 of them (open,
// wall, closed, free), so that frontiers and thin walls do not vanish.

import { FIXED, ROW, ROWS, lookup } from "./palette.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./camera.js").Box} Box */
/** @typedef {import("./replay.js").Replay} Replay */
/** @typedef {import("./grid_map.js").GridMap} GridMap */
/** @typedef {import("./palette.js").Palette} Palette */

const VERTEX = `#version 300 es
const vec2 corners[3] = vec2[3](vec2(-1.0, -1.0), vec2(3.0, -1.0), vec2(-1.0, 3.0));
void main() { gl_Position = vec4(corners[gl_VertexID], 0.0, 1.0); }`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp usampler2D;
uniform usampler2D ground;   // 255 wall, else the shade of the terrain
uniform usampler2D searchA;  // state, shade, block, flags
uniform usampler2D searchB;  // the other search of a difference
uniform sampler2D colours;
uniform sampler2D heights;
uniform ivec2 size;          // cells of the map
uniform vec2 origin;         // the map's corner, in pixels from the top left
uniform float scale;         // pixels per cell
uniform float frame;         // height of the drawing, in pixels
uniform float shiftA;        // half a cell where nodes are corners
uniform float shiftB;
uniform int heat;            // shades are values, not the order
uniform int difference;
uniform vec3 relief;         // lowest height, 1 / range (0: flat), shading per metre
uniform float shadow;
uniform float lines;         // width of the seams in pixels, 0: none
out vec4 colour;

vec3 look(int row, int at) { return texelFetch(colours, ivec2(at, row), 0).rgb; }

uint groundAt(ivec2 cell) {
  if (cell.x < 0 || cell.y < 0 || cell.x >= size.x || cell.y >= size.y) return 256u;
  return texelFetch(ground, cell, 0).r;
}

float heightAt(vec2 place) {
  vec2 p = clamp(place - 0.5, vec2(0.0), vec2(size) - 1.0);
  ivec2 c = ivec2(p);
  ivec2 d = min(c + 1, size - 1);
  vec2 t = p - vec2(c);
  float a = texelFetch(heights, c, 0).r, b = texelFetch(heights, ivec2(d.x, c.y), 0).r;
  float e = texelFetch(heights, ivec2(c.x, d.y), 0).r, f = texelFetch(heights, d, 0).r;
  return mix(mix(a, b, t.x), mix(e, f, t.x), t.y);
}

vec3 floorColour(vec2 place, uint shade) {
  if (relief.y > 0.0) {
    float h = heightAt(place);
    float east = (heightAt(place + vec2(0.5, 0.0)) - heightAt(place - vec2(0.5, 0.0))) * relief.z;
    float south = (heightAt(place + vec2(0.0, 0.5)) - heightAt(place - vec2(0.0, 0.5))) * relief.z;
    float light = (1.0 + east + south) / sqrt(1.0 + east * east + south * south);
    vec3 tint = look(${ROW.hills}, int(clamp((h - relief.x) * relief.y, 0.0, 1.0) * 255.0));
    return light < 1.0 ? mix(tint, vec3(0.17, 0.19, 0.27), min((1.0 - light) * 0.5, 0.55))
                       : mix(tint, vec3(1.0), min((light - 1.0) * 0.75, 0.5));
  }
  return shade == 0u ? look(${ROW.fixed}, ${FIXED.floor}) : look(${ROW.terrain}, int(shade));
}

vec3 closedColour(uvec4 state) {
  int row = heat == 1 ? ${ROW.heat} : (state.r & 16u) != 0u ? ${ROW.backward} : ${ROW.closed};
  return look(row, int(state.g));
}

uvec4 nodeAt(usampler2D search, float shift, vec2 place) {
  ivec2 node = ivec2(floor(place + shift));
  ivec2 last = textureSize(search, 0) - 1;
  return texelFetch(search, clamp(node, ivec2(0), last), 0);
}

// The colour of a free place, and in a its importance where many cells share a pixel.
vec4 placeColour(vec2 place, uint shade, uvec4 a) {
  vec3 base = floorColour(place, shade);
  float terrainMix = relief.y > 0.0 ? 0.72 : shade > 0u ? 0.8 : 1.0;
  if (difference == 1) {
    uvec4 b = nodeAt(searchB, shiftB, place);
    bool inA = (a.r & 15u) == 2u || a.b > 0u;
    bool inB = (b.r & 15u) == 2u || b.b > 0u;
    if (inA && inB) return vec4(mix(base, look(${ROW.fixed}, ${FIXED.both}), terrainMix), 2.0);
    if (inA) return vec4(mix(base, look(${ROW.fixed}, ${FIXED.onlyA}), terrainMix), 4.0);
    if (inB) return vec4(mix(base, look(${ROW.fixed}, ${FIXED.onlyB}), terrainMix), 4.0);
    return vec4(base, 1.0);
  }
  uint kind = a.r & 15u;
  if (kind == 1u) {
    vec3 fill = heat == 1 ? look(${ROW.heat}, int(a.g)) : look(${ROW.fixed}, ${FIXED.openFill});
    return vec4(mix(base, fill, terrainMix), 4.0);
  }
  if (kind == 2u) return vec4(mix(base, closedColour(a), terrainMix), 2.0);
  // An estimate that was raised, and a boundary point of a block that was reached.
  if (kind == 3u) return vec4(mix(base, look(${ROW.heat}, int(a.g)), terrainMix), 2.5);
  if (kind == 4u) return vec4(mix(base, closedColour(a), terrainMix), 2.5);
  if (a.b > 0u) {
    vec3 fill = look(heat == 1 ? ${ROW.heat} : ${ROW.closed}, int(a.b));
    return vec4(mix(base, fill, terrainMix * 0.62), 1.5);
  }
  return vec4(base, 1.0);
}

void main() {
  vec2 pixel = vec2(gl_FragCoord.x, frame - gl_FragCoord.y);
  vec2 place = (pixel - origin) / scale;
  ivec2 cell = ivec2(floor(place));
  uint here = groundAt(cell);
  if (here == 256u && scale >= 1.0) {
    vec3 paper = look(${ROW.fixed}, ${FIXED.paper});
    colour = vec4(paper, 1.0);
    return;
  }
  if (scale < 1.0) {
    // Many cells to a pixel: the most important one.
    float span = 1.0 / scale;
    float count = min(ceil(span), 8.0);
    vec4 best = vec4(look(${ROW.fixed}, ${FIXED.paper}), 0.0);
    vec2 corner = place - 0.5 * span;
    for (float j = 0.0; j < count; j += 1.0) {
      for (float i = 0.0; i < count; i += 1.0) {
        vec2 at = corner + (vec2(i, j) + 0.5) * span / count;
        uint there = groundAt(ivec2(floor(at)));
        if (there == 256u) continue;
        vec4 found = there == 255u ? vec4(look(${ROW.fixed}, ${FIXED.wall}), 3.0) : placeColour(at, there, nodeAt(searchA, shiftA, at));
        if (found.a > best.a) best = found;
      }
    }
    colour = vec4(best.rgb, 1.0);
    return;
  }
  vec3 wall = look(${ROW.fixed}, ${FIXED.wall});
  if (here == 255u) { colour = vec4(wall, 1.0); return; }
  uvec4 node = nodeAt(searchA, shiftA, place);
  vec3 shown = placeColour(place, here, node).rgb;
  vec2 inside = (place - vec2(cell)) * scale;       // pixels from the cell's upper left
  if (lines > 0.0 && (inside.x < lines || inside.y < lines)) {
    bool plain = node.r == 0u && node.b == 0u && relief.y == 0.0 && here == 0u;
    shown = plain ? look(${ROW.fixed}, ${FIXED.seam})
                  : mix(shown, look(${ROW.fixed}, ${FIXED.floor}), relief.y > 0.0 ? 0.12 : 0.5);
  }
  // Open nodes have an outline, so that the frontier does not rest on colour alone.
  if (scale >= 5.0 && difference == 0) {
    if ((node.r & 15u) == 1u) {
      vec2 q = place + shiftA;
      vec2 d = (q - floor(q)) * scale;
      float edge = min(min(d.x, d.y), min(scale - d.x, scale - d.y));
      if (edge < max(1.0, min(scale * 0.14, 3.0)))
        shown = look(${ROW.fixed}, ${FIXED.open});
    }
  }
  // Walls throw a shadow to the right and down, as in the pictures.
  if (shadow > 0.0 && scale >= 3.0) {
    vec2 lifted = place - vec2(min(0.18, 3.5 / scale));
    if (groundAt(ivec2(floor(lifted))) == 255u) shown *= 1.0 - shadow;
  }
  colour = vec4(shown, 1.0);
}`;

/** What WebGL2 draws one pane with. */
export class MapGl {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {boolean} [software] even where no graphics unit does the work, and a canvas would be faster
   */
  constructor(canvas, software = false) {
    const gl = canvas.getContext("webgl2", {
      alpha: false,
      antialias: false,
      depth: false,
      powerPreference: "high-performance",
    });
    if (gl === null) throw new Error("WebGL2 is not available");
    const about = gl.getExtension("WEBGL_debug_renderer_info");
    const unit = String(gl.getParameter(about ? about.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
    if (!software && /swiftshader|llvmpipe|software|basic render/i.test(unit))
      throw new Error(`WebGL2 is done by ${unit}`);
    this.canvas = canvas;
    this.gl = gl;
    this.limit = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    this.program = link(gl, VERTEX, FRAGMENT);
    gl.useProgram(this.program);
    /** @type {Map<string, WebGLUniformLocation | null>} */
    this.places = new Map();
    for (const name of [
      "ground",
      "searchA",
      "searchB",
      "colours",
      "heights",
      "size",
      "origin",
      "scale",
      "frame",
      "shiftA",
      "shiftB",
      "heat",
      "difference",
      "relief",
      "shadow",
      "lines",
    ]) {
      this.places.set(name, gl.getUniformLocation(this.program, name));
    }
    ["ground", "searchA", "searchB", "colours", "heights"].forEach((name, index) => gl.uniform1i(this.at(name), index));
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    this.ground = this.texture();
    this.heights = this.texture();
    this.colours = this.texture();
    this.none = this.texture();
    gl.bindTexture(gl.TEXTURE_2D, this.none);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8UI, 1, 1, 0, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE, new Uint8Array(4));
    /** @type {Map<Replay, {texture: WebGLTexture, width: number, height: number}>} */
    this.searches = new Map();
    this.size = [0, 0];
    /** @type {GridMap | null} */
    this.heightsOf = null;
    this.heightsVersion = -1;
    /** @type {[number, number, number]} */
    this.relief = [0, 0, 0];
    this.shadow = 0;
  }

  /** @private */
  at(/** @type {string} */ name) {
    return this.places.get(name) ?? null;
  }

  /** @private @returns {WebGLTexture} */
  texture() {
    const gl = this.gl;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const [key, value] of [
      [gl.TEXTURE_MIN_FILTER, gl.NEAREST],
      [gl.TEXTURE_MAG_FILTER, gl.NEAREST],
      [gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE],
      [gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE],
    ]) {
      gl.texParameteri(gl.TEXTURE_2D, key, value);
    }
    return texture;
  }

  setPalette(/** @type {Palette} */ palette) {
    const gl = this.gl;
    gl.bindTexture(gl.TEXTURE_2D, this.colours);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, ROWS, 0, gl.RGBA, gl.UNSIGNED_BYTE, lookup(palette));
    this.shadow = palette.shadow;
  }

  /** Takes over a new map, or the rows of it that have changed. */
  setMap(/** @type {GridMap} */ map) {
    const gl = this.gl;
    const { width, height, shades, heights } = map;
    if (Math.max(width, height) + 1 > this.limit) {
      throw new Error(`this graphics unit draws maps of up to ${this.limit - 1} cells a side`);
    }
    gl.bindTexture(gl.TEXTURE_2D, this.ground);
    if (this.heightsOf === map && this.size[0] === width && this.size[1] === height) {
      this.refresh(map.takeDirtyRows(), width, gl.RED_INTEGER, shades, 1);
    } else {
      map.takeDirtyRows();
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R8UI, width, height, 0, gl.RED_INTEGER, gl.UNSIGNED_BYTE, shades);
      this.size = [width, height];
    }
    if (map.heightsVersion === this.heightsVersion && this.heightsOf === map) return;
    this.heightsVersion = map.heightsVersion;
    this.heightsOf = map;
    gl.bindTexture(gl.TEXTURE_2D, this.heights);
    if (heights !== null) {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, width, height, 0, gl.RED, gl.FLOAT, heights);
      const [low, high] = map.heightRange();
      // Steeper than it is where the ground is almost flat, as in the pictures.
      this.relief = [
        low,
        1 / Math.max(high - low, 1e-6),
        (4 * Math.min(width, height)) / 64 / Math.max(high - low, 1e-6),
      ];
    } else {
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, 1, 1, 0, gl.RED, gl.FLOAT, new Float32Array(1));
      this.relief = [0, 0, 0];
    }
  }

  /** @private */
  search(/** @type {Replay} */ replay) {
    const gl = this.gl;
    let entry = this.searches.get(replay);
    if (entry === undefined) {
      entry = { texture: this.texture(), width: 0, height: 0 };
      this.searches.set(replay, entry);
    }
    gl.bindTexture(gl.TEXTURE_2D, entry.texture);
    const { width, height, bytes } = replay;
    if (entry.width !== width || entry.height !== height) {
      replay.takeDirtyRows();
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8UI, width, height, 0, gl.RGBA_INTEGER, gl.UNSIGNED_BYTE, bytes);
      entry.width = width;
      entry.height = height;
    } else {
      this.refresh(replay.takeDirtyRows(), width, gl.RGBA_INTEGER, bytes, 4);
    }
    return entry.texture;
  }

  /**
   * Puts rows that have changed into the texture that is bound.
   * @private
   * @param {[number, number]} rows the first, and the one after the last
   * @param {number} width
   * @param {number} format
   * @param {Uint8Array} bytes of the whole picture
   * @param {number} channels
   */
  refresh([from, to], width, format, bytes, channels) {
    if (to <= from) return;
    const { gl } = this;
    const first = from * width * channels;
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, from, width, to - from, format, gl.UNSIGNED_BYTE, bytes, first);
  }

  forget(/** @type {Replay} */ replay) {
    const entry = this.searches.get(replay);
    if (entry) this.gl.deleteTexture(entry.texture);
    this.searches.delete(replay);
  }

  /**
   * Draws a pane.
   * @param {Box} box
   * @param {Camera} camera
   * @param {Replay | null} replay
   * @param {Replay | null} other the second search of a difference
   * @param {{heat: boolean, lines: boolean}} options
   */
  draw(box, camera, replay, other, options) {
    const gl = this.gl;
    const ratio = this.canvas.width / Math.max(this.canvas.clientWidth, 1);
    const texture = replay === null ? this.none : this.search(replay);
    const second = other === null ? this.none : this.search(other);
    [this.ground, texture, second, this.colours, this.heights].forEach((bound, unit) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, bound);
    });
    gl.activeTexture(gl.TEXTURE0);
    const left = Math.round(box.x * ratio),
      width = Math.round(box.width * ratio);
    const top = Math.round(box.y * ratio),
      height = Math.round(box.height * ratio);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(left, this.canvas.height - top - height, width, height);
    gl.viewport(left, this.canvas.height - top - height, width, height);
    const [x, y] = camera.origin(box);
    gl.uniform2f(this.at("origin"), x * ratio, y * ratio);
    gl.uniform1f(this.at("scale"), camera.scale * ratio);
    gl.uniform1f(this.at("frame"), this.canvas.height);
    gl.uniform2i(this.at("size"), this.size[0], this.size[1]);
    gl.uniform1f(this.at("shiftA"), replay?.shift ?? 0);
    gl.uniform1f(this.at("shiftB"), other?.shift ?? 0);
    gl.uniform1i(this.at("heat"), options.heat ? 1 : 0);
    gl.uniform1i(this.at("difference"), other === null ? 0 : 1);
    gl.uniform3f(this.at("relief"), ...this.relief);
    gl.uniform1f(this.at("shadow"), this.shadow);
    gl.uniform1f(this.at("lines"), options.lines && camera.scale >= 6 ? Math.max(1, Math.round(ratio)) : 0);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }
}

/**
 * Compiles and links two shaders.
 * @param {WebGL2RenderingContext} gl
 * @param {string} vertex
 * @param {string} fragment
 * @returns {WebGLProgram}
 */
export function link(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, text] of /** @type {[number, string][]} */ ([
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ])) {
    const shader = gl.createShader(kind);
    if (shader === null) throw new Error("no shader");
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
      throw new Error(`shader: ${gl.getShaderInfoLog(shader)}`);
    }
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`shader: ${gl.getProgramInfoLog(program)}`);
  }
  return program;
}
