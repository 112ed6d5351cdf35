//! What kernel modules may import from the process that loads them.

use crate::LinkError;
use crate::system::{MEMORY, is_math};
use object::{Architecture, Object, ObjectKind, ObjectSymbol};
use std::collections::BTreeSet;

/// The initialiser reaches the runtime through a capsule; everything else about Python lives behind its table.
const PYTHON: &[&str] = &[
    "PyCapsule_Import",
    "PyErr_Clear",
    "PyErr_Format",
    "PyErr_Occurred",
    "PyErr_SetString",
    "PyExc_ImportError",
];

/// Defined by the linker itself.
const LINKER_DEFINED: &[&str] = &["_GLOBAL_OFFSET_TABLE_"];

/// What the objects need together; every name in it is allowed.
pub struct Imports {
    /// None when there are no objects.
    pub architecture: Option<Architecture>,
    pub needs_libm: bool,
    /// Whether functions of `pydd_math` are missing.
    pub needs_own_math: bool,
}

/// Reads what `objects` leave undefined after binding to each other.
pub fn check(objects: &[&[u8]]) -> Result<Imports, LinkError> {
    let mut architecture = None;
    let mut defined = BTreeSet::new();
    let mut undefined = BTreeSet::new();
    for bytes in objects {
        let file = parse(bytes)?;
        if *architecture.get_or_insert(file.architecture()) != file.architecture() {
            return Err(LinkError::Object("objects for different processors".to_owned()));
        }
        for symbol in file.symbols().filter(ObjectSymbol::is_global) {
            let name = symbol.name().map_err(|error| LinkError::Object(error.to_string()))?;
            if symbol.is_undefined() { &mut undefined } else { &mut defined }.insert(name);
        }
    }
    let imports: Vec<&str> = undefined.difference(&defined).copied().collect();
    let needs_own_math = imports.iter().any(|name| is_own_math(name));
    let forbidden: Vec<String> = imports
        .iter()
        .filter(|name| !is_allowed(name) && !is_own_math(name))
        .map(|name| (*name).to_owned())
        .collect();
    if !forbidden.is_empty() {
        return Err(LinkError::ForbiddenImports(forbidden));
    }
    Ok(Imports { architecture, needs_libm: imports.iter().any(|name| is_math(name)), needs_own_math })
}

fn parse<'a>(bytes: &'a [u8]) -> Result<object::File<'a>, LinkError> {
    let file = object::File::parse(bytes).map_err(|error| LinkError::Object(error.to_string()))?;
    match file.kind() {
        ObjectKind::Relocatable => Ok(file),
        other => Err(LinkError::Object(format!("not a relocatable object but {other:?}"))),
    }
}

fn is_allowed(name: &str) -> bool {
    PYTHON.contains(&name) || MEMORY.contains(&name) || LINKER_DEFINED.contains(&name) || is_math(name)
}

fn is_own_math(name: &str) -> bool {
    name.starts_with("pydd_math_")
}
