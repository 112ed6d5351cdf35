//! Makes modules by hand.

use pydd_ir::alias::note_written;
use pydd_ir::{
    Builder, Entry, Export, ExportParam, ExportType, FuncRef, Function, Guard, Level, Loc, Module, OpKind,
    Slot, Type, Value, Version,
};

pub fn module() -> Module {
    let mut module =
        Module { name: "kernels".to_owned(), file: "kernels.pydd".to_owned(), ..Module::default() };
    module.scope("<module>");
    module
}

/// A function in loop IR; `build` gives the results, or nothing where it ends by itself.
pub fn function(
    name: &str,
    version: Version,
    params: &[Type],
    results: &[Type],
    build: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Vec<Value>>,
) -> Function {
    let mut func = Function::new(name, Level::Loop);
    func.version = version;
    func.results = results.to_vec();
    let entry = func.entry;
    let params: Vec<Value> = params.iter().map(|&ty| func.add_param(entry, ty)).collect();
    let mut b = Builder::new(&mut func, entry);
    b.loc = Loc { line: 1, column: 1, scope: 0 };
    if let Some(values) = build(&mut b, &params) {
        b.effect(OpKind::Return, values);
    }
    func
}

/// Adds a function that is exported under its name, with one version.
pub fn export(module: &mut Module, func: Function) -> FuncRef {
    let name = func.name.clone();
    let r = module.funcs.push(func);
    export_as(module, &name, vec![Entry::any(r)]);
    r
}

pub fn export_as(module: &mut Module, name: &str, entries: Vec<Entry>) {
    let func = &module.funcs[entries[0].func];
    let params = func.params().iter().enumerate().map(|(i, &p)| ExportParam {
        name: format!("p{i}"),
        ty: export_type(func.ty(p)),
        default: None,
        written: false,
        keyword_only: false,
        positional_only: false,
        cast: false,
        column_major: false,
    });
    let results: Vec<ExportType> = func.results.iter().map(|&ty| export_type(ty)).collect();
    let result = match results.as_slice() {
        [] => ExportType::None,
        [one] => one.clone(),
        _ => ExportType::Tuple(results),
    };
    let params = params.collect();
    module.exports.push(Export { name: name.to_owned(), doc: None, params, result, entries, ufunc: None });
    note_written(module);
}

/// The entries of two versions.
pub fn versions(fast: FuncRef, general: FuncRef) -> Vec<Entry> {
    vec![Entry { func: fast, guards: vec![Guard::Contiguous, Guard::Apart] }, Entry::any(general)]
}

pub fn export_type(ty: Type) -> ExportType {
    match ty {
        Type::Scalar(dtype) => ExportType::Scalar { dtype, weak: false },
        Type::Array { dtype, rank } => ExportType::Array { dtype, rank },
        Type::List { dtype, rank: None, depth: 1 } => ExportType::List(dtype),
        Type::List { .. } => panic!("lists of lists or arrays are not exported here"),
        Type::Str => panic!("strings are not exported"),
    }
}

/// A module with one exported function.
pub fn single(
    params: &[Type],
    results: &[Type],
    build: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Vec<Value>>,
) -> Module {
    with_version(Version::Fast, params, results, build)
}

pub fn with_version(
    version: Version,
    params: &[Type],
    results: &[Type],
    build: impl FnOnce(&mut Builder<'_>, &[Value]) -> Option<Vec<Value>>,
) -> Module {
    let mut m = module();
    let f = function("f", version, params, results, build);
    if version == Version::General {
        // The other version is never called.
        let mut other = f.clone();
        other.name = "other".to_owned();
        other.version = Version::Fast;
        let (general, fast) = (m.funcs.push(f), m.funcs.push(other));
        export_as(&mut m, "f", versions(fast, general));
    } else {
        export(&mut m, f);
    }
    m
}

/// What loop IR does to a value that it holds.
pub trait Ops {
    fn load(&mut self, array: Value, indices: &[Value]) -> Value;
    fn store(&mut self, array: Value, value: Value, indices: &[Value]);
    fn own(&mut self, value: Value, slot: usize);
    fn new_slot(&mut self) -> Slot;
    fn empty(&mut self, dims: &[Value], like: Type) -> Value;
}

impl Ops for Builder<'_> {
    fn load(&mut self, array: Value, indices: &[Value]) -> Value {
        let dtype = self.func.ty(array).dtype().unwrap();
        let args = [&[array], indices].concat();
        self.value(OpKind::LoadRaw, args, Type::Scalar(dtype))
    }

    fn store(&mut self, array: Value, value: Value, indices: &[Value]) {
        self.effect(OpKind::StoreRaw, [&[array, value], indices].concat());
    }

    fn own(&mut self, value: Value, slot: usize) {
        let slot: Slot = pydd_ir::Entity::new(slot);
        self.effect(OpKind::Own { slot, retain: false }, vec![value]);
    }

    fn new_slot(&mut self) -> Slot {
        self.func.slots += 1;
        pydd_ir::Entity::new(self.func.slots as usize - 1)
    }

    /// A fresh array that a new slot holds.
    fn empty(&mut self, dims: &[Value], like: Type) -> Value {
        let array = self.value(OpKind::Empty, dims.to_vec(), like);
        let slot = self.new_slot();
        self.effect(OpKind::Own { slot, retain: false }, vec![array]);
        array
    }
}

pub fn float(word: u64) -> f64 {
    f64::from_bits(word)
}

pub const F64_1: Type = Type::array(pydd_ir::DType::F64, 1);
pub const F64_2: Type = Type::array(pydd_ir::DType::F64, 2);
