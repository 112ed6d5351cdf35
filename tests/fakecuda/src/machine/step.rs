//! The interpreter: one thread for a number of instructions.

use super::block::Shared;
use super::launch::Launch;
use super::thread::Thread;
use crate::arithmetic::integer;
use crate::decode::{
    Address, CODE_WINDOW, DYNAMIC_SHARED, LOCAL_WINDOW, LaneMask, Logic, NEGATED, NONE, Op, PARAM_WINDOW,
    Place, Program, SHARED_WINDOW, Special, WINDOW_BYTES,
};
use crate::fault::{Code, Fault};
use crate::memory::{Memory, Poison};
use crate::parse::Space;

pub enum Stop {
    /// The time slice is over.
    Slice,
    Barrier,
    Warp,
    Ended,
}

/// What a thread can reach beside itself.
pub struct Surroundings<'a> {
    pub program: &'a Program,
    pub launch: &'a Launch,
    pub memory: &'a mut Memory,
    pub shared: &'a mut Shared,
    pub block_index: [u32; 3],
    pub poison: Poison,
    pub steps: u64,
}

fn outside(space: &str, address: u64, length: u64, bytes: u64) -> Fault {
    let text = format!("{bytes} bytes at {address:#x} of {space} memory, which has {length} bytes");
    Fault::new(Code::IllegalAddress, text)
}

fn part<'b>(all: &'b mut [u8], space: &str, offset: u64, bytes: u64) -> Result<&'b mut [u8], Fault> {
    let length = all.len() as u64;
    if offset > length || bytes > length - offset {
        return Err(outside(space, offset, length, bytes));
    }
    Ok(&mut all[offset as usize..(offset + bytes) as usize])
}

#[inline]
fn read(bytes: &[u8], signed: bool) -> u64 {
    match *bytes {
        [a] if signed => a as i8 as u64,
        [a] => a.into(),
        [a, b] if signed => i16::from_le_bytes([a, b]) as u64,
        [a, b] => u16::from_le_bytes([a, b]).into(),
        [a, b, c, d] if signed => i32::from_le_bytes([a, b, c, d]) as u64,
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]).into(),
        [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
        _ => unreachable!("widths are those of types"),
    }
}

#[inline]
fn write(bytes: &mut [u8], value: u64) {
    let length = bytes.len();
    bytes.copy_from_slice(&value.to_le_bytes()[..length]);
}

impl Surroundings<'_> {
    /// The bytes that an instruction reads or writes, once its alignment and its bounds were checked.
    #[inline]
    fn bytes<'b>(
        &'b mut self,
        thread: &'b mut Thread,
        at: Address,
        length: u64,
    ) -> Result<&'b mut [u8], Fault> {
        let address = thread.registers[thread.base + at.base as usize].wrapping_add(at.offset as u64);
        if address & (length - 1) != 0 {
            let text = format!("{length} bytes at {address:#x}, which is no multiple of {length}");
            return Err(Fault::new(Code::Misaligned, text));
        }
        match at.place {
            Place::Global => self.memory.bytes(Some(self.launch.device), address, length),
            Place::Shared => self.shared.bytes(address, length),
            Place::Local => part(&mut thread.local, "local", address, length),
            Place::Frame => {
                part(&mut thread.local, "local", address.wrapping_add(thread.local_base as u64), length)
            }
            Place::Generic if address < SHARED_WINDOW => {
                self.memory.bytes(Some(self.launch.device), address, length)
            }
            Place::Generic => self.windowed(thread, address, length),
        }
    }

    fn windowed<'b>(
        &'b mut self,
        thread: &'b mut Thread,
        address: u64,
        length: u64,
    ) -> Result<&'b mut [u8], Fault> {
        if address < LOCAL_WINDOW {
            self.shared.bytes(address - SHARED_WINDOW, length)
        } else if address < PARAM_WINDOW {
            part(&mut thread.local, "local", address - LOCAL_WINDOW, length)
        } else if address < CODE_WINDOW {
            part(&mut self.shared.parameters, "parameter", address - PARAM_WINDOW, length)
        } else {
            self.memory.bytes(Some(self.launch.device), address, length)
        }
    }

    fn special(&self, thread: &Thread, which: Special) -> u64 {
        let launch = self.launch;
        let lane = thread.linear % 32;
        let value = match which {
            Special::ThreadIndex(axis) => thread.index[axis as usize],
            Special::BlockExtent(axis) => launch.block[axis as usize],
            Special::BlockIndex(axis) => self.block_index[axis as usize],
            Special::GridExtent(axis) => launch.grid[axis as usize],
            Special::Lane => lane,
            Special::Warp => thread.linear / 32,
            Special::Warps => launch.threads().div_ceil(32),
            // Threads never are together for certain: each is alone.
            Special::ActiveMask | Special::LaneMask(LaneMask::Eq) => 1 << lane,
            Special::LaneMask(LaneMask::Lt) => (1 << lane) - 1,
            Special::LaneMask(LaneMask::Le) => (2u64 << lane).wrapping_sub(1) as u32,
            Special::LaneMask(LaneMask::Gt) => !(2u64 << lane).wrapping_sub(1) as u32,
            Special::LaneMask(LaneMask::Ge) => !((1 << lane) - 1),
            Special::DynamicShared => launch.dynamic_shared,
            Special::Clock => return self.steps,
        };
        value.into()
    }

    fn in_space(&self, address: u64, space: Space) -> bool {
        let window = |base: u64| (base..base + WINDOW_BYTES).contains(&address);
        match space {
            Space::Shared => window(SHARED_WINDOW),
            Space::Local => window(LOCAL_WINDOW),
            Space::Param => window(PARAM_WINDOW),
            _ => address < SHARED_WINDOW,
        }
    }

    /// Runs `thread` for at most `budget` instructions. At a fault, `thread.pc` is behind the instruction that did it.
    pub fn run(&mut self, thread: &mut Thread, budget: u32) -> Result<Stop, Fault> {
        let program = self.program;
        for _ in 0..budget {
            let instruction = program.instructions[thread.pc as usize];
            thread.pc += 1;
            if instruction.guard != NONE {
                let negated = instruction.guard & NEGATED != 0;
                if (thread.register(instruction.guard & !NEGATED) & 1 == 1) == negated {
                    continue;
                }
            }
            match instruction.op {
                Op::Binary { f, mode, d, a, b } => {
                    let value = f(thread.register(a), thread.register(b), mode);
                    thread.set(d, value);
                }
                Op::Unary { f, mode, d, a } => {
                    let value = f(thread.register(a), mode);
                    thread.set(d, value);
                }
                Op::Ternary { f, mode, d, a, b, c } => {
                    let value = f(thread.register(a), thread.register(b), thread.register(c), mode);
                    thread.set(d, value);
                }
                Op::Move { d, a } => {
                    let value = thread.register(a);
                    thread.set(d, value);
                }
                Op::Select { d, a, b, p } => {
                    let value = thread.register(if thread.register(p) & 1 == 1 { a } else { b });
                    thread.set(d, value);
                }
                Op::Load { at, bytes, signed, d } => {
                    let value = read(self.bytes(thread, at, bytes.into())?, signed);
                    thread.set(d, value);
                }
                Op::Store { at, bytes, a } => {
                    let value = thread.register(a);
                    write(self.bytes(thread, at, bytes.into())?, value);
                }
                Op::Branch { target } => thread.pc = target,
                Op::Special { d, which } => {
                    let value = self.special(thread, which);
                    thread.set(d, value);
                }
                Op::LoadVector { at, bytes, signed, list, count } => {
                    let mut values = [0; 8];
                    let source = self.bytes(thread, at, u64::from(bytes) * u64::from(count))?;
                    for (value, part) in values.iter_mut().zip(source.chunks(bytes.into())) {
                        *value = read(part, signed);
                    }
                    for (n, value) in values[..count as usize].iter().enumerate() {
                        thread.set(program.lists[list as usize + n], *value);
                    }
                }
                Op::StoreVector { at, bytes, list, count } => {
                    let mut values = [0; 8];
                    for (n, value) in values[..count as usize].iter_mut().enumerate() {
                        *value = thread.register(program.lists[list as usize + n]);
                    }
                    let target = self.bytes(thread, at, u64::from(bytes) * u64::from(count))?;
                    for (value, part) in values.iter().zip(target.chunks_mut(bytes.into())) {
                        write(part, *value);
                    }
                }
                Op::Atomic { at, f, mode, bytes, d, b, c } => {
                    let (b, c) = (thread.register(b), thread.register(c));
                    let target = self.bytes(thread, at, bytes.into())?;
                    let old = read(target, false);
                    write(target, f(old, b, c, mode));
                    thread.set(d, old);
                }
                Op::Warp { .. } => {
                    thread.pc -= 1;
                    return Ok(Stop::Warp);
                }
                Op::Barrier { .. } => {
                    thread.pc -= 1;
                    return Ok(Stop::Barrier);
                }
                Op::Exit => return Ok(Stop::Ended),
                Op::Return => {
                    if !thread.leave(program) {
                        return Ok(Stop::Ended);
                    }
                }
                Op::Trap => return Err(Fault::new(Code::LaunchFailed, "a trap")),
                Op::Nothing => {}
                _ => self.rare(thread, instruction.op)?,
            }
        }
        Ok(Stop::Slice)
    }

    fn rare(&mut self, thread: &mut Thread, op: Op) -> Result<(), Fault> {
        let program = self.program;
        match op {
            Op::InsertField { wide, d, operands } => {
                let [a, b, start, length] = operands.map(|r| thread.register(r));
                thread.set(d, integer::insert_field(a, b, start, length, wide));
            }
            Op::Carry { subtract, wide, reads, writes, d, a, b } => {
                let (a, b) = (thread.register(a), thread.register(b));
                // a - b is a + !b + 1; a borrow is a carry of 0, but PTX stores it as 1.
                let bits = if wide { 64 } else { 32 };
                let cut = |x: u64| u128::from(x) & ((1 << bits) - 1);
                let carry = u128::from(reads && thread.carry);
                let (value, out) = if subtract {
                    let value = cut(a).wrapping_sub(cut(b)).wrapping_sub(carry);
                    (value, value >> bits != 0)
                } else {
                    let value = cut(a) + cut(b) + carry;
                    (value, value >> bits != 0)
                };
                thread.set(d, cut(value as u64) as u64);
                if writes {
                    thread.carry = out;
                }
            }
            Op::Pack { d, bits, list, count } => {
                let mask = u64::MAX >> (64 - bits);
                let parts = &program.lists[list as usize..][..count as usize];
                let value = parts.iter().rev().fold(0, |all, r| all << bits | thread.register(*r) & mask);
                thread.set(d, value);
            }
            Op::Unpack { a, bits, list, count } => {
                let (value, mask) = (thread.register(a), u64::MAX >> (64 - bits));
                for n in 0..usize::from(count) {
                    thread.set(program.lists[list as usize + n], value >> (n * usize::from(bits)) & mask);
                }
            }
            Op::SelectBySign { d, a, b, c, float } => {
                let c = thread.register(c) as u32;
                let first = if float { f32::from_bits(c) >= 0.0 } else { c as i32 >= 0 };
                let value = thread.register(if first { a } else { b });
                thread.set(d, value);
            }
            Op::Compare { f, mode, p, q, a, b, with, logic } => {
                let holds = f(thread.register(a), thread.register(b), mode) == 1;
                let other = (with != NONE)
                    .then(|| (thread.register(with & !NEGATED) & 1 == 1) != (with & NEGATED != 0));
                let combine = |x: bool| match (other, logic) {
                    (None, _) => x,
                    (Some(c), Logic::And) => x & c,
                    (Some(c), Logic::Or) => x | c,
                    (Some(c), Logic::Xor) => x ^ c,
                };
                thread.set(p, combine(holds).into());
                if q != NONE {
                    thread.set(q, combine(!holds).into());
                }
            }
            Op::FrameAddress { d, offset, window } => {
                let local = thread.local_base as u64 + u64::from(offset);
                thread.set(d, if window { LOCAL_WINDOW + local } else { local });
            }
            Op::IsSpace { d, a, space } => {
                let value = self.in_space(thread.register(a), space).into();
                thread.set(d, value);
            }
            Op::BranchTable { index, list, count } => {
                let index = thread.register(index) as u32;
                if index >= count {
                    let text = format!("a branch to entry {index} of {count}");
                    return Err(Fault::new(Code::LaunchFailed, text));
                }
                thread.pc = program.lists[(list + index) as usize];
            }
            Op::Call { function, register, list, arguments, results } => {
                let function =
                    if register == NONE { function } else { self.indirect(thread.register(register))? };
                thread.call(
                    program,
                    function,
                    list as usize,
                    arguments.into(),
                    results.into(),
                    self.poison,
                )?;
            }
            _ => unreachable!("an instruction of `run`"),
        }
        Ok(())
    }

    fn indirect(&self, address: u64) -> Result<u32, Fault> {
        let number = address.wrapping_sub(CODE_WINDOW);
        if number < self.program.functions.len() as u64 {
            return Ok(number as u32);
        }
        Err(Fault::new(Code::IllegalAddress, format!("a call of {address:#x}, which is no function")))
    }
}

impl Shared {
    /// Shared memory by its own addresses: within one variable, or in the dynamic part.
    fn bytes(&mut self, address: u64, length: u64) -> Result<&mut [u8], Fault> {
        if address >= DYNAMIC_SHARED {
            return part(&mut self.dynamic, "dynamic shared", address - DYNAMIC_SHARED, length);
        }
        let variable = self.variables[..self.variables.partition_point(|v| v.offset <= address)].last();
        match variable {
            Some(v) if address - v.offset <= v.size && length <= v.size - (address - v.offset) => {
                Ok(&mut self.fixed[address as usize..(address + length) as usize])
            }
            Some(v) => Err(outside("a shared variable's", address - v.offset, v.size, length)),
            None => Err(outside("shared", address, 0, length)),
        }
    }
}
