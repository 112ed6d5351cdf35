use std::collections::BTreeSet;

use super::{MAX_NESTING, PrintOptions, parse, print, print_op};
use crate::elem::ElemOp;
use crate::op::{LibOp, OpKind};
use crate::rewrite::compact_module;
use crate::verify::verify;

const SAMPLE: &str = include_str!("../../../tests/ir/every_op.pir");
const LOOPS: &str = include_str!("../../../tests/ir/loops.pir");

fn constant(ty: &str, text: &str) -> Result<String, String> {
    let source = format!("func @f array () -> () {{\n  %0: {ty} = const {text}\n  return\n}}\n");
    let module = parse(&source).map_err(|e| e.to_string())?;
    let printed = print(&module, &PrintOptions::default());
    Ok(printed.lines().nth(1).and_then(|line| line.split("const ").nth(1)).unwrap_or("").to_owned())
}

#[test]
fn constants_print_as_the_shortest_text_that_reads_back() {
    for text in ["0.1", "-0.0", "1e300", "5e-324", "1.7976931348623157e308", "inf", "-inf", "nan", "100000.0"]
    {
        assert_eq!(constant("f64", text).as_deref(), Ok(text));
    }
    assert_eq!(constant("f64", "0.1000000000000000055"), Ok("0.1".to_owned()));
    assert_eq!(constant("f64", "-nan"), Ok("nan".to_owned()));
    assert_eq!(constant("u64", "18446744073709551615"), Ok("18446744073709551615".to_owned()));
    assert_eq!(constant("i64", "-9223372036854775808"), Ok("-9223372036854775808".to_owned()));
    assert!(constant("u64", "18446744073709551616").is_err());
    assert_eq!(constant("str", r#""a\n\u{1f}é\\""#), Ok(r#""a\n\u{1f}é\\""#.to_owned()));
}

#[test]
fn values_are_numbered_in_print_order() {
    let module =
        parse("func @f array (%b: i64) -> (i64) {\n  %x.1: i64 = neg %b # comment\n  return %x.1\n}")
            .unwrap();
    let text = print(&module, &PrintOptions::default());
    assert_eq!(text, "func @f array (%0: i64) -> (i64) {\n  %1: i64 = neg %0\n  return %1\n}\n");
}

#[test]
fn names_of_operations_differ() {
    let mut names: Vec<&str> = ElemOp::ALL.iter().map(|op| op.name()).collect();
    names.extend(LibOp::all().map(LibOp::name));
    let module = parse(SAMPLE).unwrap();
    let func = module.funcs.values().next().unwrap();
    let kinds = func.all_ops().into_iter().map(|op| &func.ops[op].kind);
    let own = kinds.filter(|kind| !matches!(kind, OpKind::Elem(_) | OpKind::Lib(_)));
    names.extend(own.map(OpKind::mnemonic).collect::<BTreeSet<_>>());
    let distinct: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(distinct.len(), names.len());
}

#[test]
fn one_operation_prints_with_its_functions_numbers() {
    let module = parse(LOOPS).unwrap();
    let func = &module.funcs[module.find("g").unwrap()];
    let ops = func.all_ops();
    assert_eq!(print_op(&module, func, ops[2]), "%5: array<f64, 1>, %6: i64 = for %3, %0, %4, %1, %3");
}

#[test]
fn deep_nesting_is_refused_and_what_is_allowed_is_safe() {
    let nested = |depth: usize| {
        let open = "scope {\n".repeat(depth);
        let close = "break\n}\n".repeat(depth);
        format!("func @f array () -> () {{\n{open}{close}return\n}}\n")
    };
    let module = parse(&nested(MAX_NESTING)).expect("just allowed");
    verify(&module).expect("valid");
    let text = print(&module, &PrintOptions::default());
    assert_eq!(parse(&text), Ok(compact_module(&module)));
    assert!(parse(&nested(MAX_NESTING + 1)).unwrap_err().message.contains("too deeply"));
    assert!(parse(&nested(100_000)).is_err());
    assert!(parse(&format!("export \"f\"() -> {}", "(".repeat(100_000))).is_err());
}

/// A linear congruential generator (Knuth's MMIX constants).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit.max(1)
    }
}

/// The text with words swapped, dropped, doubled and replaced.
fn mangled(text: &str, random: &mut Random) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ',', '(']).collect();
    for _ in 0..=random.below(4) {
        let (a, b) = (random.below(words.len()), random.below(words.len()));
        match random.below(5) {
            0 => words.swap(a, b),
            1 => {
                words.remove(a);
            }
            2 => words.insert(a, words[b]),
            3 => {
                words[a] = ["{", "}", "%1", "i64", "[", "]", "-", "m9", "\n", "\u{e9}", "99999999999"]
                    [random.below(11)]
            }
            _ => words[a] = words[b],
        }
    }
    words.concat()
}

/// `PYDD_FUZZ` in the environment sets the number of texts.
#[test]
fn no_text_makes_the_parser_or_the_verifier_panic() {
    let rounds = std::env::var("PYDD_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(3000);
    let plain: String = print(&parse(SAMPLE).unwrap(), &PrintOptions::PLAIN);
    let sources = [
        SAMPLE,
        LOOPS,
        &plain,
        include_str!("../../../tests/ir/loop_ir.pir"),
        include_str!("../../../tests/ir/calls.pir"),
    ];
    let mut random = Random(1);
    for _ in 0..rounds {
        let text = mangled(sources[random.below(sources.len())], &mut random);
        let Ok(module) = parse(&text) else { continue };
        let printed = print(&module, &PrintOptions::FULL);
        if verify(&module).is_ok() {
            assert_eq!(parse(&printed).as_ref(), Ok(&compact_module(&module)), "{printed}");
        }
    }
}
