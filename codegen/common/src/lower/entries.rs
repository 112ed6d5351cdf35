//! The module's description and the functions that the runtime and Python see.

use crate::emit::{Declaration, Emit, EmitExt, Linkage, Signature, Touches, Ty};
use crate::image::Image;
use crate::lower::memory::load_words;
use crate::lower::module::{ModuleCx, computes_functions, source};
use pydd_abi::RuntimeFn;
use pydd_ir::{Export, FuncRef};
use std::collections::BTreeMap;

/// Emits the entries of the unit's exported functions; with `describe`, which names what the processor must
/// have, also the module's description and, in the base variant, the function that hands it out.
pub fn emit<E: Emit>(m: &ModuleCx<'_, E>, describe: Option<&[&str]>) {
    let exported = m.module.exports.iter().flat_map(Export::funcs);
    let mut entries = BTreeMap::new();
    for r in exported.filter(|r| describe.is_some() || m.unit.functions.contains(r)) {
        entries.entry(r).or_insert_with(|| entry(m, r, describe.is_some()));
    }
    if let Some(cpu_features) = describe {
        init(m, &entries, &cpu_features.join(","));
    }
}

/// `(ctx, argument words, result words) -> status`
fn entry<E: Emit>(m: &ModuleCx<'_, E>, r: FuncRef, describes: bool) -> E::Function {
    let func = &m.module.funcs[r];
    let is_own = m.unit.functions.contains(&r);
    // The description refers to it.
    let linkage = if is_own && describes { Linkage::Private } else { Linkage::Shared };
    let name = format!("{}.entry", func.name);
    let signature = Signature::new(&[Ty::Ptr; 3], &[Ty::I32]);
    let declaration = Declaration::new(&name, signature, linkage);
    let (version, source, wide) = (func.version, source(m.module, func), computes_functions(func));
    let function = m.root.declare(&Declaration { version, source, wide, ..declaration });
    if !is_own {
        return function;
    }
    let (ir, params) = m.root.open(function);
    let mut args = vec![params[0]];
    let mut word = 0;
    let reversed: Vec<usize> = m.module.exports.iter().flat_map(|export| export.reversed(r)).collect();
    for (place, &param) in func.params().iter().enumerate() {
        let ty = func.ty(param);
        let mut parts = load_words(&ir, ir.field(params[1], word * 8), ty);
        if reversed.contains(&place) {
            reverse_axes(&mut parts, usize::from(ty.rank()));
        }
        word += parts.len();
        args.extend(parts);
    }
    args.push(params[2]);
    let status = ir.call(m.functions[&r], &args);
    ir.ret(&status);
    ir.close();
    function
}

/// Of an array: the data, the owner, dimensions and strides.
fn reverse_axes<V>(parts: &mut [V], rank: usize) {
    parts[2..].chunks_exact_mut(rank).for_each(<[V]>::reverse);
}

/// The description, and in the base variant what hands it out.
fn init<E: Emit>(m: &ModuleCx<'_, E>, entries: &BTreeMap<FuncRef, E::Function>, cpu_features: &str) {
    let sites = m.known.sites.borrow();
    let image = crate::spec::image(m.module, sites.sites(), cpu_features, m.options);
    let entry = |func: FuncRef| entries[&func];
    let variant = &m.options.variant;
    if crate::spec::has_features_apart(cpu_features, variant) {
        m.root.shared_image(&m.options.features(), &crate::spec::features_image(cpu_features), &entry);
    }
    if let Some(kernels) = &m.options.kernels {
        m.root.shared_image(&m.options.device_code(), &kernels.image(), &entry);
    }
    if !variant.is_base {
        m.root.shared_image(&variant.description(), &image, &entry);
        return;
    }
    match &m.options.description {
        Some(name) => give_description(m, name, &image, &entry),
        None => make_module(m, &image, &entry),
    }
}

/// For programs without Python, whose headers know the name.
fn give_description<E: Emit>(
    m: &ModuleCx<'_, E>,
    name: &str,
    image: &Image,
    entry: &dyn Fn(FuncRef) -> E::Function,
) {
    let signature = Signature::new(&[], &[Ty::Ptr]);
    let function = m.root.declare(&Declaration::new(name, signature, Linkage::Export));
    let (ir, _) = m.root.open(function);
    let spec = ir.image(image, entry);
    ir.ret(&[spec]);
    ir.close();
}

/// `PyInit_NAME`: gets the runtime's table from its capsule and has it make the module.
fn make_module<E: Emit>(m: &ModuleCx<'_, E>, image: &Image, entry: &dyn Fn(FuncRef) -> E::Function) {
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
    let module_init = ir.load(Ty::Ptr, table, RuntimeFn::module_init.offset());
    let make = Signature::new(&[Ty::Ptr], &[Ty::Ptr]);
    let spec = ir.image(image, entry);
    let module = ir.call_pointer(&make, module_init, &[spec], Touches::Anything);
    ir.ret(&module);
    ir.close();
}
