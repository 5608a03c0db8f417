// The session as WebAssembly, off the page's thread. Bytes go in and out through its memory; all it
// wants is a clock.

/**
 * @typedef {object} Exports
 * @property {WebAssembly.Memory} memory
 * @property {(length: number) => number} alloc
 * @property {(pointer: number, length: number) => number} handle
 * @property {() => number} reply_length
 * @property {(pointer: number, length: number) => void} free
 */

async function start() {
  const address = new URL("blockstar.wasm", import.meta.url);
  const reply = await fetch(address);
  if (!reply.ok) throw new Error(`${address.pathname} is missing (${reply.status})`);
  const imports = { env: { now: () => performance.now() * 1000 } };
  const module = reply.headers.get("content-type")?.startsWith("application/wasm")
    ? await WebAssembly.instantiateStreaming(reply, imports)
    : await WebAssembly.instantiate(await reply.arrayBuffer(), imports);
  const engine = /** @type {Exports} */ (/** @type {unknown} */ (module.instance.exports));
  onmessage = (event) => {
    const request = new Uint8Array(event.data);
    const pointer = engine.alloc(request.length);
    new Uint8Array(engine.memory.buffer, pointer, request.length).set(request);
    const answer = engine.handle(pointer, request.length);
    const length = engine.reply_length();
    const bytes = engine.memory.buffer.slice(answer, answer + length);
    engine.free(answer, length);
    self.postMessage(bytes, { transfer: [bytes] });
  };
  self.postMessage("ready");
}

start().catch((error) => self.postMessage(`the engine cannot be loaded: ${error.message}`));
