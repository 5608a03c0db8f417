// Values that tell who read them when they change: all of the page's reactivity.
//
// An effect runs at once and again whenever a signal that it read has changed. Changes within one
// turn of the event loop are collected, so an effect runs once for all of them.

/** @typedef {{run: () => void, sources: Set<Set<Effect>>, queued: boolean, live: boolean}} Effect */

/** @type {Effect | null} */
let running = null;
/** @type {Effect[]} */
let queue = [];

function flush() {
  // An effect may change signals; what it queues runs in the same flush.
  for (let done = 0; queue.length > 0 && done < 100; done++) {
    const batch = queue;
    queue = [];
    for (const effect of batch) {
      effect.queued = false;
      if (effect.live) effect.run();
    }
  }
}

/** @template T */
export class Signal {
  /** @param {T} value */
  constructor(value) {
    /** @private @type {T} */
    this.value = value;
    /** @private @type {Set<Effect>} */
    this.readers = new Set();
  }

  /** The value; an effect that asks is run again when it changes. @returns {T} */
  get() {
    if (running !== null) {
      this.readers.add(running);
      running.sources.add(this.readers);
    }
    return this.value;
  }

  /** The value, without being told of changes. @returns {T} */
  peek() {
    return this.value;
  }

  /** @param {T} value */
  set(value) {
    if (Object.is(value, this.value)) return;
    this.value = value;
    this.touch();
  }

  /** @param {(value: T) => T} change */
  update(change) {
    this.set(change(this.value));
  }

  /** Says that the inside of the value has changed. */
  touch() {
    if (this.readers.size === 0) return;
    if (queue.length === 0) queueMicrotask(flush);
    for (const effect of this.readers) {
      if (!effect.queued) {
        effect.queued = true;
        queue.push(effect);
      }
    }
  }
}

/**
 * @template T
 * @param {T} value
 * @returns {Signal<T>}
 */
export function signal(value) {
  return new Signal(value);
}

/**
 * Runs a function now and after every change of what it read. Returns how to stop it.
 * @param {() => void} body
 * @returns {() => void}
 */
export function effect(body) {
  /** @type {Effect} */
  const self = {
    sources: new Set(),
    queued: false,
    live: true,
    run() {
      for (const readers of self.sources) readers.delete(self);
      self.sources.clear();
      const outer = running;
      running = self;
      try {
        body();
      } finally {
        running = outer;
      }
    },
  };
  self.run();
  return () => {
    self.live = false;
    for (const readers of self.sources) readers.delete(self);
  };
}
