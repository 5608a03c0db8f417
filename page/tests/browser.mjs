// A browser, the two engines that the page can talk to, and a page that watches for errors.

import { chromium } from "playwright-core";
import { spawn } from "node:child_process";
import { createServer } from "node:http";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, "../..");

/** Where a browser may be; CHROMIUM names another. */
export const browserPath = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find((path) => path && existsSync(path));

/** @param {boolean} webgl with WebGL in software, which is slow; else the page draws on a plain canvas */
export function launch(webgl) {
  const drawing = webgl
    ? ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
    : ["--disable-gpu"];
  return chromium.launch({
    executablePath: browserPath,
    args: [
      "--no-sandbox",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...drawing,
    ],
  });
}

/**
 * The command, serving the page. Resolves to its address.
 * @param {string[]} [args]
 */
export async function serveNative(args = []) {
  const program = process.env.BLOCKSTAR ?? join(root, "target/release/blockstar");
  const child = spawn(
    program,
    ["explore", "--no-open", ...(process.env.PAGE_FROM_FOLDER ? ["--page", join(here, "..")] : []), ...args],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const address = await new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (part) => {
      text += part;
      const found = /http:\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on("exit", (code) => reject(new Error(`blockstar explore ended with ${code}`)));
    child.on("error", reject);
  });
  return { name: "native", address, pid: child.pid, stop: () => child.kill("SIGINT") };
}

const TYPES = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/** A folder of static files with the engine as WebAssembly, or null if that has not been built. */
export async function serveStatic() {
  const wasm = process.env.BLOCKSTAR_WASM ?? join(root, "packages/blockstar/blockstar.wasm");
  if (!existsSync(wasm)) return null;
  const server = createServer(async (request, response) => {
    const name = normalize(new URL(request.url ?? "/", "http://x").pathname).replace(/^\/+/, "") || "index.html";
    try {
      const body = await readFile(name === "blockstar.wasm" ? wasm : join(here, "..", name));
      response.writeHead(200, { "content-type": TYPES[extname(name)] ?? "application/octet-stream" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = server.address();
  return {
    name: "wasm",
    pid: undefined,
    address: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`,
    stop: () => server.close(),
  };
}

/**
 * Opens the page and waits until its first search is shown.
 * @param {import("playwright-core").Browser} browser
 * @param {string} address
 * @param {{width?: number, height?: number, dark?: boolean, phone?: boolean, query?: string, hash?: string}} [options]
 */
export async function openPage(browser, address, options = {}) {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1360, height: options.height ?? 850 },
    colorScheme: options.dark ? "dark" : "light",
    hasTouch: options.phone,
    isMobile: options.phone,
    deviceScaleFactor: options.phone ? 2 : 1,
    // Where the clipboard cannot be had the page shows the text instead.
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(String(error)));
  const url = new URL(address);
  for (const [key, value] of new URLSearchParams(options.query ?? "")) url.searchParams.set(key, value);
  url.hash = options.hash ?? "";
  await page.goto(url.href);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "yes", null, { timeout: 30_000 });
  await settled(page);
  return { page, errors, close: () => context.close() };
}

/**
 * Milliseconds of processor time so far: of pages with their workers, of the browser's own painting, and
 * of an engine that is a program. Other programs on the machine do not count.
 * @param {import("playwright-core").Browser} browser
 * @param {number | undefined} pid
 */
export async function processorTimeOf(browser, pid) {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  await session.detach();
  const sum = (/** @type {string} */ type) =>
    processInfo.filter((each) => each.type === type).reduce((total, each) => total + each.cpuTime * 1000, 0);
  let engine = 0;
  if (pid !== undefined && existsSync(`/proc/${pid}/stat`)) {
    // User and system time, in hundredths of a second.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\) /, "").split(" ");
    engine = (Number(fields[11]) + Number(fields[12])) * 10;
  }
  return { page: sum("renderer"), painting: sum("GPU"), engine };
}

/** Waits until the page has the answers to what it asks. @param {import("playwright-core").Page} page */
export async function settled(page) {
  await page.evaluate(async () => {
    const { settled } = await import(new URL("planning.js", location.href).href);
    await settled();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  });
}

/** What the page knows, in plain values. @param {import("playwright-core").Page} page */
export function look(page) {
  return page.evaluate(async () => {
    const { state, focused, spec } = await import(new URL("state.js", location.href).href);
    const map = state.map.peek();
    const pane = focused();
    return {
      name: map.name,
      width: map.width,
      height: map.height,
      free: map.freeCells,
      undo: map.undo,
      redo: map.redo,
      walls: map.shades.reduce((sum, shade) => sum + (shade === 255 ? 1 : 0), 0),
      start: state.start.peek(),
      goal: state.goal.peek(),
      rule: state.rule.peek(),
      cursor: state.cursor.peek(),
      playing: state.playing.peek(),
      view: state.view.peek(),
      panes: state.panes.peek().map((each) => spec(each.choice.peek())),
      status: pane.planned.peek()?.answer.status,
      cost: pane.planned.peek()?.answer.path?.cost,
      error: pane.error.peek(),
      events: pane.replay.trace?.count,
      hasHeights: map.heights !== null,
    };
  });
}

/** Where the middle of a cell is on the screen. @param {import("playwright-core").Page} page @param {number} x @param {number} y */
export function at(page, x, y) {
  return page.evaluate(
    async ([x, y]) => {
      const { camera, boxes } = await import(new URL("stage.js", location.href).href);
      const frame = document.getElementById("stage").getBoundingClientRect();
      const [px, py] = camera.toScreen(boxes()[0].box, x + 0.5, y + 0.5);
      return { x: px + frame.left, y: py + frame.top };
    },
    [x, y],
  );
}

/** How many colours a picture has, which tells a drawn stage from an empty one. @param {import("playwright-core").Page} page @param {string} id of a canvas */
export function colourCount(page, id) {
  return page.evaluate(async (id) => {
    const stage = await import(new URL(id === "terrain" ? "terrain_view.js" : "stage.js", location.href).href);
    const blob = await (id === "terrain" ? stage.terrainPicture() : stage.picture());
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, bitmap.width, bitmap.height).data.buffer);
    return new Set(pixels).size;
  }, id);
}
