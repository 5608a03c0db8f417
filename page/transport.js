// How requests reach a session: over a socket to the command that served the page, or to a worker
// that runs the same session as WebAssembly. Nobody else on the page knows which one it is.

/**
 * @typedef {object} Transport
 * @property {string} name for the status line
 * @property {(bytes: ArrayBuffer) => Promise<ArrayBuffer>} send one reply for each request, in order
 * @property {(lost: (reason: string) => void) => void} onLost
 */

/**
 * Connects to what the address says: a server if it has a token, else a worker.
 * @returns {Promise<Transport>}
 */
export async function connect() {
  const query = new URLSearchParams(location.search);
  const token = query.get("token");
  return token !== null && query.get("engine") !== "worker" ? overSocket(token) : overWorker();
}

/** Replies come in the order of the requests, so waiting callers form a queue. */
class Waiting {
  constructor() {
    /** @type {{resolve: (bytes: ArrayBuffer) => void, reject: (error: Error) => void}[]} */
    this.list = [];
    /** @type {(reason: string) => void} */
    this.lost = () => {};
    /** @type {string | null} */
    this.over = null;
  }

  /** @param {() => void} send @returns {Promise<ArrayBuffer>} */
  add(send) {
    if (this.over !== null) return Promise.reject(new Error(this.over));
    return new Promise((resolve, reject) => {
      this.list.push({ resolve, reject });
      send();
    });
  }

  reply(/** @type {ArrayBuffer} */ bytes) {
    this.list.shift()?.resolve(bytes);
  }

  end(/** @type {string} */ reason) {
    if (this.over !== null) return;
    this.over = reason;
    for (const { reject } of this.list.splice(0)) reject(new Error(reason));
    this.lost(reason);
  }
}

/** @returns {Promise<Transport>} */
function overSocket(/** @type {string} */ token) {
  const address = new URL("session", location.href);
  address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  address.search = `?token=${encodeURIComponent(token)}`;
  address.hash = "";
  const socket = new WebSocket(address);
  socket.binaryType = "arraybuffer";
  const waiting = new Waiting();
  const end = "the connection to blockstar has ended: is the command still running?";
  socket.onmessage = (event) => waiting.reply(event.data);
  socket.onclose = () => waiting.end(end);
  return new Promise((resolve, reject) => {
    socket.onerror = () => reject(new Error("blockstar does not answer: is the command still running?"));
    socket.onopen = () =>
      resolve({
        name: "native",
        send: (bytes) => waiting.add(() => socket.send(bytes)),
        onLost: (lost) => (waiting.lost = lost),
      });
  });
}

/** @returns {Promise<Transport>} */
function overWorker() {
  const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  const waiting = new Waiting();
  return new Promise((resolve, reject) => {
    worker.onerror = (event) => {
      const reason = `the worker has failed: ${event.message ?? "it cannot be loaded"}`;
      reject(new Error(reason));
      waiting.end(reason);
    };
    worker.onmessage = (event) => {
      if (event.data instanceof ArrayBuffer) {
        waiting.reply(event.data);
      } else if (event.data === "ready") {
        resolve({
          name: "WebAssembly",
          send: (bytes) => waiting.add(() => worker.postMessage(bytes, [bytes])),
          onLost: (lost) => (waiting.lost = lost),
        });
      } else {
        reject(new Error(String(event.data)));
        waiting.end(String(event.data));
      }
    };
  });
}
