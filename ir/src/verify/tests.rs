//! The rules that no text can break.

use super::{verify, verify_function};
use crate::entity::{Block, Entity, FuncRef, Op, Value};
use crate::func::{Function, Module, ValueDef};
use crate::op::{Level, OpKind};
use crate::types::Type;
use crate::{Builder, ElemOp};

/// `(i64) { 1; -1; return }`, changed.
fn broken(change: impl FnOnce(&mut Function)) -> (u8, String) {
    let mut func = Function::new("f", Level::Array);
    let entry = func.entry;
    func.add_param(entry, Type::I64);
    let mut b = Builder::new(&mut func, entry);
    let one = b.int(1);
    b.elem(ElemOp::Neg, &[one]);
    b.effect(OpKind::Return, vec![]);
    change(&mut func);
    let mut module = Module::default();
    module.funcs.push(func);
    let errors = verify(&module).expect_err("a broken function");
    let mut again = Vec::new();
    again.extend(verify_function(&module, FuncRef::new(0)).expect_err("a broken function"));
    assert_eq!(errors, again);
    assert_eq!(errors.len(), 1);
    (errors[0].rule, errors[0].to_string())
}

#[test]
fn references_lie_within_their_tables() {
    assert_eq!(broken(|f| f.ops[Op::new(1)].args[0] = Value::new(9)).1, "@f: there is no value %9 (rule 1)");
    assert_eq!(broken(|f| f.ops[Op::new(1)].kind = OpKind::Call(FuncRef::new(7))).0, 1);
    assert_eq!(broken(|f| f.ops[Op::new(1)].regions.push(Block::new(5))).0, 1);
    assert_eq!(broken(|f| f.ops[Op::new(1)].loc.scope = 3).0, 1);
    assert_eq!(broken(|f| f.blocks[f.entry].ops[0] = Op::new(8)).0, 1);
}

#[test]
fn exports_have_entries() {
    let mut module = Module::default();
    let (params, result) = (Vec::new(), crate::ExportType::None);
    let export =
        crate::Export { name: "f".to_owned(), doc: None, params, result, entries: Vec::new(), ufunc: None };
    module.exports.push(export);
    let errors = verify(&module).expect_err("nothing to call");
    assert_eq!(errors[0].to_string(), "export \"f\" has no entry (rule 25)");
}

#[test]
fn blocks_and_operations_stand_once() {
    assert_eq!(broken(|f| f.blocks[f.entry].ops[1] = Op::new(0)).0, 2);
    assert_eq!(broken(|f| f.ops[Op::new(1)].regions.push(f.entry)).0, 2);
}

#[test]
fn values_are_defined_once() {
    let (rule, message) = broken(|f| f.values[Value::new(1)].def = ValueDef::Param(f.entry, 0));
    assert_eq!(rule, 3, "{message}");
    assert_eq!(broken(|f| f.ops[Op::new(1)].results[0] = Value::new(1)).0, 3);
}
