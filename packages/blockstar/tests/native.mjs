// The native program, named by BLOCKSTAR_BIN, over a socket of its own making: Node 20 has no WebSocket.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import net from "node:net";
import { encode } from "../blockstar.js";

/** Sends requests, each a name with fields, and returns the replies as bytes. */
export async function native(requests) {
  const program = spawn(process.env.BLOCKSTAR_BIN, ["explore", "--no-open"], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [line] = await once(program.stdout, "data");
    const address = new URL(String(line).trim());
    const socket = net.connect(Number(address.port), address.hostname);
    socket.write(
      `GET /session${address.search} HTTP/1.1\r\nHost: ${address.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    const incoming = socket[Symbol.asyncIterator]();
    let buffered = Buffer.alloc(0);
    const take = async (count) => {
      while (buffered.length < count) {
        const { value, done } = await incoming.next();
        if (done) throw new Error("the program has hung up");
        buffered = Buffer.concat([buffered, value]);
      }
      const taken = buffered.subarray(0, count);
      buffered = buffered.subarray(count);
      return taken;
    };
    let head = "";
    while (!head.endsWith("\r\n\r\n")) head += String(await take(1));
    assert.match(head, /s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/);
    const replies = [];
    for (const [op, fields, columns] of requests) {
      const request = encode({ ...fields, op }, columns);
      // The mask is zero: as good as any between two programs of one machine.
      const length = Buffer.alloc(8);
      length.writeBigUInt64BE(BigInt(request.length));
      socket.write(Buffer.concat([Buffer.from([0x82, 0xff]), length, Buffer.alloc(4), request]));
      let size = (await take(2))[1];
      if (size === 126) size = (await take(2)).readUInt16BE();
      else if (size === 127) size = Number((await take(8)).readBigUInt64BE());
      const reply = await take(size);
      replies.push(reply.buffer.slice(reply.byteOffset, reply.byteOffset + size));
    }
    socket.destroy();
    return replies;
  } finally {
    program.kill("SIGINT");
  }
}
