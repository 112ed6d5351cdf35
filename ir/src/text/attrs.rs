//! Mnemonics and attributes: for each operation how its kind is written and, below, read.

use super::lexer::{Tok, quoted};
use super::parser::{Parsed, Parser};
use super::sharing;
use crate::elem::ReduceOp;
use crate::entity::{Entity, FuncRef, Slot};
use crate::op::{
    ComplexPart, Exc, IndexItem, Keep, Literal, MapTarget, Message, OpKind, PrintSpec, ReduceSpec,
};
use crate::types::{DType, Type};

/// What stands in the brackets after the mnemonic; empty: no brackets.
pub(super) fn attributes(kind: &OpKind, func_name: impl Fn(FuncRef) -> String) -> String {
    match kind {
        OpKind::Dim(axis) | OpKind::Stride(axis) => axis.to_string(),
        OpKind::Part(part) => part.name().to_owned(),
        OpKind::KeepOrder(keep) => keep.name().to_owned(),
        OpKind::View(items) => join(items.iter().map(index_item), ", "),
        OpKind::Transpose(axes) => join(axes.iter().map(u8::to_string), ", "),
        OpKind::Map(MapTarget::Fresh) => String::new(),
        OpKind::Map(MapTarget::Into) => "into".to_owned(),
        OpKind::Map(MapTarget::Reduce(spec)) => format!("reduce {}", reduce_spec(spec)),
        OpKind::Reduce(spec) => reduce_spec(spec),
        OpKind::Update(op) | OpKind::UpdateRaw(op) => op.name().to_owned(),
        OpKind::PFor(parallel) => sharing::parallel(parallel),
        OpKind::Call(callee) | OpKind::Launch(callee) => func_name(*callee),
        OpKind::Check { exc, message } | OpKind::Raise { exc, message } => match message {
            Some(Message::Text(text)) => format!("{exc}, {}", quoted(text)),
            Some(Message::Key(key)) => format!("{exc}, key {}", quoted(key)),
            None => exc.to_string(),
        },
        OpKind::Print(spec) => print_spec(spec),
        OpKind::Own { slot, retain } => format!("{slot}{}", if *retain { ", retain" } else { "" }),
        OpKind::Disown(slot) => slot.to_string(),
        OpKind::HostAccess { writes } => if *writes { "write" } else { "read" }.to_owned(),
        OpKind::Continue(depth) | OpKind::Break(depth) => depth.to_string(),
        _ => String::new(),
    }
}

fn join(items: impl Iterator<Item = String>, separator: &str) -> String {
    items.collect::<Vec<_>>().join(separator)
}

fn index_item(item: &IndexItem) -> String {
    match *item {
        IndexItem::At => "at".to_owned(),
        IndexItem::New => "new".to_owned(),
        IndexItem::Slice { start, stop, step } => {
            let part = |there, name| if there { name } else { "" };
            let end = if step { ":step" } else { "" };
            format!("{}:{}{end}", part(start, "start"), part(stop, "stop"))
        }
    }
}

fn reduce_spec(spec: &ReduceSpec) -> String {
    let mut out = spec.op.name().to_owned();
    if let Some(axes) = &spec.axes {
        out += " axes";
        axes.iter().for_each(|axis| out += &format!(" {axis}"));
    }
    if spec.keepdims {
        out += " keepdims";
    }
    out
}

/// A word about what is printed.
enum PrintWord {
    Sep(String),
    End(String),
    /// An item; whether it is of the weak family.
    Item(bool),
    /// How the item before is formatted.
    Format(String),
}

fn print_spec(spec: &PrintSpec) -> String {
    let mut parts = Vec::new();
    for (at, &weak) in spec.weak.iter().enumerate() {
        parts.push(if weak { "weak" } else { "np" }.to_owned());
        parts.extend(spec.formats.get(&at).map(|format| format!("as {}", quoted(format))));
    }
    parts.extend(spec.sep.iter().map(|text| format!("sep {}", quoted(text))));
    parts.extend(spec.end.iter().map(|text| format!("end {}", quoted(text))));
    parts.join(", ")
}

/// A constant as it is printed for a value of this type.
pub(super) fn literal(literal: &Literal, ty: Type) -> String {
    match literal {
        Literal::Bool(value) => value.to_string(),
        #[allow(clippy::cast_sign_loss, reason = "the literal holds the bits")]
        Literal::Int(value) if ty == Type::Scalar(DType::U64) => (*value as u64).to_string(),
        Literal::Int(value) => value.to_string(),
        Literal::Float(bits) => float(*bits),
        Literal::Complex(re, im) => format!("complex({}, {})", float(*re), float(*im)),
        Literal::Str(text) => quoted(text),
    }
}

/// The shortest digits that read back as the same number.
fn float(bits: u64) -> String {
    let value = f64::from_bits(bits);
    if value.is_nan() { "nan".to_owned() } else { format!("{value:?}") }
}

impl Parser<'_> {
    /// The kind that a mnemonic and the attributes that follow it stand for.
    pub(super) fn kind(&mut self, name: &str) -> Parsed<OpKind> {
        if let Some(kind) = OpKind::plain(name) {
            return Ok(kind);
        }
        Ok(match name {
            "const" => OpKind::Const(self.literal()?),
            "dim" => OpKind::Dim(self.bracketed(Self::small)?),
            "stride" => OpKind::Stride(self.bracketed(Self::small)?),
            "part" => self.bracketed(|p| {
                let imag = p.eat_word("imag");
                let part = if imag { ComplexPart::Imag } else { ComplexPart::Real };
                if !imag {
                    p.expect_word("real")?;
                }
                Ok(OpKind::Part(part))
            })?,
            "keep_order" => OpKind::KeepOrder(self.bracketed(Self::keep)?),
            "view" => OpKind::View(self.attribute_list(Self::index_item)?),
            "transpose" => OpKind::Transpose(self.attribute_list(Self::small)?),
            "map" => OpKind::Map(self.map_target()?),
            "reduce" => OpKind::Reduce(self.bracketed(Self::reduce_spec)?),
            "update" => OpKind::Update(self.bracketed(Self::reduce_op)?),
            "update_raw" => OpKind::UpdateRaw(self.bracketed(Self::reduce_op)?),
            "pfor" => OpKind::PFor(self.parallel()?),
            "call" => OpKind::Call(self.bracketed(Self::callee)?),
            "launch" => OpKind::Launch(self.bracketed(Self::callee)?),
            "check" => {
                let (exc, message) = self.bracketed(Self::exception)?;
                OpKind::Check { exc, message }
            }
            "raise" => {
                let (exc, message) = self.bracketed(Self::exception)?;
                OpKind::Raise { exc, message }
            }
            "print" => OpKind::Print(self.print_spec()?),
            "own" => self.bracketed(|p| {
                let slot = p.slot()?;
                let retain = p.eat(',') && p.expect_word("retain").map(|()| true)?;
                Ok(OpKind::Own { slot, retain })
            })?,
            "disown" => OpKind::Disown(self.bracketed(Self::slot)?),
            "host_access" => self.bracketed(|p| {
                let writes = p.eat_word("write");
                if !writes {
                    p.expect_word("read")?;
                }
                Ok(OpKind::HostAccess { writes })
            })?,
            "continue" => OpKind::Continue(self.depth()?),
            "break" => OpKind::Break(self.depth()?),
            _ => return Err(self.before().error(format!("there is no operation `{name}`"))),
        })
    }

    fn keep(&mut self) -> Parsed<Keep> {
        let found = Keep::ALL.into_iter().find(|keep| self.eat_word(keep.name()));
        found.ok_or_else(|| self.before().error("`copy`, `elem` or `columns` belongs here".to_owned()))
    }

    fn bracketed<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.expect('[')?;
        let result = read(self)?;
        self.expect(']')?;
        Ok(result)
    }

    /// `[a, b]`, or nothing.
    fn attribute_list<T>(&mut self, read: impl Fn(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        if self.eat_here('[') { self.list(']', read) } else { Ok(Vec::new()) }
    }

    fn depth(&mut self) -> Parsed<u32> {
        if !self.eat_here('[') {
            return Ok(0);
        }
        let depth = self.uint()?;
        self.expect(']')?;
        Ok(depth)
    }

    fn small(&mut self) -> Parsed<u8> {
        let pos = self.pos();
        u8::try_from(self.uint()?).map_err(|_| pos.error("an axis is at most 255"))
    }

    fn slot(&mut self) -> Parsed<Slot> {
        self.numbered("slot").map(|index| Slot::new(index as usize))
    }

    fn index_item(&mut self) -> Parsed<IndexItem> {
        if self.eat_word("at") {
            return Ok(IndexItem::At);
        }
        if self.eat_word("new") {
            return Ok(IndexItem::New);
        }
        let start = self.eat_word("start");
        self.expect(':')?;
        let stop = self.eat_word("stop");
        let step = self.eat(':') && self.expect_word("step").map(|()| true)?;
        Ok(IndexItem::Slice { start, stop, step })
    }

    pub(super) fn reduce_op(&mut self) -> Parsed<ReduceOp> {
        let pos = self.pos();
        let name = self.ident()?;
        ReduceOp::from_name(&name).ok_or_else(|| pos.error(format!("there is no reduction `{name}`")))
    }

    fn reduce_spec(&mut self) -> Parsed<ReduceSpec> {
        let op = self.reduce_op()?;
        let mut axes = None;
        if self.eat_word("axes") {
            let mut list = Vec::new();
            while let Tok::Int(_) = self.peek() {
                list.push(self.small()?);
            }
            axes = Some(list);
        }
        Ok(ReduceSpec { op, axes, keepdims: self.eat_word("keepdims") })
    }

    fn map_target(&mut self) -> Parsed<MapTarget> {
        if !self.eat_here('[') {
            return Ok(MapTarget::Fresh);
        }
        let target = if self.eat_word("into") {
            MapTarget::Into
        } else {
            self.expect_word("reduce")?;
            MapTarget::Reduce(self.reduce_spec()?)
        };
        self.expect(']')?;
        Ok(target)
    }

    fn exception(&mut self) -> Parsed<(Exc, Option<Message>)> {
        let pos = self.pos();
        let name = self.ident()?;
        let exc = Exc::from_text(&name);
        let exc = exc.ok_or_else(|| pos.error(format!("there is no exception `{name}`")))?;
        if !self.eat(',') {
            return Ok((exc, None));
        }
        let message = if self.eat_word("key") { Message::Key } else { Message::Text };
        Ok((exc, Some(message(self.string()?))))
    }

    fn print_spec(&mut self) -> Parsed<PrintSpec> {
        let mut spec = PrintSpec::default();
        self.attribute_list(|p| {
            let pos = p.pos();
            let word = p.ident()?;
            Ok(match word.as_str() {
                "sep" => PrintWord::Sep(p.string()?),
                "end" => PrintWord::End(p.string()?),
                "weak" => PrintWord::Item(true),
                "np" => PrintWord::Item(false),
                "as" => PrintWord::Format(p.string()?),
                _ => return Err(pos.error("one of `weak`, `np`, `as`, `sep` and `end` was expected")),
            })
        })?
        .into_iter()
        .for_each(|word| match word {
            PrintWord::Sep(text) => spec.sep = Some(text),
            PrintWord::End(text) => spec.end = Some(text),
            PrintWord::Item(weak) => spec.weak.push(weak),
            PrintWord::Format(text) => {
                spec.formats.insert(spec.weak.len().saturating_sub(1), text);
            }
        });
        Ok(spec)
    }

    /// `true`, `-3`, `0.5`, `complex(0.0, 1.0)`, `"text"`.
    pub(super) fn literal(&mut self) -> Parsed<Literal> {
        let pos = self.pos();
        Ok(match self.advance() {
            Tok::Ident(word) if word == "true" => Literal::Bool(true),
            Tok::Ident(word) if word == "false" => Literal::Bool(false),
            Tok::Ident(word) if word == "complex" => {
                self.expect('(')?;
                let re = self.float()?;
                self.expect(',')?;
                let im = self.float()?;
                self.expect(')')?;
                Literal::Complex(re, im)
            }
            Tok::Int(value) => Literal::Int(int_bits(value).ok_or_else(|| pos.error("too large"))?),
            Tok::Float(bits) => Literal::Float(bits),
            Tok::Str(text) => Literal::Str(text),
            other => return Err(pos.error(format!("a constant was expected, not {}", other.describe()))),
        })
    }

    fn float(&mut self) -> Parsed<u64> {
        let pos = self.pos();
        match self.advance() {
            Tok::Float(bits) => Ok(bits),
            other => Err(pos.error(format!("a float was expected, not {}", other.describe()))),
        }
    }
}

/// The 64 bits of a signed or unsigned integer.
fn int_bits(value: i128) -> Option<i64> {
    #[allow(clippy::cast_possible_wrap, reason = "the literal holds the bits")]
    i64::try_from(value).ok().or_else(|| u64::try_from(value).ok().map(|v| v as i64))
}
