//! What the module says about itself.

use super::load::{load, options, text};
use super::make::{F64_1, Ops, export, export_as, function, module, versions};
use pydd_abi::{
    DTypeCode, FN_OVERLOADED, FN_RELEASES_GIL, GUARD_APART, GUARD_CONTIGUOUS, PARAM_HAS_DEFAULT,
    PARAM_WRITTEN, ParamSpec, TypeKind,
};
use pydd_ir::{DType, Entry, ExportType, Literal, Module, OpKind, Type, Version};

/// `fill(a, b, n=3)` writes a through a callee and reads b.
pub fn described() -> Module {
    let mut m = module();
    m.doc = Some("Kernels.".to_owned());
    let set = function("set", Version::Any, &[F64_1, Type::F64], &[], |b, p| {
        let zero = b.int(0);
        b.store(p[0], p[1], &[zero]);
        Some(vec![])
    });
    let set = m.funcs.push(set);
    let params = [F64_1, F64_1, Type::I64];
    let build = |version, name| {
        function(name, version, &params, &[Type::F64, Type::I64], |b, p| {
            let zero = b.int(0);
            let x = b.load(p[1], &[zero]);
            b.effect(OpKind::Call(set), vec![p[0], x]);
            Some(vec![x, p[2]])
        })
    };
    let fast = m.funcs.push(build(Version::Fast, "fill.fast"));
    let general = m.funcs.push(build(Version::General, "fill.general"));
    export_as(&mut m, "fill", versions(fast, general));
    let fill = &mut m.exports[0];
    fill.doc = Some("Fills.".to_owned());
    fill.params[2].default = Some(Literal::Int(3));
    fill.params[2].ty = ExportType::Scalar { dtype: DType::I64, weak: true };
    fill.result = ExportType::Tuple(vec![
        ExportType::Scalar { dtype: DType::F64, weak: false },
        ExportType::Scalar { dtype: DType::I64, weak: true },
    ]);
    let looped = function("loop", Version::Any, &[Type::I64], &[], |b, p| {
        let (zero, one) = (b.int(0), b.int(1));
        b.for_loop([zero, p[0], one], &[], |_, _, _| vec![]);
        Some(vec![])
    });
    let r = export(&mut m, looped);
    export_as(&mut m, "loop", vec![Entry::any(r)]);
    m
}

#[test]
fn the_spec_describes_the_functions() {
    let kernel = load(&described(), &options(2));
    let spec = kernel.spec();
    assert_eq!(spec.abi_version, pydd_abi::ABI_VERSION);
    assert_eq!(spec.table_size as usize, size_of::<pydd_abi::Table>());
    assert_eq!(text(spec.name).as_deref(), Some("kernels"));
    assert_eq!(text(spec.file).as_deref(), Some("kernels.pydd"));
    assert_eq!(text(spec.doc).as_deref(), Some("Kernels."));
    let [fill, first, second] = kernel.functions() else { panic!() };
    assert_eq!(text(fill.signature).as_deref(), Some("(p0, p1, p2=3)"));
    assert_eq!(text(fill.doc).as_deref(), Some("Fills."));
    assert_eq!((fill.arg_words, fill.ret_words), (9, 2));
    assert_eq!((fill.flags, second.flags), (0, FN_RELEASES_GIL));
    assert_eq!(first.flags, FN_RELEASES_GIL | FN_OVERLOADED);
    let guards = |function| kernel.entries(function).iter().map(|entry| entry.guards).collect::<Vec<_>>();
    assert_eq!(guards(fill), [GUARD_CONTIGUOUS | GUARD_APART, 0]);
    assert_eq!(guards(first), [0]);
    let [fast, general] = kernel.entries(fill) else { panic!() };
    assert_ne!(fast.code as usize, general.code as usize);
    // SAFETY: the spec says how many there are.
    let params: &[ParamSpec] = unsafe { std::slice::from_raw_parts(fill.params, fill.n_params as usize) };
    assert_eq!(params.iter().map(|p| p.flags).collect::<Vec<_>>(), [PARAM_WRITTEN, 0, PARAM_HAS_DEFAULT]);
    assert_eq!(params[2].default, [3, 0]);
    assert_eq!(
        (params[0].ty.kind, params[0].ty.dtype, params[0].ty.rank),
        (TypeKind::Array, DTypeCode::F64, 1)
    );
    assert_eq!((params[2].ty.kind, params[2].ty.weak), (TypeKind::Scalar, 1));
    assert_eq!((fill.result.kind, fill.result.n_items), (TypeKind::Tuple, 2));
    // SAFETY: as above.
    let items = unsafe { std::slice::from_raw_parts(fill.result.items, 2) };
    assert_eq!((items[0].dtype, items[1].dtype, items[1].weak), (DTypeCode::F64, DTypeCode::I64, 1));
}

#[test]
fn the_same_module_gives_the_same_bytes() {
    let compile = || crate::backend::compile(&described(), &options(3)).unwrap();
    assert_eq!(compile(), compile());
}

#[test]
fn unknown_processors_are_refused() {
    let mut options = options(3);
    "z80".clone_into(&mut options.cpu);
    assert!(crate::backend::compile(&described(), &options).is_err());
}
