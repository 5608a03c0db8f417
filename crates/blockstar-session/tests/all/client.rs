//! A session that is asked in JSON.

use blockstar_session::{Clock, Limits, Session, frame};
use serde_json::{Value, json};

pub struct Client(pub Session);

/// A reply that was taken apart.
#[derive(Debug)]
pub struct Reply {
    pub header: Value,
    pub body: Vec<u8>,
}

impl Client {
    pub fn new() -> Self {
        Self::with(Limits::default())
    }

    pub fn with(limits: Limits) -> Self {
        Self(Session::new(limits, Clock::wall()))
    }

    /// Sends bytes; whatever they are, the answer is a frame.
    pub fn raw(&mut self, request: &[u8]) -> Reply {
        let bytes = self.0.handle(request);
        let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
        let header: Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
        let start = (4 + length).next_multiple_of(8);
        match header["ok"].as_bool().unwrap() {
            true => assert!(header.get("error").is_none()),
            false => assert!(!header["error"].as_str().unwrap().is_empty()),
        }
        Reply { header, body: bytes[start..].to_vec() }
    }

    pub fn ask(&mut self, request: impl AsRef<Value>) -> Reply {
        let request = request.as_ref();
        let reply = self.raw(&frame(request.as_object().unwrap(), &[]));
        assert_eq!(reply.header["ok"], true, "{request}: {}", reply.header);
        reply
    }

    /// Asks with a column of bytes.
    pub fn ask_with(&mut self, request: impl AsRef<Value>, name: &str, bytes: &[u8]) -> Reply {
        let mut request = request.as_ref().clone();
        let length = bytes.len();
        request["columns"] = json!([{ "name": name, "type": "u8", "offset": 0, "length": length }]);
        self.raw(&frame(request.as_object().unwrap(), bytes))
    }

    pub fn refusal(&mut self, request: impl AsRef<Value>) -> String {
        let request = request.as_ref();
        let reply = self.raw(&frame(request.as_object().unwrap(), &[]));
        assert_eq!(reply.header["ok"], false, "{request}");
        reply.header["error"].as_str().unwrap().into()
    }
}

/// JSON that can be passed by value and by reference.
pub struct Ask(pub Value);

impl AsRef<Value> for Ask {
    fn as_ref(&self) -> &Value {
        &self.0
    }
}

/// A request.
macro_rules! ask {
    ($($json:tt)+) => { $crate::client::Ask(serde_json::json!({ $($json)+ })) };
}
pub(crate) use ask;

impl Reply {
    fn bytes(&self, name: &str, kind: &str, size: usize) -> &[u8] {
        let columns = self.header["columns"].as_array().unwrap();
        let column = columns.iter().find(|c| c["name"] == name).expect(name);
        assert_eq!(column["type"], kind);
        let (offset, length) = (column["offset"].as_u64().unwrap(), column["length"].as_u64());
        assert_eq!(offset % 8, 0);
        &self.body[offset as usize..][..length.unwrap() as usize * size]
    }

    pub fn f64s(&self, name: &str) -> Vec<f64> {
        let bytes = self.bytes(name, "f64", 8);
        bytes.chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect()
    }

    pub fn u32s(&self, name: &str) -> Vec<u32> {
        let bytes = self.bytes(name, "u32", 4);
        bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    pub fn f32s(&self, name: &str) -> Vec<f32> {
        let bytes = self.bytes(name, "f32", 4);
        bytes.chunks(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect()
    }

    pub fn u8s(&self, name: &str) -> &[u8] {
        self.bytes(name, "u8", 1)
    }

    pub fn number(&self, pointer: &str) -> f64 {
        self.header.pointer(pointer).and_then(Value::as_f64).expect(pointer)
    }
}
