//! A block: its threads, its shared memory and its barriers.

use super::launch::Launch;
use super::thread::{State, Thread};
use crate::decode::{NEGATED, NONE, Op, Program, Reduction, SharedVariable};
use crate::fault::{Code, Fault};
use crate::memory::Poison;

pub struct Shared {
    pub variables: Vec<SharedVariable>,
    pub fixed: Vec<u8>,
    pub dynamic: Vec<u8>,
    /// The kernel's parameters, which kernels only read; a copy for each block.
    pub parameters: Vec<u8>,
}

const BARRIERS: usize = 16;

pub struct Block {
    pub index: [u32; 3],
    pub threads: Vec<Thread>,
    pub shared: Shared,
    pub live: u32,
    /// How many threads wait at each barrier.
    waiting: [u32; BARRIERS],
}

impl Block {
    pub fn new(program: &Program, launch: &Launch, parameters: &[u8]) -> Self {
        let fixed = program.shared.last().map_or(0, |v| v.offset + v.size) as usize;
        Block {
            index: [0; 3],
            threads: (0..launch.threads()).map(|_| Thread::new()).collect(),
            shared: Shared {
                variables: program.shared.clone(),
                fixed: vec![0; fixed],
                dynamic: vec![0; launch.dynamic_shared as usize],
                parameters: parameters.to_vec(),
            },
            live: 0,
            waiting: [0; BARRIERS],
        }
    }

    pub fn start(&mut self, program: &Program, launch: &Launch, index: [u32; 3], poison: Poison) {
        self.index = index;
        self.live = launch.threads();
        self.waiting = [0; BARRIERS];
        poison.fill(&mut self.shared.fixed);
        poison.fill(&mut self.shared.dynamic);
        for (linear, thread) in self.threads.iter_mut().enumerate() {
            thread.start(program, launch.function, linear as u32, launch.block, poison);
        }
    }

    /// A thread has come to a barrier. If it was the last one, gives those that go on.
    pub fn arrive(&mut self, program: &Program, number: usize) -> Result<Vec<u32>, Fault> {
        let all = self.threads.len() as u32;
        let thread = &mut self.threads[number];
        thread.state = State::Barrier;
        let Op::Barrier { id, count, aligned, .. } = program.instructions[thread.pc as usize].op else {
            unreachable!("a thread stops at barriers only")
        };
        let id = thread.register(id) as u32 as usize;
        let expected = if count == NONE { all } else { thread.register(count) as u32 };
        let pc = thread.pc;
        if id >= BARRIERS
            || expected == 0
            || expected % 32 != 0 && count != NONE
            || expected > all.next_multiple_of(32)
        {
            return Err(Fault::new(
                Code::LaunchFailed,
                format!("barrier {id} for {expected} of {all} threads: there is none"),
            ));
        }
        if aligned {
            self.check_aligned(program, number, pc)?;
        }
        self.waiting[id] += 1;
        if self.waiting[id] < expected.min(all) {
            return Ok(Vec::new());
        }
        self.waiting[id] = 0;
        Ok(self.release(program, id))
    }

    fn barrier_of(&self, program: &Program, thread: &Thread) -> Option<usize> {
        match program.instructions[thread.pc as usize].op {
            Op::Barrier { id, .. } if thread.state == State::Barrier => {
                Some(thread.register(id) as u32 as usize)
            }
            _ => None,
        }
    }

    /// `bar.sync` is for whole warps: PTX leaves open what two of them in two branches do.
    fn check_aligned(&self, program: &Program, number: usize, pc: u32) -> Result<(), Fault> {
        let first = number / 32 * 32;
        let warp = &self.threads[first..(first + 32).min(self.threads.len())];
        match warp.iter().find(|t| t.state == State::Barrier && t.pc != pc) {
            None => Ok(()),
            Some(other) => {
                let text = format!(
                    "threads of one warp wait at different aligned barriers: the other is in {}",
                    program.place_of(other.pc)
                );
                Err(Fault::new(Code::LaunchFailed, text))
            }
        }
    }

    fn release(&mut self, program: &Program, id: usize) -> Vec<u32> {
        let members: Vec<u32> = (0..self.threads.len())
            .filter(|&t| self.barrier_of(program, &self.threads[t]) == Some(id))
            .map(|t| t as u32)
            .collect();
        let holds = |t: &Thread| match program.instructions[t.pc as usize].op {
            Op::Barrier { p, .. } if p != NONE => (t.register(p & !NEGATED) & 1 == 1) != (p & NEGATED != 0),
            _ => false,
        };
        let count = members.iter().filter(|&&t| holds(&self.threads[t as usize])).count();
        for &t in &members {
            let thread = &mut self.threads[t as usize];
            if let Op::Barrier { reduction, d, .. } = program.instructions[thread.pc as usize].op {
                match reduction {
                    Reduction::None => {}
                    Reduction::Count => thread.set(d, count as u64),
                    Reduction::And => thread.set(d, (count == members.len()).into()),
                    Reduction::Or => thread.set(d, (count > 0).into()),
                }
            }
            thread.pc += 1;
            thread.state = State::Ready;
        }
        members
    }

    /// Nobody can go on: who waits where.
    pub fn deadlock(&self, program: &Program) -> Fault {
        let mut places: Vec<(u32, u32)> = Vec::new();
        for thread in self.threads.iter().filter(|t| t.state != State::Ended) {
            match places.iter_mut().find(|(pc, _)| *pc == thread.pc) {
                Some((_, n)) => *n += 1,
                None => places.push((thread.pc, 1)),
            }
        }
        let waiting: Vec<String> = places
            .iter()
            .map(|(pc, n)| {
                let what = match program.instructions[*pc as usize].op {
                    Op::Barrier { .. } => "barrier",
                    _ => "instruction of a whole warp",
                };
                format!("{n} at the {what} in {}", program.place_of(*pc))
            })
            .collect();
        let ended = self.threads.iter().filter(|t| t.state == State::Ended).count();
        let text = format!(
            "threads of block {:?} wait for others that never come: {}; {ended} of {} have ended",
            self.index,
            waiting.join(", "),
            self.threads.len()
        );
        Fault::new(Code::LaunchFailed, text)
    }
}
