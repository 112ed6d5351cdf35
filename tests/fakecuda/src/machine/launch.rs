//! A launch: which blocks are there at a time, and which thread runs next.

use super::block::Block;
use super::step::{Stop, Surroundings};
use super::thread::State;
use crate::decode::Program;
use crate::fault::{Code, Fault};
use crate::memory::Memory;
use crate::random::Random;

#[derive(Clone, Debug)]
pub struct Launch {
    pub function: u32,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared: u32,
    pub device: usize,
    /// All blocks at once, as a cooperative launch promises.
    pub cooperative: bool,
    pub step_limit: u64,
}

impl Launch {
    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    fn blocks(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }
}

/// Blocks that are there at the same time, unless they are large.
const RESIDENT: u64 = 6;
const RESIDENT_THREADS: u64 = 2048;

/// The numbers below `count` in some order that needs no memory: a step that has no divisor with `count`.
struct Order {
    count: u64,
    next: u64,
    step: u64,
    left: u64,
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

impl Order {
    fn new(count: u64, random: &mut Random) -> Self {
        let mut step = 1 + random.below(count);
        while common_divisor(step, count) != 1 {
            step = step % count + 1;
        }
        Order { count, next: random.below(count), step, left: count }
    }

    fn next(&mut self) -> Option<u64> {
        self.left = self.left.checked_sub(1)?;
        self.next = ((u128::from(self.next) + u128::from(self.step)) % u128::from(self.count)) as u64;
        Some(self.next)
    }
}

/// Runs a kernel to its end.
pub fn run(
    program: &Program,
    launch: &Launch,
    parameters: &[u8],
    memory: &mut Memory,
    random: &mut Random,
) -> Result<(), Fault> {
    let resident = match launch.cooperative {
        true => launch.blocks(),
        false => RESIDENT.min(RESIDENT_THREADS / u64::from(launch.threads())).clamp(1, launch.blocks()),
    };
    let mut grid = Grid {
        program,
        launch,
        order: Order::new(launch.blocks(), random),
        blocks: (0..resident).map(|_| Block::new(program, launch, parameters)).collect(),
        ready: Vec::new(),
        steps: 0,
    };
    for slot in 0..grid.blocks.len() {
        grid.start(slot, memory);
    }
    while let Some((slot, thread)) = grid.pick(random)? {
        grid.slice(slot, thread, memory, random)?;
    }
    Ok(())
}

struct Grid<'a> {
    program: &'a Program,
    launch: &'a Launch,
    order: Order,
    blocks: Vec<Block>,
    ready: Vec<(u32, u32)>,
    steps: u64,
}

impl Grid<'_> {
    /// Starts the next block in a slot, if there is one.
    fn start(&mut self, slot: usize, memory: &Memory) {
        let Some(linear) = self.order.next() else { return };
        let grid = self.launch.grid.map(u64::from);
        let index =
            [linear % grid[0], linear / grid[0] % grid[1], linear / (grid[0] * grid[1])].map(|i| i as u32);
        self.blocks[slot].start(self.program, self.launch, index, memory.poison());
        self.ready.extend((0..self.launch.threads()).map(|thread| (slot as u32, thread)));
    }

    fn pick(&mut self, random: &mut Random) -> Result<Option<(usize, usize)>, Fault> {
        if self.ready.is_empty() {
            return match self.blocks.iter().find(|b| b.live > 0) {
                None => Ok(None),
                Some(block) => Err(block.deadlock(self.program)),
            };
        }
        let at = random.below(self.ready.len() as u64) as usize;
        let (slot, thread) = self.ready.swap_remove(at);
        Ok(Some((slot as usize, thread as usize)))
    }

    /// One thread for some instructions: mostly a few, at times many, so that races of all lengths show.
    fn slice(
        &mut self,
        slot: usize,
        number: usize,
        memory: &mut Memory,
        random: &mut Random,
    ) -> Result<(), Fault> {
        let longest = 2u64 << random.below(9);
        let budget = 1 + random.below(longest) as u32;
        self.steps += u64::from(budget);
        if self.steps > self.launch.step_limit {
            let text = format!(
                "more than {} steps: an endless loop? (FAKECUDA_STEPS sets the limit)",
                self.launch.step_limit
            );
            return Err(Fault::new(Code::Timeout, text));
        }
        let block = &mut self.blocks[slot];
        let mut surroundings = Surroundings {
            program: self.program,
            launch: self.launch,
            poison: memory.poison(),
            memory,
            shared: &mut block.shared,
            block_index: block.index,
            steps: self.steps,
        };
        let thread = &mut block.threads[number];
        let stopped = surroundings.run(thread, budget);
        let pc = thread.pc;
        if let Ok(Stop::Slice) = stopped {
            self.ready.push((slot as u32, number as u32));
            return Ok(());
        }
        let ready = stopped
            .and_then(|stop| match stop {
                Stop::Slice => Ok(Vec::new()),
                Stop::Barrier => block.arrive(self.program, number),
                Stop::Warp => block.meet(self.program, number),
                Stop::Ended => {
                    block.threads[number].state = State::Ended;
                    block.live -= 1;
                    Ok(block.ended(self.program, number))
                }
            })
            .map_err(|fault| self.located(fault, slot, number, pc))?;
        self.ready.extend(ready.into_iter().map(|thread| (slot as u32, thread)));
        if self.blocks[slot].live == 0 {
            self.start(slot, memory);
        }
        Ok(())
    }

    fn located(&self, fault: Fault, slot: usize, number: usize, pc: u32) -> Fault {
        let block = &self.blocks[slot];
        // A thread that waits is still at its instruction; all others are behind it.
        let pc = if block.threads[number].state == State::Ready { pc.saturating_sub(1) } else { pc };
        let text = format!(
            "{}; thread {:?} of block {:?}, {}",
            fault.text,
            block.threads[number].index,
            block.index,
            self.program.place_of(pc)
        );
        Fault { text, ..fault }
    }
}
