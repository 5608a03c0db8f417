//! Plain pixels, and their encoding as a PNG file.

use png::{BitDepth, ColorType, Encoder};
use std::borrow::Cow;
use std::io;

/// The pixels of a picture, row by row from the top.
#[derive(Clone, Copy, Debug)]
pub enum Pixels<'a> {
    /// Shades of grey, one byte per pixel.
    Grey8(&'a [u8]),
    /// Shades of grey, 16 bits per pixel.
    Grey16(&'a [u16]),
    /// Red, green and blue, three bytes per pixel.
    Rgb8(&'a [u8]),
}

impl Pixels<'_> {
    /// Encodes a picture of this size as a PNG file.
    ///
    /// # Errors
    /// If a side is 0, or if the size does not match the number of pixels.
    pub fn png(self, width: u32, height: u32) -> io::Result<Vec<u8>> {
        let (colour, depth, data) = match self {
            Self::Grey8(pixels) => (ColorType::Grayscale, BitDepth::Eight, Cow::Borrowed(pixels)),
            Self::Grey16(pixels) => {
                let bytes: Vec<u8> = pixels.iter().flat_map(|pixel| pixel.to_be_bytes()).collect();
                (ColorType::Grayscale, BitDepth::Sixteen, Cow::Owned(bytes))
            }
            Self::Rgb8(pixels) => (ColorType::Rgb, BitDepth::Eight, Cow::Borrowed(pixels)),
        };
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, width, height);
        encoder.set_color(colour);
        encoder.set_depth(depth);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&data)?;
        writer.finish()?;
        Ok(bytes)
    }
}
