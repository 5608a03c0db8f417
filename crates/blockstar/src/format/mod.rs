//! Bytes in, [`Grid`](crate::Grid) out. Nothing here touches the file system, and no size in a
//! header is trusted before it has been compared with the data that follows.

pub mod ascii;
pub mod heights;
pub mod image;
mod lines;
pub mod movingai;
pub mod ros;
