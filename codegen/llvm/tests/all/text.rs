//! What LLVM's module and assembly say.

use std::mem::offset_of;

use crate::backends::description::described;
use crate::backends::load::{load, options, text};
use pydd_codegen::requirements::Used;
use pydd_codegen_llvm::{Stage, assembly, llvm_text};

#[test]
fn only_the_initialiser_is_visible() {
    let mut options = options(3);
    "generic".clone_into(&mut options.cpu);
    let assembly = assembly(&described(), &options).unwrap();
    let names = |directive| -> Vec<&str> {
        assembly.lines().filter_map(|line| line.trim().strip_prefix(directive)).map(str::trim).collect()
    };
    let hidden = names(".hidden");
    let visible: Vec<&str> =
        names(".globl").into_iter().filter(|name| !hidden.iter().any(|h| name.starts_with(h))).collect();
    assert_eq!(visible.len(), 1, "{visible:?}");
    assert!(visible[0].starts_with("PyInit_kernels"));
    assert!(!assembly.contains(".eh_frame") && !assembly.contains(".cfi_startproc"), "nothing unwinds");
}

#[test]
fn required_features_are_those_that_code_uses() {
    for (cpu, want) in [("generic", ""), ("x86-64-v2", ""), ("x86-64-v3", "avx"), ("x86-64-v4", "avx")] {
        let mut options = options(1);
        cpu.clone_into(&mut options.cpu);
        assert_eq!(text(load(&described(), &options).spec().cpu_features).as_deref(), Some(want), "{cpu}");
    }
}

#[test]
fn library_functions_that_are_not_inlined_run_on_all_processors() {
    if cfg!(target_arch = "x86_64") {
        let used = Used::by_object(pydd_math::OBJECT).unwrap();
        assert_eq!(used.of(&["avx"]), [""; 0]);
    }
}

#[test]
fn text_is_given_before_and_after_the_passes() {
    let before = llvm_text(&described(), &options(3), Stage::BeforePasses).unwrap();
    let after = llvm_text(&described(), &options(3), Stage::AfterPasses).unwrap();
    assert!(before.contains("define hidden i32 @pydd.set"));
    assert!(after.contains("define") && after.contains("@PyInit_kernels"));
}

/// A loop that moves items of a list.
const MOVES: &str = r#"module "lists" file "lists.pydd"
export "down"("xs": written list<f64>, "at": weak i64) -> weak i64 = @down

func @down loop fast (%0: list<f64> in m0, %1: i64) -> (i64) {
  %2: i64 = const 0
  %3: i64 = const 1
  %4: f64 = list_get %0, %1 !r m0
  %5: i64 = loop %1 !r m0 !w m0 {
  (%6: i64):
    %7: bool = gt %6, %2
    if %7 {
      yield
    } else {
      break[0] %6
    }
    %8: i64 = sub %6, %3
    %9: i64 = shr %8, %3
    %10: f64 = list_get %0, %9 !r m0
    %11: bool = lt %4, %10
    if %11 {
      yield
    } else {
      break[0] %6
    }
    list_set %0, %6, %10 !w m0
    continue[0] %9
  }
  return %5
}
"#;

#[test]
fn a_loop_looks_once_where_the_items_of_a_list_are() {
    let module = pydd_ir::text::parse(MOVES).unwrap();
    let text = llvm_text(&module, &options(3), Stage::AfterPasses).unwrap();
    let items = offset_of!(pydd_abi::List, data);
    let is_down = |function: &&str| function.lines().next().is_some_and(|line| line.contains("@pydd.down"));
    let body = text.split("\ndefine").find(is_down).unwrap();
    // The poll of the loop, which a call is, changes neither list nor length.
    assert!(body.contains("%poll") || body.contains("poll:"), "{body}");
    assert_eq!(body.matches(&format!("i64 {items}\n")).count(), 1, "{body}");
    let address = body.lines().find(|line| line.ends_with(&format!("i64 {items}"))).unwrap();
    let address = address.trim().split(' ').next().unwrap();
    assert_eq!(body.matches(&format!("load ptr, ptr {address},")).count(), 1, "{body}");
}
