use super::*;
use crate::testing::parse;

/// The layouts of all arrays of the first function, by result of the text's operations in order.
fn layouts(text: &str, check: impl Fn(&Function, &Shapes<'_>)) {
    let module = parse(text);
    let func = module.funcs.values().next().expect("a function");
    check(func, &Shapes::of(func));
}

fn returned(func: &Function) -> Vec<Value> {
    func.ops[func.terminator(func.entry).expect("a return")].args.clone()
}

#[test]
fn equal_shapes_are_seen_through_operations() {
    layouts(
        "func @f array fast (%0: array<f64, 2>, %1: i64) -> (array<f64, 2>, array<f64, 2>, array<f64, 1>) {
  %2: i64 = dim[0] %0
  %3: i64 = dim[1] %0
  %4: array<f64, 2> = zeros %2, %3
  %5: array<f64, 2> = add %0, %4
  %6: array<f64, 1> = view[at] %5, %1
  %7: array<f64, 2> = transpose[1, 0] %0
  %8: array<f64, 2> = mul %5, %0
  return %8, %7, %6
}",
        |func, shapes| {
            let (x, r) = (func.params()[0], returned(func));
            let [rows, columns] = [Length::Axis(x, 0), Length::Axis(x, 1)];
            let layout = |dims: &[Length], contiguous| Layout { dims: dims.to_vec(), contiguous };
            assert_eq!(*shapes.layout(r[0]), layout(&[rows, columns], true));
            assert_eq!(*shapes.layout(r[1]), layout(&[columns, rows], false));
            assert_eq!(*shapes.layout(r[2]), layout(&[columns], true));
        },
    );
}

#[test]
fn axes_of_a_fused_reduction_are_the_results() {
    layouts(
        "func @f array fast (%0: array<i64, 3>, %1: array<i64, 2>) -> (array<i64, 2>) {
  %2: array<i64, 2> = map[reduce sum axes 0] %0, %1 {
  (%3: i64, %4: i64):
    %5: i64 = add %3, %4
    yield %5
  }
  return %2
}",
        |func, shapes| {
            let result = returned(func)[0];
            let own = [Length::Axis(result, 0), Length::Axis(result, 1)];
            assert_eq!(shapes.layout(result).dims, own);
        },
    );
}

const LOOP: &str = "func @f array (%0: array<f64, 1>, %1: i64) -> (array<f64, 1>) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: array<f64, 1> = zeros %1
  %5: array<f64, 1> = for %2, %1, %3, %4 {
  (%6: i64, %7: array<f64, 1>):
    BODY
    continue[0] %8
  }
  return %5
}";

#[test]
fn carried_array_keeps_its_shape() {
    layouts(&LOOP.replace("BODY", "%8: array<f64, 1> = neg %7"), |func, shapes| {
        let expected = Layout { dims: vec![Length::Scalar(func.params()[1])], contiguous: true };
        assert_eq!(*shapes.layout(returned(func)[0]), expected);
    });
}

#[test]
fn carried_array_that_shrinks_does_not() {
    layouts(&LOOP.replace("BODY", "%8: array<f64, 1> = view[start:] %7, %3"), |func, shapes| {
        let result = returned(func)[0];
        let expected = Layout { dims: vec![Length::Axis(result, 0)], contiguous: true };
        assert_eq!(*shapes.layout(result), expected);
    });
}

#[test]
fn carried_array_may_get_gaps() {
    layouts(&LOOP.replace("BODY", "%8: array<f64, 1> = view[::step] %7, %1"), |func, shapes| {
        assert!(!shapes.layout(returned(func)[0]).contiguous);
    });
}

#[test]
fn branches_agree_or_not() {
    layouts(
        "func @f array (%0: bool, %1: i64, %2: i64) -> (array<f64, 2>) {
  %3: array<f64, 2> = if %0 {
    %4: array<f64, 2> = zeros %1, %1
    yield %4
  } else {
    %5: array<f64, 2> = zeros %1, %2
    yield %5
  }
  return %3
}",
        |func, shapes| {
            let result = returned(func)[0];
            let dims = vec![Length::Scalar(func.params()[1]), Length::Axis(result, 1)];
            assert_eq!(*shapes.layout(result), Layout { dims, contiguous: true });
        },
    );
}

#[test]
fn lengths_from_inside_a_scope_are_not_seen_outside() {
    layouts(
        "func @f array (%0: i64) -> (array<f64, 1>) {
  %1: array<f64, 1> = scope {
    %2: i64 = add %0, %0
    %3: array<f64, 1> = zeros %2
    break[0] %3
  }
  return %1
}",
        |func, shapes| {
            let result = returned(func)[0];
            assert_eq!(shapes.layout(result).dims, [Length::Axis(result, 0)]);
        },
    );
}

#[test]
fn deeply_nested_loops_end_soon() {
    let depth = 40;
    let mut text = "func @f array (%0: array<f64, 1>, %1: i64) -> () {\n".to_owned();
    for k in 0..depth {
        let (init, result, param) = (if k == 0 { 0 } else { 3 * k }, 3 * k + 200, 3 * k + 3);
        text += &format!(
            "%{result}: array<f64, 1> = for %1, %1, %1, %{init} {{\n(%{}: i64, %{param}: array<f64, 1>):\n",
            3 * k + 2
        );
    }
    text += &format!("%900: array<f64, 1> = view[start:] %{}, %1\ncontinue[0] %900\n", 3 * depth);
    for k in (0..depth).rev() {
        text += "}\n";
        text += &if k == 0 { "return\n".to_owned() } else { format!("continue[0] %{}\n", 3 * k + 200) };
    }
    layouts(&(text + "}\n"), |_, _| {});
}
