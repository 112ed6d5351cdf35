//! How tables of parallel loops are written and read: `sum | sliced write [2*i + v3 ..= n0.1 - 1], invariant`.

use super::lexer::Tok;
use super::parser::{Parsed, Parser};
use crate::elem::ReduceOp;
use crate::op::Parallel;
use crate::poly::Poly;
use crate::sharing::{
    Capture, Content, Cover, Footprint, Region, Residence, Segment, Sharing, Span, Symbol, Table,
};

/// What stands in the brackets of a `pfor`.
pub(super) fn parallel(parallel: &Parallel) -> String {
    let scalars = scalars(&parallel.reduce);
    let Some(table) = &parallel.table else { return scalars };
    let rows: Vec<String> = table.rows.iter().map(ToString::to_string).collect();
    format!("{scalars} | {}", rows.join(", ")).trim().to_owned()
}

/// What stands in the brackets of a function that a loop's body became.
pub(super) fn region(region: &Region) -> String {
    let capture = |capture: &Capture| {
        let words = residence(capture.residence);
        let held = if capture.held { "held " } else { "" };
        format!("m{} {held}{words}{}", capture.memory, capture.sharing)
    };
    let captures: Vec<String> = region.captures.iter().map(capture).collect();
    format!("{} | {}", scalars(&region.reduce), captures.join(", ")).trim().to_owned()
}

/// Each word with a space behind it.
fn residence(residence: Residence) -> String {
    let later = if residence.written_later { "written_later " } else { "" };
    let content = match residence.content {
        Content::Data => "",
        Content::Nothing => "blank ",
        Content::Zeros => "zeros ",
    };
    let cover = match residence.cover {
        Cover::Anything => "",
        Cover::Each => "covers ",
        Cover::Fills => "fills ",
    };
    format!("{later}{content}{cover}")
}

fn scalars(reduce: &[ReduceOp]) -> String {
    reduce.iter().map(|op| op.name()).collect::<Vec<_>>().join(", ")
}

impl Parser<'_> {
    pub(super) fn parallel(&mut self) -> Parsed<Parallel> {
        if !self.eat_here('[') {
            return Ok(Parallel::new(Vec::new()));
        }
        let reduce = self.scalars()?;
        if self.eat(']') {
            return Ok(Parallel::new(reduce));
        }
        self.expect('|')?;
        let rows = self.list(']', Self::sharing)?;
        Ok(Parallel { reduce, table: Some(Table { rows }) })
    }

    pub(super) fn region_of_loop(&mut self) -> Parsed<Region> {
        self.expect('[')?;
        let reduce = self.scalars()?;
        self.expect('|')?;
        let captures = self.list(']', |p| {
            let memory = p.numbered("m")?;
            let (held, residence) = (p.eat_word("held"), p.residence());
            Ok(Capture { memory, held, sharing: p.sharing()?, residence })
        })?;
        Ok(Region { captures, reduce })
    }

    fn residence(&mut self) -> Residence {
        let written_later = self.eat_word("written_later");
        let content = if self.eat_word("blank") {
            Content::Nothing
        } else if self.eat_word("zeros") {
            Content::Zeros
        } else {
            Content::Data
        };
        let cover = if self.eat_word("covers") {
            Cover::Each
        } else if self.eat_word("fills") {
            Cover::Fills
        } else {
            Cover::Anything
        };
        Residence { written_later, content, cover }
    }

    /// Operators up to `|` or the closing bracket.
    fn scalars(&mut self) -> Parsed<Vec<ReduceOp>> {
        let mut reduce = Vec::new();
        while !matches!(self.peek(), Tok::Punct('|' | ']')) {
            if !reduce.is_empty() {
                self.expect(',')?;
            }
            reduce.push(self.reduce_op()?);
        }
        Ok(reduce)
    }

    fn sharing(&mut self) -> Parsed<Sharing<Symbol>> {
        let pos = self.pos();
        Ok(match self.ident()?.as_str() {
            "invariant" => Sharing::Invariant,
            "reduced" => Sharing::Reduced(self.reduce_op()?),
            "appended" => Sharing::Appended,
            "sliced" => {
                let writes = self.eat_word("write");
                if !writes {
                    self.expect_word("read")?;
                }
                self.expect('[')?;
                Sharing::Sliced { writes, footprint: Footprint(self.list(']', Self::span)?) }
            }
            _ => {
                let classes = "`invariant`, `sliced`, `reduced` or `appended`";
                return Err(pos.error(format!("{classes} was expected")));
            }
        })
    }

    fn span(&mut self) -> Parsed<Span<Symbol>> {
        if self.eat(':') {
            return Ok(Span::All);
        }
        let low = self.poly()?;
        if self.eat('[') {
            return self.segment(&low);
        }
        if !self.eat('.') {
            return Ok(Span::Range(low.clone(), low));
        }
        self.expect('.')?;
        self.expect('=')?;
        Ok(Span::Range(low, self.poly()?))
    }

    /// `first] .. v1[last]` behind `v1[`.
    fn segment(&mut self, pointers: &Poly<Symbol>) -> Parsed<Span<Symbol>> {
        let pos = self.pos();
        let first = self.poly()?;
        self.expect(']')?;
        self.expect('.')?;
        self.expect('.')?;
        let again = self.poly()?;
        self.expect('[')?;
        let last = self.poly()?;
        self.expect(']')?;
        let array = pointers.symbols().next().filter(|&array| *pointers == Poly::symbol(array));
        match array {
            Some(pointers @ Symbol::Number(_)) if again == Poly::symbol(pointers) => {
                Ok(Span::Segment(Segment { pointers, first, last }))
            }
            _ => Err(pos.error("a segment goes from one element of an array, as `v0`, to another")),
        }
    }

    fn poly(&mut self) -> Parsed<Poly<Symbol>> {
        let pos = self.pos();
        let mut sum = Poly::default();
        let mut negative = self.eat('-');
        loop {
            let mut term = Poly::constant(if negative { -1 } else { 1 });
            loop {
                let factor = self.factor()?;
                term = term.mul(&factor).ok_or_else(|| pos.error("the sum is too large"))?;
                if !self.eat('*') {
                    break;
                }
            }
            sum = sum.add(&term).ok_or_else(|| pos.error("the sum is too large"))?;
            negative = self.eat('-');
            if !negative && !self.eat('+') {
                return Ok(sum);
            }
        }
    }

    fn factor(&mut self) -> Parsed<Poly<Symbol>> {
        let pos = self.pos();
        if let Tok::Int(number) = *self.peek() {
            self.advance();
            let small = i64::try_from(number).map(Poly::constant);
            return small.map_err(|_| pos.error("the number is out of range"));
        }
        let word = self.ident()?;
        let symbol = match word.split_at_checked(1) {
            Some(("i", "")) => Some(Symbol::Index),
            Some(("v", operand)) => operand.parse().ok().map(Symbol::Number),
            Some(("q", operand)) => operand.parse().ok().map(Symbol::Quotient),
            Some(("n", place)) => place
                .split_once('.')
                .and_then(|(operand, axis)| Some(Symbol::Length(operand.parse().ok()?, axis.parse().ok()?))),
            _ => None,
        };
        let is_small = |symbol: &Symbol| symbol.operand().is_none_or(|operand| operand < Symbol::OPERANDS);
        let symbol = symbol.filter(is_small);
        symbol.map(Poly::symbol).ok_or_else(|| pos.error("`i`, `v0` or `n0.0` was expected"))
    }
}
