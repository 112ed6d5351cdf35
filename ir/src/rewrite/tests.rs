use super::{
    Cloner, Layout, Replacements, Uses, ValueMap, captures, clone_block, compact, hash_op, inline_block,
    is_defined_inside, move_before, replace_op, same_op, splice_block,
};
use crate::entity::Op;
use crate::func::{Function, Module};
use crate::text::{PrintOptions, parse, print};

const TEXT: &str = "func @f array (%0: i64, %1: bool) -> (i64) {
  %2: i64 = neg %0
  %3: i64 = if %1 {
    %4: i64 = add %2, %0
    yield %4
  } else {
    %5: i64 = add %2, %0
    yield %5
  }
  %6: i64 = mul %3, %3
  return %6
}
";

fn func() -> (Module, Function) {
    let module = parse(TEXT).expect("a module");
    let func = module.funcs.values().next().expect("the function").clone();
    (module, func)
}

fn op(func: &Function, mnemonic: &str, n: usize) -> Op {
    func.all_ops()
        .into_iter()
        .filter(|&op| func.ops[op].kind.mnemonic() == mnemonic)
        .nth(n)
        .expect("the operation")
}

fn text(mut module: Module, func: Function) -> String {
    *module.funcs.values_mut().next().expect("the function") = func;
    crate::verify::verify(&module).expect("a valid module");
    print(&module, &PrintOptions::default())
}

#[test]
fn layout_knows_order_and_dominance() {
    let (_, f) = func();
    let layout = Layout::new(&f);
    let (neg, branch, add, other, mul) =
        (op(&f, "neg", 0), op(&f, "if", 0), op(&f, "add", 0), op(&f, "add", 1), op(&f, "mul", 0));
    assert!(
        layout.op_dominates(neg, add) && layout.op_dominates(neg, mul) && layout.op_dominates(branch, mul)
    );
    assert!(!layout.op_dominates(add, other), "regions next to each other");
    assert!(!layout.op_dominates(add, mul), "out of its region");
    assert!(!layout.op_dominates(branch, add), "not ended yet");
    assert!(!layout.op_dominates(mul, neg) && !layout.op_dominates(neg, neg));
    assert!(layout.dominates(&f, f.params()[0], other));
    assert!(layout.is_inside(add, branch) && !layout.is_inside(mul, branch));
    assert_eq!(layout.parent(add), Some(branch));
    assert_eq!(layout.index_of(mul), Some(2));
    assert!(is_defined_inside(&f, &layout, f.result(add), branch));
    assert!(!is_defined_inside(&f, &layout, f.result(branch), branch));
    assert_eq!(captures(&f, &layout, branch), [f.result(neg), f.params()[0]]);
}

#[test]
fn uses_are_counted_in_order() {
    let (_, f) = func();
    let uses = Uses::new(&f);
    assert_eq!(uses.count(f.result(op(&f, "if", 0))), 2);
    assert_eq!(uses.count(f.params()[0]), 3);
    assert_eq!(uses.single(f.params()[1]).map(|u| (u.op, u.index)), Some((op(&f, "if", 0), 0)));
    assert!(!uses.is_dead(&f, op(&f, "mul", 0)));
}

#[test]
fn equal_operations_hash_alike() {
    let (_, mut f) = func();
    let (add, other) = (op(&f, "add", 0), op(&f, "add", 1));
    assert!(same_op(&f, add, other, |v| v));
    assert_eq!(hash_op(&f, add, |v| v), hash_op(&f, other, |v| v));
    let branch = op(&f, "if", 0);
    let copy = Cloner::default().op(&mut f, None, branch);
    assert!(same_op(&f, branch, copy, |v| v), "regions up to names");
    f.ops[other].args.swap(0, 1);
    assert!(!same_op(&f, add, other, |v| v) && !same_op(&f, branch, copy, |v| v));
}

#[test]
fn a_block_is_spliced_into_the_place_of_its_operation() {
    let (module, mut f) = func();
    let branch = op(&f, "if", 0);
    let result = f.result(branch);
    let then = f.ops[branch].regions[0];
    let yielded = splice_block(&mut f, branch, then);
    let mut replacements = Replacements::default();
    replacements.replace(result, yielded[0]);
    replacements.apply(&mut f);
    let expected = "func @f array (%0: i64, %1: bool) -> (i64) {
  %2: i64 = neg %0
  %3: i64 = add %2, %0
  %4: i64 = mul %3, %3
  return %4
}
";
    assert_eq!(text(module, f), expected);
}

#[test]
fn operations_move_and_are_replaced() {
    let (module, mut f) = func();
    let (add, other, branch) = (op(&f, "add", 0), op(&f, "add", 1), op(&f, "if", 0));
    move_before(&mut f, add, branch);
    let value = f.result(add);
    replace_op(&mut f, other, &[value]);
    let expected = "func @f array (%0: i64, %1: bool) -> (i64) {
  %2: i64 = neg %0
  %3: i64 = add %2, %0
  %4: i64 = if %1 {
    yield %3
  } else {
    yield %3
  }
  %5: i64 = mul %4, %4
  return %5
}
";
    assert_eq!(text(module, f.clone()), expected);
    assert_eq!(compact(&f).ops.len(), 7);
}

#[test]
fn replacements_chain() {
    let (_, f) = func();
    let [a, b] = f.params() else { unreachable!() };
    let c = f.result(op(&f, "neg", 0));
    let mut replacements = Replacements::default();
    replacements.replace(*a, *b);
    replacements.replace(*b, c);
    assert_eq!(replacements.resolve(*a), c);
    replacements.replace(c, *a);
    assert_eq!(replacements.resolve(c), c, "no value stands for itself");
}

#[test]
fn blocks_are_copied_within_and_between_functions() {
    let (module, mut f) = func();
    let branch = op(&f, "if", 0);
    let then = f.ops[branch].regions[0];
    let mut map = ValueMap::default();
    map.insert(f.params()[0], f.result(op(&f, "neg", 0)));
    f.ops[branch].regions[1] = clone_block(&mut f, then, map);
    assert!(text(module.clone(), f.clone()).contains("add %2, %2"));
    let mut g = Function::new("g", f.level);
    let entry = g.entry;
    let x = g.add_param(entry, crate::Type::I64);
    let c = g.add_param(entry, crate::Type::BOOL);
    g.results = f.results.clone();
    let mut cloner = Cloner::default();
    cloner.values.insert_all(f.params(), &[x, c]);
    cloner.ops(&mut g, Some(&f), f.entry, entry);
    let printed = text(module, g);
    assert_eq!(printed.replace("@g", "@f").lines().count(), TEXT.lines().count());
}

#[test]
fn a_block_is_inlined_with_arguments() {
    let (_, mut f) = func();
    let (neg, entry) = (op(&f, "neg", 0), f.entry);
    let args = [f.result(neg), f.params()[1]];
    let into = f.new_block();
    let returned = inline_block(&mut f, entry, &args, into);
    assert_eq!(f.blocks[into].ops.len(), f.blocks[entry].ops.len() - 1);
    let copied = f.blocks[into].ops[0];
    assert_eq!(f.ops[copied].args[0], f.result(neg));
    assert_eq!(returned, [f.result(*f.blocks[into].ops.last().expect("operations"))]);
}

#[test]
fn cold_blocks_stay_cold_in_copies() {
    let text = TEXT.replace("} else {", "} else cold {");
    let module = parse(&text).expect("a module");
    assert!(print(&module, &PrintOptions::default()).contains("} else cold {"));
    let func = compact(module.funcs.values().next().expect("the function"));
    let names =
        |ops: Vec<Op>| ops.iter().map(|&op| func.ops[op].kind.mnemonic()).collect::<Vec<_>>().join(" ");
    assert_eq!(names(func.hot_ops()), "neg if add yield mul return");
    assert_eq!(names(func.all_ops()), "neg if add yield add yield mul return");
}
