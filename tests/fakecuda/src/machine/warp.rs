//! What lanes of a warp do together, once all lanes of the mask have come.

use super::block::Block;
use super::thread::{State, Thread};
use crate::decode::{NONE, Op, Program, Shuffle, WarpReduction, WarpWork};
use crate::fault::{Code, Fault};

/// A lane's operands when it comes.
#[derive(Clone, Copy)]
struct Lane {
    thread: usize,
    lane: u32,
    operands: [u64; 3],
}

fn mask_of(program: &Program, thread: &Thread) -> Option<u32> {
    match program.instructions[thread.pc as usize].op {
        Op::Warp { mask, .. } if thread.state == State::Warp => Some(thread.register(mask) as u32),
        _ => None,
    }
}

impl Block {
    /// A thread has come to an instruction of its warp. Gives those that go on.
    pub fn meet(&mut self, program: &Program, number: usize) -> Result<Vec<u32>, Fault> {
        self.threads[number].state = State::Warp;
        let mask = mask_of(program, &self.threads[number]).expect("a thread stops at such instructions only");
        if mask >> (number % 32) & 1 == 0 {
            let text = format!("lane {} is not in the mask {mask:#010x} of its own instruction", number % 32);
            return Err(Fault::new(Code::LaunchFailed, text));
        }
        Ok(self.complete(program, number))
    }

    /// A lane has ended: others may have waited for it alone.
    pub fn ended(&mut self, program: &Program, number: usize) -> Vec<u32> {
        let first = number / 32 * 32;
        let warp = first..(first + 32).min(self.threads.len());
        let mut ready = Vec::new();
        for thread in warp {
            if self.threads[thread].state == State::Warp {
                ready.extend(self.complete(program, thread));
            }
        }
        ready
    }

    fn complete(&mut self, program: &Program, number: usize) -> Vec<u32> {
        let (first, pc) = (number / 32 * 32, self.threads[number].pc);
        let mask = mask_of(program, &self.threads[number]).expect("a waiting thread");
        let Op::Warp { work, d, predicate, operands, .. } = program.instructions[pc as usize].op else {
            return Vec::new();
        };
        let mut lanes = Vec::with_capacity(32);
        for lane in (0..32u32).filter(|lane| mask >> lane & 1 == 1) {
            let thread = first + lane as usize;
            match self.threads.get(thread) {
                // Lanes that ended, or never were, are not waited for (PTX ISA, shfl.sync).
                None => {}
                Some(t) if t.state == State::Ended => {}
                Some(t) if t.pc == pc && mask_of(program, t) == Some(mask) => {
                    lanes.push(Lane { thread, lane, operands: operands.map(|r| t.register(r)) });
                }
                Some(_) => return Vec::new(),
            }
        }
        for lane in &lanes {
            let (value, flag) = result(work, lane, &lanes);
            let thread = &mut self.threads[lane.thread];
            // What a lane reads that is not there is left as fresh registers are.
            if let Some(value) = value {
                thread.set(d, value);
            } else {
                thread.set(d, 0x7ff4_7ff4);
            }
            if predicate != NONE {
                thread.set(predicate, flag.into());
            }
            thread.pc += 1;
            thread.state = State::Ready;
        }
        lanes.iter().map(|l| l.thread as u32).collect()
    }
}

fn mask(lanes: &[Lane], test: impl Fn(&Lane) -> bool) -> u64 {
    lanes.iter().filter(|l| test(l)).fold(0, |all, l| all | 1 << l.lane)
}

/// What one lane gets, and its predicate.
fn result(work: WarpWork, own: &Lane, lanes: &[Lane]) -> (Option<u64>, bool) {
    let cut = |x: u64, bytes: u8| if bytes == 4 { u64::from(x as u32) } else { x };
    let holds = |l: &Lane| l.operands[0] & 1 == 1;
    match work {
        WarpWork::Synchronize => (Some(0), false),
        WarpWork::Shuffle(way) => shuffle(way, own, lanes),
        WarpWork::VoteAll => (Some(lanes.iter().all(holds).into()), false),
        WarpWork::VoteAny => (Some(lanes.iter().any(holds).into()), false),
        WarpWork::VoteUniform => (Some(lanes.iter().all(|l| holds(l) == holds(own)).into()), false),
        WarpWork::Ballot => (Some(mask(lanes, holds)), false),
        WarpWork::MatchAny(bytes) => {
            let value = cut(own.operands[0], bytes);
            (Some(mask(lanes, |l| cut(l.operands[0], bytes) == value)), false)
        }
        WarpWork::MatchAll(bytes) => {
            let value = cut(own.operands[0], bytes);
            let all = lanes.iter().all(|l| cut(l.operands[0], bytes) == value);
            (Some(if all { mask(lanes, |_| true) } else { 0 }), all)
        }
        WarpWork::Reduce(reduction) => {
            let values = lanes.iter().map(|l| l.operands[0] as u32);
            (values.reduce(|a, b| reduce(reduction, a, b)).map(u64::from), false)
        }
        WarpWork::Elect => {
            let leader = lanes[0].lane;
            (Some(leader.into()), own.lane == leader)
        }
    }
}

fn reduce(reduction: WarpReduction, a: u32, b: u32) -> u32 {
    match reduction {
        WarpReduction::Add => a.wrapping_add(b),
        WarpReduction::Min => a.min(b),
        WarpReduction::Max => a.max(b),
        WarpReduction::MinSigned => (a as i32).min(b as i32) as u32,
        WarpReduction::MaxSigned => (a as i32).max(b as i32) as u32,
        WarpReduction::And => a & b,
        WarpReduction::Or => a | b,
        WarpReduction::Xor => a ^ b,
    }
}

/// PTX ISA, shfl.sync: the source lane, and whether it is within the segment.
fn shuffle(way: Shuffle, own: &Lane, lanes: &[Lane]) -> (Option<u64>, bool) {
    let (b, c) = (own.operands[1] as u32 & 31, own.operands[2] as u32);
    let (clamp, segment) = (c & 31, (c >> 8) & 31);
    let lane = own.lane;
    let (highest, lowest) = ((lane & segment) | (clamp & !segment), lane & segment);
    let (source, inside) = match way {
        Shuffle::Up => (lane.wrapping_sub(b), lane as i32 - b as i32 >= highest as i32),
        Shuffle::Down => (lane + b, lane + b <= highest),
        Shuffle::Butterfly => (lane ^ b, lane ^ b <= highest),
        Shuffle::Index => ((lowest | (b & !segment)), (lowest | (b & !segment)) <= highest),
    };
    let source = if inside { source } else { lane };
    (lanes.iter().find(|l| l.lane == source).map(|l| l.operands[0]), inside)
}
