//! Loads, stores, atomics, and instructions about addresses.

use super::function::Decoder;
use super::words::Words;
use super::{Address, LOCAL_WINDOW, Op, SHARED_WINDOW};
use crate::arithmetic::{Function, Mode, Ternary, float, integer};
use crate::parse::{Error, Instruction, Operand, Space, Type};

fn space(words: &mut Words) -> Space {
    let found = words.find(|w| {
        Some(match w.split_once("::").map_or(w, |(space, _)| space) {
            "global" => Space::Global,
            "const" => Space::Const,
            "shared" => Space::Shared,
            "local" => Space::Local,
            "param" => Space::Param,
            _ => return None,
        })
    });
    found.unwrap_or(Space::Generic)
}

/// What `atom` and `red` store, from the old value and the operands.
fn atomic(op: &str, ty: Type) -> Option<Ternary> {
    let bits = match ty.bytes() {
        2 => Type::U16,
        4 => Type::U32,
        _ => Type::U64,
    };
    Some(match (op, ty) {
        ("exch", _) => |_, b, _, _| b,
        ("cas", _) if bits == Type::U16 => |a, b, c, _| if a as u16 == b as u16 { c } else { a },
        ("cas", _) if bits == Type::U32 => |a, b, c, _| if a as u32 == b as u32 { c } else { a },
        ("cas", _) => |a, b, c, _| if a == b { c } else { a },
        ("inc", Type::U32) => |a, b, _, _| if a as u32 >= b as u32 { 0 } else { a + 1 },
        ("dec", Type::U32) => |a, b, _, _| if a as u32 == 0 || a as u32 > b as u32 { b } else { a - 1 },
        // PTX ISA: atom.add.f32 on global memory flushes subnormals; decided where the instruction is decoded.
        ("add", Type::F32) => |a, b, _, m| call(float::function("add", Type::F32), a, b, m),
        ("add", Type::F64) => |a, b, _, m| call(float::function("add", Type::F64), a, b, m),
        ("add", Type::F16) => |a, b, _, m| call(float::function("add", Type::F16), a, b, m),
        ("add", Type::U32 | Type::S32) => |a, b, _, _| u64::from((a as u32).wrapping_add(b as u32)),
        ("add", Type::U64 | Type::S64) => |a, b, _, _| a.wrapping_add(b),
        ("and", Type::B32 | Type::B64) => |a, b, _, _| a & b,
        ("or", Type::B32 | Type::B64) => |a, b, _, _| a | b,
        ("xor", Type::B32 | Type::B64) => |a, b, _, _| a ^ b,
        ("min", Type::U32) => |a, b, _, _| u64::from((a as u32).min(b as u32)),
        ("max", Type::U32) => |a, b, _, _| u64::from((a as u32).max(b as u32)),
        ("min", Type::S32) => |a, b, _, _| (a as i32).min(b as i32) as u32 as u64,
        ("max", Type::S32) => |a, b, _, _| (a as i32).max(b as i32) as u32 as u64,
        ("min", Type::U64) => |a, b, _, _| a.min(b),
        ("max", Type::U64) => |a, b, _, _| a.max(b),
        ("min", Type::S64) => |a, b, _, _| (a as i64).min(b as i64) as u64,
        ("max", Type::S64) => |a, b, _, _| (a as i64).max(b as i64) as u64,
        _ => return None,
    })
}

fn call(f: Option<Function>, a: u64, b: u64, mode: Mode) -> u64 {
    match f {
        Some(Function::Binary(f)) => f(a, b, mode),
        _ => unreachable!("the addition of a float type"),
    }
}

impl Decoder<'_> {
    pub fn memory(&mut self, i: &Instruction) -> Result<(), Error> {
        match i.op.as_str() {
            "ld" | "ldu" => self.load(i),
            "st" => self.store(i),
            "atom" | "red" => self.atomic(i),
            "cvta" => self.convert_address(i),
            "isspacep" => self.is_space(i),
            "mov" => self.move_value(i),
            // A prefetch does nothing, at any address.
            _ => Ok(()),
        }
    }

    /// What loads and stores have in common: the address, the type, and whether it is a vector.
    fn transfer(&mut self, i: &Instruction, at: usize) -> Result<(Address, Type, u8), Error> {
        let mut words = self.words(i);
        let space = space(&mut words);
        words.skip_memory_order();
        let count = match words.one_of(&["v2", "v4", "v8"]) {
            Some("v2") => 2,
            Some("v4") => 4,
            Some(_) => 8,
            None => 1,
        };
        let ty = words.ty()?;
        words.finish()?;
        if i.operands.len() != 2 {
            return self.fail(format!("`{}` has two operands", i.name()));
        }
        if i.op == "st" && space == Space::Const {
            return self.fail("constant memory is only read");
        }
        Ok((self.address(&i.operands[at], space)?, ty, count))
    }

    fn load(&mut self, i: &Instruction) -> Result<(), Error> {
        let (at, ty, count) = self.transfer(i, 1)?;
        let (bytes, signed) = (ty.bytes() as u8, ty.is_signed());
        match &i.operands[0] {
            Operand::Vector(parts) if parts.len() == usize::from(count) => {
                let registers: Result<Vec<_>, _> = parts.iter().map(|p| self.destination(p, ty)).collect();
                let list = self.list(registers?);
                self.emit(Op::LoadVector { at, bytes, signed, list, count });
            }
            operand if count == 1 => {
                let d = self.destination(operand, ty)?;
                self.emit(Op::Load { at, bytes, signed, d });
            }
            _ => return self.fail("a vector of another length"),
        }
        Ok(())
    }

    fn store(&mut self, i: &Instruction) -> Result<(), Error> {
        let (at, ty, count) = self.transfer(i, 0)?;
        let bytes = ty.bytes() as u8;
        match &i.operands[1] {
            Operand::Vector(parts) if parts.len() == usize::from(count) => {
                let registers: Result<Vec<_>, _> = parts.iter().map(|p| self.value(p, ty)).collect();
                let list = self.list(registers?);
                self.emit(Op::StoreVector { at, bytes, list, count });
            }
            operand if count == 1 => {
                let a = self.value(operand, ty)?;
                self.emit(Op::Store { at, bytes, a });
            }
            _ => return self.fail("a vector of another length"),
        }
        Ok(())
    }

    fn atomic(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let space = space(&mut words);
        words.skip_memory_order();
        let names = ["add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"];
        let Some(op) = words.one_of(&names) else { return words.unknown() };
        words.take("noftz");
        let ty = words.ty()?;
        let Some(f) = atomic(op, ty) else { return words.unknown() };
        words.finish()?;
        let (d, rest) = match (i.op.as_str(), i.operands.split_first()) {
            ("red", _) => (self.temporary(), i.operands.as_slice()),
            (_, Some((d, rest))) => (self.destination(d, ty)?, rest),
            _ => return self.fail("operands are missing"),
        };
        let expected = if op == "cas" { 3 } else { 2 };
        if rest.len() != expected {
            return self.fail("a wrong number of operands");
        }
        let at = self.address(&rest[0], space)?;
        let b = self.value(&rest[1], ty)?;
        let c = if op == "cas" { self.value(&rest[2], ty)? } else { b };
        let mode = Mode { flush: ty == Type::F32 && space != Space::Shared, ..Mode::default() };
        self.emit(Op::Atomic { at, f, mode, bytes: ty.bytes() as u8, d, b, c });
        Ok(())
    }

    fn convert_address(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let to = words.take("to");
        let window = match space(&mut words) {
            Space::Shared => SHARED_WINDOW,
            Space::Local => LOCAL_WINDOW,
            Space::Param | Space::Global | Space::Const => 0,
            Space::Generic => return words.unknown(),
        };
        let ty = words.ty()?;
        words.finish()?;
        let [d, a] = self.operands(i)?;
        let d = self.destination(d, ty)?;
        let a = match a {
            Operand::Name(name, offset) => {
                let a = self.temporary();
                self.move_name(a, name, *offset)?;
                a
            }
            other => self.value(other, ty)?,
        };
        let shift = self.constant(if to { 0u64.wrapping_sub(window) } else { window });
        let Some(Function::Binary(f)) = integer::function("add", Type::U64) else { return Ok(()) };
        self.emit(Op::Binary { f, mode: Mode::default(), d, a, b: shift });
        Ok(())
    }

    fn is_space(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let space = space(&mut words);
        words.finish()?;
        let [p, a] = self.operands(i)?;
        let d = self.destination(p, Type::Predicate)?;
        let a = self.value(a, Type::U64)?;
        self.emit(Op::IsSpace { d, a, space });
        Ok(())
    }

    fn move_value(&mut self, i: &Instruction) -> Result<(), Error> {
        let mut words = self.words(i);
        let ty = words.ty()?;
        words.finish()?;
        match self.operands(i)? {
            [Operand::Vector(parts), a] => {
                let a = self.value(a, ty)?;
                let registers: Result<Vec<_>, _> =
                    parts.iter().map(|p| self.destination(p, Type::B32)).collect();
                let bits = (8 * ty.bytes() as usize / parts.len()) as u8;
                let list = self.list(registers?);
                self.emit(Op::Unpack { a, bits, list, count: parts.len() as u8 });
            }
            [d, Operand::Vector(parts)] => {
                let d = self.destination(d, ty)?;
                let registers: Result<Vec<_>, _> = parts.iter().map(|p| self.value(p, Type::B32)).collect();
                let bits = (8 * ty.bytes() as usize / parts.len()) as u8;
                let list = self.list(registers?);
                self.emit(Op::Pack { d, bits, list, count: parts.len() as u8 });
            }
            [d, Operand::Name(name, offset)] => {
                let d = self.destination(d, ty)?;
                if ty == Type::Predicate {
                    let a = self.predicate(name)?;
                    self.emit(Op::Move { d, a });
                } else {
                    self.move_name(d, name, *offset)?;
                }
            }
            [d, a] => {
                let d = self.destination(d, ty)?;
                let a = self.value(a, ty)?;
                self.emit(Op::Move { d, a });
            }
        }
        Ok(())
    }
}
