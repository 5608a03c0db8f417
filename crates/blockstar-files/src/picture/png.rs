//! PNG files: palettes become colours, and pixels of fewer than eight bits are stretched to eight.

use super::{Channels, Depth, MOST_BYTES, Picture, PictureError, Samples, Shape};
use png::{BitDepth, ColorType, Decoder, DecodingError, Limits, Transformations};
use std::io::Cursor;

/// Decodes a file.
pub fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
    let limit = usize::try_from(MOST_BYTES).unwrap_or(usize::MAX);
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: limit });
    let header = decoder.read_header_info().map_err(fault)?;
    // Only the size, before any chunk is decompressed; the channels are not known until the palette
    // is.
    let (width, height) = (header.width, header.height);
    Shape { width, height, channels: Channels::Grey, depth: Depth::Eight }.check()?;
    decoder.set_transformations(Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(fault)?;
    let (colour, bits) = reader.output_color_type();
    let channels = match colour {
        ColorType::Grayscale => Channels::Grey,
        ColorType::GrayscaleAlpha => Channels::GreyAlpha,
        ColorType::Rgb => Channels::Rgb,
        ColorType::Rgba => Channels::Rgba,
        ColorType::Indexed => return Err(PictureError::of("its palette cannot be applied")),
    };
    let depth = if bits == BitDepth::Sixteen { Depth::Sixteen } else { Depth::Eight };
    let shape = Shape { width, height, channels, depth };
    let mut data = vec![0; shape.check()? * depth as usize];
    reader.next_frame(&mut data).map_err(fault)?;
    let samples = match depth {
        Depth::Eight => Samples::Eight(data),
        Depth::Sixteen => Samples::Sixteen(
            data.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect(),
        ),
    };
    Ok(Picture { shape, samples })
}

// By value for `map_err`.
#[allow(clippy::needless_pass_by_value)]
fn fault(error: DecodingError) -> PictureError {
    match error {
        DecodingError::LimitsExceeded => PictureError::Memory,
        error => PictureError::of(error.to_string()),
    }
}
