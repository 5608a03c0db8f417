// Where the map is on the screen: one camera for all panes, in pixels of the stage.

/** @typedef {{x: number, y: number, width: number, height: number}} Box in CSS pixels */

export class Camera {
  constructor() {
    /** Pixels per cell. */
    this.scale = 10;
    /** The cell coordinates in the middle of a pane. */
    this.x = 0;
    this.y = 0;
    /** Whether the whole map was last fitted, so that a resize fits it again. */
    this.fitted = true;
  }

  /**
   * Shows the whole map in panes of this size.
   * @param {number} width of the map, in cells
   * @param {number} height
   * @param {Box} box
   */
  fit(width, height, box) {
    const margin = Math.min(28, box.width * 0.04);
    const scale = Math.min((box.width - 2 * margin) / width, (box.height - 2 * margin) / height);
    // Whole pixels per cell where that costs little: the lines between cells are even then.
    this.scale = scale > 6 ? Math.floor(scale) : Math.max(scale, 0.02);
    this.x = width / 2;
    this.y = height / 2;
    this.fitted = true;
  }

  /**
   * From the screen to the map.
   * @param {Box} box
   * @param {number} px
   * @param {number} py
   * @returns {[number, number]}
   */
  toMap(box, px, py) {
    const [left, top] = this.origin(box);
    return [(px - left) / this.scale, (py - top) / this.scale];
  }

  /**
   * From the map to the screen.
   * @param {Box} box
   * @param {number} x
   * @param {number} y
   * @returns {[number, number]}
   */
  toScreen(box, x, y) {
    const [left, top] = this.origin(box);
    return [left + x * this.scale, top + y * this.scale];
  }

  /** Where the corner of the map is; on whole pixels, so that cells are. @returns {[number, number]} */
  origin(/** @type {Box} */ box) {
    return [
      Math.round(box.x + box.width / 2 - this.x * this.scale),
      Math.round(box.y + box.height / 2 - this.y * this.scale),
    ];
  }

  /**
   * Zooms about a point of the screen, which stays where it is.
   * @param {Box} box
   * @param {number} px
   * @param {number} py
   * @param {number} factor
   */
  zoom(box, px, py, factor) {
    const [x, y] = this.toMap(box, px, py);
    this.scale = Math.min(Math.max(this.scale * factor, 0.05), 160);
    this.x = x - (px - box.x - box.width / 2) / this.scale;
    this.y = y - (py - box.y - box.height / 2) / this.scale;
    this.fitted = false;
  }

  /** @param {number} dx in pixels @param {number} dy */
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.fitted = false;
  }
}
