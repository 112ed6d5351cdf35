//! The module's data and the functions that the runtime and Python see.

use crate::builder::{Ir, V, result};
use crate::memory::load_words;
use crate::module::ModuleCx;
use crate::types::Val;
use inkwell::module::Linkage;
use inkwell::values::{BasicValueEnum, FunctionValue, GlobalValue};
use pydd_abi::layout;
use pydd_codegen::{Image, Target};
use pydd_ir::{Entity, FuncRef};
use std::collections::BTreeMap;

/// Emits the entries of exported functions, the module's description, and `PyInit_NAME`.
pub fn emit(m: &ModuleCx<'_, '_>) {
    let mut entries = BTreeMap::new();
    for export in &m.module.exports {
        for r in [export.fast, export.general] {
            entries.entry(r).or_insert_with(|| entry(m, r));
        }
    }
    let features = m.cpu.required.join(",");
    let sites = m.sites.borrow();
    let image = pydd_codegen::spec::image(m.module, sites.sites(), &m.summaries, &features);
    let spec = data(m, &image, &entries);
    init(m, spec);
}

/// `(ctx, argument words, result words) -> status`
fn entry<'c>(m: &ModuleCx<'c, '_>, r: FuncRef) -> FunctionValue<'c> {
    let ir = Ir::new(m.cx);
    let ptr = ir.ptr_type().into();
    let func = &m.module.funcs[r];
    let ty = m.cx.i32_type().fn_type(&[ptr, ptr, ptr], false);
    let function = m.private_function(&format!("{}.entry", func.name), ty, func.version);
    ir.at(m.cx.append_basic_block(function, ""));
    let params = function.get_params();
    let mut args = vec![params[0]];
    let mut word = 0;
    for &param in func.params() {
        let parts = load_words(&ir, ir.field(params[1], word * 8), func.ty(param));
        word += parts.len();
        args.extend(Val::from_parts(func.ty(param), &parts).parts());
    }
    args.push(params[2]);
    let status = result(ir.call(m.functions[r.index()], &args));
    ir.ret(Some(status));
    function
}

/// The image as a constant: runs of bytes, and pointers, which the loader relocates.
fn data<'c>(
    m: &ModuleCx<'c, '_>,
    image: &Image,
    entries: &BTreeMap<FuncRef, FunctionValue<'c>>,
) -> GlobalValue<'c> {
    let ir = Ir::new(m.cx);
    let mut fields = Vec::new();
    let mut next = 0;
    for &(at, _) in &image.pointers {
        fields.push(m.cx.const_string(&image.bytes[next..at], false).get_type().into());
        fields.push(ir.ptr_type().into());
        next = at + 8;
    }
    fields.push(m.cx.const_string(&image.bytes[next..], false).get_type().into());
    let ty = m.cx.struct_type(&fields, true);
    let global = m.llvm.add_global(ty, None, "pydd.module");
    let base: V<'c> = global.as_pointer_value().into();

    let mut values: Vec<BasicValueEnum<'c>> = Vec::new();
    next = 0;
    for &(at, target) in &image.pointers {
        values.push(m.cx.const_string(&image.bytes[next..at], false).into());
        values.push(match target {
            Target::Image(offset) => const_offset(&ir, base, offset),
            Target::Entry { export, general } => {
                let export = &m.module.exports[export];
                let r = if general { export.general } else { export.fast };
                entries[&r].as_global_value().as_pointer_value().into()
            }
        });
        next = at + 8;
    }
    values.push(m.cx.const_string(&image.bytes[next..], false).into());
    global.set_initializer(&m.cx.const_struct(&values, true));
    global.set_constant(true);
    global.set_linkage(Linkage::Private);
    global.set_alignment(8);
    global
}

/// A constant address within the image.
fn const_offset<'c>(ir: &Ir<'c>, base: V<'c>, offset: usize) -> V<'c> {
    let offset = ir.cx.i64_type().const_int(offset as u64, false);
    // SAFETY: offsets of an image's pointers lie within it.
    unsafe { base.into_pointer_value().const_in_bounds_gep(ir.cx.i8_type(), &[offset]) }.into()
}

/// `PyInit_NAME`: gets the runtime's table from its capsule and has it make the module.
fn init(m: &ModuleCx<'_, '_>, spec: GlobalValue<'_>) {
    let ir = Ir::new(m.cx);
    let ptr = ir.ptr_type();
    let import_type = ptr.fn_type(&[ptr.into(), m.cx.i32_type().into()], false);
    let import = m.llvm.add_function("PyCapsule_Import", import_type, None);
    let init = m.llvm.add_function(&format!("PyInit_{}", m.module.name), ptr.fn_type(&[], false), None);
    m.set_attributes(init, pydd_ir::Version::Any);
    // Start-up code runs once.
    init.add_attribute(inkwell::attributes::AttributeLoc::Function, ir.attribute("optsize", 0));
    let label = |name| m.cx.append_basic_block(init, name);
    let (begin, found, missing) = (label(""), label("found"), label("missing"));
    ir.at(begin);
    let capsule = m.string(pydd_abi::CAPSULE.to_str().expect("ASCII"));
    let table = result(ir.call(import, &[capsule, ir.i32(0)]));
    ir.cond_br(ir.is_null(table), missing, found);
    ir.at(missing);
    ir.ret(Some(ir.null()));
    ir.at(found);
    let module_init = ir.load_field(ptr, table, layout::TABLE_MODULE_INIT);
    let spec = spec.as_pointer_value().into();
    let module = result(ir.call_pointer(ptr.fn_type(&[ptr.into()], false), module_init, &[spec]));
    ir.ret(Some(module));
}
