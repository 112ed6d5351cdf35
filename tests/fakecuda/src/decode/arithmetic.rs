//! Instructions that compute from registers.

use super::function::Decoder;
use super::words::Words;
use super::{Logic, NONE, Op, Register};
use crate::arithmetic::{Function, Mode, compare, convert, float, integer, packed};
use crate::parse::{Error, Instruction, Operand, Type};

/// Instructions whose second type or shift amount has a type of its own: `shl.b64` shifts by 32 bits.
fn operand_type(op: &str, ty: Type, place: usize) -> Type {
    match (op, place) {
        ("shl" | "shr", 1) | ("bfe", 1 | 2) => Type::U32,
        _ => ty,
    }
}

impl Decoder<'_> {
    pub fn arithmetic(&mut self, i: &Instruction) -> Result<(), Error> {
        match i.op.as_str() {
            "setp" => self.set_predicate(i),
            "set" => self.set(i),
            "selp" | "slct" => self.select(i),
            "cvt" => self.convert(i),
            "testp" => self.test(i),
            "bfi" => self.insert_field(i),
            "lop3" | "prmt" | "dp4a" => self.with_table(i),
            "addc" | "subc" | "madc" => self.carry(i),
            "add" | "sub" | "mad" if i.modifiers.iter().any(|m| m == "cc") => self.carry(i),
            _ => self.plain(i),
        }
    }

    fn apply(&mut self, f: Function, mode: Mode, d: Register, args: &[Register]) -> Result<(), Error> {
        match (f, args) {
            (Function::Unary(f), &[a]) => self.emit(Op::Unary { f, mode, d, a }),
            (Function::Binary(f), &[a, b]) => self.emit(Op::Binary { f, mode, d, a, b }),
            (Function::Ternary(f), &[a, b, c]) => self.emit(Op::Ternary { f, mode, d, a, b, c }),
            _ => return self.fail("a wrong number of operands"),
        };
        Ok(())
    }

    /// An instruction with one type, whose operands are all of it.
    fn plain(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let mut mode = Mode::default();
        let (function, ty) = if let Some((half, register)) = words.find(packed::named) {
            (self.packed_function(i, half, &mut words, &mut mode)?, register)
        } else {
            let ty = words.ty()?;
            let function = if ty.is_float() {
                self.float_function(i, ty, &mut words, &mut mode)?
            } else {
                self.integer_function(i, ty, &mut words, &mut mode)?
            };
            (function, ty)
        };
        words.finish()?;
        let Some((destination, sources)) = i.operands.split_first() else {
            return self.fail("operands are missing");
        };
        let d = self.destination(destination, ty)?;
        let mut args = Vec::new();
        for (place, source) in sources.iter().enumerate() {
            args.push(self.value(source, operand_type(&i.op, ty, place))?);
        }
        self.apply(function, mode, d, &args)
    }

    fn float_function(
        &self,
        i: &Instruction,
        ty: Type,
        words: &mut Words,
        mode: &mut Mode,
    ) -> Result<Function, Error> {
        mode.flush = words.take("ftz");
        mode.saturate = words.take("sat");
        mode.keep_nan = matches!(i.op.as_str(), "min" | "max") && words.take("NaN");
        let rounded = words.rounding(mode);
        let op = if i.op == "mad" { "fma" } else { i.op.as_str() };
        let approximate = words.one_of(&["approx", "full"]).is_some();
        let needs_rounding = matches!(op, "div" | "rcp" | "sqrt" | "fma") && !approximate;
        if needs_rounding && !rounded || mode.integral {
            return words.unknown();
        }
        let found = if approximate { float::approximation(op, ty) } else { float::function(op, ty) };
        found.map_or_else(|| words.unknown(), Ok)
    }

    fn packed_function(
        &self,
        i: &Instruction,
        half: Type,
        words: &mut Words,
        mode: &mut Mode,
    ) -> Result<Function, Error> {
        mode.flush = words.take("ftz");
        mode.saturate = words.take("sat");
        mode.keep_nan = matches!(i.op.as_str(), "min" | "max") && words.take("NaN");
        words.rounding(mode);
        packed::function(&i.op, half).map_or_else(|| words.unknown(), Ok)
    }

    fn integer_function(
        &self,
        i: &Instruction,
        ty: Type,
        words: &mut Words,
        mode: &mut Mode,
    ) -> Result<Function, Error> {
        mode.saturate = words.take("sat");
        let mut name = i.op.clone();
        let parts: &[&str] = match name.as_str() {
            "mul" | "mad" => &["lo", "hi", "wide"],
            "bfind" => &["shiftamt"],
            "shf" => &["l", "r"],
            _ => &[],
        };
        if let Some(part) = words.one_of(parts) {
            name = format!("{name}.{part}");
        }
        if i.op == "shf"
            && let Some(part) = words.one_of(&["clamp", "wrap"])
        {
            name = format!("{name}.{part}");
        }
        if mode.saturate && (ty != Type::S32 || !matches!(name.as_str(), "add" | "sub" | "mad.hi")) {
            return words.unknown();
        }
        match integer::function(&name, ty) {
            Some(f) => Ok(f),
            None => words.unknown(),
        }
    }

    /// `lop3`, `prmt` and `dp4a`.
    fn with_table(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let mut mode = Mode::default();
        let ty = words.ty()?;
        if i.op == "dp4a" {
            (mode.to, mode.from) = (ty, words.ty()?);
        }
        if i.op == "prmt" {
            let ways = ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"];
            let way = words.one_of(&ways).and_then(|w| ways.iter().position(|x| *x == w));
            mode.table = way.map_or(0, |w| w as u8 + 1);
        }
        let Some(f) = integer::function(&i.op, ty) else { return words.unknown() };
        words.finish()?;
        let sources = match (i.op.as_str(), i.operands.get(1..)) {
            ("lop3", Some([a, b, c, Operand::Integer(table)])) => {
                mode.table = *table as u8;
                [a, b, c]
            }
            ("prmt" | "dp4a", Some([a, b, c])) => [a, b, c],
            _ => return self.fail("a wrong number of operands"),
        };
        let d = self.destination(&i.operands[0], ty)?;
        let args = [self.value(sources[0], ty)?, self.value(sources[1], ty)?, self.value(sources[2], ty)?];
        self.apply(f, mode, d, &args)
    }

    fn insert_field(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let ty = words.ty()?;
        words.finish()?;
        let [d, a, b, start, length] = self.operands(i)?;
        let d = self.destination(d, ty)?;
        let operands = [
            self.value(a, ty)?,
            self.value(b, ty)?,
            self.value(start, Type::U32)?,
            self.value(length, Type::U32)?,
        ];
        self.emit(Op::InsertField { wide: ty.bytes() == 8, d, operands });
        Ok(())
    }

    fn carry(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let writes = words.take("cc");
        let reads = matches!(i.op.as_str(), "addc" | "subc" | "madc");
        let ty = words.ty()?;
        let wide = ty.bytes() == 8;
        let part = words.one_of(&["lo", "hi"]);
        let d = self.destination(&i.operands[0], ty)?;
        let subtract = matches!(i.op.as_str(), "sub" | "subc");
        let (a, b) = match (part, &i.operands[1..]) {
            (Some(part), [a, b, c]) => {
                let Some(f) = integer::function(&format!("mul.{part}"), ty) else { return words.unknown() };
                let product = self.temporary();
                let args = [self.value(a, ty)?, self.value(b, ty)?];
                self.apply(f, Mode::default(), product, &args)?;
                (product, self.value(c, ty)?)
            }
            (None, [a, b]) => (self.value(a, ty)?, self.value(b, ty)?),
            _ => return words.unknown(),
        };
        words.finish()?;
        self.emit(Op::Carry { subtract, wide, reads, writes, d, a, b });
        Ok(())
    }

    fn comparison(&self, words: &mut Words) -> Result<(Mode, Type), Error> {
        let Some(comparison) = words.find(compare::named) else { return words.unknown() };
        Ok((Mode { comparison, flush: words.take("ftz"), ..Mode::default() }, words.ty()?))
    }

    fn set_predicate(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let logic = words.one_of(&["and", "or", "xor"]);
        let (mode, ty) = self.comparison(&mut words)?;
        let Some(f) = compare::function(ty) else { return words.unknown() };
        words.finish()?;
        let (p, q) = match i.operands.first() {
            Some(Operand::Pair(p, q)) => {
                let nowhere = |name: &str| name == "_";
                let p = if nowhere(p) { self.temporary() } else { self.predicate(p)? };
                (p, if nowhere(q) { self.temporary() } else { self.predicate(q)? })
            }
            Some(operand) => (self.destination(operand, Type::Predicate)?, NONE),
            None => return self.fail("operands are missing"),
        };
        let (a, b, with) = match (&i.operands[1..], logic) {
            ([a, b], None) => (a, b, NONE),
            ([a, b, c], Some(_)) => (a, b, self.maybe_negated(c)?),
            _ => return self.fail("a wrong number of operands"),
        };
        let (a, b) = (self.value(a, ty)?, self.value(b, ty)?);
        if q == NONE && with == NONE {
            self.emit(Op::Binary { f, mode, d: p, a, b });
        } else {
            let logic = match logic {
                Some("or") => Logic::Or,
                Some("xor") => Logic::Xor,
                _ => Logic::And,
            };
            self.emit(Op::Compare { f, mode, p, q, a, b, with, logic });
        }
        Ok(())
    }

    /// `set`: all ones or 1.0 instead of a predicate.
    fn set(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let to = words.ty()?;
        let (mode, ty) = self.comparison(&mut words)?;
        let Some(f) = compare::function(ty) else { return words.unknown() };
        words.finish()?;
        let [d, a, b] = self.operands(i)?;
        let d = self.destination(d, to)?;
        let (p, a, b) = (self.temporary(), self.value(a, ty)?, self.value(b, ty)?);
        self.emit(Op::Binary { f, mode, d: p, a, b });
        let one = if to == Type::F32 { u64::from(1f32.to_bits()) } else { 0xffff_ffff };
        let (a, b) = (self.constant(one), self.constant(0));
        self.emit(Op::Select { d, a, b, p });
        Ok(())
    }

    fn select(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let ftz = words.take("ftz");
        let ty = words.ty()?;
        let by = if i.op == "slct" { words.ty()? } else { Type::Predicate };
        if ftz && by != Type::F32 {
            return words.unknown();
        }
        words.finish()?;
        let [d, a, b, c] = self.operands(i)?;
        let d = self.destination(d, ty)?;
        let (a, b, c) = (self.value(a, ty)?, self.value(b, ty)?, self.value(c, by)?);
        if by == Type::Predicate {
            self.emit(Op::Select { d, a, b, p: c });
        } else {
            self.emit(Op::SelectBySign { d, a, b, c, float: by == Type::F32 });
        }
        Ok(())
    }

    fn convert(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let mut mode = Mode { flush: words.take("ftz"), saturate: words.take("sat"), ..Mode::default() };
        let rounded = words.rounding(&mut mode);
        mode.to = words.ty()?;
        mode.from = words.ty()?;
        let (to, from) = (mode.to, mode.from);
        // To an integer the roundings are the integral ones; what loses bits must say how.
        let loses = to.is_float() && (!from.is_float() || to.bytes() < from.bytes());
        if loses && !rounded || from.is_float() && !to.is_float() && !mode.integral {
            return words.unknown();
        }
        words.finish()?;
        let [d, a] = self.operands(i)?;
        let d = self.destination(d, to)?;
        let a = self.value(a, from)?;
        self.emit(Op::Unary { f: convert::function(mode), mode, d, a });
        Ok(())
    }

    fn test(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let Some(f) = words.find(compare::property) else { return words.unknown() };
        let ty = words.ty()?;
        words.finish()?;
        let [p, a] = self.operands(i)?;
        let d = self.destination(p, Type::Predicate)?;
        let a = self.value(a, ty)?;
        self.emit(Op::Unary { f, mode: Mode { from: ty, ..Mode::default() }, d, a });
        Ok(())
    }
}
