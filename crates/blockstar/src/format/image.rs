//! Maps from grey pixels. Decoding a picture is up to the caller: this takes one byte of brightness
//! per pixel, row by row from the top, as every decoder gives it.

use crate::{Error, Grid, grid::check_length};

/// A map from brightness: a pixel of at least `threshold` is free, a darker one is blocked.
///
/// With 128, white is free and black is a wall; 0 makes every cell free.
///
/// ```
/// use blockstar::{Cell, format::image};
/// let grid = image::from_luma(3, 1, &[255, 128, 127], 128)?;
/// assert!(grid.is_free(Cell::new(1, 0)));
/// assert!(!grid.is_free(Cell::new(2, 0)));
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn from_luma(width: u32, height: u32, pixels: &[u8], threshold: u8) -> Result<Grid, Error> {
    check_length(width, height, pixels.len())?;
    Grid::from_fn(width, height, |c| {
        pixels[c.y as usize * width as usize + c.x as usize] >= threshold
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_threshold_itself_is_free() {
        let free = |threshold| from_luma(2, 2, &[0, 1, 254, 255], threshold).unwrap().free_cells();
        assert_eq!([0, 1, 2, 254, 255].map(free), [4, 3, 2, 2, 1]);
    }

    #[test]
    fn pixels_that_do_not_fit_the_size_are_refused() {
        let message = |w, h, pixels| from_luma(w, h, pixels, 1).unwrap_err().to_string();
        assert!(message(2, 2, &[0; 3]).contains("give exactly 4"));
        assert!(message(0, 2, &[]).contains("0 x 2"));
        assert!(message(u32::MAX, u32::MAX, &[]).contains("16384"));
    }
}
