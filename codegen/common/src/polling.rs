//! Where long loops look for Ctrl-C.
//!
//! A poll costs as much as a call, so it is taken about once in [`BUDGET`] operations: counted down in
//! loops that hold others (and in `while` loops), and by cutting plain loops into strips, which leaves the
//! strips free to vectorise. Loops inside of these need none, and who runs the parts of a parallel loop looks between them.

use pydd_ir::{Block, Entity, Function, Op, OpKind, Version};

/// Operations between two polls, about.
pub const BUDGET: i64 = 100_000;

/// Iterations of a loop that is straight code in the end.
const FEW: i64 = 16;

/// How a loop polls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polling {
    None,
    /// At the end of an iteration, when the budget is used up.
    Counted,
    /// After each strip of its range.
    Strips,
}

/// How each loop polls, by `Op`.
#[must_use]
pub fn plan(func: &Function, long: &[bool]) -> Vec<Polling> {
    let mut planner = Planner { func, long, plan: vec![Polling::None; func.ops.len()] };
    planner.block(func.entry, 0);
    planner.plan
}

struct Planner<'a> {
    func: &'a Function,
    long: &'a [bool],
    plan: Vec<Polling>,
}

impl Planner<'_> {
    /// Plans the loops of a block that `depth` loops are around; how many are in each other in it at most.
    fn block(&mut self, block: Block, depth: u32) -> u32 {
        let ops = &self.func.blocks[block].ops;
        ops.iter().map(|&op| self.op(op, depth)).max().unwrap_or(0)
    }

    fn op(&mut self, op: Op, depth: u32) -> u32 {
        let data = &self.func.ops[op];
        match data.kind {
            OpKind::Call(callee) => return u32::from(self.long[callee.index()]),
            OpKind::Launch(callee) => return 1 + u32::from(self.long[callee.index()]),
            _ => {}
        }
        let is_loop = data.kind.is_loop();
        let inside = depth + u32::from(is_loop);
        let height = data.regions.iter().map(|&region| self.block(region, inside)).max().unwrap_or(0);
        if !is_loop {
            return height;
        }
        if height == 0 && crate::shrinking::ends_soon(self.func, op) {
            return height;
        }
        // Whoever calls a region looks by itself.
        if self.func.region.is_none() || depth > 0 {
            self.plan[op.index()] = self.polling(&data.kind, height, depth);
        }
        // Loops of a few steps become straight code, so that the loop around them may become vectors.
        if self.is_few(op) { height } else { height + 1 }
    }

    /// Whether a loop is known to have few iterations.
    fn is_few(&self, op: Op) -> bool {
        let data = &self.func.ops[op];
        let ends: Vec<i64> = data.args.iter().take(3).filter_map(|&end| self.func.as_int(end)).collect();
        let &[start, stop, step] = &ends[..] else { return false };
        data.kind == OpKind::For && (0..=FEW).contains(&pydd_ir::cost::length(start, stop, step))
    }

    fn polling(&self, kind: &OpKind, height: u32, depth: u32) -> Polling {
        match (kind, height, depth) {
            (OpKind::Loop, ..) | (_, 2.., _) | (_, 1, 0) => Polling::Counted,
            (_, 0, 0) if self.func.version == Version::General => Polling::Counted,
            (_, 0, 0) => Polling::Strips,
            _ => Polling::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Polling, plan};
    use pydd_ir::OpKind;

    /// How the loops of a nest poll, from outside, of which the innermost ones have so many steps.
    fn of_nest(few: &str) -> Vec<Polling> {
        let text = format!(
            "func @f loop fast (%n: i64) -> () {{
  %zero: i64 = const 0
  %one: i64 = const 1
  %few: i64 = {few}
  for %zero, %n, %one {{
  (%i: i64):
    for %zero, %n, %one {{
    (%j: i64):
      for %zero, %few, %one {{
      (%k: i64):
        for %zero, %few, %one {{
        (%l: i64):
          continue[0]
        }}
        continue[0]
      }}
      continue[0]
    }}
    continue[0]
  }}
  return
}}
"
        );
        let module = pydd_ir::text::parse(&text).expect("it is IR");
        let func = module.funcs.values().next().expect("a function");
        let polls = plan(func, &[false]);
        let mut loops = Vec::new();
        func.walk(func.entry, &mut |op| {
            if func.ops[op].kind == OpKind::For {
                loops.push(polls[pydd_ir::Entity::index(op)]);
            }
        });
        loops
    }

    #[test]
    fn loops_around_a_few_steps_are_left_to_vectors() {
        use Polling::{Counted, None};
        assert_eq!(of_nest("const 3"), [Counted, None, None, None]);
        assert_eq!(of_nest("const 17"), [Counted, Counted, None, None]);
        assert_eq!(of_nest("add %n, %one"), [Counted, Counted, None, None]);
    }
}
