//! One thread: its registers, its stack, and where it waits.

use crate::decode::{Function, Program, Slot};
use crate::fault::{Code, Fault};
use crate::memory::Poison;

/// As many bytes of local memory as a thread may have on hardware.
const LARGEST_STACK: usize = 512 << 10;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Ready,
    /// At the instruction `pc`, which is a barrier or one of a warp.
    Barrier,
    Warp,
    Ended,
}

/// A caller's frame.
struct Frame {
    pc: u32,
    function: u32,
    registers: usize,
    local: usize,
    /// Where in `lists` the places for results are.
    results: usize,
}

pub struct Thread {
    pub pc: u32,
    pub state: State,
    pub function: u32,
    /// Where the frame begins in `registers` and `local`.
    pub base: usize,
    pub local_base: usize,
    pub registers: Vec<u64>,
    pub local: Vec<u8>,
    frames: Vec<Frame>,
    pub carry: bool,
    pub index: [u32; 3],
    pub linear: u32,
}

impl Thread {
    pub fn new() -> Self {
        Thread {
            pc: 0,
            state: State::Ended,
            function: 0,
            base: 0,
            local_base: 0,
            registers: Vec::new(),
            local: Vec::new(),
            frames: Vec::new(),
            carry: false,
            index: [0; 3],
            linear: 0,
        }
    }

    /// Begins a kernel; the memory of a thread that ended is used again.
    pub fn start(&mut self, program: &Program, function: u32, linear: u32, extent: [u32; 3], poison: Poison) {
        self.frames.clear();
        self.registers.clear();
        self.local.clear();
        self.carry = poison.register() & 2 != 0;
        self.linear = linear;
        self.index = [linear % extent[0], linear / extent[0] % extent[1], linear / (extent[0] * extent[1])];
        self.state = State::Ready;
        self.enter(program, function, poison);
    }

    fn enter(&mut self, program: &Program, function: u32, poison: Poison) {
        let callee = &program.functions[function as usize];
        self.function = function;
        self.base = self.registers.len();
        self.local_base = self.local.len();
        let named = callee.registers as usize - callee.constants.len();
        self.registers.resize(self.base + named, poison.register());
        self.registers.extend_from_slice(&callee.constants);
        self.local.resize(self.local_base + callee.frame_bytes as usize, 0);
        poison.fill(&mut self.local[self.local_base..]);
        self.pc = callee.start;
    }

    fn copy(&mut self, from: usize, to: usize, slot: Slot) {
        self.local.copy_within(from..from + slot.size as usize, to);
    }

    /// `arguments` and `results` are offsets in the caller's frame; `self.pc` is behind the call.
    pub fn call(
        &mut self,
        program: &Program,
        function: u32,
        list: usize,
        arguments: usize,
        results: usize,
        poison: Poison,
    ) -> Result<(), Fault> {
        let callee: &Function = &program.functions[function as usize];
        if callee.parameters.len() != arguments || callee.results.len() != results || callee.entry {
            return Err(Fault::new(
                Code::LaunchFailed,
                format!("a call of `{}` with other arguments than it has", callee.name),
            ));
        }
        if self.local.len() + callee.frame_bytes as usize > LARGEST_STACK || self.frames.len() > 20_000 {
            return Err(Fault::new(
                Code::IllegalAddress,
                "the thread's stack overflows: recursion without an end?",
            ));
        }
        self.frames.push(Frame {
            pc: self.pc,
            function: self.function,
            registers: self.base,
            local: self.local_base,
            results: list + arguments,
        });
        let caller = self.local_base;
        self.enter(program, function, poison);
        for (n, slot) in callee.parameters.iter().enumerate() {
            let from = caller + program.lists[list + n] as usize;
            self.copy(from, self.local_base + slot.offset as usize, *slot);
        }
        Ok(())
    }

    /// Back to the caller; false where there is none.
    pub fn leave(&mut self, program: &Program) -> bool {
        let Some(frame) = self.frames.pop() else { return false };
        let callee = &program.functions[self.function as usize];
        for (n, slot) in callee.results.iter().enumerate() {
            let to = frame.local + program.lists[frame.results + n] as usize;
            self.copy(self.local_base + slot.offset as usize, to, *slot);
        }
        self.registers.truncate(self.base);
        self.local.truncate(self.local_base);
        (self.pc, self.function, self.base, self.local_base) =
            (frame.pc, frame.function, frame.registers, frame.local);
        true
    }

    pub fn register(&self, register: u32) -> u64 {
        self.registers[self.base + register as usize]
    }

    pub fn set(&mut self, register: u32, value: u64) {
        self.registers[self.base + register as usize] = value;
    }
}
