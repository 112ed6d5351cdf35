//! The module's description and the functions that the runtime and Python see.

use crate::emit::{Declaration, Emit, EmitExt, Linkage, Signature, Touches, Ty};
use crate::lower::memory::load_words;
use crate::lower::module::ModuleCx;
use pydd_abi::layout;
use pydd_ir::{Entity, FuncRef};
use std::collections::BTreeMap;

/// Emits the entries of exported functions, the module's description, and `PyInit_NAME`.
pub fn emit<E: Emit>(m: &ModuleCx<'_, E>, cpu_features: &str) {
    let mut entries = BTreeMap::new();
    for export in &m.module.exports {
        for r in [export.fast, export.general] {
            entries.entry(r).or_insert_with(|| entry(m, r));
        }
    }
    init(m, &entries, cpu_features);
}

/// `(ctx, argument words, result words) -> status`
fn entry<E: Emit>(m: &ModuleCx<'_, E>, r: FuncRef) -> E::Function {
    let func = &m.module.funcs[r];
    let name = format!("{}.entry", func.name);
    let signature = Signature::new(&[Ty::Ptr; 3], &[Ty::I32]);
    let declaration = Declaration::new(&name, signature, Linkage::Private);
    let function = m.root.declare(&Declaration { version: func.version, ..declaration });
    let (ir, params) = m.root.open(function);
    let mut args = vec![params[0]];
    let mut word = 0;
    for &param in func.params() {
        let parts = load_words(&ir, ir.field(params[1], word * 8), func.ty(param));
        word += parts.len();
        args.extend(parts);
    }
    args.push(params[2]);
    let status = ir.call(m.functions[r.index()], &args);
    ir.ret(&status);
    ir.close();
    function
}

/// `PyInit_NAME`: gets the runtime's table from its capsule and has it make the module.
fn init<E: Emit>(m: &ModuleCx<'_, E>, entries: &BTreeMap<FuncRef, E::Function>, cpu_features: &str) {
    let sites = m.sites.borrow();
    let image = crate::spec::image(m.module, sites.sites(), &m.summaries, cpu_features);
    let entry = |export: usize, general: bool| {
        let export = &m.module.exports[export];
        entries[if general { &export.general } else { &export.fast }]
    };
    let import = Signature::new(&[Ty::Ptr, Ty::I32], &[Ty::Ptr]);
    let import = m.root.declare(&Declaration::new("PyCapsule_Import", import, Linkage::Import));
    let name = format!("PyInit_{}", m.module.name);
    let init = m.root.declare(&Declaration::new(&name, Signature::new(&[], &[Ty::Ptr]), Linkage::Export));
    let (ir, _) = m.root.open(init);
    let (found, missing) = (ir.label("found"), ir.label("missing"));
    let capsule = ir.string(pydd_abi::CAPSULE.to_str().expect("ASCII"));
    let table = ir.call_one(import, &[capsule, ir.i32(0)]);
    ir.cond_br(ir.is_null(table), missing, found);
    ir.at(missing);
    ir.ret(&[ir.null()]);
    ir.at(found);
    let module_init = ir.load(Ty::Ptr, table, layout::TABLE_MODULE_INIT);
    let make = Signature::new(&[Ty::Ptr], &[Ty::Ptr]);
    let spec = ir.image(&image, &entry);
    let module = ir.call_pointer(&make, module_init, &[spec], Touches::Anything);
    ir.ret(&module);
    ir.close();
}
