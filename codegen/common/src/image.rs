//! Bytes of constant data with pointers in them.

use pydd_ir::{DType, FuncRef, Literal};
use std::collections::BTreeMap;

/// What a pointer in an image points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// An offset in the image itself.
    Image(usize),
    /// The code by which the runtime calls a function.
    Entry(FuncRef),
    /// Another image that was defined under this symbol.
    Symbol(String),
}

/// Data to be put into an object; it wants an alignment of 8.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Image {
    pub bytes: Vec<u8>,
    /// Offsets of pointers, ascending after [`Image::finish`].
    pub pointers: Vec<(usize, Target)>,
    strings: BTreeMap<String, usize>,
}

impl Image {
    /// Zeroed room for `count` items of type `T`.
    pub fn reserve<T>(&mut self, count: usize) -> usize {
        let at = self.bytes.len().next_multiple_of(align_of::<T>());
        self.bytes.resize(at + count * size_of::<T>(), 0);
        at
    }

    pub fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// Adds a number at the end, as elements of this type lie in memory; none of a text.
    pub fn push_number(&mut self, number: &Literal, dtype: DType) -> Option<()> {
        let size = usize::try_from(dtype.size()).expect("small");
        let float = |bits: u64| -> Vec<u8> {
            let value = f64::from_bits(bits);
            #[expect(clippy::cast_possible_truncation, reason = "rounded, as float32 constants are")]
            let narrow = value as f32;
            match dtype {
                DType::F32 | DType::C64 => narrow.to_le_bytes().to_vec(),
                _ => value.to_le_bytes().to_vec(),
            }
        };
        match *number {
            Literal::Bool(value) => self.bytes.push(u8::from(value)),
            Literal::Int(value) => self.bytes.extend_from_slice(&value.to_le_bytes()[..size]),
            Literal::Float(bits) => self.bytes.extend(float(bits)),
            Literal::Complex(re, im) => self.bytes.extend([float(re), float(im)].concat()),
            Literal::Str(_) => return None,
        }
        Some(())
    }

    pub fn put_u32(&mut self, at: usize, value: u32) {
        self.put(at, &value.to_ne_bytes());
    }

    /// A count, as the ABI's 32-bit fields have it.
    pub fn put_count(&mut self, at: usize, value: usize) {
        self.put_u32(at, u32::try_from(value).expect("fewer than 2^32 items"));
    }

    pub fn put_pointer(&mut self, at: usize, target: Target) {
        self.pointers.push((at, target));
    }

    /// A pointer to a C string; equal ones are stored once.
    pub fn put_string(&mut self, at: usize, text: &str) {
        let string = self.string(text);
        self.put_pointer(at, Target::Image(string));
    }

    fn string(&mut self, text: &str) -> usize {
        if let Some(&at) = self.strings.get(text) {
            return at;
        }
        let at = self.bytes.len();
        self.bytes.extend_from_slice(&c_string(text));
        self.strings.insert(text.to_owned(), at);
        at
    }

    pub fn finish(&mut self) {
        self.pointers.sort_unstable_by_key(|&(at, _)| at);
    }
}

/// The bytes of a C string, which can't hold a NUL itself.
#[must_use]
pub fn c_string(text: &str) -> Vec<u8> {
    let mut bytes = text.replace('\0', "\u{fffd}").into_bytes();
    bytes.push(0);
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_shared_and_room_is_aligned() {
        let mut image = Image::default();
        let a = image.reserve::<u64>(2);
        image.put_string(a, "x");
        image.put_string(a + 8, "x");
        let b = image.reserve::<u64>(1);
        image.finish();
        assert_eq!(image.pointers, [(0, Target::Image(16)), (8, Target::Image(16))]);
        assert_eq!(&image.bytes[16..18], b"x\0");
        assert_eq!(b, 24);
    }
}
