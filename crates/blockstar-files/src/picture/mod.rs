//! Pictures: PNG, PNM, BMP and JPEG to grey values or colours.
//!
//! Files are not trusted. A decoder reports the size before it decodes; a picture that is larger
//! than the largest map, or needs too much memory, is refused before that memory is allocated.

mod bmp;
mod jpeg;
mod png;
mod pnm;

pub use bmp::encode_grey as encode_bmp;

use crate::extension;
use blockstar::Grid;
use std::path::Path;

/// The longest side of a picture.
const MOST: u32 = Grid::MAX_SIDE;

/// The largest picture with four bytes per pixel, and room for the decoder.
const MOST_BYTES: u64 = MOST as u64 * MOST as u64 * 4 + (64 << 20);

/// A decoded picture.
#[derive(Debug, PartialEq, Eq)]
pub struct Picture {
    shape: Shape,
    samples: Samples,
}

/// The size of a picture, and the kind of its pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    width: u32,
    height: u32,
    channels: Channels,
    depth: Depth,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channels {
    Grey = 1,
    GreyAlpha = 2,
    Rgb = 3,
    Rgba = 4,
}

/// Bytes per channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    Eight = 1,
    Sixteen = 2,
}

#[derive(Debug, PartialEq, Eq)]
enum Samples {
    Eight(Vec<u8>),
    Sixteen(Vec<u16>),
}

/// Shades of grey, row by row from the top.
#[derive(Debug, PartialEq, Eq)]
pub enum Grey {
    /// One byte per pixel.
    Eight(Vec<u8>),
    /// 16 bits per pixel.
    Sixteen(Vec<u16>),
}

/// The kinds of picture that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PictureFormat {
    Png,
    Pnm,
    Bmp,
    Jpeg,
}

/// Why a picture cannot be decoded.
#[derive(Debug, PartialEq, Eq)]
enum PictureError {
    /// A side is 0 or longer than that of a map.
    Size(u32, u32),
    /// It needs more memory than permitted.
    Memory,
    /// Anything else, as the end of a sentence.
    Broken(String),
}

impl PictureError {
    fn of(what: impl Into<String>) -> Self {
        Self::Broken(what.into())
    }

    fn cut_off() -> Self {
        Self::of("it is cut off")
    }
}

impl Shape {
    /// Refuses a picture that is too large; otherwise returns the number of its samples.
    fn check(&self) -> Result<usize, PictureError> {
        let side = 1..=MOST;
        if !side.contains(&self.width) || !side.contains(&self.height) {
            return Err(PictureError::Size(self.width, self.height));
        }
        let samples = u64::from(self.width) * u64::from(self.height) * self.channels as u64;
        if samples * self.depth as u64 > MOST_BYTES {
            return Err(PictureError::Memory);
        }
        usize::try_from(samples).map_err(|_| PictureError::Memory)
    }
}

impl PictureFormat {
    /// The kind according to the first bytes of a file.
    fn of_content(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(Self::Png),
            [b'P', b'1'..=b'7', ..] => Some(Self::Pnm),
            [b'B', b'M', ..] => Some(Self::Bmp),
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            _ => None,
        }
    }

    /// The kind according to the name of a file.
    fn of_name(path: &Path) -> Option<Self> {
        match extension(path).as_str() {
            "png" => Some(Self::Png),
            "pgm" | "pbm" | "ppm" | "pnm" | "pam" => Some(Self::Pnm),
            "bmp" => Some(Self::Bmp),
            "jpg" | "jpeg" => Some(Self::Jpeg),
            _ => None,
        }
    }

    fn decode(self, bytes: &[u8]) -> Result<Picture, PictureError> {
        match self {
            Self::Png => png::decode(bytes),
            Self::Pnm => pnm::decode(bytes),
            Self::Bmp => bmp::decode(bytes),
            Self::Jpeg => jpeg::decode(bytes),
        }
    }
}

impl Picture {
    /// Whether the first bytes of a file are those of a picture.
    pub fn is_likely(bytes: &[u8]) -> bool {
        PictureFormat::of_content(bytes).is_some()
    }

    /// Decodes the bytes of a file. Content takes precedence over the name: a picture under the
    /// wrong name is still a picture.
    ///
    /// # Errors
    /// If the bytes are not a picture, or it is too large; the message names the file.
    pub fn decode(path: &Path, bytes: &[u8]) -> Result<Self, String> {
        let name = path.display();
        let kind = PictureFormat::of_content(bytes).or_else(|| PictureFormat::of_name(path));
        let unknown = || PictureError::of("it is neither PNG, PNM, BMP nor JPEG");
        kind.ok_or_else(unknown).and_then(|kind| kind.decode(bytes)).map_err(|fault| match fault {
            PictureError::Size(width, height) => format!(
                "{name}: this picture has {width} x {height} pixels, but each side must be 1 to \
                 {MOST}: scale it down"
            ),
            PictureError::Memory => format!(
                "{name}: this picture needs more memory than is given to it: use grey pixels, and at \
                 most {MOST} x {MOST} of them"
            ),
            PictureError::Broken(what) => format!("{name} cannot be read as a picture: {what}"),
        })
    }

    /// The pixels in a row.
    pub fn width(&self) -> u32 {
        self.shape.width
    }

    /// The rows.
    pub fn height(&self) -> u32 {
        self.shape.height
    }

    /// The brightness of each pixel, from 0 to 255; transparency is ignored.
    pub fn brightness(&self) -> Vec<u8> {
        let channels = self.shape.channels as usize;
        match &self.samples {
            Samples::Eight(samples) => {
                samples.chunks_exact(channels).map(|pixel| luma(pixel, 1)).collect()
            }
            Samples::Sixteen(samples) => {
                samples.chunks_exact(channels).map(|pixel| luma(pixel, 257)).collect()
            }
        }
    }

    /// The grey values of an opaque picture without colours, exactly as stored.
    ///
    /// # Errors
    /// If the picture has colours or transparency; the message says which, as the beginning of a
    /// sentence.
    pub fn into_grey(self) -> Result<Grey, String> {
        let channels = self.shape.channels;
        Ok(match self.samples {
            Samples::Eight(samples) => Grey::Eight(grey(samples, channels, u8::MAX)?),
            Samples::Sixteen(samples) => Grey::Sixteen(grey(samples, channels, u16::MAX)?),
        })
    }
}

/// The brightness of a pixel from 0 to 255, rounded, by the weights of the sRGB primaries. A step
/// of 1 is `unit` in the samples.
fn luma<T: Copy + Into<u64>>(pixel: &[T], unit: u64) -> u8 {
    const WHOLE: u64 = 1_000_000_000;
    let sum = match *pixel {
        [red, green, blue, ..] => {
            212_647_813 * red.into() + 715_179_148 * green.into() + 72_173_039 * blue.into()
        }
        [grey, ..] => WHOLE * grey.into(),
        [] => 0,
    };
    ((sum + WHOLE * unit / 2) / (WHOLE * unit)) as u8
}

fn grey<T: Copy + PartialEq>(
    samples: Vec<T>,
    channels: Channels,
    opaque: T,
) -> Result<Vec<T>, String> {
    let pixels = || samples.chunks_exact(channels as usize);
    let has_alpha = matches!(channels, Channels::GreyAlpha | Channels::Rgba);
    if has_alpha && pixels().any(|pixel| pixel.last() != Some(&opaque)) {
        return Err("this picture has transparent pixels".into());
    }
    let has_colours = matches!(channels, Channels::Rgb | Channels::Rgba);
    if has_colours && pixels().any(|pixel| pixel[0] != pixel[1] || pixel[1] != pixel[2]) {
        return Err("this picture has colours".into());
    }
    if channels == Channels::Grey {
        return Ok(samples);
    }
    Ok(pixels().map(|pixel| pixel[0]).collect())
}

#[cfg(test)]
impl Picture {
    /// The samples of a picture that has eight bits of each.
    fn bytes(self) -> Vec<u8> {
        match self.samples {
            Samples::Eight(samples) => samples,
            Samples::Sixteen(samples) => panic!("{samples:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brightness_is_weighted_and_rounded() {
        let shape = Shape { width: 2, height: 1, channels: Channels::Rgb, depth: Depth::Eight };
        let picture = Picture { shape, samples: Samples::Eight(vec![255, 0, 0, 10, 20, 30]) };
        assert_eq!(picture.brightness(), [54, 19]);
        assert_eq!(picture.into_grey(), Err("this picture has colours".into()));
        let shape = Shape { channels: Channels::GreyAlpha, depth: Depth::Sixteen, ..shape };
        let picture = Picture { shape, samples: Samples::Sixteen(vec![128, 65535, 129, 65535]) };
        assert_eq!(picture.brightness(), [0, 1]);
        assert_eq!(picture.into_grey(), Ok(Grey::Sixteen(vec![128, 129])));
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let shape = Shape { width: 1, height: 0, channels: Channels::Rgba, depth: Depth::Sixteen };
        assert_eq!(shape.check(), Err(PictureError::Size(1, 0)));
        let large = Shape { width: MOST, height: MOST, ..shape };
        assert_eq!(large.check(), Err(PictureError::Memory));
        let wide = Shape { width: MOST + 1, height: 1, ..shape };
        assert_eq!(wide.check(), Err(PictureError::Size(MOST + 1, 1)));
        assert_eq!(Shape { depth: Depth::Eight, ..large }.check(), Ok(1 << 30));
    }

    /// Every kind of file, cut off anywhere or with any byte changed, gives a picture or an error,
    /// never a panic.
    #[test]
    fn damaged_files_do_no_harm() {
        let pixels: Vec<u8> = (0..35).map(|i| i * 7).collect();
        let files = [
            blockstar_draw::Pixels::Grey8(&pixels).png(7, 5).unwrap(),
            [b"P5 7 5 255\n", &pixels[..]].concat(),
            b"P3 # colours\n2 1 9\n0 1 2 3 4 9\n".to_vec(),
            b"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\nab"
                .to_vec(),
            bmp::encode_grey(7, 5, &pixels),
            bmp::tests::rle8(),
        ];
        for file in files {
            let path = Path::new("a");
            assert!(Picture::decode(path, &file).is_ok(), "{:?}", Picture::decode(path, &file));
            for length in 0..file.len() {
                let _ = Picture::decode(path, &file[..length]);
            }
            for at in 0..file.len() {
                for value in [0, 1, 2, 0x7f, 0x80, 0xff] {
                    let mut file = file.clone();
                    file[at] = value;
                    let _ = Picture::decode(path, &file);
                }
            }
        }
    }
}
