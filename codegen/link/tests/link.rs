//! Links objects assembled here, loads the result and calls it.

use object::write::{Object, Relocation, StandardSection, Symbol, SymbolId, SymbolSection};
use object::{Architecture, BinaryFormat, Endianness, RelocationEncoding, RelocationFlags, RelocationKind};
use object::{Object as _, ObjectSymbol as _, SymbolFlags, SymbolKind, SymbolScope};
use pydd_link::{LinkError, LinkOptions, link, link_to_file, write_atomically};
use std::ffi::{CStr, CString};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// An object whose function `name` ends in a jump to `callee`, or adds its argument to itself when there is none.
fn object(name: &str, callee: Option<&str>) -> Vec<u8> {
    let mut object = Object::new(BinaryFormat::Elf, Architecture::X86_64, Endianness::Little);
    let text = object.section_id(StandardSection::Text);
    let function = add_symbol(&mut object, name, SymbolKind::Text);
    let Some(callee) = callee else {
        // addsd xmm0, xmm0; ret
        object.add_symbol_data(function, text, &[0xf2, 0x0f, 0x58, 0xc0, 0xc3], 16);
        return object.write().unwrap();
    };
    // jmp callee
    let start = object.add_symbol_data(function, text, &[0xe9, 0, 0, 0, 0], 16);
    let symbol = add_symbol(&mut object, callee, SymbolKind::Unknown);
    let flags = RelocationFlags::Generic {
        kind: RelocationKind::PltRelative,
        encoding: RelocationEncoding::X86Branch,
        size: 32,
    };
    object.add_relocation(text, Relocation { offset: start + 1, symbol, addend: -4, flags }).unwrap();
    object.write().unwrap()
}

fn add_symbol(object: &mut Object<'_>, name: &str, kind: SymbolKind) -> SymbolId {
    object.add_symbol(Symbol {
        name: name.as_bytes().to_vec(),
        value: 0,
        size: 0,
        kind,
        scope: if kind == SymbolKind::Text { SymbolScope::Dynamic } else { SymbolScope::Unknown },
        weak: false,
        section: SymbolSection::Undefined,
        flags: SymbolFlags::None,
    })
}

fn linked(objects: &[&[u8]]) -> Vec<u8> {
    link(objects, &LinkOptions::default()).unwrap()
}

/// Names of the dynamic symbols: defined, undefined.
fn dynamic_symbols(bytes: &[u8]) -> (Vec<String>, Vec<String>) {
    let file = object::File::parse(bytes).unwrap();
    let (undefined, defined): (Vec<_>, Vec<_>) = file
        .dynamic_symbols()
        .filter(|symbol| !symbol.name().unwrap().is_empty())
        .partition(|s| s.is_undefined());
    let names =
        |symbols: Vec<object::Symbol<'_, '_>>| symbols.iter().map(|s| s.name().unwrap().to_owned()).collect();
    (names(defined), names(undefined))
}

/// Libraries that the loader is told to load.
fn needed(bytes: &[u8]) -> Vec<String> {
    let file = object::File::parse(bytes).unwrap();
    let imports = file.import_libraries();
    imports.unwrap().map(|library| String::from_utf8(library.unwrap().name().to_vec()).unwrap()).collect()
}

/// Loads `path` and calls its function `name`.
fn call(path: &Path, name: &str, x: f64) -> f64 {
    let path = CString::new(path.to_str().unwrap()).unwrap();
    let name = CString::new(name).unwrap();
    // SAFETY: the file was linked by this test and has no initialisers; both strings end in NUL.
    let address = unsafe {
        let handle = libc::dlopen(path.as_ptr(), libc::RTLD_NOW);
        assert!(!handle.is_null(), "{:?}", CStr::from_ptr(libc::dlerror()));
        libc::dlsym(handle, name.as_ptr())
    };
    assert!(!address.is_null());
    // SAFETY: `name` is a function of one double, by `object` above.
    let function: extern "C" fn(f64) -> f64 = unsafe { std::mem::transmute(address) };
    function(x)
}

#[test]
fn elementary_functions_come_along() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("exp.so");
    let bytes = linked(&[&object("PyInit_exp", Some("pydd_math_exp_f64"))]);
    std::fs::write(&path, &bytes).unwrap();
    assert!((call(&path, "PyInit_exp", 1.0) - std::f64::consts::E).abs() < 1e-15);
    assert_eq!(dynamic_symbols(&bytes), (vec!["PyInit_exp".to_owned()], vec![]));
    assert!(bytes.len() < 20_000, "{} bytes: unused functions stay", bytes.len());
}

#[test]
fn unknown_elementary_functions_are_refused() {
    let missing = object("f", Some("pydd_math_no_such_function"));
    assert!(matches!(link(&[&missing], &LinkOptions::default()), Err(LinkError::Object(_))));
}

#[test]
#[cfg(target_arch = "x86_64")]
fn linked_function_runs_and_calls_libm() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernel.abi3.so");
    link_to_file(&[&object("f", Some("tgamma"))], &LinkOptions::default(), &path).unwrap();
    assert_eq!(call(&path, "f", 5.0), 24.0);
}

#[test]
fn dynamic_symbols_are_those_of_the_object() {
    let bytes = linked(&[&object("f", Some("tgamma"))]);
    assert_eq!(dynamic_symbols(&bytes), (vec!["f".to_owned()], vec!["tgamma".to_owned()]));
    assert_eq!(object::File::parse(&*bytes).unwrap().symbols().count(), 0, "stripped");
}

#[test]
fn libc_is_needed_always_and_libm_where_it_is_used() {
    assert_eq!(needed(&linked(&[&object("f", Some("tgamma"))])), ["libc.so.6", "libm.so.6"]);
    assert_eq!(needed(&linked(&[&object("f", Some("memcpy"))])), ["libc.so.6"]);
    assert_eq!(needed(&linked(&[&object("f", None)])), ["libc.so.6"]);
}

/// Newer versions of these exist, and this machine may have them.
#[test]
fn functions_are_those_of_old_systems() {
    for (function, version) in [("fmodf", "GLIBC_2.2.5"), ("lgamma", "GLIBC_2.2.5"), ("memcpy", "GLIBC_2.14")]
    {
        let bytes = linked(&[&object("f", Some(function))]);
        let text = String::from_utf8_lossy(&bytes);
        let versions: Vec<&str> = text.matches("GLIBC_").collect();
        assert_eq!(versions.len(), 1, "{function}");
        assert!(text.contains(&format!("{version}\0")), "{function}");
    }
}

#[test]
#[cfg(target_arch = "x86_64")]
fn objects_bind_to_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernel.abi3.so");
    let (f, twice) = (object("f", Some("twice")), object("twice", None));
    link_to_file(&[&f, &twice], &LinkOptions::default(), &path).unwrap();
    assert_eq!(call(&path, "f", 21.0), 42.0);
}

#[test]
fn forbidden_imports_are_named() {
    for name in ["system", "malloc", "fma", "exp", "powf", "sincos", "PyList_New", "__muldc3", "f"] {
        match link(&[&object("g", Some(name))], &LinkOptions::default()) {
            Err(error @ LinkError::ForbiddenImports(_)) => {
                assert!(error.to_string().contains(&format!("`{name}`")))
            }
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn inputs_that_are_no_objects_are_refused() {
    let module = linked(&[&object("f", None)]);
    let inputs: [&[&[u8]]; 4] = [&[], &[b""], &[b"not an object"], &[&module]];
    for input in inputs {
        assert!(matches!(link(input, &LinkOptions::default()), Err(LinkError::Object(_))));
    }
}

#[test]
fn the_linkers_own_errors_are_values() {
    let twice = object("f", None);
    let error = link(&[&twice, &twice], &LinkOptions::default()).unwrap_err();
    assert!(matches!(&error, LinkError::Linker(reason) if reason.contains('f')), "{error}");
}

#[test]
fn truncated_objects_are_errors() {
    let object = object("f", Some("tgamma"));
    for length in (0..object.len()).step_by(7) {
        assert!(link(&[&object[..length]], &LinkOptions::default()).is_err(), "{length} bytes");
    }
}

#[test]
fn same_objects_give_the_same_bytes_in_many_threads() {
    let object = object("f", Some("tgamma"));
    let first = linked(&[&object]);
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..4).map(|_| scope.spawn(|| (0..20).map(|_| linked(&[&object])).collect::<Vec<_>>())).collect();
        for thread in threads {
            assert!(thread.join().unwrap().iter().all(|bytes| *bytes == first));
        }
    });
}

#[test]
fn links_inside_a_pool_of_the_caller() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    assert_eq!(pool.install(|| linked(&[&object("f", None)])), linked(&[&object("f", None)]));
}

#[test]
fn debug_info_keeps_the_symbol_table() {
    let options = LinkOptions { debug_info: true, ..LinkOptions::default() };
    let bytes = link(&[&object("f", None)], &options).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    assert!(file.symbols().any(|symbol| symbol.name() == Ok("f")));
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_loaded_module_survives_its_replacement() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernel.abi3.so");
    link_to_file(&[&object("f", None)], &LinkOptions::default(), &path).unwrap();
    assert_eq!(call(&path, "f", 2.0), 4.0);
    link_to_file(&[&object("f", Some("tgamma"))], &LinkOptions::default(), &path).unwrap();
    assert_eq!(call(&path, "f", 2.0), 4.0, "the loaded one");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file stays");
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o400, 0o400);
    assert_ne!(mode & 0o777, 0o600, "others may load it, where the umask says so");
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let path = Path::new("/nonexistent/kernel.abi3.so");
    let error = link_to_file(&[&object("f", None)], &LinkOptions::default(), path).unwrap_err();
    assert!(error.to_string().starts_with("cannot write /nonexistent/kernel.abi3.so"), "{error}");
}

#[test]
fn links_and_devices_stay_what_they_are() {
    let bytes = b"content";
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("inner")).unwrap();
    // Relative, to a file that is there, and through a second link to one that is not yet.
    std::fs::write(at("inner/old"), "old").unwrap();
    for (name, to) in
        [("link", "inner/old"), ("second", "inner/first"), ("inner/first", "new"), ("null", "/dev/null")]
    {
        std::os::unix::fs::symlink(to, at(name)).unwrap();
    }
    for (name, file) in [("link", "inner/old"), ("second", "inner/new")] {
        write_atomically(&at(name), bytes).unwrap();
        assert_eq!(std::fs::read(at(file)).unwrap(), bytes, "{name}");
    }
    write_atomically(&at("null"), bytes).unwrap();
    for name in ["link", "second", "inner/first", "null"] {
        assert!(std::fs::symlink_metadata(at(name)).unwrap().is_symlink(), "{name}");
    }
    write_atomically(Path::new("/dev/null"), bytes).unwrap();
    assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn an_open_descriptor_is_written_to() {
    use std::os::fd::AsRawFd;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("redirected");
    std::fs::write(&path, "before ").unwrap();
    let open = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    let name = format!("/dev/fd/{}", open.as_raw_fd());
    write_atomically(Path::new(&name), b"after").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"before after");
    assert_eq!(open.metadata().unwrap().len(), 12, "the same file");
}

#[test]
fn what_cannot_be_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("folder")).unwrap();
    std::os::unix::fs::symlink("loop", at("loop")).unwrap();
    std::os::unix::fs::symlink("missing/file", at("dangling")).unwrap();
    for (name, reason) in [("folder", "directory"), ("loop", "symbolic links"), ("dangling", "No such file")]
    {
        let error = write_atomically(&at(name), b"x").unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    std::fs::write(at("fixed"), "old").unwrap();
    std::fs::set_permissions(at("fixed"), std::fs::Permissions::from_mode(0o444)).unwrap();
    // The superuser may write everything.
    let may = std::fs::OpenOptions::new().write(true).open(at("fixed")).is_ok();
    assert_eq!(write_atomically(&at("fixed"), b"new").is_ok(), may);
    assert_eq!(std::fs::read(at("fixed")).unwrap(), if may { b"new" } else { b"old" });
}

#[test]
fn bytes_do_not_depend_on_where_they_go() {
    let object = object("f", Some("tgamma"));
    for debug_info in [false, true] {
        let options = LinkOptions { debug_info, ..LinkOptions::default() };
        let written = ["a.abi3.so", "another_name.abi3.so"].map(|name| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join(name);
            link_to_file(&[&object], &options, &path).unwrap();
            std::fs::read(path).unwrap()
        });
        assert_eq!(written[0], written[1]);
    }
}
