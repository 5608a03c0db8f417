// Requests and replies as bytes: the length of a JSON header, the header, and columns of numbers
// that are read in place.

const TYPES = /** @type {const} */ ({
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  f32: Float32Array,
  f64: Float64Array,
});

/** @typedef {Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array} Column */
/** @typedef {{header: any, columns: Map<string, Column>}} Frame */

/**
 * @param {Record<string, any>} header
 * @param {Record<string, Column>} [columns]
 * @returns {ArrayBuffer}
 */
export function encode(header, columns = {}) {
  let length = 0;
  const list = Object.entries(columns).map(([name, column]) => {
    const type = Object.entries(TYPES).find(([, array]) => column instanceof array)?.[0];
    const entry = { name, type, offset: length, length: column.length };
    length = Math.ceil((length + column.byteLength) / 8) * 8;
    return entry;
  });
  const text = new TextEncoder().encode(JSON.stringify(list.length > 0 ? { ...header, columns: list } : header));
  const body = Math.ceil((4 + text.length) / 8) * 8;
  const buffer = new ArrayBuffer(body + length);
  new DataView(buffer).setUint32(0, text.length, true);
  new Uint8Array(buffer, 4).set(text);
  for (const { name, offset } of list) {
    const column = columns[name];
    new Uint8Array(buffer, body + offset).set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
  }
  return buffer;
}

/**
 * @param {ArrayBuffer} buffer
 * @returns {Frame}
 */
export function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const body = Math.ceil((4 + length) / 8) * 8;
  const columns = new Map();
  for (const { name, type, offset, length } of header.columns ?? []) {
    columns.set(name, new TYPES[/** @type {keyof typeof TYPES} */ (type)](buffer, body + offset, length));
  }
  return { header, columns };
}
