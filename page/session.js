// What the page asks of a session, with types. A refused request is thrown as an Error whose message
// is the session's sentence.

import { decode, encode } from "./frames.js";
import { GridMap } from "./grid_map.js";
import { Trace } from "./trace.js";

/** @typedef {import("./frames.js").Frame} Frame */
/** @typedef {import("./frames.js").Column} Column */
/** @typedef {import("./transport.js").Transport} Transport */

/** @typedef {{name: string, values: string, default: string, meaning: string}} Parameter */
/**
 * @typedef {object} Planner
 * @property {string} name
 * @property {string} summary
 * @property {string} source
 * @property {string} promise
 * @property {boolean} optimal
 * @property {boolean} real_time
 * @property {string[]} rules
 * @property {string[]} optimal_under
 * @property {boolean} terrain
 * @property {boolean} heights
 * @property {boolean} free_points
 * @property {boolean} lattice
 * @property {boolean} blocks
 * @property {boolean} weight
 * @property {boolean} avoids
 * @property {boolean} partial
 * @property {Parameter[]} parameters
 * @property {number | null} cells
 */
/** @typedef {{name: string, min: number, max: number, whole: boolean, default: number, meaning: string}} GeneratorParameter */
/** @typedef {{name: string, summary: string, parameters: GeneratorParameter[]}} Generator */
/** @typedef {{name: string, title: string, text: string, width: number, height: number}} Example */
/**
 * @typedef {object} Hello
 * @property {string} version
 * @property {string} clock
 * @property {{cells: number, side: number, trace: number, memory: number}} limits
 * @property {Planner[]} planners
 * @property {{name: string, any_angle: boolean}[]} rules
 * @property {string[]} heuristics
 * @property {Generator[]} generators
 * @property {Example[]} examples
 * @property {{name: string} | null} map what the session holds already
 */
/**
 * @typedef {object} Answer
 * @property {string} planner
 * @property {string} status
 * @property {{cost: number, length: number, turns: number, cells: number, points: number, climb?: number, descent?: number} | null} path
 * @property {{legal: boolean, error?: string, index?: number} | null} check
 * @property {{planner: string, cost: number, ratio: number} | null} optimum
 * @property {Record<string, number>} stats
 * @property {{clock: string, prepare: number | null, update: number | null, query: number | null, runs: number, search: number}} times
 * @property {{tables_made?: number} | null} [repair]
 * @property {{planner: number, parts: [string, number][], search: number}} memory
 */
/** @typedef {{answer: Answer, points: Float64Array, profile: Float64Array | null, trace: Trace | null, bytes: number}} Planned */
/** @typedef {{name: string, meaning: string, kind: string, count: number, columns: Record<string, Column>}} Layer */
/** @typedef {{x: number, y: number, width: number, height: number}} Area */

export class Session {
  /** @param {Transport} transport */
  constructor(transport) {
    this.transport = transport;
    /** Times of the last reply: from sending to having decoded it. */
    this.roundTrip = 0;
    /** When the bytes of the last reply came. */
    this.arrived = 0;
  }

  /**
   * @param {Record<string, any>} header
   * @param {Record<string, Column>} [columns]
   * @returns {Promise<Frame & {bytes: number}>}
   */
  async ask(header, columns) {
    const sent = performance.now();
    const bytes = await this.transport.send(encode(header, columns));
    this.arrived = performance.now();
    const frame = decode(bytes);
    this.roundTrip = performance.now() - sent;
    if (frame.header.ok !== true) throw new Error(frame.header.error ?? "the session gave no reason");
    return { ...frame, bytes: bytes.byteLength };
  }

  /** @returns {Promise<Hello>} */
  async hello() {
    return (await this.ask({ op: "hello" })).header;
  }

  /**
   * A request that answers with a whole map.
   * @param {Record<string, any>} header
   * @param {Record<string, Column>} [columns]
   * @returns {Promise<{map: GridMap, header: any}>}
   */
  async map(header, columns) {
    const frame = await this.ask(header, columns);
    const about = frame.header.map;
    const map = new GridMap(about.width, about.height, about.name ?? "map");
    takeOver(map, frame);
    return { map, header: frame.header };
  }

  /**
   * A request that changes a map the page has: edit, undo, redo.
   * @param {GridMap} map
   * @param {Record<string, any>} header
   * @param {Record<string, Column>} [columns]
   * @param {() => boolean} [stale] whether the page has painted more meanwhile: the cells are left alone then
   */
  async change(map, header, columns, stale = () => false) {
    const frame = await this.ask(header, columns);
    const about = frame.header.map;
    if (about.width !== map.width || about.height !== map.height) {
      throw new Error("the map has changed its size");
    }
    if (stale()) frame.columns.clear();
    takeOver(map, frame);
    return frame;
  }

  /**
   * @param {Record<string, any>} query the fields of a plan
   * @param {GridMap} map
   * @returns {Promise<Planned>}
   */
  async plan(query, map) {
    const frame = await this.ask({ op: "plan", ...query });
    return planned(frame, map);
  }

  /** @param {string} planner @param {any} moves @returns {Promise<Layer[]>} */
  async structure(planner, moves) {
    const { header, columns } = await this.ask({ op: "structure", planner, moves });
    return header.layers.map((/** @type {any} */ layer, /** @type {number} */ number) => {
      /** @type {Record<string, Column>} */
      const own = {};
      for (const [name, column] of columns) {
        if (name.startsWith(`${number}.`)) own[name.slice(`${number}.`.length)] = column;
      }
      return { ...layer, columns: own };
    });
  }

  /** @param {Record<string, any>} fields @returns {Promise<{name: string, type: string, data: string | Uint8Array}>} */
  async export(fields) {
    const { header, columns } = await this.ask({ op: "export", ...fields });
    const bytes = columns.get("bytes");
    return { name: header.name, type: header.type, data: bytes instanceof Uint8Array ? bytes : header.text };
  }
}

/**
 * Takes over what a reply says about a map the page has.
 * @param {GridMap} map
 * @param {Frame} frame
 */
export function takeOver(map, { header, columns }) {
  const about = header.map;
  map.name = about.name ?? map.name;
  map.revision = about.revision;
  map.freeCells = about.free_cells;
  map.cellSize = about.cell_size ?? 1;
  map.undo = Number(about.undo);
  map.redo = Number(about.redo);
  const free = columns.get("free");
  if (free instanceof Uint8Array && about.area) {
    const costs = columns.get("costs"),
      heights = columns.get("heights");
    map.put(
      about.area,
      free,
      costs instanceof Uint16Array ? costs : null,
      heights instanceof Float32Array ? heights : null,
    );
  }
}

/**
 * @param {Frame & {bytes: number}} frame
 * @param {GridMap} map
 * @returns {Planned}
 */
function planned({ header, columns, bytes }, map) {
  const number = (/** @type {string} */ name) => /** @type {any} */ (columns.get(name));
  const trace = header.trace
    ? new Trace(
        {
          kind: number("kind"),
          at: number("at"),
          from: number("from"),
          // A brief trace leaves the costs out.
          g: number("g") ?? new Uint32Array(header.trace.events),
          f: number("f") ?? new Uint32Array(header.trace.events),
          points: number("points") ?? new Float64Array(0),
        },
        header.trace,
        map.width,
        map.height,
      )
    : null;
  return {
    answer: header,
    points: number("path") ?? new Float64Array(0),
    profile: number("profile") ?? null,
    trace,
    bytes,
  };
}
