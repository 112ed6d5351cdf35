//! The analyses on loop IR as text.

use pydd_codegen::layout::{Layout, layouts};
use pydd_codegen::polling::{self, Polling};
use pydd_codegen::{captures, sums};

use pydd_ir::{ElemOp, Entity, Function, Module, Op, OpKind};

fn parse(text: &str) -> Module {
    pydd_ir::text::parse(&format!("module \"m\" file \"m.pydd\"\n{text}")).unwrap_or_else(|e| panic!("{e}"))
}

fn only(module: &Module) -> &Function {
    module.funcs.values().next().expect("a function")
}

fn ops(func: &Function, wanted: impl Fn(&OpKind) -> bool) -> Vec<Op> {
    func.all_ops().into_iter().filter(|&op| wanted(&func.ops[op].kind)).collect()
}

/// Whether each addition may be reassociated, in order.
fn additions(text: &str) -> Vec<bool> {
    let module = parse(text);
    let func = only(&module);
    let marks = sums::reassociable(func);
    let is_sum = |kind: &OpKind| matches!(kind, OpKind::Elem(ElemOp::Add | ElemOp::Sub | ElemOp::Mul));
    ops(func, is_sum).iter().map(|op| marks[op.index()]).collect()
}

#[test]
fn a_running_sum_may_be_reordered() {
    let text = "func @f loop fast slots=0 (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
        %2: i64 = const 0
        %3: i64 = const 1
        %4: f64 = const 0.0
        %5: f64 = for %2, %1, %3, %4 !r m0 {
        (%6: i64, %7: f64):
          %8: f64 = load_raw %0, %6 !r m0
          %9: f64 = mul %8, %8
          %10: f64 = add %7, %9
          continue[0] %10
        }
        return %5
      }";
    assert_eq!(additions(text), [false, true]);
}

#[test]
fn a_sum_that_is_looked_at_keeps_its_order() {
    let text = "func @f loop fast slots=0 (%0: array<f64, 1> in m0, %1: i64) -> (f64) {
        %2: i64 = const 0
        %3: i64 = const 1
        %4: f64 = const 0.0
        %5: f64 = for %2, %1, %3, %4 !r m0 !w m0 {
        (%6: i64, %7: f64):
          %8: f64 = load_raw %0, %6 !r m0
          %9: f64 = add %7, %8
          store_raw %0, %9, %6 !w m0
          continue[0] %9
        }
        return %5
      }";
    assert_eq!(additions(text), [false]);
}

#[test]
fn a_sum_through_branches_and_inner_loops_may_be_reordered() {
    let text = "func @f loop fast slots=0 (%0: array<f64, 2> in m0, %1: i64) -> (f64) {
        %2: i64 = const 0
        %3: i64 = const 1
        %4: f64 = const 0.0
        %5: f64 = for %2, %1, %3, %4 !r m0 {
        (%6: i64, %7: f64):
          %8: f64 = for %2, %1, %3, %7 !r m0 {
          (%9: i64, %10: f64):
            %11: f64 = load_raw %0, %6, %9 !r m0
            %12: bool = lt %4, %11
            %13: f64 = if %12 {
              %14: f64 = add %10, %11
              yield %14
            } else {
              yield %10
            }
            continue[0] %13
          }
          continue[0] %8
        }
        return %5
      }";
    assert_eq!(additions(text), [true]);
}

#[test]
fn an_update_of_an_element_may_be_reordered() {
    let text = "func @f loop fast slots=0 (%0: array<f64, 1> in m0, %1: i64, %2: f64) -> () {
        %3: f64 = load_raw %0, %1 !r m0
        %4: f64 = add %3, %2
        store_raw %0, %4, %1 !w m0
        return
      }";
    assert_eq!(additions(text), [true]);
}

/// A `pfor` that writes its second parameter and reads its first.
fn copying(version: &str, class: &str) -> Module {
    parse(&format!(
        "func @f loop {version} slots=0 (%0: array<f64, 1> in m0, %1: array<f64, 1> in {class}) -> () {{
        %2: i64 = const 0
        %3: i64 = const 1
        %4: i64 = dim[0] %0
        pfor %2, %4, %3 !r m0 !w {class} {{
        (%5: i64):
          %6: f64 = load_raw %0, %5 !r m0
          store_raw %1, %6, %5 !w {class}
          continue[0]
        }}
        return
      }}"
    ))
}

#[test]
fn captures_are_what_the_body_uses() {
    let module = copying("fast", "m1");
    let func = only(&module);
    let body = func.ops[ops(func, OpKind::is_loop)[0]].regions[0];
    assert_eq!(captures::of(func, body), func.params());
}

#[test]
fn layouts_are_known_of_fast_parameters_and_fresh_arrays() {
    let module = copying("fast", "m1");
    let (func, layout) = (only(&module), &layouts(&module)[0]);
    assert!(layout.is_contiguous(func.params()[0]) && layout.is_aligned(func.params()[0]));
    let module = copying("general", "m0");
    let (func, layout) = (only(&module), &layouts(&module)[0]);
    assert!(!layout.is_contiguous(func.params()[0]) && !layout.is_aligned(func.params()[0]));
}

/// By function and parameter, whether an array without gaps is known to come. `f` is exported with a matrix and an array, and
/// calls `g` with both in turn; `first` is what `g` is given first.
fn given(first: &str) -> Vec<Vec<bool>> {
    let module = parse(&format!(
        "export \"f\"(\"A\": csr_matrix<f64, i32>, \"x\": array<f64, 1>) -> none = @f
func @f loop general (%0: array<i32, 1> in m0, %1: array<i32, 1> in m0, %2: array<f64, 1> in m0, %3: i64, %4: i64, %5: array<f64, 1> in m0) -> () {{
  call[@g] {first}, %2
  return
}}
func @g loop (%0: array<f64, 1> in m0, %1: array<f64, 1> in m0) -> () {{
  call[@g] %1, %1
  return
}}"
    ));
    let of = |(func, layout): (&Function, Layout)| {
        func.params().iter().filter(|&&p| func.ty(p).is_array()).map(|&p| layout.is_contiguous(p)).collect()
    };
    module.funcs.values().zip(layouts(&module)).map(of).collect()
}

#[test]
fn parts_of_matrices_have_no_gaps_and_what_is_given_on_neither() {
    assert_eq!(given("%2"), [vec![true, true, true, false], vec![true, true]]);
    assert_eq!(given("%5"), [vec![true, true, true, false], vec![false, true]]);
}

#[test]
fn only_outer_loops_poll() {
    let module = parse(
        "func @f loop slots=0 (%0: i64) -> () {
        %1: i64 = const 0
        %2: i64 = const 1
        for %1, %0, %2 {
        (%3: i64):
          for %1, %0, %2 {
          (%4: i64):
            for %1, %0, %2 {
            (%5: i64):
              continue[0]
            }
            continue[0]
          }
          continue[0]
        }
        for %1, %0, %2 {
        (%6: i64):
          continue[0]
        }
        return
      }",
    );
    let func = only(&module);
    let plan = polling::plan(func, &[true]);
    let loops: Vec<Polling> = ops(func, OpKind::is_loop).iter().map(|op| plan[op.index()]).collect();
    assert_eq!(loops, [Polling::Counted, Polling::None, Polling::None, Polling::Strips]);
}
