// Matrices of four by four, by columns, and what is needed of them.

/** @typedef {[number, number, number]} Vector */

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b */
export function multiply(a, b) {
  const out = new Float64Array(16);
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + row] * b[column * 4 + k];
      out[column * 4 + row] = sum;
    }
  }
  return out;
}

/** @param {number} angle of view, in radians @param {number} aspect @param {number} near @param {number} far */
export function perspective(angle, aspect, near, far) {
  const f = 1 / Math.tan(angle / 2);
  // On tall screens the width decides.
  const [fx, fy] = aspect > 1 ? [f / aspect, f] : [f, f * aspect];
  return Float64Array.of(
    fx,
    0,
    0,
    0,
    0,
    fy,
    0,
    0,
    0,
    0,
    (far + near) / (near - far),
    -1,
    0,
    0,
    (2 * far * near) / (near - far),
    0,
  );
}

/** @param {Vector} eye @param {Vector} target */
export function lookAt(eye, target) {
  const z = unit([eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]]);
  const x = unit(cross([0, 1, 0], z));
  const y = cross(z, x);
  return Float64Array.of(
    x[0],
    y[0],
    z[0],
    0,
    x[1],
    y[1],
    z[1],
    0,
    x[2],
    y[2],
    z[2],
    0,
    -dot(x, eye),
    -dot(y, eye),
    -dot(z, eye),
    1,
  );
}

/** @param {Vector} a @param {Vector} b @returns {Vector} */
function cross(a, b) {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** @param {Vector} a @param {Vector} b */
function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** @param {Vector} a @returns {Vector} */
function unit(a) {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}

/** A point through a matrix, with its w. @param {ArrayLike<number>} m @param {number[]} point @returns {[number, number, number, number]} */
export function transform(m, [x, y, z]) {
  const row = (/** @type {number} */ i) => m[i] * x + m[4 + i] * y + m[8 + i] * z + m[12 + i];
  return [row(0), row(1), row(2), row(3)];
}

/** The inverse by elimination, or null. @param {ArrayLike<number>} m */
export function invert(m) {
  const rows = [0, 1, 2, 3].map((r) => [
    ...[0, 1, 2, 3].map((c) => m[c * 4 + r]),
    ...[0, 1, 2, 3].map((c) => (c === r ? 1 : 0)),
  ]);
  for (let i = 0; i < 4; i++) {
    let pivot = i;
    for (let r = i + 1; r < 4; r++) if (Math.abs(rows[r][i]) > Math.abs(rows[pivot][i])) pivot = r;
    if (Math.abs(rows[pivot][i]) < 1e-14) return null;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    const by = rows[i][i];
    for (let c = 0; c < 8; c++) rows[i][c] /= by;
    for (let r = 0; r < 4; r++) {
      if (r === i) continue;
      const factor = rows[r][i];
      for (let c = 0; c < 8; c++) rows[r][c] -= factor * rows[i][c];
    }
  }
  const out = new Float64Array(16);
  for (let r = 0; r < 4; r++) for (let c = 0; c < 4; c++) out[c * 4 + r] = rows[r][4 + c];
  return out;
}
