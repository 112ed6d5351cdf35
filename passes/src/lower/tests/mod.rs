//! Lowered functions against the same functions in array IR, both interpreted.

mod accesses;
mod control;
mod elementwise;
mod library;
mod reductions;
mod shapes;

use pydd_ir::{FuncRef, Function, Module, Version};

use crate::testing::{call, count, parse, run_pass, text};
use pydd_ir::Entity;

/// A module of one function `@f`, from its parameters, results and body.
fn module(signature: &str, body: &str) -> Module {
    parse(&format!("func @f array {signature} {{\n{body}\n}}\n"))
}

/// The function as lowered for a version.
fn lowered(module: &Module, version: Version) -> Module {
    let mut module = module.clone();
    for func in module.funcs.values_mut() {
        func.version = version;
    }
    run_pass(&super::PASS, &mut module);
    run_pass(&crate::array::dce::PASS, &mut module);
    run_pass(&crate::ownership::PASS, &mut module);
    module
}

/// Calls `@f` in array IR and in loop IR of each version; all must agree. Gives what they give.
fn agree(module: &Module, args: &str) -> Result<Vec<String>, String> {
    let expected = call(module, "f", args);
    for version in [Version::Any, Version::Fast, Version::General] {
        let lowered = lowered(module, version);
        let found = call(&lowered, "f", args);
        assert_eq!(found, expected, "{version:?} version of\n{}\n{}", text(module), text(&lowered));
    }
    expected
}

/// As [`agree`] of calls that raise, for messages that the interpreter words in another way.
fn agree_but_for_words(module: &Module, args: &str) -> String {
    let kind = |error: String| error.split(':').next().map(str::to_owned);
    let expected = call(module, "f", args).unwrap_err();
    let found = call(&lowered(module, Version::Fast), "f", args).unwrap_err();
    assert_eq!(kind(found.clone()), kind(expected));
    found
}

/// The fast version.
fn fast(module: &Module) -> Function {
    lowered(module, Version::Fast).funcs[FuncRef::new(0)].clone()
}

fn count_named(func: &Function, name: &str) -> usize {
    count(func, |kind| {
        let text = format!("{kind:?}");
        text.split(|c: char| !c.is_alphanumeric()).next() == Some(name)
    })
}
