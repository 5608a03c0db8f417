// The page's copy of the map, for drawing and for painting at once; the session's is the true one.

const BLOCKED = 255;

export class GridMap {
  /**
   * @param {number} width
   * @param {number} height
   * @param {string} name
   */
  constructor(width, height, name) {
    this.width = width;
    this.height = height;
    this.name = name;
    /** One byte per cell for the drawing: 255 blocked, else the shade of its terrain. */
    this.shades = new Uint8Array(width * height);
    /** @type {Uint16Array | null} factors in 1/256 */
    this.costs = null;
    /** @type {Float32Array | null} metres */
    this.heights = null;
    /** Another number after each change of a height. */
    this.heightsVersion = 0;
    this.cellSize = 1;
    this.revision = 0;
    this.freeCells = width * height;
    this.undo = 0;
    this.redo = 0;
    /** @private */
    this.dirtyFrom = 0;
    /** @private */
    this.dirtyTo = height;
    /** @private @type {[number, number] | null} */
    this.range = null;
  }

  isFree(/** @type {number} */ x, /** @type {number} */ y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height && this.shades[y * this.width + x] !== BLOCKED;
  }

  contains(/** @type {number} */ x, /** @type {number} */ y) {
    return x >= 0 && y >= 0 && x < this.width && y < this.height;
  }

  /** The factor of a cell. */
  cost(/** @type {number} */ x, /** @type {number} */ y) {
    return this.costs === null ? 1 : this.costs[y * this.width + x] / 256;
  }

  /** @returns {[number, number]} */
  heightRange() {
    if (this.range === null) {
      let low = Infinity,
        high = -Infinity;
      for (const height of this.heights ?? []) {
        if (height < low) low = height;
        if (height > high) high = height;
      }
      this.range = low <= high ? [low, high] : [0, 0];
    }
    return this.range;
  }

  /**
   * Takes over a part as the session sent it.
   * @param {{x: number, y: number, width: number, height: number}} area
   * @param {Uint8Array} free
   * @param {Uint16Array | null} costs
   * @param {Float32Array | null} heights
   */
  put(area, free, costs, heights) {
    if (costs !== null && this.costs === null) this.costs = new Uint16Array(this.shades.length).fill(256);
    if (heights !== null && this.heights === null) this.heights = new Float32Array(this.shades.length);
    for (let row = 0; row < area.height; row++) {
      const source = row * area.width,
        target = (area.y + row) * this.width + area.x;
      for (let i = 0; i < area.width; i++) {
        const cost = costs === null ? 256 : costs[source + i];
        this.shades[target + i] = free[source + i] === 0 ? BLOCKED : shadeOf(cost);
        if (costs !== null && this.costs !== null) this.costs[target + i] = cost;
        if (heights !== null && this.heights !== null) this.heights[target + i] = heights[source + i];
      }
    }
    if (heights !== null) {
      this.range = null;
      this.heightsVersion++;
    }
    this.touch(area.y, area.y + area.height);
  }

  /** Paints a cell before the session has answered. @param {number} index @param {boolean} free @param {number} factor */
  paint(index, free, factor = 1) {
    this.shades[index] = free ? shadeOf(factor * 256) : BLOCKED;
    const row = Math.floor(index / this.width);
    this.touch(row, row + 1);
  }

  /** @private */
  touch(/** @type {number} */ from, /** @type {number} */ to) {
    this.dirtyFrom = Math.min(this.dirtyFrom, from);
    this.dirtyTo = Math.max(this.dirtyTo, to);
  }

  /** The rows that changed since the last call. @returns {[number, number]} */
  takeDirtyRows() {
    const rows = /** @type {[number, number]} */ ([this.dirtyFrom, Math.min(this.dirtyTo, this.height)]);
    this.dirtyFrom = this.height;
    this.dirtyTo = 0;
    return rows;
  }

  isDirty() {
    return this.dirtyTo > this.dirtyFrom;
  }
}

/** Terrain shades are logarithmic: from 1 (none) over 2 and 4 to 16 and more. */
function shadeOf(/** @type {number} */ cost) {
  if (cost <= 256) return 0;
  return Math.min(254, Math.round((Math.log2(cost / 256) / 4) * 254));
}
