// Runs the browser tests against both engines: node run.mjs [name …]

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { browserPath, here, launch, openPage, processorTimeOf, serveNative, serveStatic } from "./browser.mjs";
import { tests } from "./tests.mjs";

if (!browserPath) {
  console.log("No browser: the page was not tested. Install chromium, or name one with CHROMIUM.");
  process.exit(0);
}

const wanted = process.argv.slice(2);
await mkdir(join(here, "shots"), { recursive: true });
const engines = [await serveNative(), await serveStatic()];
if (engines[1] === null) console.log("No packages/blockstar/blockstar.wasm: tested against the command alone.");
const browsers = { plain: await launch(false), webgl: await launch(true) };
let failures = 0;
for (const engine of engines) {
  if (engine === null) continue;
  for (const { name, run, native, webgl } of tests) {
    if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
    if (native && engine.name !== "native") continue;
    const began = Date.now();
    /** @type {{errors: string[], close: () => Promise<void>}[]} */
    const opened = [];
    const open = async (options) => {
      const page = await openPage(
        webgl ? browsers.webgl : browsers.plain,
        options?.address ?? engine.address,
        webgl ? { query: "draw=webgl", ...options } : options,
      );
      opened.push(page);
      return page.page;
    };
    const shot = (page, title) => page.screenshot({ path: join(here, "shots", `${engine.name}-${title}.png`) });
    try {
      const processorTime = () => processorTimeOf(webgl ? browsers.webgl : browsers.plain, engine.pid);
      await run({ open, shot, address: engine.address, engine: engine.name, processorTime });
      const errors = opened.flatMap((page) => page.errors);
      if (errors.length > 0) throw new Error(`errors on the console: ${errors.join("; ")}`);
      console.log(`ok    ${engine.name} ${name} (${Date.now() - began} ms)`);
    } catch (error) {
      failures++;
      console.log(`FAIL  ${engine.name} ${name}: ${error instanceof Error ? error.stack : error}`);
      for (const page of opened) if (page.errors.length > 0) console.log(`      console: ${page.errors.join("; ")}`);
    }
    for (const page of opened) await page.close();
  }
  engine.stop();
}
for (const browser of Object.values(browsers)) await browser.close();
console.log(failures === 0 ? "all tests of the page hold" : `${failures} tests of the page failed`);
process.exit(failures === 0 ? 0 : 1);
