//! Numbers as Python writes them.

use malachite_bigint::BigInt;
use pydd_abi::DTypeCode;
use rustpython_format::{FormatSpec, FormatSpecError};

/// A float as `repr` writes it, by its shortest digits: `digits` is what Rust's `{:e}` gives.
fn repr(digits: &str) -> String {
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |rest| ("-", rest));
    let Some((mantissa, exponent)) = digits.split_once('e') else {
        // `inf` and `NaN`, of which Python writes no sign.
        return if digits == "NaN" { "nan".to_owned() } else { format!("{sign}{digits}") };
    };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let all: String = mantissa.chars().filter(|&c| c != '.').collect();
    let count = i32::try_from(all.len()).unwrap_or(i32::MAX);
    let zeros = |n: i32| "0".repeat(usize::try_from(n).unwrap_or(0));
    if !(-4..16).contains(&exponent) {
        let point = if all.len() > 1 { "." } else { "" };
        let (first, rest) = all.split_at(1);
        let e_sign = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{first}{point}{rest}e{e_sign}{:02}", exponent.abs());
    }
    if exponent < 0 {
        return format!("{sign}0.{}{all}", zeros(-exponent - 1));
    }
    if count <= exponent + 1 {
        return format!("{sign}{all}{}.0", zeros(exponent + 1 - count));
    }
    let (whole, part) = all.split_at(usize::try_from(exponent + 1).unwrap_or(0));
    format!("{sign}{whole}.{part}")
}

pub fn float64(value: f64) -> String {
    repr(&format!("{value:e}"))
}

pub fn float32(value: f32) -> String {
    repr(&format!("{value:e}"))
}

/// `(1+2j)`, of parts as `repr` writes them.
fn complex(re: String, im: String, has_real_part: bool) -> String {
    let short = |text: String| text.strip_suffix(".0").map_or(text.clone(), ToOwned::to_owned);
    let (re, im) = (short(re), short(im));
    if !has_real_part {
        return format!("{im}j");
    }
    let plus = if im.starts_with('-') { "" } else { "+" };
    format!("({re}{plus}{im}j)")
}

/// A number's words.
pub struct Number {
    pub dtype: DTypeCode,
    pub words: [u64; 2],
}

impl Number {
    fn float(&self, word: usize) -> f64 {
        match self.dtype {
            DTypeCode::F32 | DTypeCode::C64 => f32::from_bits(self.words[word] as u32).into(),
            _ => f64::from_bits(self.words[word]),
        }
    }

    fn part(&self, word: usize) -> String {
        match self.dtype {
            DTypeCode::F32 | DTypeCode::C64 => float32(f32::from_bits(self.words[word] as u32)),
            _ => float64(f64::from_bits(self.words[word])),
        }
    }

    /// As `str` writes it.
    pub fn text(&self) -> String {
        match self.dtype {
            DTypeCode::Bool if self.words[0] & 1 == 0 => "False".to_owned(),
            DTypeCode::Bool => "True".to_owned(),
            DTypeCode::F32 | DTypeCode::F64 => self.part(0),
            DTypeCode::C64 | DTypeCode::C128 => {
                let re = self.float(0);
                complex(self.part(0), self.part(1), re != 0.0 || re.is_sign_negative())
            }
            DTypeCode::U8 | DTypeCode::U16 | DTypeCode::U32 | DTypeCode::U64 => self.words[0].to_string(),
            _ => self.words[0].cast_signed().to_string(),
        }
    }

    /// As an item of a list is written: numbers that Python has no type for by NumPy's names.
    pub fn item(&self) -> String {
        let name = match self.dtype {
            DTypeCode::Bool | DTypeCode::I64 | DTypeCode::F64 | DTypeCode::C128 => return self.text(),
            DTypeCode::I8 => "int8",
            DTypeCode::I16 => "int16",
            DTypeCode::I32 => "int32",
            DTypeCode::U8 => "uint8",
            DTypeCode::U16 => "uint16",
            DTypeCode::U32 => "uint32",
            DTypeCode::U64 => "uint64",
            DTypeCode::F32 => "float32",
            DTypeCode::C64 => "complex64",
        };
        format!("np.{name}({})", self.text())
    }

    /// As Python's `format` writes it.
    pub fn formatted(&self, format: &str) -> Result<String, String> {
        if format.is_empty() {
            return Ok(self.text());
        }
        let spec = FormatSpec::parse(format).map_err(|why| wrong(format, &why))?;
        match self.dtype {
            DTypeCode::Bool => spec.format_bool(self.words[0] & 1 != 0),
            DTypeCode::F32 | DTypeCode::F64 => spec.format_float(self.float(0)),
            DTypeCode::C64 | DTypeCode::C128 => {
                return Err(format!("complex numbers are not formatted without Python ({format})"));
            }
            DTypeCode::U8 | DTypeCode::U16 | DTypeCode::U32 | DTypeCode::U64 => {
                spec.format_int(&BigInt::from(self.words[0]))
            }
            _ => spec.format_int(&BigInt::from(self.words[0].cast_signed())),
        }
        .map_err(|why| wrong(format, &why))
    }
}

fn wrong(format: &str, why: &FormatSpecError) -> String {
    format!("invalid format '{format}' ({why:?})")
}

/// A number in an exception's message: see `pydd_abi::Site::message`.
pub fn shown(kind: char, format: &str, word: i64) -> Result<String, String> {
    let bits = word.cast_unsigned();
    let (dtype, bits) = match kind {
        'f' => (DTypeCode::F64, bits),
        #[expect(clippy::cast_possible_truncation, reason = "it is a float32, widened")]
        'g' => (DTypeCode::F32, u64::from((f64::from_bits(bits) as f32).to_bits())),
        'b' => (DTypeCode::Bool, bits),
        'u' => (DTypeCode::U64, bits),
        _ => (DTypeCode::I64, bits),
    };
    Number { dtype, words: [bits, 0] }.formatted(format)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_read_as_in_python() {
        for (value, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1234.5, "1234.5"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.5e-5, "1.5e-05"),
            (0.0001, "0.0001"),
            (1e300, "1e+300"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
            (-f64::NAN, "nan"),
            (5e-324, "5e-324"),
            (123_456_789.123_456_79, "123456789.12345679"),
        ] {
            assert_eq!(float64(value), text);
        }
        assert_eq!(float32(0.1), "0.1");
        assert_eq!(float32(16_777_216.0), "16777216.0");
    }

    #[test]
    fn complex_numbers_read_as_in_python() {
        let show =
            |re: f64, im: f64| Number { dtype: DTypeCode::C128, words: [re.to_bits(), im.to_bits()] }.text();
        assert_eq!(show(1.0, 2.0), "(1+2j)");
        assert_eq!(show(0.0, -2.5), "-2.5j");
        assert_eq!(show(-0.0, 1.0), "(-0+1j)");
        assert_eq!(show(1.0, f64::NAN), "(1+nanj)");
    }

    #[test]
    fn formats_are_pythons() {
        assert_eq!(shown('f', ".3f", 2.0f64.to_bits().cast_signed()).unwrap(), "2.000");
        assert_eq!(shown('d', ">6", -12).unwrap(), "   -12");
        assert_eq!(shown('d', "x", 255).unwrap(), "ff");
        assert_eq!(shown('g', "", f64::from(0.1f32).to_bits().cast_signed()).unwrap(), "0.1");
        assert_eq!(shown('b', "", 1).unwrap(), "True");
        assert_eq!(shown('u', "", -1).unwrap(), "18446744073709551615");
        assert!(shown('d', ".3q", 1).is_err());
    }
}
