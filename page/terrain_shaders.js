// The programs that draw the terrain and what they are given: the ground by patches, walls as boxes,
// paths as ribbons.

import { ROW } from "./palette.js";

/** Cells along the side of a patch. */
export const SIDE = 64;

export const GROUND_VERTEX = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform sampler2D heights;
uniform usampler2D ground;
uniform mat4 view;
uniform ivec2 size;
uniform int columns;
uniform int stride;
uniform vec2 rise;      // lowest height, cells per metre
uniform float wall;     // how high walls stand, in cells
out vec2 place;
out float level;
float heightAt(ivec2 c) { return texelFetch(heights, clamp(c, ivec2(0), size - 1), 0).r; }
float wallAt(ivec2 c) { return texelFetch(ground, clamp(c, ivec2(0), size - 1), 0).r == 255u ? 1.0 : 0.0; }
void main() {
  ivec2 patchAt = ivec2(gl_InstanceID % columns, gl_InstanceID / columns) * ${SIDE};
  ivec2 at = min((patchAt + ivec2(gl_VertexID % ${SIDE + 1}, gl_VertexID / ${SIDE + 1})) * stride, size - 1);
  place = vec2(at) + 0.5;
  level = heightAt(at);
  float up = (level - rise.x) * rise.y + wallAt(at) * wall;
  gl_Position = view * vec4(place.x, up, place.y, 1.0);
}`;

export const GROUND_FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
uniform sampler2D heights;
uniform usampler2D ground;
uniform usampler2D search;
uniform sampler2D colours;
uniform ivec2 size;
uniform vec2 rise;
uniform vec3 range;     // lowest, 1 / (highest - lowest), metres between contour lines
uniform vec3 steep;     // 1: slopes are coloured, steepest way allowed, metres per cell
uniform float shift;
uniform vec3 wallColour;
uniform int tint;
in vec2 place;
in float level;
out vec4 colour;
float heightAt(vec2 p) {
  vec2 q = clamp(p - 0.5, vec2(0.0), vec2(size) - 1.001);
  ivec2 c = ivec2(q);
  ivec2 d = min(c + 1, size - 1);
  vec2 t = q - vec2(c);
  return mix(mix(texelFetch(heights, c, 0).r, texelFetch(heights, ivec2(d.x, c.y), 0).r, t.x),
    mix(texelFetch(heights, ivec2(c.x, d.y), 0).r, texelFetch(heights, d, 0).r, t.x), t.y);
}
vec3 look(int row, float at) { return texelFetch(colours, ivec2(int(clamp(at, 0.0, 1.0) * 255.0), row), 0).rgb; }
void main() {
  float east = heightAt(place + vec2(0.6, 0.0)) - heightAt(place - vec2(0.6, 0.0));
  float south = heightAt(place + vec2(0.0, 0.6)) - heightAt(place - vec2(0.0, 0.6));
  vec3 normal = normalize(vec3(-east * rise.y / 1.2, 1.0, -south * rise.y / 1.2));
  vec3 base = look(${ROW.hills}, (level - range.x) * range.y);
  float slope = length(vec2(east, south)) / 1.2 / steep.z;
  if (steep.x > 0.5) {
    base = look(${ROW.heat}, slope / max(steep.y > 0.0 ? steep.y * 1.25 : 1.0, 0.01) * 0.8);
  } else if (steep.y > 0.0 && slope > steep.y) {
    base = mix(base, vec3(0.72, 0.2, 0.16), 0.4);
  }
  if (tint == 1) {
    ivec2 node = clamp(ivec2(floor(place + shift)), ivec2(0), textureSize(search, 0) - 1);
    uvec4 state = texelFetch(search, node, 0);
    uint kind = state.r & 15u;
    if (kind == 1u) base = mix(base, vec3(1.0, 0.72, 0.2), 0.75);
    else if (kind == 2u || kind == 4u) base = mix(base, look(${ROW.closed}, float(state.g) / 255.0), 0.62);
    else if (kind == 3u) base = mix(base, look(${ROW.heat}, float(state.g) / 255.0), 0.7);
    else if (state.b > 0u) base = mix(base, look(${ROW.closed}, float(state.b) / 255.0), 0.45);
  }
  if (texelFetch(ground, clamp(ivec2(floor(place)), ivec2(0), size - 1), 0).r == 255u) base = wallColour;
  float light = dot(normal, normalize(vec3(-0.55, 0.75, -0.45)));
  base *= 0.62 + 0.5 * max(light, 0.0);
  if (range.z > 0.0) {
    float band = level / range.z;
    float width = fwidth(band);
    float edge = abs(fract(band - 0.5) - 0.5);
    if (width < 0.45) base = mix(base, base * 0.62, (1.0 - smoothstep(0.0, width * 1.2, edge)) * 0.6);
  }
  colour = vec4(base, 1.0);
}`;

export const BOX_VERTEX = `#version 300 es
precision highp float;
uniform mat4 view;
uniform float wall;
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 face;
layout(location = 2) in vec2 cell;
out vec3 normal;
void main() {
  normal = face;
  gl_Position = view * vec4(cell.x + corner.x, corner.y * wall, cell.y + corner.z, 1.0);
}`;

export const BOX_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 paint;
in vec3 normal;
out vec4 colour;
void main() {
  float light = normal.y > 0.5 ? 1.0 : normal.x < -0.5 ? 0.86 : normal.z < -0.5 ? 0.8 : 0.62;
  colour = vec4(paint * light, 1.0);
}`;

export const LINE_VERTEX = `#version 300 es
precision highp float;
uniform mat4 view;
uniform vec2 frame;     // pixels
uniform float width;    // pixels
uniform float lift;
uniform float nearer;  // so that the line wins against the ground, and its colour against the casing
layout(location = 0) in vec3 from;
layout(location = 1) in vec3 to;
layout(location = 2) in vec2 side;   // which end, which side
void main() {
  vec4 a = view * vec4(from + vec3(0.0, lift, 0.0), 1.0), b = view * vec4(to + vec3(0.0, lift, 0.0), 1.0);
  vec2 along = normalize((b.xy / b.w - a.xy / a.w) * frame + vec2(1e-6, 0.0));
  vec4 at = side.x > 0.5 ? b : a;
  vec2 out_ = (vec2(-along.y, along.x) * side.y + along * (side.x * 2.0 - 1.0) * 0.5) * width / frame;
  gl_Position = at + vec4(out_ * at.w, -nearer * at.w, 0.0);
}`;

export const LINE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec3 paint;
out vec4 colour;
void main() { colour = vec4(paint, 1.0); }`;

/** Two triangles for each cell of a patch. */
export function patchIndices() {
  const indices = new Uint16Array(SIDE * SIDE * 6);
  let at = 0;
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const a = y * (SIDE + 1) + x;
      const b = a + SIDE + 1;
      for (const vertex of [a, b, a + 1, a + 1, b, b + 1]) indices[at++] = vertex;
    }
  }
  return indices;
}

/** The top and the four sides of a box: place and normal of each vertex. */
export function boxVertices() {
  // Four corners as bits (1 for x, 2 for y, 4 for z), then the normal.
  const faces = ["2376 0 1 0", "0132 0 0 -1", "4576 0 0 1", "0462 -1 0 0", "1573 1 0 0"];
  /** @type {number[]} */
  const vertices = [];
  for (const face of faces) {
    const [corners, ...normal] = face.split(" ");
    for (const corner of [0, 1, 2, 0, 2, 3].map((i) => Number(corners[i]))) {
      vertices.push(corner & 1, (corner >> 1) & 1, corner >> 2, ...normal.map(Number));
    }
  }
  return new Float32Array(vertices);
}

/**
 * A path as two triangles for every half cell: both ends of the segment, which end, which side.
 * @param {Float64Array} points
 * @param {(x: number, y: number) => number} up how high a place is
 */
export function ribbon(points, up) {
  /** @type {number[]} */
  const spine = [];
  for (let i = 0; i + 3 < points.length; i += 2) {
    const [x, y, u, v] = points.subarray(i, i + 4);
    const steps = Math.max(1, Math.min(4000, Math.ceil(Math.hypot(u - x, v - y) * 2)));
    for (let k = i === 0 ? 0 : 1; k <= steps; k++) spine.push(x + ((u - x) * k) / steps, y + ((v - y) * k) / steps);
  }
  /** @type {number[]} */
  const mesh = [];
  for (let i = 0; i + 3 < spine.length; i += 2) {
    const [x, y, u, v] = spine.slice(i, i + 4);
    for (const corner of ["0-", "0+", "1+", "0-", "1+", "1-"]) {
      mesh.push(x, up(x, y), y, u, up(u, v), v, Number(corner[0]), corner[1] === "+" ? 1 : -1);
    }
  }
  return new Float32Array(mesh);
}
