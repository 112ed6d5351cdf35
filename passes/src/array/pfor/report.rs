//! The table of a loop in the user's words (`pyddc --report`).

use pydd_ir::sharing::{Footprint, Sharing, Span};
use pydd_ir::{Function, Value};

use super::Proof;
use super::table::{Class, Classes, Conflict};
use crate::analysis::symbol::{Poly, Symbol};
use crate::pass::Finding;
use crate::report::lines::line;

/// A line for each variable of the loop that has a name: its class, and why.
pub(super) fn table(proof: &Proof<'_>, classes: &Classes, parallel: bool) -> Finding {
    let how = if parallel { "in any order" } else { "in order" };
    let message = format!("the iterations of this `pfor` run {how}; what they share:");
    let mut finding = Finding::new("pfor-table", proof.place, message);
    finding.badge = Some(if parallel { "parallel" } else { "in order" }.to_owned());
    let index = proof.func.blocks[proof.func.ops[proof.pfor].regions[0]].params[0];
    let words = Words { func: proof.func, index };
    for (value, class) in &classes.rows {
        if let Some(name) = words.name(*value) {
            let line = format!("`{name}`: {}", words.class(class, proof));
            if !finding.notes.contains(&line) {
                finding.notes.push(line);
            }
        }
    }
    finding
}

struct Words<'f> {
    func: &'f Function,
    index: Value,
}

impl Words<'_> {
    fn name(&self, value: Value) -> Option<&str> {
        // Names that no source can have are the compiler's own.
        let names = self.func.names.get(&value)?.iter().map(String::as_str);
        names.into_iter().find(|name| name.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    }

    fn class(&self, class: &Class, proof: &Proof<'_>) -> String {
        match class {
            Class::Shared(sharing) => self.sharing(sharing),
            Class::Private => "private, made in each iteration".to_owned(),
            Class::Contended(conflict) => contended(conflict, proof),
        }
    }

    fn sharing(&self, sharing: &Sharing<Symbol>) -> String {
        match sharing {
            Sharing::Invariant => "invariant, only read".to_owned(),
            Sharing::Sliced { writes, footprint } => {
                let verb = if *writes { "writes" } else { "reads" };
                let index = self.name(self.index).unwrap_or("i");
                let tested = *writes && footprint.segments().next().is_some();
                let when =
                    if tested { ", if a test before the loop finds these pointers in order" } else { "" };
                format!("sliced, iteration `{index}` {verb} {}{when}", self.footprint(footprint))
            }
            Sharing::Reduced(op) => format!("reduced, combined by `{}`", op.name()),
            Sharing::Appended => "appended to, in the order of iterations".to_owned(),
        }
    }

    fn footprint(&self, footprint: &Footprint<Symbol>) -> String {
        let spans: Vec<String> = footprint.0.iter().map(|span| self.span(span)).collect();
        format!("[{}]", spans.join(", "))
    }

    /// As a slice of Python.
    fn span(&self, span: &Span<Symbol>) -> String {
        let text = |poly: &Poly| poly.text(&mut |symbol| self.symbol(symbol));
        let whole = || {
            Some(match span {
                Span::All => ":".to_owned(),
                Span::Range(low, high) if low == high => text(low)?,
                Span::Range(low, high) => format!("{}:{}", text(low)?, text(&high.shift(1)?)?),
                Span::Segment(segment) => {
                    let pointers = self.symbol(segment.pointers)?;
                    let (first, last) = (text(&segment.first)?, text(&segment.last)?);
                    format!("{pointers}[{first}]:{pointers}[{last}]")
                }
            })
        };
        whole().unwrap_or_else(|| "…".to_owned())
    }

    /// A variable, or the length of an axis of one.
    fn symbol(&self, symbol: Symbol) -> Option<String> {
        match symbol {
            Symbol::Value(value) => self.name(value).map(str::to_owned),
            Symbol::Length(array, axis) => Some(format!("{}.shape[{axis}]", self.name(array)?)),
            Symbol::Iteration(_) | Symbol::LastIteration(_) => None,
        }
    }
}

/// Which two accesses may meet.
fn contended(conflict: &Conflict, proof: &Proof<'_>) -> String {
    let (first, second) = (proof.loc(conflict.first), proof.loc(conflict.second));
    let verb = |writes| if writes { "writes" } else { "reads" };
    let (one, other) = (verb(conflict.first_writes), verb(conflict.second_writes));
    if first == second && one == other {
        return format!("contended, two iterations may meet where line {} {one} it", line(first));
    }
    format!(
        "contended, line {} {one} what line {} {other} in another iteration, or may",
        line(first),
        line(second)
    )
}
