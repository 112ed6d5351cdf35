//! Values as text: what `run:` lines of case files give and expect, and what `print` writes.

use crate::value::{Array, Scalar, Val};
use pydd_ir::{DType, Type};
use std::cell::RefCell;
use std::rc::Rc;

/// Reads one value of a type: `1`, `-2.5`, `nan`, `True`, `1+2j`, `[[1, 2], [3, 4]]`.
///
/// # Errors
/// What was expected, and where (byte offset).
pub fn parse(text: &str, ty: Type) -> Result<Val, String> {
    let mut reader = Reader { text, at: 0 };
    let value = reader.value(ty)?;
    reader.end().map(|()| value)
}

/// Reads comma-separated values of these types.
///
/// # Errors
/// As [`parse`].
pub fn parse_list(text: &str, types: &[Type]) -> Result<Vec<Val>, String> {
    let mut reader = Reader { text, at: 0 };
    let mut values = Vec::new();
    for (i, &ty) in types.iter().enumerate() {
        if i > 0 && !reader.eat(',') {
            return reader.wrong("','");
        }
        values.push(reader.value(ty)?);
    }
    reader.end().map(|()| values)
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&mut self) -> &str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    fn wrong<T>(&self, expected: &str) -> Result<T, String> {
        Err(format!("expected {expected} at offset {} of {:?}", self.at, self.text))
    }

    fn eat(&mut self, c: char) -> bool {
        let found = self.rest().starts_with(c);
        self.at += if found { c.len_utf8() } else { 0 };
        found
    }

    fn end(&mut self) -> Result<(), String> {
        if self.rest().is_empty() { Ok(()) } else { self.wrong("the end") }
    }

    fn value(&mut self, ty: Type) -> Result<Val, String> {
        match ty {
            Type::Scalar(dtype) => Ok(Val::Scalar(self.scalar(dtype)?)),
            Type::Array { dtype, rank } => {
                let (mut dims, mut items) = (vec![-1; usize::from(rank)], Vec::new());
                self.nested(dtype, 0, &mut dims, &mut items)?;
                dims.iter_mut().for_each(|d| *d = (*d).max(0));
                Ok(Val::Array(Array::from_scalars(dtype, &dims, &items)))
            }
            Type::List { .. } => {
                let item = ty.list_item().expect("lists have items");
                self.list(item)
            }
            Type::Str => self.wrong("a value that can be written"),
        }
    }

    fn list(&mut self, item: Type) -> Result<Val, String> {
        if !self.eat('[') {
            return self.wrong("'['");
        }
        let mut items = Vec::new();
        while !self.eat(']') {
            if !items.is_empty() && !self.eat(',') {
                return self.wrong("',' or ']'");
            }
            items.push(self.value(item)?);
        }
        Ok(Val::List(item, Rc::new(RefCell::new(items))))
    }

    fn nested(
        &mut self,
        dtype: DType,
        axis: usize,
        dims: &mut [i64],
        out: &mut Vec<Scalar>,
    ) -> Result<(), String> {
        if axis == dims.len() {
            out.push(self.scalar(dtype)?);
            return Ok(());
        }
        if !self.eat('[') {
            return self.wrong("'['");
        }
        let mut count = 0;
        while !self.eat(']') {
            if count > 0 && !self.eat(',') {
                return self.wrong("',' or ']'");
            }
            self.nested(dtype, axis + 1, dims, out)?;
            count += 1;
        }
        if dims[axis] >= 0 && dims[axis] != count {
            return self.wrong("rows of equal length");
        }
        dims[axis] = count;
        Ok(())
    }

    fn scalar(&mut self, dtype: DType) -> Result<Scalar, String> {
        let rest = self.rest();
        let end = rest.find([',', ']', ' ', ')']).unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        let parsed = match dtype {
            DType::Bool => match word.as_str() {
                "True" | "true" => Some(Scalar::Bool(true)),
                "False" | "false" => Some(Scalar::Bool(false)),
                _ => None,
            },
            d if d.is_int() => word.parse::<i128>().ok().map(|v| Scalar::int(v, d)),
            d if d.is_float() => word.parse::<f64>().ok().map(|v| Scalar::float(v, d)),
            d => complex(&word).map(|(re, im)| Scalar::complex(re, im, d)),
        };
        self.at += end;
        parsed.map_or_else(|| self.wrong(dtype.name()), Ok)
    }
}

/// `1`, `2j`, `1+2j`, `1e3-2.5j`.
fn complex(word: &str) -> Option<(f64, f64)> {
    let Some(body) = word.strip_suffix('j') else { return Some((word.parse().ok()?, 0.0)) };
    let split = body
        .char_indices()
        .rev()
        .find(|&(i, c)| i > 0 && matches!(c, '+' | '-') && !body[..i].ends_with(['e', 'E']));
    match split {
        Some((i, _)) => Some((body[..i].parse().ok()?, body[i..].parse().ok()?)),
        None => Some((0.0, body.parse().ok()?)),
    }
}

/// A value as `run:` lines write it.
#[must_use]
pub fn show(value: &Val) -> String {
    match value {
        Val::Scalar(s) => scalar_text(*s),
        Val::Array(a) => nested_text(&a.dims, &a.scalars()),
        Val::List(_, items) => {
            let items: Vec<String> = items.borrow().iter().map(show).collect();
            format!("[{}]", items.join(", "))
        }
        Val::Str(s) => format!("{s:?}"),
    }
}

fn nested_text(dims: &[i64], items: &[Scalar]) -> String {
    let Some((&first, inner)) = dims.split_first() else { return scalar_text(items[0]) };
    let count = usize::try_from(first).expect("not negative");
    let each = items.len().checked_div(count).unwrap_or(0);
    let parts: Vec<String> =
        (0..count).map(|i| nested_text(inner, &items[i * each..(i + 1) * each])).collect();
    format!("[{}]", parts.join(", "))
}

fn scalar_text(s: Scalar) -> String {
    match s {
        Scalar::Bool(b) => if b { "True" } else { "False" }.to_owned(),
        Scalar::Int(v, _) => v.to_string(),
        Scalar::Float(x, d) => float_text(x, d == DType::F32),
        Scalar::Complex(re, im, d) => {
            let narrow = d == DType::C64;
            let im = float_text(im, narrow);
            let sign = if im.starts_with(['-', '+']) { "" } else { "+" };
            format!("{}{sign}{im}j", float_text(re, narrow))
        }
    }
}

/// Python's `repr` of a float: the shortest text that reads back, exponents from 1e16 and below 1e-4.
#[allow(clippy::cast_possible_truncation, reason = "float32 values")]
fn float_text(x: f64, narrow: bool) -> String {
    if x.is_nan() {
        return "nan".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let text = closest_shortest(x, narrow);
    let (mantissa, exponent) = text.split_once('e').expect("`{:e}` writes an exponent");
    let exponent: i32 = exponent.parse().expect("`{:e}` writes a number");
    // NumPy's float32 has an exponent from a million on.
    let largest = if narrow { 6 } else { 16 };
    if x != 0.0 && !(-4..largest).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    let minus = if mantissa.starts_with('-') { "-" } else { "" };
    let digits = mantissa.replace(['-', '.'], "");
    match usize::try_from(exponent) {
        Err(_) => format!("{minus}0.{}{digits}", "0".repeat(exponent.unsigned_abs() as usize - 1)),
        Ok(power) if digits.len() > power + 1 => {
            format!("{minus}{}.{}", &digits[..=power], &digits[power + 1..])
        }
        Ok(power) => format!("{minus}{digits}{}.0", "0".repeat(power + 1 - digits.len())),
    }
}

/// `x` in the fewest digits that read back as `x`, with an exponent. Where two such texts are equally close Python takes the
/// one with an even last digit, Rust's own shortest text the upper one.
#[allow(clippy::cast_possible_truncation, reason = "float32 values")]
fn closest_shortest(x: f64, narrow: bool) -> String {
    let shortest = if narrow { format!("{:e}", x as f32) } else { format!("{x:e}") };
    let digits = shortest.bytes().take_while(|&b| b != b'e').filter(u8::is_ascii_digit).count();
    let rounded = format!("{x:.*e}", digits.saturating_sub(1));
    let is_same = if narrow { rounded.parse() == Ok(x as f32) } else { rounded.parse() == Ok(x) };
    if is_same { rounded } else { shortest }
}

/// `str(value)` of scalars in Python; of arrays only an approximation.
#[must_use]
pub fn python_str(value: &Val) -> String {
    match value {
        Val::Scalar(s @ Scalar::Complex(re, ..)) => {
            let text = scalar_text(*s);
            let imaginary = text.rsplit_once(['+', '-']).map_or("", |(_, im)| im).trim_end_matches(".0j");
            if *re == 0.0 && re.is_sign_positive() { format!("{imaginary}j") } else { format!("({text})") }
        }
        Val::Str(s) => s.clone(),
        other => show(other),
    }
}

/// `format(value, text)` in Python, for the formats that tests use: a width, a precision and one of `d`, `e`, `f`, `x`.
#[must_use]
pub fn formatted(value: &Val, text: &str) -> String {
    let kind = text.chars().last().filter(char::is_ascii_alphabetic);
    let text = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (before, precision) = text.split_once('.').unwrap_or((text, ""));
    let precision = precision.parse().unwrap_or(6);
    let own = match (kind, value) {
        (Some('f'), Val::Scalar(Scalar::Float(number, _))) => format!("{number:.precision$}"),
        (Some('e'), Val::Scalar(Scalar::Float(number, _))) => {
            let text = format!("{number:.precision$e}");
            let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
            let power: i32 = power.parse().unwrap_or(0);
            format!("{digits}e{}{:02}", if power < 0 { '-' } else { '+' }, power.abs())
        }
        _ => python_str(value),
    };
    let sign = if before.starts_with('+') && !own.starts_with('-') { "+" } else { "" };
    let (align, width) = match before.trim_start_matches('+').strip_prefix(['<', '>', '^']) {
        Some(width) => (before.chars().next().unwrap_or('>'), width),
        None => ('>', before.trim_start_matches('+')),
    };
    let (zeros, width) = (width.starts_with('0'), width.parse().unwrap_or(0));
    let own = format!("{sign}{own}");
    let missing = usize::saturating_sub(width, own.chars().count());
    match align {
        _ if zeros => {
            let digits = own.trim_start_matches(['+', '-']);
            format!("{}{}{digits}", &own[..own.len() - digits.len()], "0".repeat(missing))
        }
        '<' => own + &" ".repeat(missing),
        '^' => format!("{}{own}{}", " ".repeat(missing / 2), " ".repeat(missing - missing / 2)),
        _ => " ".repeat(missing) + &own,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(text: &str, ty: Type) {
        assert_eq!(show(&parse(text, ty).expect(text)), text);
    }

    #[test]
    fn values_read_back_as_written() {
        round_trip("-3", Type::I64);
        round_trip("1e+16", Type::F64);
        round_trip("0.1", Type::Scalar(DType::F32));
        round_trip("-0.0", Type::F64);
        round_trip("nan", Type::F64);
        round_trip("1.0-2.5j", Type::Scalar(DType::C128));
        round_trip("[[1, 2], [3, 4]]", Type::array(DType::I32, 2));
        round_trip("[]", Type::array(DType::F64, 1));
        round_trip("[True, False]", Type::list(DType::Bool));
        round_trip("[[1, 2], [], [3]]", Type::List { dtype: DType::I64, rank: None, depth: 2 });
    }

    #[test]
    fn wrong_text_says_what_was_expected() {
        assert!(parse("[1, 2", Type::array(DType::I64, 1)).unwrap_err().contains("',' or ']'"));
        assert!(parse("1.5", Type::I64).unwrap_err().contains("i64"));
        assert!(parse("[[1], [2, 3]]", Type::array(DType::I64, 2)).unwrap_err().contains("equal length"));
    }
}
