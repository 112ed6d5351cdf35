//! Numbers in text and text of numbers, where both are known when the program is compiled.

use super::arguments::Arguments;
use crate::diagnostics::code;
use crate::typed::flow::infer::Infer;
use crate::typed::program::tree::{Expr, ExprKind};
use crate::typed::types::ty::Ty;

impl Infer<'_, '_> {
    /// `hextoi("ff")`, `stoi("12")`, `strtol("101", 2)`: as Python's `int(text, base)`.
    pub(super) fn integer_of_digits(&mut self, base: u32, args: &Arguments) -> Expr {
        let (text, span) = (args.value(0), args.span);
        let ExprKind::Text(digits) = &text.kind else { return self.not_constant("text", &text) };
        let base = match base {
            0 => {
                let given = args.value(1);
                match given.as_int().filter(|_| given.is_constant()) {
                    Some(base @ 2..=36) => base as u32,
                    Some(_) => {
                        let headline = "the base is a number of 2 to 36 here";
                        return self.error(code::TYPE_MISMATCH, given.span, headline, "not such a base");
                    }
                    None => return self.not_constant("base", &given),
                }
            }
            known => known,
        };
        match integer(digits, base) {
            Some(number) => Expr::int(number, span),
            None => {
                let headline = format!("invalid literal for int() with base {base}: '{digits}'");
                self.error(code::TYPE_MISMATCH, text.span, headline, "no integer of 64 bits")
            }
        }
    }

    /// `ord("a")`.
    pub(super) fn code_point(&mut self, args: &Arguments) -> Expr {
        let (text, span) = (args.value(0), args.span);
        let ExprKind::Text(letters) = &text.kind else { return self.not_constant("text", &text) };
        let mut letters = letters.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Expr::int(i64::from(u32::from(letter)), span),
            _ => {
                let headline = "`ord` takes a text of one character";
                self.error(code::TYPE_MISMATCH, text.span, headline, "not one character")
            }
        }
    }

    /// `hex(255)`.
    pub(super) fn hexadecimal(&mut self, args: &Arguments) -> Expr {
        let number = args.value(0);
        match number.as_int().filter(|_| number.is_constant()) {
            Some(n) => {
                let sign = if n < 0 { "-" } else { "" };
                let text = format!("{sign}0x{:x}", n.unsigned_abs());
                Expr::new(ExprKind::Text(text), Ty::Str, args.span)
            }
            None => self.not_constant("x", &number),
        }
    }
}

/// What Python reads: blanks around it, a sign, the base's prefix, digits with single underscores between them.
fn integer(text: &str, base: u32) -> Option<i64> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let prefix = match base {
        2 => "0b",
        8 => "0o",
        16 => "0x",
        _ => "",
    };
    let lower = digits.to_ascii_lowercase();
    let digits = match lower.strip_prefix(prefix).filter(|_| !prefix.is_empty()) {
        Some(rest) => rest.strip_prefix('_').unwrap_or(rest),
        None => &lower,
    };
    if digits.split('_').any(str::is_empty) || !digits.chars().all(|c| c == '_' || c.is_digit(base)) {
        return None;
    }
    let magnitude = i128::from_str_radix(&digits.replace('_', ""), base).ok()?;
    i64::try_from(if negative { -magnitude } else { magnitude }).ok()
}
