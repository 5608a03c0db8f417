/** A cell `[x, y]`, x to the right and y down from 0. */
export type Cell = [number, number];

/** A cell, or a point of the plane: the centre of cell [3, 4] is { x: 3.5, y: 4.5 }. */
export type Place = Cell | { x: number; y: number };

/** Numbers of one kind, by the name of their column. */
export type Column = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

export type Columns = Record<string, Column>;

export type Rule = "four" | "eight" | "eight-cut-one" | "eight-cut-any" | "any-angle" | "any-angle-squeeze";

export interface Slope {
  cell_size?: number;
  climb?: number;
  descent?: number;
  max_climb?: number;
  max_descent?: number;
  planar?: boolean;
  published?: boolean;
}

export type Moves = Rule | { rule: Rule; diagonal?: "sqrt2" | "1.4"; slope?: Slope };

/** A question to a planner. */
export interface Plan {
  /** As on the command line: "jps", "block-astar:block=4". */
  planner: string;
  moves?: Moves;
  start: Place;
  goal: Place;
  nearest?: boolean;
  partial?: boolean;
  keep_learning?: boolean;
  reuse?: boolean;
  smooth?: boolean;
  heuristic?: "zero" | "manhattan" | "chebyshev" | "octile" | "euclidean";
  weight?: number;
  max_cost?: number;
  max_expansions?: number;
  /** Rectangles [x, y, width, height] that the path must not enter. */
  avoid?: [number, number, number, number][];
  /** How many runs to time, without a trace. */
  measure?: number;
  measure_time?: number;
  /** Also find the cheapest path. */
  optimum?: boolean;
  /** Record the search. */
  trace?: boolean | { limit?: number; skip?: number };
}

export interface Reply {
  ok: true;
  columns: Columns;
  [field: string]: unknown;
}

export interface MapReply extends Reply {
  map: {
    name: string;
    width: number;
    height: number;
    revision: number;
    free_cells: number;
    has_costs: boolean;
    has_heights: boolean;
    cell_size: number;
    lowest: number;
    highest: number;
    undo: number;
    redo: number;
    area: { x: number; y: number; width: number; height: number } | null;
  };
}

export interface PlanReply extends Reply {
  planner: string;
  moves: string;
  status: "found" | "nearest" | "no-path" | "limit-reached";
  path: { cost: number; length: number; turns: number; cells: number; points: number } | null;
  check: { legal: boolean; error?: string; index?: number | null } | null;
  optimum: { planner: string; cost: number; ratio: number } | null;
  stats: Record<string, number | boolean | null>;
  times: {
    clock: string;
    prepare: number | null;
    update: number | null;
    query: number | null;
    runs: number;
    search: number;
  };
  memory: { planner: number; parts: [string, number][]; search: number };
  trace?: {
    events: number;
    skipped: number;
    dropped: number;
    scale: number;
    counts: Record<string, number>;
  };
}

/** A request as bytes. */
export function encode(header: Record<string, unknown>, columns?: Columns): Uint8Array;

/** A reply from bytes. Throws an Error with the sentence of a refusal. */
export function decode(buffer: ArrayBuffer): Reply;

/** One map with its history, and the planners prepared for it. */
export class Session {
  /** Sends a request as bytes; the reply is a copy of its own. */
  handle(request: Uint8Array): ArrayBuffer;
  /** Sends a request of the protocol: its name, its fields, and columns by name. */
  ask(op: "plan", fields: Plan): PlanReply;
  ask(op: "new" | "generate" | "example" | "load" | "map" | "edit" | "undo" | "redo",
    fields?: Record<string, unknown>, columns?: Columns): MapReply;
  ask(op: string, fields?: Record<string, unknown>, columns?: Columns): Reply;
  /** A map from text, as MovingAI writes it or drawn with `.` and `#`. */
  load(text: string, name?: string): MapReply;
  /** Plans a path. */
  plan(fields: Plan): PlanReply;
  /** Gives the memory of the session back. */
  end(): void;
}

/** The module with its memory. */
export class Blockstar {
  /** Another session: a map of its own, planners of its own. */
  session(): Session;
}

/**
 * Loads the module: from its place beside this file, or from what it is given. `now` is a clock in
 * microseconds for the times in replies.
 */
export function load(
  source?: string | URL | BufferSource | Response | WebAssembly.Module,
  options?: { now?: () => number },
): Promise<Blockstar>;
