//! Bytes in, [`Grid`](crate::Grid) out. Nothing here touches the file system, and no size in a
//! header is trusted before it has been compared with the data that follows.

pub mod ascii;
pub mod heights;
pub mod image;
mod lines;
pub mod movingai;
pub mod ros;

/// What a reader says about texts that it refuses: for each a part of the message.
#[cfg(test)]
fn expect_faults(fault: impl Fn(&str) -> String, expected: &[(&str, &str)]) {
    for (text, part) in expected {
        let got = fault(text);
        assert!(got.contains(part), "{text:?}: {got}");
    }
}
