//! Hills from a seed.

use super::stream;
use crate::grid::check_size;
use crate::{Error, Grid};

/// Fractal hills: an open map with heights from 0 to `highest`. `roughness`, from 0 to 1, is how
/// high hills are compared with those of twice their size: 0.5 looks like old mountains.
///
/// The heights are sums of lattices of random heights, each twice as fine as the one before,
/// smoothly interpolated. Only sums and products are involved, so the same arguments give the same
/// heights on every machine.
///
/// ```
/// let grid = blockstar::generate::terrain(64, 48, 0.5, 900.0, 7)?;
/// let (low, high) = grid.height_range();
/// assert_eq!((low, high), (0.0, 900.0));
/// # Ok::<(), blockstar::Error>(())
/// ```
pub fn terrain(
    width: u32,
    height: u32,
    roughness: f64,
    highest: f64,
    seed: u64,
) -> Result<Grid, Error> {
    check_size(width.into(), height.into())?;
    if !(0.0..=1.0).contains(&roughness) {
        return Err(Error::Range { what: "the roughness", value: roughness, range: "0 to 1" });
    }
    if !(0.0..=1e9).contains(&highest) {
        let (what, range) = ("the highest height", "0 to 1000000000");
        return Err(Error::Range { what, value: highest, range });
    }
    let heights = scaled(fractal(width, height, roughness, seed), highest);
    let mut grid = Grid::new(width, height)?;
    grid.set_heights(&heights)?;
    Ok(grid)
}

/// Sums of ever finer lattices of random heights.
pub(crate) fn fractal(width: u32, height: u32, roughness: f64, seed: u64) -> Vec<f64> {
    let mut random = stream(seed, "terrain");
    let mut values = vec![0.0; width as usize * height as usize];
    let mut pitch = f64::from(width.max(height)) / 2.0;
    let mut share = 1.0;
    while pitch >= 1.0 && share > 1e-3 {
        let columns = (f64::from(width) / pitch) as usize + 2;
        let rows = (f64::from(height) / pitch) as usize + 2;
        let lattice: Vec<f64> =
            (0..columns * rows).map(|_| random.below(1 << 20) as f64 / (1 << 20) as f64).collect();
        let smooth = |t: f64| t * t * (3.0 - 2.0 * t);
        for y in 0..height {
            let v = f64::from(y) / pitch;
            let (row, down) = (v as usize, smooth(v - v.floor()));
            for x in 0..width {
                let u = f64::from(x) / pitch;
                let (column, across) = (u as usize, smooth(u - u.floor()));
                let at = |dx: usize, dy: usize| lattice[(row + dy) * columns + column + dx];
                let upper = at(0, 0) + (at(1, 0) - at(0, 0)) * across;
                let lower = at(0, 1) + (at(1, 1) - at(0, 1)) * across;
                let value = upper + (lower - upper) * down;
                values[y as usize * width as usize + x as usize] += share * value;
            }
        }
        pitch /= 2.0;
        share *= roughness;
    }
    values
}

/// Scales heights to a range from 0 to `highest`.
pub(crate) fn scaled(values: Vec<f64>, highest: f64) -> Vec<f32> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = if high > low { high - low } else { 1.0 };
    values.into_iter().map(|value| ((value - low) / range * highest) as f32).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    #[test]
    fn hills_depend_on_their_arguments_alone() {
        let heights = |grid: &Grid| -> Vec<u32> {
            (0..grid.width() * grid.height())
                .map(|i| Cell::new(i % grid.width(), i / grid.width()))
                .map(|cell| grid.height_at(cell).unwrap().to_bits())
                .collect()
        };
        let one = heights(&terrain(33, 20, 0.5, 100.0, 4).unwrap());
        assert_eq!(one, heights(&terrain(33, 20, 0.5, 100.0, 4).unwrap()));
        assert_ne!(one, heights(&terrain(33, 20, 0.5, 100.0, 5).unwrap()));
        let sum =
            one.iter().fold(0u64, |sum, &bits| sum.wrapping_mul(31).wrapping_add(bits.into()));
        assert_eq!(sum, PINNED, "the hills of a seed have changed");
        assert!(terrain(3, 3, f64::NAN, 1.0, 1).is_err());
        assert!(terrain(3, 3, 0.5, -1.0, 1).is_err());
        assert!(terrain(0, 3, 0.5, 1.0, 1).is_err());
        terrain(1, 1, 0.0, 0.0, 1).unwrap();
    }

    const PINNED: u64 = 11_612_712_649_694_598_484;
}
