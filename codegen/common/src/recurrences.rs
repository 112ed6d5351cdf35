//! Which product a sum of products is computed with in one step, where each iteration waits for the one before.
//!
//! ```text
//! s = a * x + b * s        fma(b, s, a * x)    and not    fma(a, x, b * s)
//! z = b * x - a * v        fma(-a, v, b * x)   and not    fma(b, x, -(a * v))
//! v = b * x + z            b * x + z           and not    fma(b, x, z)
//! ```
//!
//! A fused multiplication and addition takes as long as a multiplication, an addition alone less. What comes round from iteration to
//! iteration should go through as little as can be; what does not depend on it is computed beside it. A backend that is
//! left the choice takes the first product, however the sum is written: LLVM brings signs and operands into an order of its own.

use std::collections::BTreeMap;

use pydd_ir::flow::{Flow, carried, flows};
use pydd_ir::{Block, ElemOp, Entity, Function, Op, OpKind, Value};

/// What an addition or subtraction is fused with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Fused {
    /// What the backend likes.
    #[default]
    Any,
    /// The second operand, where the first one is a product too.
    Second,
    /// Neither operand.
    Nothing,
}

/// Of all additions and subtractions, indexed by `Op`.
#[must_use]
pub fn fused(func: &Function) -> Vec<Fused> {
    let mut all = vec![Fused::Any; func.ops.len()];
    let is_carrying = |&op: &Op| carried(func, op).0.iter().any(|&param| is_float(func, param));
    let loops: Vec<Op> = func.all_ops().into_iter().filter(is_carrying).collect();
    if loops.is_empty() {
        return all;
    }
    let flows = flows(func);
    for looped in loops {
        let rounds = Rounds::new(func, looped, &flows);
        for &op in &rounds.own {
            all[op.index()] = rounds.fused(func, op);
        }
    }
    all
}

fn is_float(func: &Function, value: Value) -> bool {
    func.ty(value).is_scalar() && func.ty(value).dtype().is_some_and(|dtype| dtype.is_float())
}

/// Which values come round in a loop together: strongly connected components of what numbers are computed from in its body.
struct Rounds {
    /// The operations in the loop and in no other one within it.
    own: Vec<Op>,
    /// By value, the component; none of what is no float or does not come round.
    component: BTreeMap<Value, usize>,
}

impl Rounds {
    fn new(func: &Function, looped: Op, flows: &[Flow]) -> Self {
        let mut inside = Vec::new();
        let mut own = Vec::new();
        let mut blocks: Vec<(Block, bool)> =
            func.ops[looped].regions.iter().map(|&body| (body, true)).collect();
        let mut nodes: Vec<Value> = Vec::new();
        while let Some((block, is_own)) = blocks.pop() {
            nodes.extend(func.blocks[block].params.iter().filter(|&&param| is_float(func, param)));
            for &op in &func.blocks[block].ops {
                let data = &func.ops[op];
                let is_own = is_own && !data.kind.is_loop();
                blocks.extend(data.regions.iter().map(|&region| (region, is_own)));
                nodes.extend(data.results.iter().filter(|&&result| is_float(func, result)));
                inside.push(op);
                if is_own {
                    own.push(op);
                }
            }
        }
        let place: BTreeMap<Value, usize> = nodes.iter().enumerate().map(|(at, &node)| (node, at)).collect();
        let mut users = vec![Vec::new(); nodes.len()];
        let mut add = |from: Value, to: Value| {
            if let (Some(&from), Some(&to)) = (place.get(&from), place.get(&to)) {
                users[from].push(to);
            }
        };
        for op in inside {
            let data = &func.ops[op];
            if let OpKind::Elem(_) | OpKind::Cast = data.kind {
                data.args.iter().for_each(|&arg| add(arg, data.results[0]));
            }
        }
        flows.iter().for_each(|flow| add(flow.from, flow.to));
        let found = components(&users);
        let component = nodes.into_iter().zip(found).filter_map(|(node, found)| Some((node, found?)));
        Self { own, component: component.collect() }
    }

    fn fused(&self, func: &Function, op: Op) -> Fused {
        let data = &func.ops[op];
        let OpKind::Elem(ElemOp::Add | ElemOp::Sub) = data.kind else { return Fused::Any };
        let Some(component) = self.component.get(&data.results[0]) else { return Fused::Any };
        let [first, second] = data.args[..] else { return Fused::Any };
        let comes_round = |value: Value| self.component.get(&value) == Some(component);
        let is_product = |value: Value| product(func, value).is_some();
        match [first, second].map(comes_round) {
            [false, true] if is_product(first) && is_product(second) => Fused::Second,
            [false, true] if is_product(first) => Fused::Nothing,
            [true, false] if is_product(second) && !is_product(first) => Fused::Nothing,
            _ => Fused::Any,
        }
    }
}

/// The factors of a product.
#[must_use]
pub fn product(func: &Function, value: Value) -> Option<[Value; 2]> {
    let data = &func.ops[func.def_op(value)?];
    let factors = data.args[..].try_into().ok()?;
    (data.kind == OpKind::Elem(ElemOp::Mul)).then_some(factors)
}

/// By Tarjan's algorithm (SIAM J. Comput. 1, 1972), without recursion; nothing for components of one.
fn components(users: &[Vec<usize>]) -> Vec<Option<usize>> {
    const UNSEEN: usize = usize::MAX;
    let (mut order, mut low) = (vec![UNSEEN; users.len()], vec![0; users.len()]);
    let (mut component, mut is_open) = (vec![None; users.len()], vec![false; users.len()]);
    let (mut open, mut seen) = (Vec::new(), 0);
    for root in 0..users.len() {
        if order[root] != UNSEEN || users[root].is_empty() {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some((node, next)) = work.pop() {
            if next == 0 {
                (order[node], low[node]) = (seen, seen);
                seen += 1;
                open.push(node);
                is_open[node] = true;
            }
            if let Some(&user) = users[node].get(next) {
                work.push((node, next + 1));
                if order[user] == UNSEEN {
                    work.push((user, 0));
                } else if is_open[user] {
                    low[node] = low[node].min(order[user]);
                }
                continue;
            }
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                let start = open.iter().rposition(|&each| each == node).expect("it is open");
                let is_round = open.len() - start > 1;
                for each in open.drain(start..) {
                    is_open[each] = false;
                    component[each] = is_round.then_some(order[node]);
                }
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What each addition and subtraction of a loop is fused with, in order.
    fn of_body(carried: usize, body: &str) -> Vec<Fused> {
        let names: Vec<String> = (0..carried).map(|i| format!("%{}", 10 + i)).collect();
        let types = vec!["f64"; carried].join(", ");
        let results: Vec<String> = (0..carried).map(|i| format!("%{}: f64", 90 + i)).collect();
        let params: Vec<String> = names.iter().map(|name| format!("{name}: f64")).collect();
        let init = vec!["%3"; carried].join(", ");
        let text = format!(
            "func @f loop fast (%0: i64, %1: f64, %2: f64, %3: f64) -> ({types}) {{\n  %4: i64 = const 0\n  %5: i64 = const 1\n  {} = for %4, %0, %5, {init} {{\n  (%9: i64, {}):\n{body}  }}\n  return {}\n}}\n",
            results.join(", "),
            params.join(", "),
            (0..carried).map(|i| format!("%{}", 90 + i)).collect::<Vec<_>>().join(", "),
        );
        let module = pydd_ir::text::parse(&text).expect("a function");
        let func = module.funcs.values().next().expect("one");
        let all = fused(func);
        let is_sum = |op: &Op| matches!(func.ops[*op].kind, OpKind::Elem(ElemOp::Add | ElemOp::Sub));
        func.all_ops().into_iter().filter(is_sum).map(|op| all[op.index()]).collect()
    }

    #[test]
    fn the_product_that_comes_round_is_fused() {
        // s = a * x + b * s; a * s + b * x; s = a * x - b * s
        let product = "  %20: f64 = mul %1, %2\n  %21: f64 = mul %1, %10\n";
        for (sum, expected) in [
            ("add %20, %21", Fused::Second),
            ("add %21, %20", Fused::Any),
            ("sub %20, %21", Fused::Second),
            ("sub %21, %20", Fused::Any),
        ] {
            let body = format!("{product}  %22: f64 = {sum}\n  continue[0] %22\n");
            assert_eq!(of_body(1, &body), [expected], "{sum}");
        }
    }

    #[test]
    fn a_sum_that_comes_round_is_not_fused_with_another_product() {
        // s = a * b + s has a product that stands beside it; in s = s * b + s both come round.
        let beside = "  %20: f64 = mul %1, %2\n  %21: f64 = add %20, %10\n  continue[0] %21\n";
        assert_eq!(of_body(1, beside), [Fused::Nothing]);
        let both = "  %20: f64 = mul %10, %2\n  %21: f64 = add %20, %10\n  continue[0] %21\n";
        assert_eq!(of_body(1, both), [Fused::Any]);
        // What is only computed from it does not come round.
        let shown = "  %20: f64 = mul %10, %2\n  %21: f64 = mul %1, %1\n  %22: f64 = add %21, %20\n  continue[0] %10, %22\n";
        assert_eq!(of_body(2, shown), [Fused::Any]);
        // Two that exchange do.
        let exchanged = "  %20: f64 = mul %1, %2\n  %21: f64 = mul %10, %2\n  %22: f64 = add %20, %21\n  continue[0] %11, %22\n";
        assert_eq!(of_body(2, exchanged), [Fused::Second]);
    }

    #[test]
    fn what_comes_round_is_one_component() {
        // 0 -> 1 -> 2 -> 0, 2 -> 3 -> 4 -> 3, 5 -> 5
        let users = [vec![1], vec![2], vec![0, 3], vec![4], vec![3], vec![5], vec![]].map(|each| each);
        let found = components(&users);
        assert!(found[0].is_some() && found[0] == found[1] && found[1] == found[2]);
        assert!(found[3].is_some() && found[3] == found[4] && found[3] != found[0]);
        assert_eq!((found[5], found[6]), (None, None));
    }
}
