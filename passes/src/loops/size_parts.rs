//! Says how many parts a loop is cut into that was written as a parallel loop over parts.
//!
//! ```text
//! %p = parts %n                            %p = %n * (cost of %x = …) / PART_COST, at least 1
//! pfor 0, %p, 1 {                          pfor 0, %p, 1 {
//! (%part: i64):                      ⇒     (%part: i64):
//!     for (the part of 0..%n) {                for (the part of 0..%n) {
//!         %x = …                                   %x = …
//!     }                                        }
//! }                                        }
//! ```
//!
//! So are loops that combine into dicts and sets, where each part has its own. Since what parts have in common is there
//! once for each of them, parts are larger than those of other loops, and where there are many their number grows with
//! the square root of the work. A number that no `pfor` stops at any more, since that one is not proved and runs in order, is 1.

use pydd_ir::cost::Cost;
use pydd_ir::rewrite::{Layout, Replacements, erase_ops, is_defined_inside, position};
use pydd_ir::{Builder, DType, ElemOp, Function, Level, Module, Op, OpKind, Value};

use crate::pass::{Finding, Need, Pass, PassContext};

pub const PASS: Pass = Pass {
    name: "size-parts",
    summary: "cut loops that have parts of their own by what they cost",
    takes: Level::Loop,
    gives: Level::Loop,
    need: Need::Always,
    run,
};

/// Scalar operations worth a part. Estimates are high where entries of dicts are looked for.
const PART_COST: i64 = 1 << 23;
/// From its square on, the number of parts grows more slowly.
const MANY: i64 = 8;
/// Lengths and costs beyond these are all the same, lest a product overflows.
const MOST: i64 = 1 << 31;

fn run(module: &mut Module, _: &PassContext<'_>) -> Result<(), Finding> {
    for func in module.funcs.values_mut().filter(|func| func.level == Level::Loop) {
        let parts = |&op: &Op| func.ops[op].kind == OpKind::Parts;
        for op in func.all_ops().into_iter().filter(parts).collect::<Vec<_>>() {
            replace(func, op);
        }
    }
    Ok(())
}

fn replace(func: &mut Function, op: Op) {
    let cost = iteration_cost(func, op);
    let (count, number) = (func.ops[op].args[0], func.ops[op].results[0]);
    let (block, index) = position(func, op).expect("the operation stands in a block");
    let rest = func.blocks[block].ops.split_off(index);
    let mut b = Builder::new(func, block);
    b.loc = b.func.ops[op].loc;
    let parts = match cost {
        Some(cost) => emit(&mut b, count, &cost),
        None => b.int(1),
    };
    func.blocks[block].ops.extend(rest);
    let mut replacements = Replacements::default();
    replacements.replace(number, parts);
    replacements.apply(func);
    erase_ops(func, &[op].into());
}

/// The number of parts.
fn emit(b: &mut Builder<'_>, count: Value, cost: &Cost) -> Value {
    let cost = cost.emit(b, None);
    let [length, cost] = [count, cost].map(|value| {
        let most = b.int(MOST);
        b.elem(ElemOp::Min, &[value, most])
    });
    let (work, part) = (b.mul(length, cost), b.int(PART_COST));
    let parts = b.elem(ElemOp::FloorDiv, &[work, part]);
    let parts = b.elem(ElemOp::Min, &[parts, length]);
    // Below 2 ** 53, so that the root is the same everywhere.
    let (float, many) = (b.cast(parts, DType::F64), b.int(MANY));
    let root = b.elem(ElemOp::Sqrt, &[float]);
    let root = b.cast(root, DType::I64);
    let fewer = b.mul(root, many);
    let parts = b.elem(ElemOp::Min, &[parts, fewer]);
    let one = b.int(1);
    b.elem(ElemOp::Max, &[parts, one])
}

/// The cost of an iteration of the loop that is cut, over what exists before its number of parts is asked for.
fn iteration_cost(func: &Function, op: Op) -> Option<Cost> {
    let number = func.ops[op].results[0];
    let stops_at = |other: &Op| {
        let data = &func.ops[*other];
        matches!(data.kind, OpKind::PFor(_)) && data.args[1] == number
    };
    let outer = func.all_ops().into_iter().find(stops_at)?;
    let layout = Layout::new(func);
    let mut loops = Vec::new();
    func.walk(func.ops[outer].regions[0], &mut |inner| {
        if func.ops[inner].kind == OpKind::For {
            loops.push(inner);
        }
    });
    let cut = *loops.first()?;
    let known = |value| !is_defined_inside(func, &layout, value, outer) && layout.dominates(func, value, op);
    Some(Cost::of(func, func.ops[cut].regions[0], &known))
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::testing::{call, parse, run_pass};

    /// The loop itself is not run.
    const TEXT: &str = "module \"m\" file \"m.pydd\"
func @f loop (%0: i64, %1: i64, %2: bool) -> (i64) {
  %3: i64 = const 0
  %4: i64 = const 1
  %5: i64 = parts %0
  if %2 {
    pfor[|] %3, %5, %4 {
    (%6: i64):
      for %3, %0, %4 {
      (%7: i64):
        for %3, %1, %4 {
        (%8: i64):
          %9: f64 = cast %8
          %10: f64 = sqrt %9
          continue[0]
        }
        continue[0]
      }
      continue[0]
    }
    yield
  } else {
    yield
  }
  return %5
}
";

    #[test]
    fn parts_grow_with_the_cost_of_an_iteration() {
        let mut module = parse(TEXT);
        run_pass(&PASS, &mut module);
        let parts = |n: i64, m: i64| call(&module, "f", &format!("{n}, {m}, false")).unwrap()[0].clone();
        assert_eq!(parts(0, 10), "1");
        assert_eq!(parts(1, 1 << 24), "1");
        assert_eq!(parts(3, 1 << 24), "3");
        assert_eq!(parts(1 << 16, 4), "1");
        // 8 times the root.
        assert_eq!(parts(1 << 31, 1 << 31), "370720");
    }
}
