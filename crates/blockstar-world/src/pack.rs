//! Plain data as bytes: what saves, recordings and state hashes are made of.
//!
//! Numbers are little-endian and of fixed width, lists begin with their length. Reading trusts
//! nothing: a list is never longer than the bytes that are left, and whatever does not fit is `None`.

use blockstar::{Cell, Rect};
use std::collections::{BTreeMap, VecDeque};

/// Bytes being read.
#[derive(Debug)]
pub(crate) struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    pub fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    /// The length of a list whose items take at least so many bytes each.
    pub fn count(&mut self, least: usize) -> Option<usize> {
        let count = u32::unpack(self)? as usize;
        (count <= self.0.len() / least.max(1)).then_some(count)
    }
}

/// A value that is written to bytes and read again.
pub(crate) trait Pack: Sized {
    fn pack(&self, out: &mut Vec<u8>);
    fn unpack(from: &mut Reader<'_>) -> Option<Self>;
}

macro_rules! numbers {
    ($($number:ty),*) => {$(
        impl Pack for $number {
            #[inline]
            fn pack(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn unpack(from: &mut Reader<'_>) -> Option<Self> {
                let (bytes, rest) = from.0.split_first_chunk()?;
                from.0 = rest;
                Some(Self::from_le_bytes(*bytes))
            }
        }
    )*};
}
numbers!(u8, u16, u32, u64, i8, i16, i32);

impl Pack for bool {
    fn pack(&self, out: &mut Vec<u8>) {
        out.push((*self).into());
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        match u8::unpack(from)? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }
}

impl<T: Pack> Pack for Option<T> {
    fn pack(&self, out: &mut Vec<u8>) {
        self.is_some().pack(out);
        if let Some(value) = self {
            value.pack(out);
        }
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        Some(if bool::unpack(from)? { Some(T::unpack(from)?) } else { None })
    }
}

impl<T: Pack> Pack for Vec<T> {
    fn pack(&self, out: &mut Vec<u8>) {
        (self.len() as u32).pack(out);
        self.iter().for_each(|item| item.pack(out));
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        let count = from.count(1)?;
        // Items may be larger than the bytes they come from: grow as they come.
        let mut list = Self::with_capacity(count.min(1024));
        for _ in 0..count {
            list.push(T::unpack(from)?);
        }
        Some(list)
    }
}

impl<T: Pack> Pack for VecDeque<T> {
    fn pack(&self, out: &mut Vec<u8>) {
        (self.len() as u32).pack(out);
        self.iter().for_each(|item| item.pack(out));
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        Vec::unpack(from).map(Self::from)
    }
}

impl<K: Pack + Ord, V: Pack> Pack for BTreeMap<K, V> {
    fn pack(&self, out: &mut Vec<u8>) {
        (self.len() as u32).pack(out);
        for (key, value) in self {
            key.pack(out);
            value.pack(out);
        }
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        let count = from.count(1)?;
        let mut map = Self::new();
        for _ in 0..count {
            map.insert(K::unpack(from)?, V::unpack(from)?);
        }
        Some(map)
    }
}

impl<A: Pack, B: Pack> Pack for (A, B) {
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.pack(out);
        self.1.pack(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        Some((A::unpack(from)?, B::unpack(from)?))
    }
}

impl<A: Pack, B: Pack, C: Pack> Pack for (A, B, C) {
    fn pack(&self, out: &mut Vec<u8>) {
        self.0.pack(out);
        self.1.pack(out);
        self.2.pack(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        Some((A::unpack(from)?, B::unpack(from)?, C::unpack(from)?))
    }
}

impl Pack for String {
    fn pack(&self, out: &mut Vec<u8>) {
        (self.len() as u32).pack(out);
        out.extend_from_slice(self.as_bytes());
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        let count = from.count(1)?;
        Self::from_utf8(from.take(count)?.to_vec()).ok()
    }
}

impl Pack for Cell {
    fn pack(&self, out: &mut Vec<u8>) {
        self.x.pack(out);
        self.y.pack(out);
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self::new(u32::unpack(from)?, u32::unpack(from)?))
    }
}

impl Pack for Rect {
    fn pack(&self, out: &mut Vec<u8>) {
        [self.x, self.y, self.width, self.height].iter().for_each(|side| side.pack(out));
    }

    fn unpack(from: &mut Reader<'_>) -> Option<Self> {
        let mut side = || u32::unpack(from);
        Some(Self::new(side()?, side()?, side()?, side()?))
    }
}

/// Writes a struct field by field.
macro_rules! packed {
    ($type:ty { $($field:ident),* $(,)? }) => {
        impl $crate::pack::Pack for $type {
            fn pack(&self, out: &mut Vec<u8>) {
                $($crate::pack::Pack::pack(&self.$field, out);)*
            }

            fn unpack(from: &mut $crate::pack::Reader<'_>) -> Option<Self> {
                $(let $field = $crate::pack::Pack::unpack(from)?;)*
                Some(Self { $($field),* })
            }
        }
    };
}

/// Writes an enum: a number for the variant, then its fields.
macro_rules! packed_enum {
    ($type:ty { $($tag:literal $variant:ident $(($($item:ident),*))? $({$($field:ident),*})?),* $(,)? }) => {
        impl $crate::pack::Pack for $type {
            fn pack(&self, out: &mut Vec<u8>) {
                match self {
                    $(Self::$variant $(($($item),*))? $({$($field),*})? => {
                        out.push($tag);
                        $($($crate::pack::Pack::pack($item, out);)*)?
                        $($($crate::pack::Pack::pack($field, out);)*)?
                    })*
                }
            }

            fn unpack(from: &mut $crate::pack::Reader<'_>) -> Option<Self> {
                match <u8 as $crate::pack::Pack>::unpack(from)? {
                    $($tag => {
                        $($(let $item = $crate::pack::Pack::unpack(from)?;)*)?
                        $($(let $field = $crate::pack::Pack::unpack(from)?;)*)?
                        Some(Self::$variant $(($($item),*))? $({$($field),*})?)
                    })*
                    _ => None,
                }
            }
        }
    };
}
pub(crate) use {packed, packed_enum};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        type Value = (Vec<Option<u16>>, String, BTreeMap<u8, (bool, Cell)>);
        let value: Value = (vec![None, Some(7)], "é".into(), [(3, (true, Cell::new(1, 2)))].into());
        let mut bytes = Vec::new();
        value.pack(&mut bytes);
        assert_eq!(Value::unpack(&mut Reader(&bytes)), Some(value));
        for end in 0..bytes.len() {
            assert_eq!(Value::unpack(&mut Reader(&bytes[..end])), None);
        }
    }

    #[test]
    fn a_list_is_not_longer_than_its_bytes() {
        let bytes = [0xff; 12];
        assert_eq!(Vec::<u64>::unpack(&mut Reader(&bytes)), None);
        assert_eq!(String::unpack(&mut Reader(&bytes)), None);
    }
}
