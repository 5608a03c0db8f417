// Sessions of blockstar in JavaScript: requests as objects with typed arrays, as PROTOCOL.md of the
// crate blockstar-session describes them.

const TYPES = {
  u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f32: Float32Array, f64: Float64Array,
};

/** The name of an array's type in the protocol. */
function typeOf(array) {
  for (const [name, type] of Object.entries(TYPES)) if (array instanceof type) return name;
  if (array instanceof Uint8ClampedArray) return "u8";
  throw new TypeError("a column must be a Uint8Array, Uint16Array, Uint32Array, Float32Array or Float64Array");
}

/** A request as bytes. */
export function encode(header, columns = {}) {
  const listed = [];
  let length = 0;
  for (const [name, array] of Object.entries(columns)) {
    listed.push({ name, type: typeOf(array), offset: length, length: array.length });
    length = Math.ceil((length + array.byteLength) / 8) * 8;
  }
  const text = new TextEncoder().encode(JSON.stringify({ ...header, columns: listed }));
  const body = Math.ceil((4 + text.length) / 8) * 8;
  const bytes = new Uint8Array(body + length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  Object.values(columns).forEach((array, i) => {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), body + listed[i].offset);
  });
  return bytes;
}

/** A reply from bytes: its fields, and `columns` as typed arrays by name. Throws what it refuses. */
export function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  if (!header.ok) throw new Error(header.error);
  const body = Math.ceil((4 + length) / 8) * 8;
  const columns = {};
  for (const { name, type, offset, length } of header.columns) {
    columns[name] = new TYPES[type](buffer, body + offset, length);
  }
  return { ...header, columns };
}

/** The module with its memory. */
export class Blockstar {
  #engine;

  constructor(instance) {
    this.#engine = instance.exports;
  }

  /** Another session: a map of its own, planners of its own. */
  session() {
    return new Session(this.#engine, this.#engine.create());
  }
}

/** One map with its history, and the planners prepared for it. */
export class Session {
  #engine;
  #number;

  constructor(engine, number) {
    this.#engine = engine;
    this.#number = number;
  }

  /** Sends a request as bytes; the reply is a copy of its own. */
  handle(request) {
    if (this.#number === null) throw new Error("the session has ended: make another");
    const engine = this.#engine;
    engine.select(this.#number);
    const pointer = engine.alloc(request.length);
    new Uint8Array(engine.memory.buffer, pointer, request.length).set(request);
    const reply = engine.handle(pointer, request.length);
    const length = engine.reply_length();
    const copy = engine.memory.buffer.slice(reply, reply + length);
    engine.free(reply, length);
    return copy;
  }

  /** Sends a request: `op`, its fields, and columns by name. */
  ask(op, fields = {}, columns = {}) {
    return decode(this.handle(encode({ ...fields, op }, columns)));
  }

  /** A map from text, as MovingAI writes it or drawn with `.` and `#`. */
  load(text, name = "map.txt") {
    return this.ask("load", { name }, { bytes: new TextEncoder().encode(text) });
  }

  /** Plans a path; see `plan` in the protocol. */
  plan(fields) {
    return this.ask("plan", fields);
  }

  /** Gives the memory of the session back. */
  end() {
    if (this.#number !== null) this.#engine.destroy(this.#number);
    this.#number = null;
  }
}

/**
 * Loads the module: from its place beside this file, or from what it is given, an address, bytes, a
 * response or a compiled module. `now` is a clock in microseconds for the times in replies.
 */
export async function load(source, { now = () => performance.now() * 1000 } = {}) {
  const imports = { env: { now } };
  source ??= new URL("./blockstar.wasm", import.meta.url);
  if (source instanceof URL || typeof source === "string") {
    const address = new URL(source, import.meta.url);
    if (address.protocol === "file:") {
      const { readFile } = await import("node:fs/promises");
      source = await readFile(address);
    } else {
      source = await fetch(address);
    }
  }
  if (typeof Response !== "undefined" && source instanceof Response) source = await source.arrayBuffer();
  const loaded = await WebAssembly.instantiate(source, imports);
  return new Blockstar(loaded.instance ?? loaded);
}
