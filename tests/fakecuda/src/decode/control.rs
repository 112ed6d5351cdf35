//! Branches, calls and barriers.

use super::function::{Decoder, Jump};
use super::{NONE, Op, Reduction, WarpWork};
use crate::parse::{Error, Instruction, Operand, Type};

impl Decoder<'_> {
    pub fn control(&mut self, i: &Instruction) -> Result<(), Error> {
        match i.op.as_str() {
            "bra" => self.branch(i),
            "brx" => self.branch_table(i),
            "call" => self.call(i),
            "bar" | "barrier" => self.barrier(i),
            "membar" | "fence" | "nanosleep" => {
                // Memory is sequential, so a fence has nothing to do.
                self.emit(Op::Nothing);
                Ok(())
            }
            name => {
                let mut words = self.words(i);
                words.take("uni");
                words.finish()?;
                self.emit(match name {
                    "ret" => Op::Return,
                    "exit" => Op::Exit,
                    _ => Op::Trap,
                });
                Ok(())
            }
        }
    }

    fn branch(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        words.take("uni");
        words.finish()?;
        let [Operand::Name(label, 0)] = self.operands(i)? else { return self.fail("`bra` needs a label") };
        let at = self.emit(Op::Nothing);
        self.jump(Jump::Instruction(at), label);
        Ok(())
    }

    fn branch_table(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        words.take("uni");
        if !words.take("idx") {
            return words.unknown();
        }
        words.finish()?;
        let [index, Operand::Name(table, 0)] = self.operands(i)? else {
            return self.fail("`brx.idx` needs an index and a list");
        };
        let index = self.value(index, Type::U32)?;
        let labels = self.targets(table)?;
        let list = self.list(vec![0; labels.len()]);
        for (n, label) in labels.iter().enumerate() {
            self.jump(Jump::List(list as usize + n), label);
        }
        self.emit(Op::BranchTable { index, list, count: labels.len() as u32 });
        Ok(())
    }

    fn call(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        words.take("uni");
        words.finish()?;
        // `(results), name, (arguments), prototype`, of which all but the name may be missing.
        let mut operands = i.operands.as_slice();
        let mut results: &[Operand] = &[];
        if let [Operand::List(list), rest @ ..] = operands {
            (results, operands) = (list, rest);
        }
        let [Operand::Name(name, 0), rest @ ..] = operands else {
            return self.fail("`call` needs a function");
        };
        let arguments: &[Operand] = if let [Operand::List(list), ..] = rest { list } else { &[] };
        let (function, register) = match self.callee(name)? {
            Some(function) => {
                let callee = &self.program.functions[function as usize];
                if callee.parameters.len() != arguments.len() || callee.results.len() != results.len() {
                    return self.fail(format!("`{name}` has other parameters or results"));
                }
                (function, NONE)
            }
            None => (NONE, self.register(name)?),
        };
        let offsets: Result<Vec<u32>, Error> =
            arguments.iter().chain(results).map(|operand| self.frame_offset(operand)).collect();
        let list = self.list(offsets?);
        self.emit(Op::Call {
            function,
            register,
            list,
            arguments: arguments.len() as u8,
            results: results.len() as u8,
        });
        Ok(())
    }

    fn barrier(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let whole_warp = words.take("warp");
        words.take("cta");
        // `bar` is the aligned form: all threads of a warp must come to the same instruction.
        let aligned = words.take("aligned") || i.op == "bar";
        if whole_warp {
            if !words.take("sync") {
                return words.unknown();
            }
            words.finish()?;
            let [mask] = self.operands(i)?;
            return self.warp_synchronize(mask);
        }
        let reduction = match words.one_of(&["sync", "red"]) {
            Some("sync") => Reduction::None,
            Some(_) => match words.one_of(&["popc", "and", "or"]) {
                Some("popc") => Reduction::Count,
                Some("and") => Reduction::And,
                Some(_) => Reduction::Or,
                None => return words.unknown(),
            },
            None => return words.unknown(),
        };
        words.take("all");
        let ty = if reduction == Reduction::None { None } else { Some(words.ty()?) };
        words.finish()?;
        let mut operands = i.operands.as_slice();
        let (mut d, mut p) = (NONE, NONE);
        if let (Some(ty), [first, middle @ .., last]) = (ty, operands) {
            d = self.destination(first, ty)?;
            p = self.maybe_negated(last)?;
            operands = middle;
        }
        let (id, count) = match operands {
            [id] => (self.value(id, Type::U32)?, NONE),
            [id, count] => (self.value(id, Type::U32)?, self.value(count, Type::U32)?),
            _ => return self.fail("a barrier needs its number"),
        };
        self.emit(Op::Barrier { id, count, aligned, reduction, d, p });
        Ok(())
    }

    fn warp_synchronize(&mut self, mask: &Operand) -> Result<(), Error> {
        let mask = self.value(mask, Type::U32)?;
        let zero = self.constant(0);
        let d = self.temporary();
        let work = WarpWork::Synchronize;
        self.emit(Op::Warp { work, mask, d, predicate: NONE, operands: [zero; 3] });
        Ok(())
    }
}
