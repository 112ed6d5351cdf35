//! The classification alone, on IR text. Values are numbered in the order of the text.

use pydd_ir::alias::{MemoryInfo, Summaries};
use pydd_ir::{OpKind, Version};

use super::table::classify;

/// The table of the first `pfor` of `func @f array (params) -> () { … return }`.
fn table(params: &str, body: &str) -> String {
    let text = format!("func @f array ({params}) -> () {{\n{body}\n return\n}}");
    let mut module = pydd_ir::text::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    pydd_ir::verify::verify(&module).unwrap_or_else(|e| panic!("{e:?}"));
    let summaries = Summaries::new(&module);
    let func = module.funcs.values_mut().next().expect("one function");
    func.version = Version::Fast;
    let is_pfor = |&op: &pydd_ir::Op| matches!(func.ops[op].kind, OpKind::PFor(_));
    let pfor = func.all_ops().into_iter().find(is_pfor).expect("a pfor");
    classify(func, &MemoryInfo::new(func, &summaries), pfor).to_string()
}

const CONSTS: &str = "%3: i64 = const 0\n %4: i64 = const 1\n %5: i64 = const 4\n %6: f64 = const 1.0\n";

/// A `pfor` over `range(%2)` whose index is %7.
fn over_n(body: &str) -> String {
    let params = "%0: array<f64, 2>, %1: array<f64, 2>, %2: i64";
    table(params, &format!("{CONSTS} pfor %3, %2, %4 {{\n (%7: i64):\n {body}\n continue\n }}"))
}

#[test]
fn rows_are_sliced_and_operands_invariant() {
    let text = over_n(
        "%8: f64 = load %1, %3, %4
         store %0, %8, %7, %3",
    );
    assert_eq!(text, "%0: sliced write [%7, 0]\n%1: invariant\n");
}

#[test]
fn stencil_reads_a_halo() {
    let text = over_n(
        "%8: i64 = add %7, %4
         %9: i64 = add %8, %4
         %10: f64 = load %1, %7, %3
         %11: f64 = load %1, %9, %3
         %12: f64 = add %10, %11
         store %0, %12, %8, %3",
    );
    assert_eq!(text, "%0: sliced write [%7 + 1, 0]\n%1: sliced read [%7 ..= %7 + 2, 0]\n");
}

#[test]
fn inner_loop_spans_what_it_goes_over() {
    let text = over_n(
        "for %3, %5, %4 {
         (%8: i64):
           %9: i64 = mul %7, %5
           %10: i64 = add %9, %8
           store %0, %6, %3, %10
           continue
         }",
    );
    assert_eq!(text, "%0: sliced write [0, 4*%7 ..= 4*%7 + 3]\n");
}

#[test]
fn symbolic_blocks_do_not_overlap() {
    let text = table(
        "%0: array<f64, 1>, %1: array<f64, 2>, %2: i64",
        &format!(
            "{CONSTS} %20: i64 = dim[1] %1
             pfor %3, %2, %4 {{
             (%7: i64):
               for %3, %20, %4 {{
               (%8: i64):
                 %9: i64 = mul %7, %20
                 %10: i64 = add %9, %8
                 store %0, %6, %10
                 continue
               }}
               continue
             }}"
        ),
    );
    assert_eq!(text, "%0: sliced write [%8*dim[1](%1) ..= %8*dim[1](%1) + dim[1](%1) - 1]\n%7: invariant\n");
}

#[test]
fn rows_through_views_and_whole_rows() {
    let text = over_n(
        "%8: array<f64, 1> = view[at] %0, %7
         store %8, %6, %4
         %9: array<f64, 1> = view[at, :] %1, %7
         assign %8, %9",
    );
    assert_eq!(text, "%0: sliced write [%7, :]\n%1: sliced read [%7, :]\n");
}

#[test]
fn fresh_memory_is_private_and_scalars_are_reduced() {
    let text = table(
        "%0: array<f64, 2>, %1: array<f64, 2>, %2: i64",
        &format!(
            "{CONSTS} %13: f64 = pfor[sum] %3, %2, %4, %6 {{
             (%7: i64, %8: f64):
               %9: array<f64, 1> = zeros %2
               store %9, %6, %3
               %10: f64 = load %9, %3
               %11: f64 = add %8, %10
               continue %11
             }}"
        ),
    );
    assert_eq!(text, "%2: invariant\n%9: reduced sum\n%10: private\n");
}

#[test]
fn same_element_and_neighbours_clash() {
    assert_eq!(over_n("store %0, %6, %3, %3"), "%0: contended, the same elements\n");
    let neighbour = over_n(
        "%8: i64 = add %7, %4
         %9: f64 = load %0, %7, %3
         store %0, %9, %8, %3",
    );
    assert_eq!(neighbour, "%0: contended, distance -1\n");
}

#[test]
fn update_of_any_element_is_a_reduction() {
    let text = over_n(
        "%8: i64 = mod %7, %5
         %9: f64 = load %0, %8, %3
         %10: f64 = add %9, %6
         store %0, %10, %8, %3",
    );
    assert_eq!(text, "%0: reduced sum\n");
}

#[test]
fn different_halves_never_meet() {
    let text = over_n(
        "%8: i64 = add %7, %2
         %9: f64 = load %0, %8, %3
         store %0, %9, %7, %3",
    );
    assert_eq!(text, "%0: sliced write [%7 ..= %2 + %7, 0]\n%2: invariant\n");
}

#[test]
fn index_from_the_end_wraps_only_within_the_length() {
    let body = "%8: i64 = sub %7, %4\n store %0, %6, %8, %3";
    assert_eq!(over_n(body), "%0: contended, undecided\n");
    let whole = table(
        "%0: array<f64, 2>",
        &format!("{CONSTS} %2: i64 = dim[0] %0\n pfor %3, %2, %4 {{\n (%7: i64):\n {body}\n continue\n }}"),
    );
    assert_eq!(whole, "%0: sliced write [%6 - 1, 0]\n");
}

#[test]
fn guards_are_known() {
    let guarded = |op: &str| {
        over_n(&format!(
            "%8: bool = {op} %7, %5
             if %8 {{
               store %0, %6, %3, %3
               yield
             }} else {{
               yield
             }}"
        ))
    };
    assert_eq!(guarded("eq"), "%0: sliced write [0, 0]\n");
    assert_eq!(guarded("lt"), "%0: contended, iterations 0 and 1 meet\n");
    assert_eq!(guarded("ne"), "%0: contended, iterations 0 and 1 meet\n");
}

#[test]
fn guard_of_unknown_value_is_undecided() {
    let params = "%0: array<f64, 2>, %1: i64, %2: i64";
    let body = format!(
        "{CONSTS} pfor %3, %2, %4 {{
         (%7: i64):
           %8: bool = lt %7, %1
           if %8 {{
             store %0, %6, %3, %3
             yield
           }} else {{
             yield
           }}
           continue
         }}"
    );
    assert_eq!(table(params, &body), "%0: contended, undecided\n%1: invariant\n");
}

#[test]
fn lists_are_appended_to_or_contended() {
    let appended = |also: &str| {
        let params = "%0: list<f64>, %1: list<f64>, %2: i64";
        let body =
            format!("{CONSTS} pfor %3, %2, %4 {{\n (%7: i64):\n list_append %0, %6\n {also}\n continue\n }}");
        table(params, &body)
    };
    assert_eq!(appended("list_append %0, %6"), "%0: appended\n");
    assert_eq!(appended("%8: i64 = list_len %1"), "%0: appended\n%1: invariant\n");
    assert_eq!(appended("%8: i64 = list_len %0"), "%0: contended, undecided\n");
    for also in ["list_truncate %0, %3", "list_drop_front %0, %3", "list_prepend %0, %6"] {
        assert_eq!(appended(also), "%0: contended, undecided\n");
    }
}
