//! The Netpbm family: PBM, PGM and PPM as text (`P1` to `P3`) and in bytes (`P4` to `P6`), and PAM
//! (`P7`).

use super::{Channels, Depth, Picture, PictureError, Samples, Shape};

/// Decodes a file.
pub fn decode(bytes: &[u8]) -> Result<Picture, PictureError> {
    let [b'P', kind @ b'1'..=b'7', rest @ ..] = bytes else {
        return Err(PictureError::of("it does not begin with P1 to P7"));
    };
    let mut reader = Reader { rest };
    if *kind == b'7' {
        let (shape, white) = reader.pam_header()?;
        return Raster { shape, white, text: false }.read(reader);
    }
    let (width, height) = (reader.number()?, reader.number()?);
    let channels = if matches!(kind, b'3' | b'6') { Channels::Rgb } else { Channels::Grey };
    let text = matches!(kind, b'1'..=b'3');
    if matches!(kind, b'1' | b'4') {
        let shape = Shape { width, height, channels, depth: Depth::Eight };
        return if text { reader.text_bits(shape) } else { reader.packed_bits(shape) };
    }
    let white = reader.number()?;
    let shape = Shape { width, height, channels, depth: depth(white)? };
    Raster { shape, white, text }.read(reader)
}

/// The depth that samples up to `white` need.
fn depth(white: u32) -> Result<Depth, PictureError> {
    match white {
        1..=0xff => Ok(Depth::Eight),
        0x100..=0xffff => Ok(Depth::Sixteen),
        _ => Err(PictureError::of(format!("white is {white}, but must be 1 to 65535"))),
    }
}

/// Samples from 0 to `white`, as text or in bytes.
struct Raster {
    shape: Shape,
    white: u32,
    text: bool,
}

impl Raster {
    fn read(&self, mut reader: Reader<'_>) -> Result<Picture, PictureError> {
        let count = self.shape.check()?;
        let full = if self.shape.depth == Depth::Eight { 0xff } else { 0xffff };
        let factor = full as f32 / self.white as f32;
        // Exact where nothing is stretched. Samples above white are white.
        let stretch = |sample: u16| {
            if self.white == full {
                sample
            } else {
                (f32::from(sample) * factor).round().min(full as f32) as u16
            }
        };
        if self.text {
            // A sample takes at least two bytes, so a short file cannot ask for much memory.
            let mut samples = Vec::with_capacity(count.min(reader.rest.len()));
            for _ in 0..count {
                let sample = reader.sample()?;
                if sample > full {
                    return Err(PictureError::of(format!(
                        "it has a sample of {sample}, above {full}"
                    )));
                }
                samples.push(stretch(sample as u16));
            }
            return Ok(self.picture(samples));
        }
        let size = count * self.shape.depth as usize;
        let data = reader.rest.get(..size).ok_or_else(PictureError::cut_off)?;
        Ok(match self.shape.depth {
            Depth::Eight => {
                let samples = data.iter().map(|&sample| stretch(sample.into()) as u8).collect();
                Picture { shape: self.shape, samples: Samples::Eight(samples) }
            }
            Depth::Sixteen => {
                let pairs = data.chunks_exact(2);
                self.picture(pairs.map(|p| stretch(u16::from_be_bytes([p[0], p[1]]))).collect())
            }
        })
    }

    fn picture(&self, samples: Vec<u16>) -> Picture {
        let samples = match self.shape.depth {
            Depth::Eight => Samples::Eight(samples.into_iter().map(|s| s as u8).collect()),
            Depth::Sixteen => Samples::Sixteen(samples),
        };
        Picture { shape: self.shape, samples }
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn line(&mut self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|&byte| byte == b'\n')?;
        let line = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Some(line)
    }

    /// A number of the header and the one blank after it; comments before it are skipped.
    fn number(&mut self) -> Result<u32, PictureError> {
        let mut digits = None;
        while let Some(byte) = self.byte() {
            match (byte, digits) {
                (b'0'..=b'9', _) => digits = Some(append(digits, byte)?),
                (b'#', _) => {
                    // Up to the end of the line, which may end a number as well.
                    while self.byte().is_some_and(|byte| !matches!(byte, b'\n' | b'\r')) {}
                    if digits.is_some() {
                        break;
                    }
                }
                (byte, Some(_)) if is_blank(byte) => break,
                (byte, None) if is_blank(byte) => {}
                _ => return Err(PictureError::of("its header has something other than numbers")),
            }
        }
        digits.ok_or_else(PictureError::cut_off)
    }

    /// A sample as text.
    fn sample(&mut self) -> Result<u32, PictureError> {
        let mut digits = None;
        while let Some(byte) = self.byte() {
            match (byte, digits) {
                (b'0'..=b'9', _) => digits = Some(append(digits, byte)?),
                (byte, Some(_)) if is_blank(byte) => break,
                (byte, None) if is_blank(byte) => {}
                _ => return Err(PictureError::of("it has something other than numbers")),
            }
        }
        digits.ok_or_else(PictureError::cut_off)
    }

    /// The bits of a PBM file as text, where 1 is black.
    fn text_bits(&mut self, shape: Shape) -> Result<Picture, PictureError> {
        let count = shape.check()?;
        let mut samples = Vec::with_capacity(count.min(self.rest.len()));
        while samples.len() < count {
            match self.byte().ok_or_else(PictureError::cut_off)? {
                b'0' => samples.push(255),
                b'1' => samples.push(0),
                byte if is_blank(byte) => {}
                _ => return Err(PictureError::of("it has something other than 0 and 1")),
            }
        }
        Ok(Picture { shape, samples: Samples::Eight(samples) })
    }

    /// The bits of a PBM file, rows in whole bytes.
    fn packed_bits(&mut self, shape: Shape) -> Result<Picture, PictureError> {
        shape.check()?;
        let (width, height) = (shape.width as usize, shape.height as usize);
        let stride = width.div_ceil(8);
        let data = self.rest.get(..stride * height).ok_or_else(PictureError::cut_off)?;
        let pixel = |row: &[u8], x: usize| if row[x / 8] << (x % 8) & 0x80 != 0 { 0 } else { 255 };
        let samples = data.chunks_exact(stride);
        let samples = samples.flat_map(|row| (0..width).map(move |x| pixel(row, x))).collect();
        Ok(Picture { shape, samples: Samples::Eight(samples) })
    }

    /// The header of a PAM file, and the value of white.
    fn pam_header(&mut self) -> Result<(Shape, u32), PictureError> {
        let (mut width, mut height, mut planes, mut white) = (None, None, None, None);
        let mut kind = String::new();
        loop {
            let line = self.line().ok_or_else(PictureError::cut_off)?;
            let line = std::str::from_utf8(line)
                .map_err(|_| PictureError::of("its header is not text"))?;
            let (key, value) =
                line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
            let slot = match key {
                "ENDHDR" => break,
                "WIDTH" => &mut width,
                "HEIGHT" => &mut height,
                "DEPTH" => &mut planes,
                "MAXVAL" => &mut white,
                "TUPLTYPE" => {
                    kind = value.trim().into();
                    continue;
                }
                key if key.is_empty() || key.starts_with('#') => continue,
                key => return Err(PictureError::of(format!("its header has a line {key:?}"))),
            };
            let number = value.trim().parse::<u32>();
            *slot =
                Some(number.map_err(|_| PictureError::of(format!("its {key} is not a number")))?);
        }
        let missing = || PictureError::of("its header lacks WIDTH, HEIGHT, DEPTH or MAXVAL");
        let (Some(width), Some(height), Some(planes), Some(white)) = (width, height, planes, white)
        else {
            return Err(missing());
        };
        let channels = match (kind.as_str(), planes) {
            ("" | "BLACKANDWHITE" | "GRAYSCALE", 1) => Channels::Grey,
            ("" | "BLACKANDWHITE_ALPHA" | "GRAYSCALE_ALPHA", 2) => Channels::GreyAlpha,
            ("" | "RGB", 3) => Channels::Rgb,
            ("" | "RGB_ALPHA", 4) => Channels::Rgba,
            _ => {
                return Err(PictureError::of(format!("{planes} channels of {kind:?} are unknown")));
            }
        };
        Ok((Shape { width, height, channels, depth: depth(white)? }, white))
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}

fn append(digits: Option<u32>, digit: u8) -> Result<u32, PictureError> {
    let shifted = digits.unwrap_or(0).checked_mul(10);
    let sum = shifted.and_then(|number| number.checked_add(u32::from(digit - b'0')));
    sum.ok_or_else(|| PictureError::of("it has a number above 4294967295"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eight(bytes: &[u8]) -> Vec<u8> {
        decode(bytes).unwrap().bytes()
    }

    #[test]
    fn every_kind_is_read() {
        assert_eq!(eight(b"P1 3 1\n01 1"), [255, 0, 0]);
        assert_eq!(eight(b"P4 3 2\n\x40\xe0"), [255, 0, 255, 0, 0, 0]);
        assert_eq!(eight(b"P2 #grey\n2 1\n# white\n 5\n0 5"), [0, 255]);
        assert_eq!(eight(b"P5 2 1 255\n\x07\xff"), [7, 255]);
        assert_eq!(eight(b"P5 2 1 100\n\x32\xff"), [128, 255]);
        assert_eq!(eight(b"P3 1 1 15 0 3 15"), [0, 51, 255]);
        assert_eq!(eight(b"P6 1 1 255\nabc"), *b"abc");
        let pam = b"P7\nWIDTH 2\nHEIGHT 1\n# a comment\nDEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\nENDHDR\n\0\x01";
        assert_eq!(eight(pam), [0, 255]);
        let deep = decode(b"P5 2 1 65535\n\x01\x02\x03\x04").unwrap();
        assert_eq!(deep.samples, Samples::Sixteen(vec![0x102, 0x304]));
    }

    #[test]
    fn bad_files_are_refused_before_memory_is_taken() {
        let fault = |bytes: &[u8]| decode(bytes).unwrap_err();
        assert_eq!(fault(b"P5 16384 16384 255\n..."), PictureError::cut_off());
        assert_eq!(fault(b"P2 16384 16384 255\n1 2 3"), PictureError::cut_off());
        assert_eq!(fault(b"P5\n4000000000 2\n255\n"), PictureError::Size(4_000_000_000, 2));
        assert_eq!(
            fault(b"P7\nWIDTH 16384\nHEIGHT 16384\nDEPTH 4\nMAXVAL 65535\nENDHDR\n"),
            PictureError::Memory
        );
        for bytes in
            [&b"P5 2 1 0\n.."[..], b"P5 2 1 65536\n..", b"P2 1 1 255 256", b"P5 99999999999 1 1 "]
        {
            assert!(matches!(fault(bytes), PictureError::Broken(_)), "{}", bytes.escape_ascii());
        }
    }
}
