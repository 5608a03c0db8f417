//! The shape of requests and replies: a JSON header, then columns of numbers.

use serde_json::{Map, Value, json};

/// Sentences about what is wrong with a request.
pub(crate) type Fault = String;

/// A request that was taken apart.
#[derive(Debug)]
pub(crate) struct Frame<'a> {
    pub header: Map<String, Value>,
    body: &'a [u8],
}

/// Where the body starts behind a header of this length.
pub(crate) fn body_start(header: usize) -> usize {
    (4 + header).next_multiple_of(8)
}

impl<'a> Frame<'a> {
    /// Takes a frame apart. Nothing in it is believed.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Fault> {
        let (length, rest) = bytes.split_first_chunk::<4>().ok_or_else(|| {
            format!("the frame has {} bytes, but begins with a length of 4", bytes.len())
        })?;
        let length = u32::from_le_bytes(*length) as usize;
        let header = rest.get(..length).ok_or_else(|| {
            format!("the header is said to have {length} bytes, but {} follow", rest.len())
        })?;
        let header = serde_json::from_slice(header)
            .map_err(|error| format!("the header is not JSON: {error}"))?;
        let Value::Object(header) = header else {
            return Err("the header is not a JSON object".into());
        };
        Ok(Self { header, body: bytes.get(body_start(length)..).unwrap_or_default() })
    }

    /// The bytes of a column of a type, if the frame has that column.
    pub fn column(&self, name: &str, kind: &str) -> Result<Option<&'a [u8]>, Fault> {
        let listed = match self.header.get("columns") {
            None => return Ok(None),
            Some(Value::Array(listed)) => listed,
            Some(_) => return Err("`columns` is not a list".into()),
        };
        let is_it = |column: &&Value| column.get("name").and_then(Value::as_str) == Some(name);
        let Some(column) = listed.iter().find(is_it) else { return Ok(None) };
        if column.get("type").and_then(Value::as_str) != Some(kind) {
            return Err(format!("the column `{name}` must have the type `{kind}`"));
        }
        let number = |field: &str| {
            let number = column.get(field).and_then(Value::as_u64);
            number
                .and_then(|number| usize::try_from(number).ok())
                .ok_or_else(|| format!("`{field}` of the column `{name}` is not a whole number"))
        };
        let (offset, length) = (number("offset")?, number("length")?);
        let end = length.checked_mul(size_of_kind(kind)).and_then(|n| n.checked_add(offset));
        let bytes = end.and_then(|end| self.body.get(offset..end)).ok_or_else(|| {
            let body = self.body.len();
            format!("the column `{name}` goes beyond the body, which has {body} bytes")
        })?;
        Ok(Some(bytes))
    }

    /// A column that must be there.
    pub fn need_column(&self, name: &str, kind: &str) -> Result<&'a [u8], Fault> {
        self.column(name, kind)?.ok_or_else(|| format!("the column `{name}` ({kind}) is missing"))
    }
}

/// The size of an element.
fn size_of_kind(kind: &str) -> usize {
    match kind {
        "u8" => 1,
        "u16" => 2,
        "u32" | "f32" => 4,
        _ => 8,
    }
}

/// An answer being written: fields of the header, and columns.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    pub header: Map<String, Value>,
    columns: Vec<Value>,
    body: Vec<u8>,
}

/// Numbers that make a column.
pub(crate) trait Number: Copy {
    const KIND: &'static str;
    type Bytes: AsRef<[u8]>;
    fn bytes(self) -> Self::Bytes;
}

macro_rules! numbers {
    ($($type:ident)*) => {
        $(impl Number for $type {
            const KIND: &'static str = stringify!($type);
            type Bytes = [u8; size_of::<$type>()];
            #[inline]
            fn bytes(self) -> Self::Bytes {
                self.to_le_bytes()
            }
        })*
    };
}

numbers!(u8 u16 u32 f32 f64);

impl Reply {
    /// Adds a field.
    pub fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.header.insert(name.into(), value.into());
    }

    /// Adds a column.
    pub fn column<N: Number>(&mut self, name: impl Into<String>, numbers: &[N]) {
        self.column_of(name, numbers.len(), numbers.iter().copied());
    }

    /// Adds a column of so many numbers.
    pub fn column_of<N: Number>(
        &mut self,
        name: impl Into<String>,
        length: usize,
        numbers: impl Iterator<Item = N>,
    ) {
        let offset = self.body.len();
        let size = size_of::<N>();
        self.body.resize(offset + length * size, 0);
        for (place, number) in self.body[offset..].chunks_exact_mut(size).zip(numbers) {
            place.copy_from_slice(number.bytes().as_ref());
        }
        self.body.resize(self.body.len().next_multiple_of(8), 0);
        self.columns.push(json!({
            "name": name.into(), "type": N::KIND, "offset": offset, "length": length,
        }));
    }

    /// The bytes of a frame.
    pub fn write(mut self, id: Option<Value>) -> Vec<u8> {
        if let Some(id) = id {
            self.header.insert("id".into(), id);
        }
        self.header.insert("ok".into(), true.into());
        self.header.insert("columns".into(), self.columns.into());
        frame(&self.header, &self.body)
    }

    /// The reply to a request that failed.
    pub fn refusal(fault: &str, id: Option<Value>) -> Vec<u8> {
        let mut header = Map::new();
        header.extend(id.map(|id| ("id".into(), id)));
        header.insert("ok".into(), false.into());
        header.insert("error".into(), fault.into());
        frame(&header, &[])
    }
}

/// An object. (`json!` writes every insertion out, which for the many fields of replies takes four times
/// the code.)
pub(crate) fn object(fields: Vec<(&str, Value)>) -> Value {
    Value::Object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

/// A header and a body as bytes. Clients and tests make their requests with it.
pub fn frame(header: &Map<String, Value>, body: &[u8]) -> Vec<u8> {
    // Writing a JSON value into memory does not fail.
    let header = serde_json::to_vec(header).unwrap_or_default();
    let start = body_start(header.len());
    let mut bytes = Vec::with_capacity(start + body.len());
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    bytes.resize(start, 0);
    bytes.extend_from_slice(body);
    bytes
}
