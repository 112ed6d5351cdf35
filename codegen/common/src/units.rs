//! What is compiled together.
//!
//! A module is cut into units, which a backend may compile on several threads to objects of their own. The
//! cut depends on the module alone, so the same source gives the same bytes on any machine. Functions that
//! call each other stay together where a backend may inline one into the other; what gains little from optimising is apart from all else: general
//! versions, which are to be small rather than fast, and library operations whose loops go where the data says.

use pydd_ir::{Entity, FuncRef, Function, Module, Op, OpKind, Version};
use std::collections::BTreeSet;

/// Operations from which on a unit takes no more functions.
const FULL: usize = 120;

/// How many times the work of a light unit is that of another one of its size.
const FULL_WORK: usize = 3;

/// Operations from which on a function is not inlined, so that callers may be in other units.
const LARGE: usize = 100;

/// Operations from which on a function gets less work of the backend: what a backend does for speed takes more than
/// linear time in functions without end, which mostly run once from top to bottom.
const LONG: usize = 5_000;
const HUGE: usize = 12_000;

/// A loop counts as so many operations: making it fast takes that much longer.
const LOOP: usize = 500;

/// Work that all units of a module get, in operations: what comes behind is compiled quickly. It is enough for some 640
/// loops; a module of 1,500 functions with three loops each takes some 18 seconds.
const BUDGET: usize = 320_000;
/// The same for light units.
const LIGHT_BUDGET: usize = 80_000;

/// How much a backend shall do for a unit, the most last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Effort {
    /// What takes linear time only.
    Least,
    /// Good code for operations, but quick choices of registers and instructions.
    Quick,
    /// What gains most, without vectors.
    Little,
    /// All that the options ask for.
    Full,
}

/// Functions that are compiled together, in the module's order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unit {
    pub functions: Vec<FuncRef>,
    /// Whether little work of the backend is enough for it.
    pub light: bool,
    pub effort: Effort,
}

impl Unit {
    /// How much work it is to compile it, compared to others.
    #[must_use]
    pub fn weight(&self, module: &Module) -> usize {
        let ops: usize = self.functions.iter().map(|&r| module.funcs[r].all_ops().len()).sum();
        if self.effort < Effort::Full { ops } else { FULL_WORK * ops }
    }

    /// Its functions, and those of other units that they call.
    #[must_use]
    pub fn mentioned(&self, module: &Module) -> BTreeSet<FuncRef> {
        let called = self.functions.iter().flat_map(|&r| callees(&module.funcs[r]));
        self.functions.iter().copied().chain(called).collect()
    }
}

/// All functions of the module, each in one unit; at least one unit.
#[must_use]
pub fn units(module: &Module) -> Vec<Unit> {
    let mut units = cut(module, false);
    units.extend(cut(module, true));
    if units.is_empty() {
        units.push(Unit { functions: Vec::new(), light: false, effort: Effort::Full });
    }
    spend(module, &mut units);
    units
}

/// Gives units their effort, as long as there is some left.
fn spend(module: &Module, units: &mut [Unit]) {
    let (mut budget, mut light_budget) = (BUDGET, LIGHT_BUDGET);
    for unit in units {
        let most = unit.functions.iter().map(|&r| by_size(&module.funcs[r])).min().unwrap_or(Effort::Full);
        let wanted = most.min(if unit.light { Effort::Little } else { Effort::Full });
        let work: usize = unit.functions.iter().map(|&r| work(&module.funcs[r])).sum();
        let (budget, cost) = match wanted {
            Effort::Full => (&mut budget, work),
            _ => (&mut light_budget, work / 4),
        };
        unit.effort = match budget.checked_sub(cost) {
            Some(left) => {
                *budget = left;
                wanted
            }
            None => wanted.min(Effort::Quick),
        };
    }
}

fn by_size(func: &Function) -> Effort {
    match func.all_ops().len() {
        HUGE.. => Effort::Least,
        LONG.. => Effort::Little,
        _ => Effort::Full,
    }
}

/// Operations, where those with loops count as many.
fn work(func: &Function) -> usize {
    let ops = func.all_ops();
    ops.len() + LOOP * ops.iter().filter(|&&op| func.ops[op].kind.is_loop()).count()
}

/// The whole module as one unit.
#[must_use]
pub fn whole(module: &Module) -> Vec<Unit> {
    let effort = module.funcs.values().map(by_size).min().unwrap_or(Effort::Full);
    vec![Unit { functions: module.funcs.keys().collect(), light: false, effort }]
}

/// By function: whether functions of other units call it.
#[must_use]
pub fn shared(module: &Module, units: &[Unit]) -> Vec<bool> {
    let mut shared = vec![false; module.funcs.len()];
    for unit in units {
        for r in unit.mentioned(module) {
            // A unit's functions are in order.
            shared[r.index()] |= unit.functions.binary_search_by_key(&r.index(), |own| own.index()).is_err();
        }
    }
    shared
}

fn callees(func: &Function) -> impl Iterator<Item = FuncRef> + '_ {
    func.all_ops().into_iter().filter_map(|op| match func.ops[op].kind {
        OpKind::Call(callee) | OpKind::Launch(callee) => Some(callee),
        _ => None,
    })
}

fn cut(module: &Module, light: bool) -> Vec<Unit> {
    let clusters = clusters(module, |r| is_light(&module.funcs[r]) == light);
    let mut units: Vec<(Unit, usize)> = Vec::new();
    for cluster in clusters {
        let weight: usize = cluster.iter().map(|&r| module.funcs[r].all_ops().len()).sum();
        match units.last_mut() {
            Some((unit, total)) if *total + weight <= FULL => {
                unit.functions.extend(cluster);
                *total += weight;
            }
            _ => units.push((Unit { functions: cluster, light, effort: Effort::Full }, weight)),
        }
    }
    let sorted = |(mut unit, _): (Unit, usize)| {
        unit.functions.sort_by_key(|r| r.index());
        unit
    };
    units.into_iter().map(sorted).collect()
}

/// In versions for devices the processor does what is short.
fn is_light(func: &Function) -> bool {
    func.version == Version::General || func.device || func.operation.is_some() && !has_straight_loop(func)
}

/// Whether a loop computes without asking anything, so that vectors may do it. One that only fills an array does not count.
fn has_straight_loop(func: &Function) -> bool {
    func.all_ops().into_iter().filter(|&op| func.ops[op].kind.is_loop()).any(|looped| {
        let mut nested = Vec::new();
        func.ops[looped].regions.iter().for_each(|&region| func.walk(region, &mut |op| nested.push(op)));
        let straight = |&op: &Op| {
            let data = &func.ops[op];
            data.regions.is_empty()
                && !matches!(data.kind, OpKind::Check { .. } | OpKind::Call(_) | OpKind::Launch(_))
        };
        nested.len() > 2 && nested.iter().all(straight)
    })
}

/// The chosen functions, those together that may be inlined into each other.
fn clusters(module: &Module, chosen: impl Fn(FuncRef) -> bool) -> Vec<Vec<FuncRef>> {
    let is_large = |r: FuncRef| module.funcs[r].all_ops().len() >= LARGE;
    // By function: the least function known to be in its cluster.
    let mut first: Vec<usize> = (0..module.funcs.len()).collect();
    for (r, func) in module.funcs.iter() {
        for callee in callees(func).filter(|&callee| chosen(r) && chosen(callee) && !is_large(callee)) {
            let (a, b) = (root(&first, r.index()), root(&first, callee.index()));
            first[a.max(b)] = a.min(b);
        }
    }
    let mut clusters: Vec<Vec<FuncRef>> = vec![Vec::new(); module.funcs.len()];
    for r in module.funcs.keys().filter(|&r| chosen(r)) {
        clusters[root(&first, r.index())].push(r);
    }
    clusters.retain(|cluster| !cluster.is_empty());
    clusters
}

fn root(first: &[usize], mut at: usize) -> usize {
    while first[at] != at {
        at = first[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a`, which calls `b`, in a fast and a general version; `c` by itself.
    const THREE: &str = r#"module "m" file "m.pydd"
func @b loop () -> () {
  return
}
func @a.fast loop fast () -> () {
  call[@b]
  return
}
func @a.general loop general () -> () {
  call[@b]
  return
}
func @c loop () -> () {
  return
}
"#;

    #[test]
    fn general_versions_are_apart() {
        let module = pydd_ir::text::parse(THREE).unwrap();
        let units = units(&module);
        let names = |unit: &Unit| -> Vec<String> {
            unit.functions.iter().map(|&r| module.funcs[r].name.clone()).collect()
        };
        assert_eq!(
            units.iter().map(names).collect::<Vec<_>>(),
            [vec!["b", "a.fast", "c"], vec!["a.general"]]
        );
        assert_eq!(units.iter().map(|u| u.light).collect::<Vec<_>>(), [false, true]);
        assert_eq!(shared(&module, &units), [true, false, false, false]);
        assert_eq!(shared(&module, &whole(&module)), [false; 4]);
    }

    /// Whether the library operation with this loop body is in a light unit.
    fn light(body: &str) -> bool {
        let text = format!(
            "module \"m\" file \"m.pydd\"\nfunc @op loop operation \"op\" (%0: array<f64, 1> in m0, %1: i64, %2: i64) -> () {{\n  \
             for %1, %2, %2 !r m0 !w m0 {{\n  (%3: i64):\n{body}    continue[0]\n  }}\n  return\n}}\n"
        );
        let module = pydd_ir::text::parse(&text).unwrap();
        units(&module)[0].light
    }

    #[test]
    fn operations_that_ask_in_each_loop_are_light() {
        let load = "    %4: f64 = load_raw %0, %3 !r m0\n";
        let check = "    %5: bool = lt %3, %1\n    check[IndexError, \"\"] %5\n";
        let store = "    store_raw %0, %4, %3 !w m0\n";
        assert!(light(&format!("{load}{check}{store}")));
        assert!(!light(&format!("{load}    %5: f64 = add %4, %4\n{store}")));
    }

    /// Whether `caller`, which calls `callee`, is in a unit with it.
    fn together(callee_ops: usize) -> bool {
        let body: String = (1..callee_ops).map(|i| format!("  %{i}: f64 = add %0, %0\n")).collect();
        let text = format!(
            "module \"m\" file \"m.pydd\"\nfunc @caller loop (%0: f64) -> () {{\n  call[@callee] %0\n  return\n}}\n\
             func @callee loop (%0: f64) -> () {{\n{body}  return\n}}\n"
        );
        let module = pydd_ir::text::parse(&text).unwrap();
        units(&module).len() == 1
    }

    #[test]
    fn large_functions_are_apart_from_their_callers() {
        assert!(together(LARGE - 1));
        assert!(!together(FULL));
    }

    #[test]
    fn what_is_long_is_compiled_quickly() {
        let effort = |ops: usize| {
            let body: String = (1..ops).map(|i| format!("  %{i}: f64 = add %0, %0\n")).collect();
            let text = format!(
                "module \"m\" file \"m.pydd\"\nfunc @f loop (%0: f64) -> () {{\n{body}  return\n}}\n"
            );
            units(&pydd_ir::text::parse(&text).unwrap())[0].effort
        };
        assert_eq!([effort(100), effort(LONG), effort(HUGE)], [Effort::Full, Effort::Little, Effort::Least]);
    }

    #[test]
    fn the_work_for_a_module_is_limited() {
        let mut text = "module \"m\" file \"m.pydd\"\n".to_owned();
        let most = BUDGET / LOOP;
        for i in 0..2 * most {
            text += &format!(
                "func @f{i} loop (%0: i64) -> () {{\n  for %0, %0, %0 {{\n  (%1: i64):\n    continue[0]\n  }}\n  return\n}}\n"
            );
        }
        let module = pydd_ir::text::parse(&text).unwrap();
        let units = units(&module);
        let fully: usize = units.iter().filter(|u| u.effort == Effort::Full).map(|u| u.functions.len()).sum();
        assert!((most / 2..most).contains(&fully), "{fully}");
        assert_eq!(units.last().unwrap().effort, Effort::Quick);
    }

    #[test]
    fn an_empty_module_is_one_unit() {
        assert_eq!(units(&Module::default()).len(), 1);
    }
}
