//! Messages with `{0}`…`{7}`, and quantities as NumPy writes them.

/// Replaces `{0}`…`{7}` by the payload and `{{`, `}}` by single braces; any other brace stays.
#[must_use]
pub fn format(template: &str, payload: &[i64; pydd_abi::MAX_PAYLOAD]) -> String {
    let plain = |_: char, _: &str, word: i64| Ok::<_, std::convert::Infallible>(word.to_string());
    match format_with(template, payload, plain) {
        Ok(text) => text,
        Err(never) => match never {},
    }
}

/// As [`format()`]; for `{0!f:.3f}`, `shown` is given the letter, the format and the payload.
///
/// # Errors
/// What `shown` fails with.
pub fn format_with<E>(
    template: &str,
    payload: &[i64; pydd_abi::MAX_PAYLOAD],
    shown: impl Fn(char, &str, i64) -> Result<String, E>,
) -> Result<String, E> {
    let mut out = String::with_capacity(template.len() + 16);
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let bytes = rest.as_bytes();
        rest = match bytes {
            [b'{', digit @ b'0'..=b'7', b'}', ..] => {
                out.push_str(&payload[usize::from(digit - b'0')].to_string());
                &rest[3..]
            }
            [b'{', digit @ b'0'..=b'7', b'!', kind, ..] if rest.contains('}') => {
                let end = rest.find('}').unwrap_or(rest.len() - 1);
                let format = rest.get(4..end).unwrap_or_default();
                let format = format.strip_prefix(':').unwrap_or(format);
                out.push_str(&shown(char::from(*kind), format, payload[usize::from(digit - b'0')])?);
                &rest[end + 1..]
            }
            [b'{', b'{', ..] | [b'}', b'}', ..] => {
                out.push(char::from(bytes[0]));
                &rest[2..]
            }
            _ => {
                out.push(char::from(bytes[0]));
                &rest[1..]
            }
        };
    }
    out.push_str(rest);
    Ok(out)
}

/// `(3,)`, `(2, 3)`, `()`: a shape as Python prints a tuple.
#[must_use]
pub fn shape(dims: &[i64]) -> String {
    match dims {
        [one] => format!("({one},)"),
        _ => {
            let items: Vec<String> = dims.iter().map(i64::to_string).collect();
            format!("({})", items.join(", "))
        }
    }
}

/// `7.28 TiB`, `512. KiB`, `100. bytes`: a size with three digits, as in NumPy's memory errors.
#[must_use]
pub fn bytes(size: f64) -> String {
    const UNITS: [&str; 7] = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    let mut unit = 0;
    let mut n = size;
    while n.round() >= 1024.0 && unit + 1 < UNITS.len() {
        n /= 1024.0;
        unit += 1;
    }
    if unit == 0 {
        return format!("{n} bytes");
    }
    let digits = if n < 9.995 {
        format!("{n:.2}")
    } else if n < 99.95 {
        format!("{n:.1}")
    } else {
        format!("{n:.0}.")
    };
    format!("{digits} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_and_other_braces_stay() {
        let p = [7, -1, 3, 4, 5, 6, 7, 8];
        assert_eq!(
            format("index {0} is out of bounds for axis {1} with size {2}", &p),
            "index 7 is out of bounds for axis -1 with size 3"
        );
        assert_eq!(format("{{0}} {8} {x} { é", &p), "{0} {8} {x} { é");
        assert_eq!(format("", &p), "");
    }

    #[test]
    fn shapes_read_as_tuples() {
        assert_eq!(shape(&[]), "()");
        assert_eq!(shape(&[3]), "(3,)");
        assert_eq!(shape(&[2, 3]), "(2, 3)");
    }

    #[test]
    fn sizes_read_as_in_numpy() {
        assert_eq!(bytes(8e12), "7.28 TiB");
        assert_eq!(bytes(8e18), "6.94 EiB");
        assert_eq!(bytes(100.0), "100 bytes");
        assert_eq!(bytes(512.0 * 1024.0), "512. KiB");
        assert_eq!(bytes(10.0 * 1024.0), "10.0 KiB");
    }
}
