// What a person does with the page, as tests.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { at, colourCount, look, root, serveNative, settled } from "./browser.mjs";

/** @typedef {import("playwright-core").Page} Page */
/** @typedef {{open: (options?: any) => Promise<Page>, shot: (page: Page, title: string) => Promise<any>, address: string, engine: string}} Tools */
/** @type {{name: string, native?: boolean, webgl?: boolean, run: (tools: Tools) => Promise<void>}[]} */
export const tests = [];
const test = (/** @type {string} */ name, /** @type {(tools: Tools) => Promise<void>} */ run, options = {}) =>
  tests.push({ name, run, ...options });

/** @param {Page} page @param {[number, number]} from @param {[number, number]} to */
async function drag(page, from, to, steps = 12) {
  const [a, b] = [await at(page, ...from), await at(page, ...to)];
  await page.mouse.move(a.x, a.y);
  await page.mouse.down();
  for (let i = 1; i <= steps; i++)
    await page.mouse.move(a.x + ((b.x - a.x) * i) / steps, a.y + ((b.y - a.y) * i) / steps);
  await page.mouse.up();
  await settled(page);
}

/** Opens an example of the gallery. @param {Page} page @param {string} name */
async function example(page, name) {
  await page.evaluate(async (name) => (await import(new URL("maps.js", location.href).href)).openExample(name), name);
  await settled(page);
}

/** Asks the page until it says yes. @param {Page} page @param {() => Promise<boolean>} question */
async function until(page, question) {
  for (let tries = 0; tries < 200; tries++) {
    if (await page.evaluate(question)) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`this never came true: ${question}`);
}

/** @param {Page} page @param {string} name */
async function planner(page, name) {
  await page.selectOption("#planner", name);
  await settled(page);
}

test(
  "opens with the harbour and a finished search",
  async ({ open, shot }) => {
    const page = await open();
    const seen = await look(page);
    assert.equal(seen.status, "found");
    assert.ok(Math.abs(/** @type {number} */ (seen.cost) - 107.77) < 0.01, String(seen.cost));
    assert.equal(seen.cursor, seen.events);
    assert.ok((await colourCount(page, "map")) > 30);
    assert.match((await page.textContent("#hint")) ?? "", /Draw/);
    await page.waitForSelector(".badge.good:has-text('optimal')");
    await shot(page, "desktop-light");
  },
  { webgl: true },
);

test("looks right in the dark, on a phone and without WebGL", async ({ open, shot }) => {
  await shot(await open({ dark: true }), "desktop-dark");
  const phone = await open({ width: 390, height: 780, phone: true });
  await shot(phone, "phone-light");
  await phone.tap(".sheet-button");
  await phone.waitForTimeout(300);
  await shot(phone, "phone-sheet");
  await shot(await open({ width: 390, height: 780, phone: true, dark: true }), "phone-dark");
  const plain = await open();
  assert.ok((await colourCount(plain, "map")) > 30);
  await shot(plain, "canvas-light");
});

test("draws a wall, erases it, undoes and does it again", async ({ open, shot }) => {
  const page = await open();
  const before = await look(page);
  await drag(page, [40, 12], [40, 20]);
  const walls = await look(page);
  assert.equal(walls.walls, before.walls + 9);
  assert.equal(walls.free, before.free - 9);
  await shot(page, "wall");
  // The first cell is a wall now, so the same stroke erases.
  await drag(page, [40, 12], [40, 16]);
  assert.equal((await look(page)).walls, before.walls + 4);
  await page.keyboard.press("Control+z");
  await settled(page);
  assert.equal((await look(page)).walls, before.walls + 9);
  await page.keyboard.press("Control+z");
  await settled(page);
  assert.equal((await look(page)).walls, before.walls);
  await page.keyboard.press("Control+y");
  await settled(page);
  assert.equal((await look(page)).walls, before.walls + 9);
});

test("the path follows a dragged goal", async ({ open }) => {
  const page = await open();
  await drag(page, [90, 40], [60, 3]);
  const seen = await look(page);
  assert.notDeepEqual(seen.goal, [90, 40]);
  assert.equal(seen.status, "found");
  assert.ok(/** @type {number} */ (seen.cost) < 107);
  await drag(page, [3, 4], [10, 20]);
  assert.notDeepEqual((await look(page)).start, [3, 4]);
});

test("plays, pauses, steps and steps back to the same picture", async ({ open, shot }) => {
  const page = await open();
  await page.keyboard.press("Space");
  await page.waitForTimeout(700);
  await page.keyboard.press("Space");
  const paused = await look(page);
  assert.ok(
    paused.cursor > 0 && paused.cursor < /** @type {number} */ (paused.events),
    `${paused.cursor} of ${paused.events}`,
  );
  await shot(page, "playing");
  const bytes = () =>
    page.evaluate(async () => {
      const { focused } = await import(new URL("state.js", location.href).href);
      return Array.from(focused().replay.bytes).join();
    });
  const there = await bytes();
  for (let i = 0; i < 7; i++) await page.keyboard.press("ArrowRight");
  assert.notEqual(await bytes(), there);
  for (let i = 0; i < 7; i++) await page.keyboard.press("ArrowLeft");
  const cursor = (await look(page)).cursor;
  // Played forward from the start to the same place it is the same.
  const back = await bytes();
  await page.keyboard.press("Home");
  assert.equal((await look(page)).cursor, 0);
  await page.evaluate(async (cursor) => (await import(new URL("player.js", location.href).href)).seek(cursor), cursor);
  assert.equal(await bytes(), back);
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Alt+ArrowRight");
  await page.keyboard.press("End");
  assert.equal((await look(page)).cursor, paused.events);
});

test("shows g, h and f of the cell under the pointer and the open list", async ({ open, shot }) => {
  const page = await open();
  await page.evaluate(async () => {
    const { seek } = await import(new URL("player.js", location.href).href);
    seek(900);
  });
  const place = await at(page, 14, 8);
  await page.mouse.move(place.x, place.y);
  await page.waitForTimeout(250);
  const text = (await page.textContent("#side")) ?? "";
  assert.match(text, /f − C\*/);
  assert.match(text, /parent/);
  assert.ok((await page.locator("table.list tr").count()) > 3);
  for (let i = 0; i < 8; i++) await page.mouse.wheel(0, -240);
  await page.keyboard.press("t");
  await page.waitForTimeout(200);
  await shot(page, "numbers");
});

test("compares planners with locked clocks and shows where they differ", async ({ open, shot }) => {
  const page = await open();
  await page.keyboard.press("c");
  await settled(page);
  await page.keyboard.press("c");
  await settled(page);
  assert.equal((await look(page)).panes.length, 1);
  for (let i = 0; i < 3; i++) {
    await page.evaluate(async () => (await import(new URL("compare.js", location.href).href)).addPane());
    await settled(page);
  }
  assert.equal((await look(page)).panes.length, 4);
  await page.waitForSelector(".bars .bar");
  await page.evaluate(async () => (await import(new URL("player.js", location.href).href)).seek(400));
  await page.waitForTimeout(500);
  await shot(page, "compare");
  await page.keyboard.press("d");
  await page.keyboard.press("End");
  await page.waitForTimeout(200);
  await shot(page, "difference");
});

test("every planner answers or says why not", async ({ open }) => {
  const page = await open();
  await example(page, "block-astar");
  const names = await page.$$eval("#planner option", (options) =>
    options.map((option) => /** @type {HTMLOptionElement} */ (option).value),
  );
  assert.ok(names.length >= 25);
  for (const name of names) {
    await planner(page, name);
    const seen = await look(page);
    assert.equal(seen.panes[0], name);
    assert.equal(seen.error, "", name);
    assert.ok(seen.status === "found" || seen.status === "limit-reached", `${name}: ${seen.status}`);
  }
});

test("marks of each planner are drawn", async ({ open, shot }) => {
  const page = await open();
  for (const [name, map] of [
    ["jps", "harbour"],
    ["anya", "clutter"],
    ["theta-star", "clutter"],
    ["block-astar", "block-astar"],
    ["dba-star", "dba-star"],
    ["lrta-star", "dba-star"],
    ["ida-star", "block-astar"],
    ["bidirectional-astar", "harbour"],
  ]) {
    await example(page, map);
    await planner(page, name);
    if (name === "block-astar" || name === "dba-star") await page.keyboard.press("r");
    await page.evaluate(async () => {
      const player = await import(new URL("player.js", location.href).href);
      player.seek(player.trace().count * 0.6);
    });
    await page.waitForTimeout(250);
    await shot(page, `marks-${name}`);
    if (name === "block-astar" || name === "dba-star") await page.keyboard.press("r");
  }
});

test("shows what was prepared, who shares a table and what an edit repairs", async ({ open, shot }) => {
  const page = await open();
  await example(page, "rooms");
  await page.selectOption("#rule", "eight");
  await settled(page);
  await planner(page, "block-astar");
  await page.keyboard.press("r");
  await until(
    page,
    async () => (await import(new URL("state.js", location.href).href)).focused().layers.peek().length > 0,
  );
  const place = await at(page, 80, 52);
  await page.mouse.move(place.x, place.y);
  await page.waitForTimeout(400);
  await shot(page, "structure");
  await drag(page, [84, 50], [88, 54]);
  await shot(page, "structure-edit");
  assert.match((await page.textContent("#side")) ?? "", /edit repaired in/);
});

test("loads a map by dialog and by drag and drop", async ({ open }) => {
  const page = await open();
  const text = "type octile\nheight 4\nwidth 6\nmap\n......\n.@@@..\n.@....\n......\n";
  await page.click("#map-button");
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("text=Open …")]);
  await chooser.setFiles({ name: "small.map", mimeType: "text/plain", buffer: Buffer.from(text) });
  await until(page, async () => (await import(new URL("state.js", location.href).href)).state.map.peek().width === 6);
  await settled(page);
  assert.equal((await look(page)).status, "found");
  const harbour = await readFile(join(root, "maps/harbour.map"), "utf8");
  await page.evaluate((harbour) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([harbour], "dropped.map"));
    dispatchEvent(new DragEvent("dragenter", { dataTransfer: transfer }));
    dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
  }, harbour);
  await until(page, async () => (await import(new URL("state.js", location.href).href)).state.map.peek().width === 96);
  await settled(page);
  assert.equal((await look(page)).name, "dropped.map");
});

test("refuses a broken file with a sentence", async ({ open }) => {
  const page = await open();
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(["type octile\nheight 4\nwidth 6\nmap\n...\n"], "broken.map"));
    dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, cancelable: true }));
  });
  await page.waitForSelector("#notice[data-kind=bad]:not([hidden])");
  assert.equal((await look(page)).width, 96);
});

test(
  "shows terrain in three dimensions",
  async ({ open, shot }) => {
    const page = await open();
    await example(page, "hills");
    assert.ok((await look(page)).hasHeights);
    await page.waitForTimeout(200);
    await shot(page, "hills-flat");
    await page.click("#views button:nth-child(2)");
    await page.waitForTimeout(400);
    await shot(page, "terrain");
    assert.ok((await colourCount(page, "terrain")) > 200);
    const before = await page.evaluate(
      async () => (await import(new URL("terrain_view.js", location.href).href)).orbit.azimuth,
    );
    await page.mouse.move(500, 400);
    await page.mouse.down();
    await page.mouse.move(600, 430);
    await page.mouse.up();
    const after = await page.evaluate(
      async () => (await import(new URL("terrain_view.js", location.href).href)).orbit.azimuth,
    );
    assert.notEqual(before, after);
  },
  { webgl: true },
);

test("a link restores map, ends, planners and the moment", async ({ open, shot }) => {
  const page = await open();
  await drag(page, [40, 12], [40, 20]);
  await drag(page, [90, 40], [70, 4]);
  await page.evaluate(async () =>
    (await import(new URL("compare.js", location.href).href)).addPane({ name: "jps", values: {} }),
  );
  await settled(page);
  await page.evaluate(async () => {
    const { state } = await import(new URL("state.js", location.href).href);
    state.focus.set(0);
    (await import(new URL("player.js", location.href).href)).seek(500);
  });
  const before = await look(page);
  const link = await page.evaluate(async () => (await import(new URL("links.js", location.href).href)).link());
  const { hash } = new URL(link);
  assert.ok(hash.length < 3000, `${hash.length} characters`);
  const again = await open({ hash: hash.slice(1) });
  const after = await look(again);
  for (const key of /** @type {const} */ ([
    "width",
    "height",
    "walls",
    "start",
    "goal",
    "rule",
    "panes",
    "cost",
    "cursor",
    "events",
  ])) {
    assert.deepEqual(after[key], before[key], key);
  }
  await shot(again, "link");
});

test("the tour goes through all its steps", async ({ open, shot }) => {
  const page = await open({ hash: "tour=1" });
  for (let i = 1; i < 20; i++) {
    await page.waitForTimeout(350);
    await settled(page);
    assert.equal((await look(page)).error, "", `step ${i}`);
    await shot(page, `tour-${i}`);
    const next = page.locator("#tour footer button:has-text('Next')");
    if ((await next.count()) === 0) {
      assert.ok(i >= 10, `${i} steps`);
      return;
    }
    await next.click();
  }
});

test("breakpoints count their hits and stop there", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("Home");
  await page.click("summary:has-text('Breakpoints')");
  await page.waitForSelector("section[aria-label=Breakpoints] small");
  const counts = await page.$$eval("section[aria-label=Breakpoints] small", (all) =>
    all.map((each) => Number((each.textContent ?? "").replaceAll(",", ""))),
  );
  assert.ok(counts[3] > 5, String(counts));
  await page.click("label:has-text('a higher f is expanded')");
  await page.keyboard.press("n");
  await page.keyboard.press("n");
  const first = (await look(page)).cursor;
  assert.ok(first > 0);
  await page.evaluate(() => document.getElementById("stage")?.focus());
  await page.keyboard.press("Space");
  await until(page, async () => !(await import(new URL("state.js", location.href).href)).state.playing.peek());
  const second = await look(page);
  assert.ok(
    second.cursor > first && second.cursor < /** @type {number} */ (second.events),
    `${first} ${second.cursor} of ${second.events}`,
  );
});

test("a million events play and scrub without freezing", async ({ open, shot }) => {
  const page = await open();
  await page.evaluate(async () =>
    (await import(new URL("maps.js", location.href).href)).generate({
      kind: "random",
      width: 1000,
      height: 1000,
      blocked: 10,
      percent: 10,
      seed: 3,
    }),
  );
  await settled(page);
  await planner(page, "dijkstra");
  const seen = await look(page);
  assert.ok(/** @type {number} */ (seen.events) > 1_000_000, String(seen.events));
  const times = await page.evaluate(async () => {
    const { seek, trace } = await import(new URL("player.js", location.href).href);
    const { draw } = await import(new URL("stage.js", location.href).href);
    const own = trace();
    const list = [];
    for (const share of [0, 1, 0.5, 0.25, 0.75, 0.1, 0.9, 0.3]) {
      const began = performance.now();
      seek(own.count * share);
      const replayed = performance.now();
      draw();
      list.push({ replay: replayed - began, draw: performance.now() - replayed });
    }
    seek(own.count * 0.6);
    return list;
  });
  const worst = Math.max(...times.map(({ replay }) => replay));
  console.log(
    `      ${seen.events} events: a jump replays in at most ${worst.toFixed(1)} ms, ` +
      `draws in ${times
        .map(({ draw }) => draw)
        .sort((a, b) => a - b)[4]
        .toFixed(1)} ms (no graphics unit)`,
  );
  assert.ok(worst < 400, `${worst} ms`);
  await page.waitForTimeout(200);
  await shot(page, "million");
});

test("dragging the goal on 1024 x 1024 is measured", async ({ open, shot }) => {
  const page = await open();
  await example(page, "caves");
  for (const name of ["jps", "block-astar"]) {
    await planner(page, name);
    const times = await page.evaluate(async () => {
      const { state, focused } = await import(new URL("state.js", location.href).href);
      const { question } = await import(new URL("planning.js", location.href).href);
      const { draw } = await import(new URL("stage.js", location.href).href);
      const [gx, gy] = state.goal.peek();
      const map = state.map.peek();
      const { replay } = focused();
      const list = [];
      for (let i = 0; i < 60; i++) {
        const goal = [gx - i, gy];
        if (!map.isFree(...goal)) continue;
        const fields = { ...question(focused()), goal, measure: 0, trace: { limit: 120_000, brief: true } };
        const began = performance.now();
        const { answer, trace } = await state.session.plan(fields, map);
        const there = performance.now();
        replay.setTrace(trace, "order", answer.path.cost, map.width, map.height);
        replay.seek(trace.count);
        draw();
        const done = performance.now();
        list.push({ all: done - began, page: done - there, engine: answer.times.search / 1000, events: trace.count });
      }
      return list;
    });
    const median = (/** @type {"all" | "page" | "engine" | "events"} */ key) =>
      times.map((each) => each[key]).sort((a, b) => a - b)[times.length >> 1];
    console.log(
      `      ${name}: ${times.length} goals, median ${median("all").toFixed(1)} ms from asking to drawn, of it ` +
        `searching ${median("engine").toFixed(1)}, replaying and drawing ${median("page").toFixed(1)}; ${median("events")} events`,
    );
  }
  await shot(page, "caves");
});

test("everything by keyboard", async ({ open }) => {
  const page = await open();
  const place = await at(page, 20, 8);
  await page.mouse.move(place.x, place.y);
  await page.keyboard.press("g");
  await settled(page);
  assert.deepEqual((await look(page)).goal, [20, 8]);
  for (const key of [
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    ",",
    ".",
    "h",
    "v",
    "t",
    "m",
    "r",
    "f",
    "[",
    "]",
    "+",
    "-",
    "l",
    "l",
  ])
    await page.keyboard.press(key);
  await page.keyboard.press("?");
  await page.waitForSelector("dialog[open]");
  await page.keyboard.press("Escape");
  await page.keyboard.press("p");
  assert.equal(await page.evaluate(() => document.activeElement?.id), "planner");
});

test("saves as map, SVG, command line and Rust", async ({ open }) => {
  const page = await open();
  const texts = await page.evaluate(async () => {
    const { state, focused } = await import(new URL("state.js", location.href).href);
    const { question } = await import(new URL("planning.js", location.href).href);
    const out = {};
    for (const format of ["map", "svg", "command", "rust"]) {
      const { data } = await state.session.export({ format, ...question(focused()), file: "harbour.map" });
      out[format] = typeof data === "string" ? data : new TextDecoder().decode(data);
    }
    return out;
  });
  assert.match(texts.map, /^type octile/);
  assert.match(texts.svg, /<svg/);
  assert.match(texts.command, /blockstar route/);
  assert.match(texts.rust, /fn main/);
});

test("an estimate that is too high finds a dearer path sooner", async ({ open }) => {
  const page = await open({ hash: "tour=4" });
  assert.ok(/** @type {number} */ ((await look(page)).cost) > 110);
  await page.waitForSelector(".badge.warn:has-text('above the optimum')");
  await page.selectOption("label.field:has-text('estimate') select", "");
  await settled(page);
  assert.ok(/** @type {number} */ ((await look(page)).cost) < 108);
});

test("dialogs, palettes and phones", async ({ open, shot }) => {
  const page = await open();
  await page.keyboard.press("o");
  await shot(page, "dialog-maps");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await shot(page, "dialog-keys");
  await page.keyboard.press("Escape");
  await page.click("#actions button[aria-label='Save and share']");
  await shot(page, "dialog-share");
  await page.keyboard.press("Escape");
  await page.click("text=colours that everybody can tell apart");
  await page.evaluate(async () => (await import(new URL("player.js", location.href).href)).seek(1500));
  await page.waitForTimeout(100);
  await shot(page, "clear-light");
  await page.keyboard.press("l");
  await page.waitForTimeout(100);
  await shot(page, "clear-dark");
  const phone = await open({ width: 390, height: 780, phone: true, hash: "tour=3" });
  await phone.waitForTimeout(400);
  await shot(phone, "phone-tour");
  const hills = await open({ width: 390, height: 780, phone: true, hash: "tour=14" });
  await hills.waitForTimeout(800);
  await shot(hills, "phone-hills");
});

test(
  "a walled-in goal, a map of one cell, and a flat map in three dimensions",
  async ({ open, shot }) => {
    const page = await open();
    for (const [from, to] of /** @type {[[number, number], [number, number]][]} */ ([
      [
        [88, 38],
        [92, 38],
      ],
      [
        [92, 39],
        [92, 42],
      ],
      [
        [91, 42],
        [88, 42],
      ],
      [
        [88, 41],
        [88, 39],
      ],
    ])) {
      await page.evaluate(
        async ([from, to]) => {
          const { edit } = await import(new URL("editing.js", location.href).href);
          edit.tile(from, to, false, false);
        },
        [from, to],
      );
    }
    await settled(page);
    assert.equal((await look(page)).status, "no-path");
    assert.match((await page.textContent("section[aria-label=Result]")) ?? "", /no path/);
    await page.click("text=as near as possible if there is no way");
    await settled(page);
    assert.equal((await look(page)).status, "nearest");
    await page.waitForTimeout(200);
    await shot(page, "nearest");
    await page.click("#views button:nth-child(2)");
    await page.waitForTimeout(500);
    await shot(page, "harbour-3d");
    await page.click("#views button:nth-child(1)");
    await page.evaluate(async () => (await import(new URL("maps.js", location.href).href)).newMap(1, 1));
    await settled(page);
    assert.equal((await look(page)).error, "");
  },
  { webgl: true },
);

test("two fingers move and zoom the map, one finger draws", async ({ open }) => {
  const page = await open({ width: 390, height: 780, phone: true });
  const scale = () => page.evaluate(async () => (await import(new URL("stage.js", location.href).href)).camera.scale);
  const before = await scale();
  const session = await page.context().newCDPSession(page);
  const touch = (/** @type {string} */ type, /** @type {number[][]} */ points) =>
    session.send("Input.dispatchTouchEvent", {
      type: /** @type {any} */ (type),
      touchPoints: points.map(([x, y], id) => ({ x, y, id })),
    });
  await touch("touchStart", [[180, 320]]);
  await touch("touchStart", [
    [180, 320],
    [220, 340],
  ]);
  for (let i = 1; i <= 8; i++)
    await touch("touchMove", [
      [180 - 8 * i, 320],
      [220 + 8 * i, 340],
    ]);
  await touch("touchEnd", []);
  assert.ok((await scale()) > 2 * before, `${before} to ${await scale()}`);
  await page.evaluate(async () => (await import(new URL("stage.js", location.href).href)).fit());
  const walls = (await look(page)).walls;
  const [from, to] = [await at(page, 40, 12), await at(page, 40, 20)];
  await touch("touchStart", [[from.x, from.y]]);
  for (let i = 1; i <= 8; i++) await touch("touchMove", [[from.x, from.y + ((to.y - from.y) * i) / 8]]);
  await touch("touchEnd", []);
  await settled(page);
  assert.ok((await look(page)).walls > walls + 5);
});

test(
  "says so when the engine is gone",
  async ({ open }) => {
    const server = await serveNative();
    const page = await open({ address: server.address });
    server.stop();
    await page.waitForSelector("#notice[data-kind=bad]:not([hidden])");
    assert.match((await page.textContent("#notice")) ?? "", /ended/);
  },
  { native: true },
);

test("everything that can be pressed has a name", async ({ open }) => {
  const page = await open();
  await page.keyboard.press("c");
  await settled(page);
  const nameless = await page.$$eval("button, [role=slider], select, input, canvas[role]", (all) =>
    all
      .filter(
        (each) =>
          !(
            each.getAttribute("aria-label") ||
            each.getAttribute("title") ||
            each.textContent?.trim() ||
            each.closest("label")
          ),
      )
      .map((each) => each.outerHTML.slice(0, 120)),
  );
  assert.deepEqual(nameless, []);
});
