//! Columns as an Arrow stream, by the C data interface: whoever takes it shares the memory of the
//! numpy arrays and lets it go in the end.
//!
//! The interface is two C structs for each array and one for the stream
//! (<https://arrow.apache.org/docs/format/CDataInterface.html>). A struct owns what its
//! `private_data` points to and is given back by its `release`; who moves a struct sets the `release`
//! of the old place to null. Python is called only to let go of the arrays.

use crate::error::refuse;
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};

#[repr(C)]
struct ArrowSchema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut ArrowSchema,
    dictionary: *mut ArrowSchema,
    release: Option<unsafe extern "C" fn(*mut ArrowSchema)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArray {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *mut *const c_void,
    children: *mut *mut ArrowArray,
    dictionary: *mut ArrowArray,
    release: Option<unsafe extern "C" fn(*mut ArrowArray)>,
    private_data: *mut c_void,
}

#[repr(C)]
struct ArrowArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrowArrayStream, *mut ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrowArrayStream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut ArrowArrayStream)>,
    private_data: *mut c_void,
}

/// One array of a table: its format, name, number of elements, values and children.
struct Column {
    format: &'static CStr,
    name: &'static CStr,
    length: i64,
    /// Validity, which is none as nothing is missing, and the values; of lists the offsets.
    buffers: Vec<*const c_void>,
    children: Vec<Column>,
}

/// Columns of numpy arrays, and the arrays, which live as long.
struct Table {
    root: Column,
    arrays: Vec<Py<PyAny>>,
    taken: bool,
}

/// What an exported array holds until it is released.
struct Held {
    buffers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    /// Of the outermost alone.
    arrays: Vec<Py<PyAny>>,
}

impl Column {
    fn schema(&self) -> ArrowSchema {
        let children = self.children.iter().map(|child| Box::into_raw(Box::new(child.schema())));
        let children = Box::new(children.collect::<Vec<_>>());
        let (n_children, private) = (children.len() as i64, Box::into_raw(children));
        ArrowSchema {
            format: self.format.as_ptr(),
            name: self.name.as_ptr(),
            metadata: null(),
            flags: 0,
            n_children,
            // SAFETY: `private` was made from a box just now.
            children: unsafe { (*private).as_mut_ptr() },
            dictionary: null_mut(),
            release: Some(release_schema),
            private_data: private.cast(),
        }
    }

    fn array(&self, arrays: Vec<Py<PyAny>>) -> ArrowArray {
        let children = self.children.iter();
        let children = children.map(|child| Box::into_raw(Box::new(child.array(Vec::new()))));
        let held = Held { buffers: self.buffers.clone(), children: children.collect(), arrays };
        let (n_buffers, n_children) = (held.buffers.len() as i64, held.children.len() as i64);
        let private = Box::into_raw(Box::new(held));
        // SAFETY: `private` was made from a box just now.
        let held = unsafe { &mut *private };
        ArrowArray {
            length: self.length,
            null_count: 0,
            offset: 0,
            n_buffers,
            n_children,
            buffers: held.buffers.as_mut_ptr(),
            children: held.children.as_mut_ptr(),
            dictionary: null_mut(),
            release: Some(release_array),
            private_data: private.cast(),
        }
    }
}

/// Releases a schema and those of its children that nobody has moved away.
unsafe extern "C" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: `schema` is one of `Column::schema`, which is released once: its `release` is null then.
    unsafe {
        let children = Box::from_raw((*schema).private_data.cast::<Vec<*mut ArrowSchema>>());
        for &child in children.iter() {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
        (*schema).release = None;
    }
}

/// Releases an array and those of its children that nobody has moved away.
unsafe extern "C" fn release_array(array: *mut ArrowArray) {
    // SAFETY: `array` is one of `Column::array`, which is released once: its `release` is null then.
    let held = unsafe {
        (*array).release = None;
        Box::from_raw((*array).private_data.cast::<Held>())
    };
    for &child in &held.children {
        // SAFETY: children were made from boxes, and a child that was moved has no `release`.
        unsafe {
            if let Some(release) = (*child).release {
                release(child);
            }
            drop(Box::from_raw(child));
        }
    }
    if !held.arrays.is_empty() {
        Python::attach(|_| drop(held));
    }
}

unsafe extern "C" fn get_schema(stream: *mut ArrowArrayStream, out: *mut ArrowSchema) -> c_int {
    // SAFETY: the stream is one of `stream` below, and `out` is the caller's to write to.
    unsafe {
        let table = &*(*stream).private_data.cast::<Table>();
        out.write(table.root.schema());
    }
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrowArrayStream, out: *mut ArrowArray) -> c_int {
    // SAFETY: as above. The end of a stream is an array without a `release`.
    unsafe {
        let table = &mut *(*stream).private_data.cast::<Table>();
        if table.taken {
            out.write_bytes(0, 1);
            return 0;
        }
        table.taken = true;
        let arrays =
            Python::attach(|py| table.arrays.iter().map(|array| array.clone_ref(py)).collect());
        out.write(table.root.array(arrays));
    }
    0
}

unsafe extern "C" fn get_last_error(_: *mut ArrowArrayStream) -> *const c_char {
    null()
}

unsafe extern "C" fn release_stream(stream: *mut ArrowArrayStream) {
    // SAFETY: as above; `release` is null afterwards.
    unsafe {
        (*stream).release = None;
        let table = Box::from_raw((*stream).private_data.cast::<Table>());
        Python::attach(|_| drop(table));
    }
}

/// Lets go of a stream that nobody has taken out of its capsule.
unsafe extern "C" fn release_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this once, with a capsule of `stream`, which holds a box.
    unsafe {
        let stream = ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast::<ArrowArrayStream>();
        if stream.is_null() {
            ffi::PyErr_Clear();
            return;
        }
        if let Some(release) = (*stream).release {
            release(stream);
        }
        drop(Box::from_raw(stream));
    }
}

const NAME: &CStr = c"arrow_array_stream";

/// The memory of a contiguous array of numbers: where, how many bytes each, and how many.
fn memory(array: &Bound<'_, PyAny>) -> PyResult<(*const c_void, usize, usize)> {
    let contiguous: bool = array.getattr("flags")?.get_item("C_CONTIGUOUS")?.extract()?;
    let address: usize = array.getattr("ctypes")?.getattr("data")?.extract()?;
    let (item, count) = (array.getattr("itemsize")?.extract()?, array.getattr("size")?.extract()?);
    if !contiguous {
        return Err(refuse("the columns of routes must be contiguous arrays"));
    }
    Ok((address as *const c_void, item, count))
}

/// A capsule with a stream of one batch: `status`, `cost` and `path`, lists of pairs.
///
/// The arrays are uint8[n], float64[n], int64[n + 1] and int32[m, 2] or float64[m, 2].
#[pyfunction]
pub fn route_stream(
    py: Python<'_>,
    status: &Bound<'_, PyAny>,
    cost: &Bound<'_, PyAny>,
    offsets: &Bound<'_, PyAny>,
    points: &Bound<'_, PyAny>,
) -> PyResult<Py<PyAny>> {
    let [(status_at, 1, rows), (cost_at, 8, costs), (offsets_at, 8, ends)] =
        [memory(status)?, memory(cost)?, memory(offsets)?]
    else {
        return Err(refuse("the columns of routes have other types than find_many gives them"));
    };
    let (points_at, size, numbers) = memory(points)?;
    let format = match size {
        4 => c"i",
        8 => c"g",
        _ => return Err(refuse("the points of routes are neither int32 nor float64")),
    };
    let last: i64 = offsets.get_item(-1)?.extract()?;
    if costs != rows || ends != rows + 1 || last.checked_mul(2) != i64::try_from(numbers).ok() {
        return Err(refuse("the columns of routes do not fit together"));
    }
    let leaf = |format, name, length: usize, at| Column {
        format,
        name,
        length: length as i64,
        buffers: vec![null(), at],
        children: Vec::new(),
    };
    let pair = Column {
        format: c"+w:2",
        name: c"item",
        length: last,
        buffers: vec![null()],
        children: vec![leaf(format, c"item", numbers, points_at)],
    };
    let path = Column { children: vec![pair], ..leaf(c"+L", c"path", rows, offsets_at) };
    let root = Column {
        format: c"+s",
        name: c"",
        length: rows as i64,
        buffers: vec![null()],
        children: vec![
            leaf(c"C", c"status", rows, status_at),
            leaf(c"g", c"cost", rows, cost_at),
            path,
        ],
    };
    let arrays = [status, cost, offsets, points].map(|array| array.clone().unbind()).into();
    let table = Box::new(Table { root, arrays, taken: false });
    let stream = Box::into_raw(Box::new(ArrowArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release_stream),
        private_data: Box::into_raw(table).cast(),
    }));
    // SAFETY: the capsule owns the box until someone moves the stream out of it; the name is static.
    let capsule =
        unsafe { ffi::PyCapsule_New(stream.cast(), NAME.as_ptr(), Some(release_capsule)) };
    // SAFETY: a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_opt(py, capsule) }
        .map(Bound::unbind)
        .ok_or_else(|| PyRuntimeError::new_err("there is no memory for a capsule"))
}
