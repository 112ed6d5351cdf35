use super::{MemoryInfo, Origin, Summaries};
use crate::entity::{Op, Value};
use crate::func::{Function, Module};
use crate::op::OpKind;
use crate::text::parse;

fn module(text: &str) -> Module {
    let module = parse(text).expect("a module");
    crate::verify::verify(&module).expect("a valid module");
    module
}

fn named<'a>(module: &'a Module, name: &str) -> (&'a Function, MemoryInfo) {
    let func = &module.funcs[module.find(name).expect("the function")];
    (func, MemoryInfo::new(func, &Summaries::new(module)))
}

/// The n-th operation of this name.
fn op(func: &Function, mnemonic: &str, n: usize) -> Op {
    func.all_ops()
        .into_iter()
        .filter(|&op| func.ops[op].kind.mnemonic() == mnemonic)
        .nth(n)
        .expect("the operation")
}

fn result(func: &Function, mnemonic: &str) -> Value {
    func.result(op(func, mnemonic, 0))
}

#[test]
fn parameters_overlap_unless_the_version_says_not() {
    let text = |version| {
        module(&format!(
            "func @f array {version}(%a: array<f64, 1>, %b: array<i8, 2>, %l: list<i64>, %m: list<i64>, %n: list<f64>) -> () {{
              return
            }}"
        ))
    };
    let any = text("");
    let (func, memory) = named(&any, "f");
    let p = func.params();
    assert!(memory.may_alias(p[0], p[1]), "views of other dtypes may overlap");
    assert!(memory.may_alias(p[2], p[3]), "one list may be passed twice");
    assert!(!memory.may_alias(p[2], p[4]) && !memory.may_alias(p[0], p[2]));
    let fast = text("fast ");
    let (func, memory) = named(&fast, "f");
    let p = func.params();
    assert!(!memory.may_alias(p[0], p[1]) && !memory.may_alias(p[2], p[3]));
}

#[test]
fn a_store_stands_between_a_read_and_what_follows() {
    let text =
        "func @f array fast (%a: array<f64, 1>, %b: array<f64, 1>, %i: i64, %x: f64) -> (array<f64, 1>) {
      %v: array<f64, 1> = view[start:] %a, %i
      %c: array<f64, 1> = neg %v
      store %a, %x, %i
      %d: array<f64, 1> = sqrt %b
      return %c
    }";
    let module = module(text);
    let (func, memory) = named(&module, "f");
    let (neg, store, sqrt) = (op(func, "neg", 0), op(func, "store", 0), op(func, "sqrt", 0));
    assert!(!memory.may_swap(neg, store));
    assert!(memory.may_swap(neg, sqrt) && memory.may_swap(store, sqrt));
    assert!(memory.may_swap(op(func, "view", 0), store), "a view reads no contents");
    let (c, d) = (result(func, "neg"), result(func, "sqrt"));
    assert!(!memory.is_value_like(c) && memory.is_value_like(d), "what is returned can be told apart");
    assert!(memory.effects(neg).is_removable() && !memory.effects(store).is_removable());
}

#[test]
fn exceptions_keep_their_order_and_what_callers_see() {
    let text = "func @f array fast (%a: array<f64, 1>, %i: i64, %x: f64, %c: bool) -> () {
      check[ValueError] %c
      %t: array<f64, 1> = zeros %i
      %y: f64 = load %a, %i
      assign %t, %x
      assign %a, %x
      print[np] %x
      return
    }";
    let module = module(text);
    let (func, memory) = named(&module, "f");
    let check = op(func, "check", 0);
    assert!(!memory.may_swap(check, op(func, "load", 0)), "two exceptions");
    assert!(memory.may_swap(check, op(func, "assign", 0)), "memory that nobody sees afterwards");
    assert!(!memory.may_swap(check, op(func, "assign", 1)), "the caller's memory");
    assert!(!memory.may_swap(check, op(func, "print", 0)));
    assert!(memory.effects(op(func, "zeros", 0)).raises, "the length may be negative");
}

#[test]
fn jumps_count_where_they_leave() {
    let text = "func @f array (%c: bool, %n: i64, %a: array<f64, 1>) -> () {
      %s: i64 = const 1
      for %n, %n, %s {
      (%i: i64):
        if %c {
          break[0]
        } else {
          yield
        }
        loop {
          if %c {
            continue[1]
          } else {
            break[0]
          }
          unreachable
        }
        continue[0]
      }
      return
    }";
    let module = module(text);
    let (func, memory) = named(&module, "f");
    let leaves = |name, n| memory.effects(op(func, name, n)).leaves;
    assert!(!leaves("for", 0), "the break stays inside");
    assert!(leaves("if", 0) && leaves("loop", 0) && leaves("if", 1));
    assert!(memory.effects(op(func, "for", 0)).diverges, "holds a loop");
    assert!(!memory.effects(op(func, "for", 0)).raises, "the step is 1");
}

#[test]
fn raw_accesses_stay_behind_their_checks() {
    let text = "func @f loop slots=1 (%a: array<f64, 1>, %i: i64, %c: bool) -> () {
      check[IndexError] %c
      %x: f64 = load_raw %a, %i
      %e: array<f64, 1> = empty %i
      own[slot0] %e
      %y: f64 = load_raw %e, %i
      disown[slot0]
      return
    }";
    let module = module(text);
    let (func, memory) = named(&module, "f");
    let load = op(func, "load_raw", 0);
    assert!(!memory.may_swap(op(func, "check", 0), load));
    assert!(memory.effects(load).is_removable() && !memory.effects(load).is_speculable());
    assert!(!memory.may_swap(op(func, "load_raw", 1), op(func, "disown", 0)), "frees what is read");
    assert!(memory.may_swap(load, op(func, "disown", 0)));
}

#[test]
fn summaries_say_what_results_are() {
    let text = "func @f array (%a: array<f64, 1>, %b: array<f64, 1>, %c: bool) -> (array<f64, 1>, array<f64, 1>, array<f64, 1>) {
      %0: array<f64, 1> = copy %a
      %1: array<f64, 1> = copy %a
      %2: array<f64, 1> = if %c {
        yield %0
      } else {
        yield %1
      }
      return %0, %1, %2
    }

    func @g array (%a: array<f64, 1>, %c: bool) -> () {
      %0: array<f64, 1>, %1: array<f64, 1>, %2: array<f64, 1> = call[@f] %a, %a, %c
      return
    }

    func @h array recursive (%a: array<f64, 1>) -> () {
      call[@h] %a
      return
    }";
    let module = module(text);
    let summaries = Summaries::new(&module);
    let f = summaries.get(module.find("f").unwrap()).unwrap();
    assert!(f.reads.contains(0) && !f.reads.contains(1) && f.writes.is_empty());
    assert!(f.results.iter().all(|r| r.params.is_empty()));
    assert!(f.allocates && !f.raises && !f.io && !f.diverges);
    let (func, memory) = named(&module, "g");
    let results = &func.ops[op(func, "call", 0)].results;
    assert!(!memory.may_alias(results[0], results[1]));
    assert!(memory.may_alias(results[0], results[2]) && memory.may_alias(results[1], results[2]));
    let h = summaries.get(module.find("h").unwrap()).unwrap();
    assert!(h.raises && h.diverges, "recursion");
    let unknown = MemoryInfo::new(func, &Summaries::unknown());
    let call = unknown.effects(op(func, "call", 0));
    assert!(call.io && call.raises && !call.writes.is_empty());
    assert!(unknown.may_alias(results[0], func.params()[0]));
    assert!(matches!(
        unknown.origin(unknown.classes(func.params()[0]).iter().next().unwrap()),
        Origin::Param(0)
    ));
    assert!(func.ops.values().any(|data| matches!(data.kind, OpKind::Call(_))));
}

#[test]
fn arrays_that_take_turns_are_apart() {
    let text = "
    func @f array (%n: i64, %a: array<f64, 1>) -> () {
      %0: i64 = const 0
      %1: i64 = const 1
      %x: f64 = const 0.5
      %2: array<f64, 1> = copy %a
      %3: array<f64, 1> = copy %a
      %4: array<f64, 1>, %5: array<f64, 1> = for %0, %n, %1, %2, %3 {
      (%6: i64, %7: array<f64, 1>, %8: array<f64, 1>):
        %9: array<f64, 1> = neg %7
        %10: array<f64, 1> = view[start:] %8, %1
        store %8, %x, %0
        continue[0] %8, %7
      }
      %11: array<f64, 1>, %12: array<f64, 1> = for %0, %n, %1, %2, %3 {
      (%13: i64, %14: array<f64, 1>, %15: array<f64, 1>):
        store %14, %x, %0
        %16: array<f64, 1> = neg %15
        continue[0] %15, %15
      }
      return
    }";
    let module = module(text);
    let (func, memory) = named(&module, "f");
    let carried = |nth: usize| {
        let loops: Vec<Op> =
            func.all_ops().into_iter().filter(|&op| func.ops[op].kind == OpKind::For).collect();
        func.blocks[func.ops[loops[nth]].regions[0]].params[1..].to_vec()
    };
    let swapped = carried(0);
    let view = func.result(op(func, "view", 0));
    assert!(!memory.may_alias(swapped[0], swapped[1]) && !memory.may_alias(swapped[0], view));
    assert!(memory.may_alias(swapped[1], view));
    assert!(memory.may_alias(swapped[0], func.result(op(func, "copy", 0))), "either of them");
    let merged = carried(1);
    assert!(memory.may_alias(merged[0], merged[1]), "both are one from the second round on");
}

#[test]
fn what_an_iteration_makes_is_not_what_it_was_given() {
    let text = "
    func @f loop (%n: i64, %a: array<f64, 1>) -> () {
      %0: i64 = const 0
      %1: i64 = const 1
      %2: array<f64, 1> = empty %n
      %3: array<f64, 1>, %4: array<f64, 1> = for %0, %n, %1, %2, %2 {
      (%5: i64, %6: array<f64, 1>, %7: array<f64, 1>):
        %8: array<f64, 1> = empty %n
        for %0, %n, %1 {
        (%9: i64):
          %10: array<f64, 1> = zeros %n
          continue[0]
        }
        continue[0] %8, %6
      }
      return
    }";
    let module = module(text);
    let (func, memory) = named(&module, "f");
    let looped = op(func, "for", 0);
    let [first, second] = [1, 2].map(|at| func.blocks[func.ops[looped].regions[0]].params[at]);
    let [before, made] = [0, 1].map(|nth| func.result(op(func, "empty", nth)));
    let within = func.result(op(func, "zeros", 0));
    assert!(!memory.may_alias(first, made) && !memory.may_alias(made, second));
    assert!(!memory.may_alias(second, within));
    assert!(memory.may_alias(first, second) && memory.may_alias(first, before));
    assert!(memory.may_alias(func.ops[looped].results[0], made), "the last iteration's");
}

#[test]
fn what_lists_of_lists_hold_is_one_class() {
    let text = "
    func @keeps array (%n: list<list<i64>>, %p: list<i64>) -> (list<i64>) {
      %0: i64 = const 0
      list_append %n, %p
      %1: list<i64> = list_get %n, %0
      return %1
    }

    func @f array fast (%n: list<list<i64>>, %p: list<i64>, %q: list<f64>, %i: i64) -> () {
      %0: list<i64> = list_new %i
      %1: list<i64> = list_new %i
      %2: list<list<i64>> = list_new %0
      %3: list<i64> = list_get %2, %i
      %4: list<i64> = list_get %n, %i
      list_set %4, %i, %i
      return
    }

    func @g array (%i: i64) -> () {
      %0: list<i64> = list_new %i
      %1: list<i64> = list_new %i
      %2: list<list<i64>> = list_new
      %3: list<i64> = call[@keeps] %2, %0
      %4: i64 = call[@plain] %1
      return
    }

    func @plain array (%p: list<i64>) -> (i64) {
      %0: list<list<i64>> = list_new
      %1: i64 = list_len %p
      return %1
    }";
    let module = module(text);
    let (func, memory) = named(&module, "f");
    let made = |nth| func.result(op(func, "list_new", nth));
    let taken = |nth| func.result(op(func, "list_get", nth));
    let params = func.params();
    assert!(memory.may_alias(made(0), taken(0)), "it was put in");
    assert!(!memory.may_alias(made(1), taken(0)), "it was not");
    assert!(memory.may_alias(taken(0), taken(1)), "lists of lists are not told apart");
    assert!(memory.may_alias(params[1], taken(1)), "the caller may have put it in");
    assert!(!memory.may_alias(params[2], taken(1)), "another type");
    assert!(!memory.may_alias(params[0], taken(1)) && !memory.may_alias(params[0], made(2)));
    assert!(!memory.is_value_like(taken(0)));
    let summaries = Summaries::new(&module);
    let f = summaries.get(module.find("f").unwrap()).unwrap();
    assert!(f.writes_held && f.writes.contains(1) && !f.writes.contains(0));
    let keeps = summaries.get(module.find("keeps").unwrap()).unwrap();
    assert!(keeps.holds.contains(1) && keeps.results[0].held && !keeps.writes_held);
    let (func, memory) = named(&module, "g");
    let (kept, other) = (func.result(op(func, "list_new", 0)), func.result(op(func, "list_new", 1)));
    let result = func.result(op(func, "call", 0));
    assert!(memory.may_alias(kept, result) && !memory.may_alias(other, result));
}

#[test]
fn arrays_that_lists_hold_are_one_memory() {
    let text = "
    func @f array (%a: array<f64, 1>, %b: array<f64, 1>, %l: list<f64>, %n: i64) -> () {
      %0: i64 = const 0
      %1: list<array<f64, 1>> = list_new
      list_append %1, %a
      %2: array<f64, 2> = zeros %n, %n
      %3: array<f64, 1> = view[at, :] %2, %0
      list_append %1, %3
      %4: array<f64, 1> = zeros %n
      %5: array<f64, 1> = list_get %1, %0
      %6: f64 = load %5, %0
      store %5, %6, %0
      return
    }

    func @g array (%l: list<list<array<f32, 2>>>, %a: array<f64, 1>, %n: i64) -> (array<f32, 2>) {
      %0: i64 = const 0
      %1: list<array<f32, 2>> = list_get %l, %0
      %2: array<f32, 2> = list_get %1, %0
      return %2
    }";
    let module = module(text);
    let (func, memory) = named(&module, "f");
    let params = func.params();
    let taken = func.result(op(func, "list_get", 0));
    let made = |nth| func.result(op(func, "zeros", nth));
    assert!(memory.may_alias(taken, params[0]), "it was put in");
    assert!(memory.may_alias(taken, made(0)), "a view of it was put in");
    assert!(!memory.may_alias(taken, made(1)), "it was not");
    assert!(memory.may_alias(taken, params[1]), "it may be the parameter that was put in");
    assert!(!memory.may_alias(taken, params[2]), "it is a list");
    let own = MemoryInfo::with_own_params(func, &Summaries::new(&module));
    assert!(own.may_alias(taken, params[0]) && !own.may_alias(taken, params[1]));
    let summaries = Summaries::new(&module);
    let f = summaries.get(module.find("f").unwrap()).unwrap();
    assert!(f.writes_held && f.writes.contains(0) && f.holds.contains(0) && !f.holds.contains(1));
    let (func, memory) = named(&module, "g");
    let taken = func.result(op(func, "list_get", 1));
    assert!(memory.may_alias(taken, func.params()[1]), "the caller may have put a view of it in");
    assert!(summaries.get(module.find("g").unwrap()).unwrap().results[0].held);
}
