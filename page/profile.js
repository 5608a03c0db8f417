// The heights along the paths, and the controls of the terrain view.

import { fill, h } from "./dom.js";
import { effect } from "./signals.js";
import { colours } from "./stage.js";
import { state } from "./state.js";
import { invalidateTerrain, orbit } from "./terrain_view.js";

/** Controls of the terrain, and the profile of the paths. */
export function terrainPanel() {
  const chart = /** @type {HTMLCanvasElement} */ (
    h("canvas.sparkline", { role: "img", "aria-label": "Heights along the paths" })
  );
  const body = h("div");
  const section = h("section", { "aria-label": "Heights" }, h("h2", {}, "Profile"), body, chart);
  effect(() => {
    const map = state.map.get();
    const terrain = state.view.get() === "terrain";
    section.hidden = map.heights === null;
    const slider = /** @type {HTMLInputElement} */ (
      h("input", {
        type: "range",
        min: "-2",
        max: "2",
        step: "0.1",
        value: String(Math.log2(orbit.exaggeration)),
        style: "width:100%",
        "aria-label": "Exaggeration",
        oninput: () => {
          orbit.exaggeration = 2 ** Number(slider.value);
          invalidateTerrain();
        },
      })
    );
    fill(
      body,
      terrain && map.heights !== null
        ? [
            h("label.field", { style: "margin-top:0" }, h("span", {}, "height ×"), slider),
            h(
              "label.check",
              {},
              h("input", {
                type: "checkbox",
                checked: orbit.slopes,
                onchange: () => {
                  orbit.slopes = !orbit.slopes;
                  invalidateTerrain();
                },
              }),
              "colour by slope",
            ),
          ]
        : null,
    );
  });
  effect(() => {
    const paint = (state.dark.get(), state.style.get(), colours());
    const lines = state.panes.get().map((pane, i) => ({
      profile: pane.planned.get()?.profile ?? null,
      colour: paint.routes[i % paint.routes.length],
    }));
    drawProfile(
      chart,
      lines.filter(({ profile }) => profile !== null && profile.length > 3),
      paint,
    );
  });
  return section;
}

/** @param {HTMLCanvasElement} chart @param {{profile: Float64Array | null, colour: string}[]} lines @param {import("./palette.js").Palette} paint */
function drawProfile(chart, lines, paint) {
  const ratio = devicePixelRatio || 1;
  const width = chart.clientWidth || 300,
    height = 84;
  chart.width = width * ratio;
  chart.height = height * ratio;
  const context = /** @type {CanvasRenderingContext2D} */ (chart.getContext("2d"));
  context.scale(ratio, ratio);
  context.font = "10.5px ui-monospace, monospace";
  let low = Infinity,
    high = -Infinity,
    far = 0;
  for (const { profile } of lines) {
    // x, y, distance and height of each place.
    for (let i = 0; profile && i < profile.length; i += 4) {
      far = Math.max(far, profile[i + 2]);
      low = Math.min(low, profile[i + 3]);
      high = Math.max(high, profile[i + 3]);
    }
  }
  if (far === 0) return;
  const x = (/** @type {number} */ value) => 4 + (value / far) * (width - 8);
  const y = (/** @type {number} */ value) => height - 16 - ((value - low) / Math.max(high - low, 1e-6)) * (height - 32);
  for (const { profile, colour } of lines) {
    if (!profile) continue;
    context.beginPath();
    for (let i = 0; i < profile.length; i += 4) context.lineTo(x(profile[i + 2]), y(profile[i + 3]));
    context.strokeStyle = colour;
    context.lineWidth = 1.8;
    context.stroke();
    context.lineTo(x(profile[profile.length - 2]), height - 14);
    context.lineTo(x(0), height - 14);
    context.fillStyle = colour;
    context.globalAlpha = 0.1;
    context.fill();
    context.globalAlpha = 1;
  }
  context.fillStyle = paint.ink;
  context.globalAlpha = 0.65;
  context.fillText(`${high.toFixed(0)} m`, 4, 10);
  context.fillText(`${low.toFixed(0)} m`, 4, height - 3);
  context.textAlign = "right";
  context.fillText(`${far.toFixed(0)} far`, width - 4, height - 3);
  context.globalAlpha = 1;
}
