//! The library's errors as Python exceptions, with the library's sentences.

use blockstar::Error;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The exception of an error; its classes are in `blockstar/errors.py`.
pub fn raise(error: Error) -> PyErr {
    let class = match &error {
        Error::Outside { .. } | Error::OutsidePoint { .. } => "OutsideError",
        Error::Unsupported { .. } => "UnsupportedError",
        Error::Stale { .. } | Error::NotBegun => "StaleError",
        Error::Database { .. } | Error::Format { .. } => "FileError",
        Error::UnknownName { .. } => "UnknownNameError",
        _ => "Error",
    };
    error_of(class, error.to_string())
}

/// The exception for an argument that the binding itself cannot use.
pub fn refuse(message: impl Into<String>) -> PyErr {
    error_of("Error", message.into())
}

fn error_of(class: &str, message: String) -> PyErr {
    Python::attach(|py| {
        let found = || -> PyResult<Bound<'_, PyType>> {
            Ok(py.import("blockstar.errors")?.getattr(class)?.cast_into()?)
        };
        match found() {
            Ok(class) => PyErr::from_type(class, message),
            Err(error) => error,
        }
    })
}
