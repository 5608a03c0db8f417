// What a person does with the page, as tests.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { at, colourCount, look, root, serveNative, settled } from "./browser.mjs";

/** @typedef {import("playwright-core").Page} Page */
/**
 * @typedef {object} Tools
 * @property {(options?: any) => Promise<Page>} open
 * @property {(page: Page, title: string) => Promise<any>} shot
 * @property {string} address
 * @property {string} engine
 * @property {() => Promise<{page: number, painting: number, engine: number}>} processorTime milliseconds so far
 */
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

test("what is painted in pieces is what is painted at once", async ({ open }) => {
  const page = await open();
  await drag(page, [40, 12], [44, 20]);
  await drag(page, [90, 40], [60, 3]);
  const differing = await page.evaluate(async () => {
    const module = (/** @type {string} */ name) => import(new URL(name, location.href).href);
    const [{ seek, trace }, { picture }, { state }] = [
      await module("player.js"),
      await module("stage.js"),
      await module("state.js"),
    ];
    const pixels = async () => new Uint8Array(await (await picture()).arrayBuffer()).join();
    const wrong = [];
    for (const share of [0.3, 0.8, 0.1, 0.55, 1, 0]) {
      seek(trace().count * share);
      const pieces = await pixels();
      // Other colours and the same ones again: everything is painted anew.
      state.dark.update((/** @type {boolean} */ dark) => !dark);
      await pixels();
      state.dark.update((/** @type {boolean} */ dark) => !dark);
      await new Promise((resolve) => setTimeout(resolve));
      if ((await pixels()) !== pieces) wrong.push(share);
    }
    return wrong;
  });
  assert.deepEqual(differing, []);
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
  await page.click(".segments button:has-text('on one map')");
  await page.waitForTimeout(200);
  const boxes = await page.evaluate(async () => (await import(new URL("stage.js", location.href).href)).boxes().length);
  assert.equal(boxes, 1);
  await shot(page, "on-one-map");
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

test("a planner that is made of planners lets one choose them", async ({ open }) => {
  const page = await open();
  await planner(page, "three-step");
  await page.selectOption("label.field:has-text('full') select", "jps");
  await settled(page);
  const seen = await look(page);
  assert.deepEqual([seen.panes[0], seen.error, seen.status], ["three-step:full=jps", "", "found"]);
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

test("dragging the goal on 1024 x 1024 is answered as it goes", async ({ open, shot, processorTime }) => {
  const page = await open();
  await example(page, "caves");
  for (const name of ["jps", "block-astar"]) {
    await planner(page, name);
    // Answers are counted as they are shown.
    await page.evaluate(async () => {
      const { state, focused } = await import(new URL("state.js", location.href).href);
      const { effect } = await import(new URL("signals.js", location.href).href);
      const seen = { answers: -1, searches: /** @type {number[]} */ ([]), events: 0, goal: state.goal.peek() };
      /** @type {any} */ (window).seen = seen;
      effect(() => {
        const planned = focused().planned.get();
        seen.answers++;
        if (seen.answers > 0) seen.searches.push(planned.answer.times.search / 1000);
        seen.events = planned.trace.count;
      });
    });
    const { goal } = await page.evaluate(() => /** @type {any} */ (window).seen);
    const from = await at(page, goal[0], goal[1]);
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    const drag = async (/** @type {number} */ count) => {
      for (let i = 0; i < count; i++) {
        await page.mouse.move(from.x - 30 + 30 * Math.cos(i / 7), from.y - 20 * Math.sin(i / 7) - 20);
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 12))));
      }
    };
    await drag(20);
    const look = () =>
      page.evaluate(async () => {
        const { answerTimes } = await import(new URL("planning.js", location.href).href);
        const { frameTimes } = await import(new URL("stage.js", location.href).href);
        const { seen } = /** @type {any} */ (window);
        return { ...seen, answering: [...answerTimes], drawing: [...frameTimes.searched], now: performance.now() };
      });
    const [before, cpu] = [await look(), await processorTime()];
    await drag(80);
    const [after, spent] = [await look(), await processorTime()];
    await page.mouse.up();
    await settled(page);
    const answers = after.answers - before.answers;
    const each = (/** @type {number} */ total) => (total / answers).toFixed(1);
    const median = (/** @type {number[]} */ list) => list.sort((a, b) => a - b)[list.length >> 1];
    const search = median(after.searches.slice(before.searches.length));
    const [answering, drawing] = [median(after.answering.slice(-40)), median(after.drawing.slice(-40))];
    console.log(
      `      ${name}: ${answers} answers of ${after.events} events: search ${search.toFixed(1)} ms, reading the answer, replay ` +
        `and panels ${answering.toFixed(1)} ms, drawing ${drawing.toFixed(1)} ms (medians); processor time of each: ` +
        `engine ${each(spent.engine - cpu.engine)}, the browser's page with all its threads ${each(spent.page - cpu.page)}, ` +
        `its painting without a graphics unit ${each(spent.painting - cpu.painting)} ms`,
    );
    // How long an answer takes is reported, not judged: machines differ.
    assert.ok(answers >= 15, `${answers} answers`);
  }
  await shot(page, "caves");
});

test("units walk, are cut off by a wall, go where they are sent and through doors", async ({ open, shot }) => {
  const page = await open();
  await page.click("#views button:nth-child(3)");
  const crowd = () =>
    page.evaluate(async () => {
      const { crowd } = await import(new URL("crowd.js", location.href).href);
      return {
        living: crowd.living,
        tick: crowd.tick,
        positions: Array.from(crowd.positions),
        selected: crowd.selection.peek().size,
        doors: crowd.doors,
        ticks: crowd.ticks.length,
        effect: crowd.effect.peek(),
        error: document.getElementById("notice")?.hidden === false,
      };
    });
  const passed = async (/** @type {number} */ ticks) => {
    const { tick } = await crowd();
    for (let tries = 0; tries < 300 && (await crowd()).tick < tick + ticks; tries++) await page.waitForTimeout(30);
  };
  await passed(40);
  const walking = await crowd();
  assert.ok(walking.living > 200 && walking.ticks >= 40, `${walking.living} units, ${walking.ticks} ticks`);
  await shot(page, "units");
  // A wall across the middle of the map.
  await page.keyboard.press("3");
  await drag(page, [48, 2], [48, 44]);
  await passed(5);
  const cut = (await crowd()).effect;
  assert.ok(cut && cut.cut > 10, JSON.stringify(cut));
  await shot(page, "units-cut");
  assert.match((await page.textContent("#side")) ?? "", /ways cut of/);
  await page.keyboard.press("Control+z");
  await page.waitForTimeout(300);
  // Some are selected and sent to a place.
  await page.keyboard.press("2");
  await drag(page, [2, 2], [30, 30]);
  const { selected } = await crowd();
  assert.ok(selected > 10, `${selected} selected`);
  const there = await at(page, 84, 6);
  await page.mouse.click(there.x, there.y);
  await passed(30);
  await shot(page, "units-sent");
  // A door, which closes.
  await page.keyboard.press("5");
  await drag(page, [60, 20], [60, 23]);
  await passed(1);
  assert.equal((await crowd()).doors[0].open, true);
  const door = await at(page, 60, 21);
  await page.mouse.click(door.x, door.y);
  await page.waitForTimeout(300);
  assert.deepEqual((await crowd()).doors[0], { x: 60, y: 20, width: 1, height: 4, open: false });
  // Doors are undone and redone like all other edits.
  const travel = async (/** @type {string} */ keys) => {
    await page.keyboard.press(keys);
    await page.waitForTimeout(300);
    return (await crowd()).doors.map((/** @type {any} */ door) => door.open);
  };
  assert.deepEqual(await travel("Control+z"), [true]);
  assert.deepEqual(await travel("Control+z"), []);
  assert.deepEqual(await travel("Control+Shift+z"), [true]);
  assert.deepEqual(await travel("Control+Shift+z"), [false]);
  // Pause stops the clock, a step lets one tick pass.
  await page.evaluate(() => document.getElementById("stage")?.focus());
  await page.keyboard.press("Space");
  await page.waitForTimeout(300);
  const paused = await crowd();
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(200);
  assert.equal((await crowd()).tick, paused.tick + 1);
  await page.keyboard.press("6");
  const free = await at(page, 70, 40);
  await page.mouse.click(free.x, free.y);
  await page.waitForTimeout(300);
  assert.ok((await crowd()).living > paused.living);
  await page.keyboard.press("h");
  await page.keyboard.press("Space");
  await passed(60);
  await shot(page, "units-heat");
  await page.selectOption("select[aria-label='How units step']", "plane");
  await passed(60);
  const gliding = (await crowd()).positions;
  assert.ok(gliding.some((place) => Math.abs((place % 1) - 0.5) > 0.05 && place > 0));
  await shot(page, "units-plane");
  assert.equal((await crowd()).error, false);
  // Back to the search, which knows nothing of them.
  await page.click("#views button:nth-child(1)");
  await settled(page);
  assert.equal((await look(page)).status, "found");
});

test("1,600 units walk on a large map while a wall is drawn", async ({ open, shot, processorTime }) => {
  const page = await open({ dark: true });
  await page.evaluate(async () =>
    (await import(new URL("maps.js", location.href).href)).generate({ kind: "rooms", width: 256, height: 192, room: 15, seed: 3 }),
  );
  await settled(page);
  await page.click("#views button:nth-child(3)");
  const look = () =>
    page.evaluate(async () => {
      const { crowd } = await import(new URL("crowd.js", location.href).href);
      const { frameTimes } = await import(new URL("stage.js", location.href).href);
      const times = crowd.ticks.map((/** @type {any} */ tick) => tick.time).sort((/** @type {number} */ a, /** @type {number} */ b) => a - b);
      const frames = [...frameTimes.list].sort((a, b) => a - b);
      return { living: crowd.living, tick: crowd.tick, median: times[times.length >> 1], frame: frames[frames.length >> 1], now: performance.now() };
    });
  await page.waitForTimeout(1500);
  const [before, cpu] = [await look(), await processorTime()];
  await drag(page, [100, 20], [100, 150], 40);
  await page.waitForTimeout(1000);
  const [after, spent] = [await look(), await processorTime()];
  const seconds = (after.now - before.now) / 1000;
  console.log(
    `      ${after.living} units: a tick takes ${(after.median / 1000).toFixed(2)} ms at the median, a frame is drawn in ` +
      `${after.frame.toFixed(1)} ms; ${((after.tick - before.tick) / seconds).toFixed(0)} ticks a second, page ` +
      `${((spent.page - cpu.page) / seconds / 10).toFixed(0)} % of a core`,
  );
  assert.equal(after.living, 1600);
  assert.ok(after.tick > before.tick + 20);
  await shot(page, "units-1600-dark");
  const phone = await open({ width: 390, height: 780, phone: true });
  await phone.tap("#views button:nth-child(3)");
  await phone.waitForTimeout(1200);
  await shot(phone, "phone-units");
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
  const hills = await open({ width: 390, height: 780, phone: true, hash: "tour=15" });
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
