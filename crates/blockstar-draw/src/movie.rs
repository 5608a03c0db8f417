//! Films: pictures of few colours, one after the other, as a GIF file.

use crate::Colour;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::borrow::Cow;
use std::io;

/// A film under construction. Frames are lists of colour numbers; only what has changed since the
/// previous frame is stored, as the rectangle around it, in which the rest is transparent.
pub struct Movie {
    encoder: Encoder<Vec<u8>>,
    width: u16,
    height: u16,
    last: Vec<u8>,
    delay: u16,
    /// The number of no colour, if there is one left.
    clear: Option<u8>,
}

impl Movie {
    /// A film of this size in these colours, at most 256, that shows each frame for this many
    /// hundredths of a second.
    ///
    /// # Errors
    /// If a side is 0, or there are too many colours.
    pub fn new(width: u16, height: u16, colours: &[Colour], delay: u16) -> io::Result<Self> {
        if width == 0 || height == 0 || colours.is_empty() || colours.len() > 256 {
            let problem = "a film has 1 to 256 colours and sides of at least one pixel";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        let mut palette: Vec<u8> = colours.iter().flat_map(|&Colour(r, g, b)| [r, g, b]).collect();
        let clear = u8::try_from(colours.len()).ok();
        palette.extend(clear.iter().flat_map(|_| [0; 3]));
        let mut encoder = Encoder::new(Vec::new(), width, height, &palette).map_err(broken)?;
        encoder.set_repeat(Repeat::Infinite).map_err(broken)?;
        Ok(Self { encoder, width, height, last: Vec::new(), delay, clear })
    }

    /// Adds a frame: the number of the colour of each pixel, row by row.
    ///
    /// # Errors
    /// If the number of pixels is not that of the film.
    pub fn add(&mut self, pixels: &[u8]) -> io::Result<()> {
        let (width, height) = (usize::from(self.width), usize::from(self.height));
        if pixels.len() != width * height {
            let problem = "a frame has as many pixels as the film";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
        }
        let changed = |index: &usize| self.last.get(*index) != Some(&pixels[*index]);
        let rows = (0..height).filter(|y| (y * width..(y + 1) * width).any(|i| changed(&i)));
        let (top, bottom) = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
        let columns = (0..width).filter(|x| (top..=bottom).any(|y| changed(&(y * width + x))));
        let (left, right) = (columns.clone().min().unwrap_or(0), columns.max().unwrap_or(0));
        let part: Vec<u8> = (top..=bottom)
            .flat_map(|y| y * width + left..=y * width + right)
            .map(|index| match self.clear {
                Some(clear) if !changed(&index) => clear,
                _ => pixels[index],
            })
            .collect();
        let frame = Frame {
            delay: self.delay,
            dispose: DisposalMethod::Keep,
            left: left as u16,
            top: top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
            transparent: self.clear,
            buffer: Cow::Owned(part),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(broken)?;
        self.last = pixels.to_vec();
        Ok(())
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(self) -> io::Result<Vec<u8>> {
        self.encoder.into_inner().map_err(broken)
    }
}

fn broken(error: EncodingError) -> io::Error {
    io::Error::other(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_film_has_its_size_and_its_end() {
        let colours = [Colour::WHITE, Colour::INK];
        let mut movie = Movie::new(4, 3, &colours, 10).unwrap();
        movie.add(&[0; 12]).unwrap();
        movie.add(&[0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0]).unwrap();
        assert!(movie.add(&[0; 11]).is_err());
        let bytes = movie.finish().unwrap();
        assert_eq!(&bytes[..10], b"GIF89a\x04\0\x03\0");
        assert_eq!(bytes.last(), Some(&0x3b));
        assert!(Movie::new(0, 3, &colours, 10).is_err());
    }
}
