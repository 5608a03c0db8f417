//! BMP files: palettes of 1, 2, 4 and 8 bits, plain or run-length encoded, and colours of 16, 24
//! and 32 bits with any masks. The writer makes 8-bit grey pictures.

use super::{Channels, Depth, Picture, PictureError, Samples, Shape};

/// A grey picture as a file; there must be a byte for each pixel.
pub fn encode_grey(width: u32, height: u32, pixels: &[u8]) -> Vec<u8> {
    let stride = width.next_multiple_of(4);
    let data = 14 + 40 + 4 * 256;
    let size = stride * height;
    let mut bytes = b"BM".to_vec();
    let file = [data + size, 0, data];
    // Header size, width, height, planes and bits, no compression, data size, pixels per metre,
    // colours, important colours.
    let header = [40, width, height, 8 << 16 | 1, 0, size, 0, 0, 256, 0];
    bytes.extend(file.into_iter().chain(header).flat_map(u32::to_le_bytes));
    bytes.extend((0..=255_u8).flat_map(|grey| [grey, grey, grey, 0]));
    for row in pixels.chunks_exact(width as usize).rev() {
        bytes.extend_from_slice(row);
        bytes.resize(bytes.len() + (stride - width) as usize, 0);
    }
    bytes
}

/// Decodes a file.
pub fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
    if !bytes.starts_with(b"BM") {
        return Err(PictureError::of("it does not begin with BM"));
    }
    let file = File { bytes };
    let header = Header::read(file)?;
    let data = bytes.get(file.u32(10)? as usize..).ok_or_else(PictureError::cut_off)?;
    let channels = if header.masks[3].bits > 0 { Channels::Rgba } else { Channels::Rgb };
    let Header { width, height, .. } = header;
    let shape = Shape { width, height, channels, depth: Depth::Eight };
    let count = shape.check()?;
    let samples = match header.coding {
        Coding::Plain => header.plain(data, shape)?,
        Coding::Runs => header.runs(data, count)?,
    };
    Ok(Picture { shape, samples: Samples::Eight(samples) })
}

#[derive(Clone, Copy)]
struct File<'a> {
    bytes: &'a [u8],
}

impl File<'_> {
    fn u16(self, at: usize) -> Result<u16, PictureError> {
        let bytes = self.bytes.get(at..at + 2).ok_or_else(PictureError::cut_off)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn u32(self, at: usize) -> Result<u32, PictureError> {
        Ok(u32::from(self.u16(at)?) | u32::from(self.u16(at + 2)?) << 16)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Coding {
    Plain,
    Runs,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    FromTop,
    FromBottom,
}

struct Header {
    width: u32,
    height: u32,
    order: Order,
    bits: u32,
    coding: Coding,
    /// 256 colours, black where the file has fewer; unused above 8 bits.
    palette: Vec<[u8; 3]>,
    /// Red, green, blue and alpha; unused up to 8 bits.
    masks: [Mask; 4],
}

/// The header after the 14 bytes of the file header.
const HEADER: usize = 14;

impl Header {
    fn read(file: File<'_>) -> Result<Self, PictureError> {
        let size = file.u32(HEADER)?;
        if !matches!(size, 12 | 40 | 52 | 56 | 108 | 124) {
            return Err(PictureError::of(format!("a header of {size} bytes is unknown")));
        }
        let core = size == 12;
        let (width, height, planes, bits) = if core {
            let [width, height, planes, bits] =
                [4, 6, 8, 10].map(|at| file.u16(HEADER + at).map(i32::from));
            (width?, height?, planes?, bits?)
        } else {
            let [width, height] = [4, 8].map(|at| file.u32(HEADER + at).map(|side| side as i32));
            let [planes, bits] = [12, 14].map(|at| file.u16(HEADER + at).map(i32::from));
            (width?, height?, planes?, bits?)
        };
        let compression = if core { 0 } else { file.u32(HEADER + 16)? };
        // Rows come from the bottom, unless the height is negative.
        let order = if height < 0 { Order::FromTop } else { Order::FromBottom };
        let Ok(width) = u32::try_from(width) else {
            return Err(PictureError::of(format!("its width is {width}")));
        };
        let known = match compression {
            0 if core => matches!(bits, 1 | 4 | 8 | 24),
            0 => matches!(bits, 1 | 2 | 4 | 8 | 16 | 24 | 32),
            1 => bits == 8 && order == Order::FromBottom,
            2 => bits == 4 && order == Order::FromBottom,
            3 => matches!(bits, 16 | 32),
            _ => false,
        };
        if planes != 1 || !known {
            return Err(PictureError::of(format!(
                "{planes} planes of {bits} bits with compression {compression} are unknown"
            )));
        }
        let bits = bits as u32;
        let masks = match (compression, bits) {
            (3, _) => {
                let at = |index: usize| file.u32(HEADER + 40 + 4 * index);
                let alpha = if size >= 56 { at(3)? } else { 0 };
                [at(0)?, at(1)?, at(2)?, alpha]
            }
            (_, 16) => [0x7c00, 0x3e0, 0x1f, 0],
            _ => [0xff_0000, 0xff00, 0xff, 0],
        };
        let [red, green, blue, alpha] = masks.map(|mask| Mask::of(mask, bits));
        let masks = [red?, green?, blue?, alpha?];
        if compression == 3 && masks[..3].iter().any(|mask| mask.bits == 0) {
            return Err(PictureError::of("a colour has no bits"));
        }
        let palette = if bits <= 8 { Self::palette(file, size, bits)? } else { Vec::new() };
        Ok(Self {
            width,
            height: height.unsigned_abs(),
            order,
            bits,
            coding: if matches!(compression, 1 | 2) { Coding::Runs } else { Coding::Plain },
            palette,
            masks,
        })
    }

    fn palette(file: File<'_>, size: u32, bits: u32) -> Result<Vec<[u8; 3]>, PictureError> {
        let core = size == 12;
        let listed = if core { 0 } else { file.u32(HEADER + 32)? };
        let count = if listed == 0 { 1 << bits } else { listed };
        if count > 1 << bits {
            return Err(PictureError::of(format!("it has {count} colours for {bits} bits")));
        }
        let (count, each) = (count as usize, if core { 3 } else { 4 });
        let start = HEADER + size as usize;
        let colours =
            file.bytes.get(start..start + count * each).ok_or_else(PictureError::cut_off)?;
        let mut palette: Vec<_> =
            colours.chunks_exact(each).map(|colour| [colour[2], colour[1], colour[0]]).collect();
        palette.resize(256, [0; 3]);
        Ok(palette)
    }

    /// The colour of a pixel, by the bits of the file.
    fn colour(&self, pixel: u32) -> [u8; 4] {
        if self.bits <= 8 {
            let [red, green, blue] = self.palette[pixel as usize & 0xff];
            return [red, green, blue, 255];
        }
        self.masks.map(|mask| mask.read(pixel))
    }

    fn plain(&self, data: &[u8], shape: Shape) -> Result<Vec<u8>, PictureError> {
        let (width, height) = (shape.width as usize, shape.height as usize);
        let bits = self.bits as usize;
        let stride = (width * bits).div_ceil(32) * 4;
        let data = data.get(..stride * height).ok_or_else(PictureError::cut_off)?;
        let channels = shape.channels as usize;
        let mut samples = Vec::with_capacity(width * height * channels);
        for y in 0..height {
            let from_top = if self.order == Order::FromTop { y } else { height - 1 - y };
            let row = &data[from_top * stride..][..stride];
            for x in 0..width {
                let pixel = if bits < 8 {
                    let shift = 8 - bits - x * bits % 8;
                    u32::from(row[x * bits / 8]) >> shift & ((1 << bits) - 1)
                } else {
                    let bytes = &row[x * bits / 8..][..bits / 8];
                    bytes.iter().rev().fold(0, |pixel, &byte| pixel << 8 | u32::from(byte))
                };
                samples.extend_from_slice(&self.colour(pixel)[..channels]);
            }
        }
        Ok(samples)
    }

    /// Run-length encoded rows from the bottom. Pixels that the runs skip are black.
    fn runs(&self, data: &[u8], count: usize) -> Result<Vec<u8>, PictureError> {
        let wrong = || PictureError::of("its runs leave the picture");
        let (width, height) = (self.width as usize, self.height as usize);
        let mut samples = vec![0; count];
        let mut put = |x: usize, y: usize, index: u8| {
            let at = ((height - 1 - y) * width + x) * 3;
            samples[at..at + 3].copy_from_slice(&self.palette[usize::from(index)]);
        };
        // The pixel with this number in a run: half a byte each with 4 bits.
        let half = self.bits == 4;
        let nibble = |byte: u8, i: usize| if i.is_multiple_of(2) { byte >> 4 } else { byte & 0xf };
        let mut data = data.iter().copied();
        let mut next = || data.next().ok_or_else(PictureError::cut_off);
        let (mut x, mut y) = (0, 0);
        while y < height {
            match (next()?, next()?) {
                (0, 0) => (x, y) = (0, y + 1),
                (0, 1) => break,
                (0, 2) => {
                    (x, y) = (x + usize::from(next()?), y + usize::from(next()?));
                    if x > width || y >= height {
                        return Err(wrong());
                    }
                }
                (0, length) => {
                    let length = usize::from(length);
                    if x + length > width {
                        return Err(wrong());
                    }
                    let mut byte = 0;
                    for i in 0..length {
                        if !half || i.is_multiple_of(2) {
                            byte = next()?;
                        }
                        put(x + i, y, if half { nibble(byte, i) } else { byte });
                    }
                    // In whole words.
                    let read = if half { length.div_ceil(2) } else { length };
                    if read % 2 == 1 {
                        next()?;
                    }
                    x += length;
                }
                (length, byte) => {
                    // Some writers let a run cross the end of a row: it is cut off there.
                    let length = usize::from(length).min(width - x);
                    for i in 0..length {
                        put(x + i, y, if half { nibble(byte, i) } else { byte });
                    }
                    x += length;
                }
            }
        }
        Ok(samples)
    }
}

/// Which bits of a pixel are a channel.
#[derive(Clone, Copy)]
struct Mask {
    shift: u32,
    /// At most 8; if there are more, the upper ones.
    bits: u32,
}

impl Mask {
    fn of(mask: u32, pixel: u32) -> Result<Self, PictureError> {
        if mask == 0 || pixel <= 8 {
            return Ok(Self { shift: 0, bits: 0 });
        }
        let shift = mask.trailing_zeros();
        let bits = mask.count_ones();
        if (mask >> shift).trailing_ones() != bits || bits + shift > pixel {
            return Err(PictureError::of(format!("{mask:#x} is not a valid channel mask")));
        }
        let cut = bits.saturating_sub(8);
        Ok(Self { shift: shift + cut, bits: bits - cut })
    }

    /// The channel of a pixel, stretched to 8 bits.
    fn read(self, pixel: u32) -> u8 {
        if self.bits == 0 {
            return 255;
        }
        let most = (1 << self.bits) - 1;
        (((pixel >> self.shift & most) * 510 + most) / (2 * most)) as u8
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A file with this header after its size, a palette and data.
    fn file(header: &[u32], palette: &[u8], data: &[u8]) -> Vec<u8> {
        let size = 4 * (header.len() + 1);
        let mut bytes = b"BM".to_vec();
        let start = HEADER + size + palette.len();
        let words = [0, 0, start as u32, size as u32];
        bytes.extend(words.iter().chain(header).flat_map(|word| word.to_le_bytes()));
        bytes.extend_from_slice(palette);
        bytes.extend_from_slice(data);
        bytes
    }

    fn plain(width: u32, height: i32, bits: u32, compression: u32) -> [u32; 9] {
        [width, height as u32, bits << 16 | 1, compression, 0, 0, 0, 0, 0]
    }

    /// Three by two pixels in runs: a run, pixels one by one and a jump.
    pub fn rle8() -> Vec<u8> {
        let mut palette = vec![0; 1024];
        palette[4..8].copy_from_slice(&[1, 2, 3, 0]);
        file(&plain(3, 2, 8, 1), &palette, &[2, 1, 0, 2, 0, 1, 0, 0, 0, 1])
    }

    fn samples(bytes: &[u8]) -> Vec<u8> {
        decode(bytes).unwrap().bytes()
    }

    #[test]
    fn palettes_and_colours_are_read() {
        let grey = encode_grey(3, 2, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(samples(&grey), [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5, 6, 6, 6]);
        let two = [0, 0, 0, 0, 9, 8, 7, 0];
        let bits = file(&plain(3, -1, 1, 0), &two, &[0b0100_0000, 0, 0, 0]);
        assert_eq!(samples(&bits), [0, 0, 0, 7, 8, 9, 0, 0, 0]);
        let deep = file(&plain(1, 1, 16, 0), &[], &[0xff, 0x7f, 0, 0]);
        assert_eq!(samples(&deep), [255, 255, 255]);
        let four = file(&plain(1, 1, 32, 0), &[], &[3, 2, 1, 77]);
        assert_eq!(samples(&four), [1, 2, 3]);
        let masks = [0xf800_u32, 0x7e0, 0x1f].map(u32::to_le_bytes).concat();
        let fields = file(&plain(1, 1, 16, 3), &masks, &[0x1f, 0xf8, 0, 0]);
        assert_eq!(samples(&fields), [255, 0, 255]);
    }

    #[test]
    fn runs_are_followed() {
        assert_eq!(samples(&rle8()), [0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 2, 1, 3, 2, 1, 0, 0, 0]);
        let palette: Vec<u8> = (0..16).flat_map(|i| [i, i, i, 0]).collect();
        let halves = file(&plain(5, 1, 4, 2), &palette, &[0, 3, 0x12, 0x30, 2, 0x45, 0, 1]);
        assert_eq!(samples(&halves), [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5]);
        let outside = file(&plain(2, 1, 4, 2), &palette, &[0, 3, 0x12, 0x30, 0, 1]);
        assert!(matches!(decode(&outside), Err(PictureError::Broken(_))));
    }

    #[test]
    fn channels_of_few_bits_are_stretched() {
        for bits in 1..=8_u32 {
            let mask = Mask { shift: 0, bits };
            for value in 0..1 << bits {
                let exact = f64::from(value) / f64::from((1 << bits) - 1) * 255.0;
                assert_eq!(mask.read(value), exact.round() as u8, "{bits} {value}");
            }
        }
    }
}
