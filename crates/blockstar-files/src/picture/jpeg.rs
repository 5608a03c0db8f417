//! JPEG files, grey or in colours.

use super::{Channels, Depth, MOST, Picture, PictureError, Samples, Shape};
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

/// Decodes a file.
pub fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
    // The size is checked below, with the same message as for all pictures.
    let options = DecoderOptions::default()
        .set_strict_mode(false)
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX));
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|error| PictureError::of(error.to_string()))?;
    let (width, height) = decoder.dimensions().ok_or_else(PictureError::cut_off)?;
    let side = |side: usize| u32::try_from(side).unwrap_or(MOST + 1);
    let (space, channels) = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => (ColorSpace::Luma, Channels::Grey),
        _ => (ColorSpace::RGB, Channels::Rgb),
    };
    decoder.set_options(options.jpeg_set_out_colorspace(space));
    let shape = Shape { width: side(width), height: side(height), channels, depth: Depth::Eight };
    let expected = shape.check()?;
    let samples = decoder.decode().map_err(|error| PictureError::of(error.to_string()))?;
    if samples.len() != expected {
        return Err(PictureError::cut_off());
    }
    Ok(Picture { shape, samples: Samples::Eight(samples) })
}
