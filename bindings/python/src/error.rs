//! The library's errors as Python exceptions, with the library's sentences.

use blockstar::Error;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The exception of an error in which no place can be named; see [`Axes`](crate::place::Axes).
#[allow(clippy::needless_pass_by_value)] // for `map_err`
pub fn raise(error: Error) -> PyErr {
    raise_with(&error, error.to_string())
}

/// The exception of an error, with a sentence; its classes are in `blockstar/errors.py`.
pub fn raise_with(error: &Error, sentence: String) -> PyErr {
    let class = match error {
        Error::Outside { .. } | Error::OutsidePoint { .. } => "OutsideError",
        Error::Unsupported { .. } => "UnsupportedError",
        Error::Stale { .. } | Error::NotBegun => "StaleError",
        Error::Database { .. } | Error::Format { .. } => "FileError",
        Error::UnknownName { .. } => "UnknownNameError",
        _ => "Error",
    };
    error_of(class, sentence)
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
