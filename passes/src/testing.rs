//! What unit tests build and run functions with.

use pydd_interp::{Array, Interp, Raised, Stop, Val};
use pydd_ir::{
    Builder, Entry, Export, ExportParam, ExportType, FuncRef, Function, Level, Module, OpKind, Type, Value,
};

use crate::{Options, Pass, PassContext};

/// An array-IR function of these parameters; `build` makes its body, terminator included.
pub fn func(name: &str, params: &[Type], build: impl FnOnce(&mut Builder<'_>, &[Value])) -> Function {
    let mut func = Function::new(name, Level::Array);
    let entry = func.entry;
    let params: Vec<_> = params.iter().map(|&ty| func.add_param(entry, ty)).collect();
    build(&mut Builder::new(&mut func, entry), &params);
    let returned = func.terminator(entry).map(|op| func.ops[op].args.clone()).unwrap_or_default();
    func.results = returned.iter().map(|&v| func.ty(v)).collect();
    func
}

/// Exports a function of arrays and numbers under its name.
pub fn export(module: &mut Module, f: FuncRef) {
    let func = &module.funcs[f];
    let param = |(index, &value): (usize, &Value)| {
        let dtype = func.ty(value).dtype().expect("an array or a number");
        let ty = match func.ty(value) {
            Type::Array { rank, .. } => ExportType::Array { dtype, rank },
            _ => ExportType::Scalar { dtype, weak: false },
        };
        ExportParam {
            name: format!("p{index}"),
            ty,
            default: None,
            written: false,
            keyword_only: false,
            positional_only: false,
            cast: false,
            column_major: false,
        }
    };
    module.exports.push(Export {
        name: func.name.clone(),
        doc: None,
        params: func.params().iter().enumerate().map(param).collect(),
        result: ExportType::None,
        entries: vec![Entry::any(f)],
        ufunc: None,
    });
}

/// A module from its text.
pub fn parse(text: &str) -> Module {
    let module = pydd_ir::text::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&module);
    module
}

/// Fails where the verifier objects.
pub fn verify(module: &Module) {
    if let Err(errors) = pydd_ir::verify::verify(module) {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{}", errors.join("\n"), text(module));
    }
}

pub fn text(module: &Module) -> String {
    pydd_ir::text::print(module, &pydd_ir::text::PrintOptions::default())
}

/// Runs a pass and the verifier.
pub fn run_pass(pass: &Pass, module: &mut Module) {
    let options = Options::default();
    (pass.run)(module, &PassContext::quiet(&options)).expect("the pass accepts the module");
    verify(module);
}

/// How many operations of the function `wanted` holds for.
pub fn count(func: &Function, wanted: impl Fn(&OpKind) -> bool) -> usize {
    func.all_ops().into_iter().filter(|&op| wanted(&func.ops[op].kind)).count()
}

/// What a call gives: results and arguments afterwards, or the exception. Whatever loop IR owned must be
/// released.
pub fn call(module: &Module, name: &str, args: &str) -> Result<Vec<String>, String> {
    call_with(module, name, &parse_args(module, name, args))
}

fn call_with(module: &Module, name: &str, args: &[Val]) -> Result<Vec<String>, String> {
    let func = module.find(name).expect("the function is there");
    let mut interp = Interp::new(module);
    let outcome = match interp.call(func, args.to_vec()) {
        Ok(results) => {
            let shown = results.iter().chain(args).map(show).collect();
            interp.release(&results);
            Ok(shown)
        }
        Err(Stop::Raise(Raised { exc, message, .. })) => {
            Err(format!("{}: {}", exc.name(), message.unwrap_or_default()))
        }
        Err(stop) => panic!("{stop:?} in {name}\n{}", text(module)),
    };
    assert_eq!(interp.live(), 0, "memory leaks from {name}\n{}", text(module));
    outcome
}

fn parse_args(module: &Module, name: &str, args: &str) -> Vec<Val> {
    let func = &module.funcs[module.find(name).expect("the function is there")];
    let types: Vec<Type> = func.params().iter().map(|&p| func.ty(p)).collect();
    pydd_interp::literal::parse_list(args, &types).unwrap_or_else(|e| panic!("{e}"))
}

fn show(value: &Val) -> String {
    let elements = pydd_interp::literal::show(value);
    match value {
        Val::Array(Array { dims, .. }) => format!("{elements} of shape {dims:?}"),
        _ => elements,
    }
}
