//! Instructions that the lanes of a warp do together.

use super::function::Decoder;
use super::words::Words;
use super::{NONE, Op, Register, Shuffle, Special, WarpReduction, WarpWork};
use crate::arithmetic::Mode;
use crate::parse::{Error, Instruction, Operand, Type};

fn reduction(words: &mut Words) -> Result<(WarpWork, Type), Error> {
    let name = words.one_of(&["add", "min", "max", "and", "or", "xor"]);
    let ty = words.ty()?;
    let work = match (name, ty) {
        (Some("add"), Type::U32 | Type::S32) => WarpReduction::Add,
        (Some("min"), Type::S32) => WarpReduction::MinSigned,
        (Some("max"), Type::S32) => WarpReduction::MaxSigned,
        (Some("min"), Type::U32) => WarpReduction::Min,
        (Some("max"), Type::U32) => WarpReduction::Max,
        (Some("and"), Type::B32) => WarpReduction::And,
        (Some("or"), Type::B32) => WarpReduction::Or,
        (Some("xor"), Type::B32) => WarpReduction::Xor,
        _ => return words.unknown(),
    };
    Ok((WarpWork::Reduce(work), ty))
}

impl Decoder<'_> {
    pub fn warp(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        if i.op == "activemask" {
            let ty = words.ty()?;
            words.finish()?;
            let [d] = self.operands(i)?;
            let d = self.destination(d, ty)?;
            self.emit(Op::Special { d, which: Special::ActiveMask });
            return Ok(());
        }
        if !words.take("sync") && i.op != "elect" {
            // The forms without a mask ended with sm_70.
            return words.unknown();
        }
        match i.op.as_str() {
            "shfl" => self.shuffle(i, words),
            "vote" => self.vote(i, words),
            "match" => self.match_value(i, words),
            "elect" => self.elect(i, words),
            _ => {
                let (work, ty) = reduction(&mut words)?;
                words.finish()?;
                let [d, a, mask] = self.operands(i)?;
                let d = self.destination(d, ty)?;
                let a = self.value(a, ty)?;
                self.together(work, mask, d, NONE, [a; 3])
            }
        }
    }

    fn together(
        &mut self,
        work: WarpWork,
        mask: &Operand,
        d: Register,
        predicate: Register,
        operands: [Register; 3],
    ) -> Result<(), Error> {
        let mask = self.value(mask, Type::U32)?;
        self.emit(Op::Warp { work, mask, d, predicate, operands });
        Ok(())
    }

    /// A destination that may be `d|p`.
    fn with_predicate(&mut self, operand: &Operand, ty: Type) -> Result<(Register, Register), Error> {
        match operand {
            Operand::Pair(d, p) => {
                let d = self.destination(&Operand::Name(d.clone(), 0), ty)?;
                let p = self.destination(&Operand::Name(p.clone(), 0), Type::Predicate)?;
                Ok((d, p))
            }
            other => Ok((self.destination(other, ty)?, NONE)),
        }
    }

    fn shuffle(&mut self, i: &Instruction, mut words: Words) -> Result<(), Error> {
        let way = match words.one_of(&["up", "down", "bfly", "idx"]) {
            Some("up") => Shuffle::Up,
            Some("down") => Shuffle::Down,
            Some("bfly") => Shuffle::Butterfly,
            Some(_) => Shuffle::Index,
            None => return words.unknown(),
        };
        let ty = words.ty()?;
        words.finish()?;
        let [d, a, b, c, mask] = self.operands(i)?;
        let (d, p) = self.with_predicate(d, ty)?;
        let operands = [self.value(a, ty)?, self.value(b, Type::U32)?, self.value(c, Type::U32)?];
        self.together(WarpWork::Shuffle(way), mask, d, p, operands)
    }

    fn vote(&mut self, i: &Instruction, mut words: Words) -> Result<(), Error> {
        let work = match words.one_of(&["all", "any", "uni", "ballot"]) {
            Some("all") => WarpWork::VoteAll,
            Some("any") => WarpWork::VoteAny,
            Some("uni") => WarpWork::VoteUniform,
            Some(_) => WarpWork::Ballot,
            None => return words.unknown(),
        };
        let ty = words.ty()?;
        words.finish()?;
        let [d, p, mask] = self.operands(i)?;
        let d = self.destination(d, ty)?;
        let mut p = self.maybe_negated(p)?;
        if p & super::NEGATED != 0 {
            let d = self.temporary();
            let crate::arithmetic::Function::Unary(f) =
                crate::arithmetic::integer::function("not", Type::Predicate).expect("not")
            else {
                return Ok(());
            };
            self.emit(Op::Unary { f, mode: Mode::default(), d, a: p & !super::NEGATED });
            p = d;
        }
        self.together(work, mask, d, NONE, [p; 3])
    }

    fn match_value(&mut self, i: &Instruction, mut words: Words) -> Result<(), Error> {
        let all = match words.one_of(&["any", "all"]) {
            Some(way) => way == "all",
            None => return words.unknown(),
        };
        let ty = words.ty()?;
        words.finish()?;
        let [d, a, mask] = self.operands(i)?;
        let (d, p) = self.with_predicate(d, Type::B32)?;
        let bytes = ty.bytes() as u8;
        let work = if all { WarpWork::MatchAll(bytes) } else { WarpWork::MatchAny(bytes) };
        let a = self.value(a, ty)?;
        self.together(work, mask, d, p, [a; 3])
    }

    fn elect(&mut self, i: &Instruction, mut words: Words) -> Result<(), Error> {
        words.take("sync");
        words.finish()?;
        let [d, mask] = self.operands(i)?;
        let (d, p) = self.with_predicate(d, Type::B32)?;
        let zero = self.constant(0);
        self.together(WarpWork::Elect, mask, d, p, [zero; 3])
    }
}
