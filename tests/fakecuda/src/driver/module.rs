//! Modules: PTX text is parsed, checked and decoded; variables get memory and their initial values.

use super::error::{
    Error, FILE_NOT_FOUND, INVALID_HANDLE, INVALID_PTX, NO_BINARY_FOR_GPU, NOT_FOUND, OUT_OF_MEMORY,
    UNSUPPORTED_PTX_VERSION, fail, fail_with,
};
use super::memory::whole_context;
use super::pointer::{In, Out, string, write_string};
use super::state::{Driver, Function, Handle, Module};
use super::{call_in_two, driver_functions};
use crate::decode::{CODE_WINDOW, SHARED_WINDOW, decode};
use crate::memory::Kind;
use crate::parse::{self, Initial, Space, Variable, parse};
use std::collections::BTreeMap;
use std::ffi::c_char;
use std::rc::Rc;

fn invalid<T>(error: parse::Error) -> Result<T, Error> {
    fail_with(INVALID_PTX, format!("ptx input, line {}: {}", error.line, error.text))
}

/// As the real driver's compiler says it.
fn check_target(driver: &Driver, module: &parse::Module) -> Result<(), Error> {
    let newest = driver.settings.ptx_version();
    if module.version > newest {
        let dotted = |v: u32| format!("{}.{}", v / 10, v % 10);
        let text = format!(
            "Unsupported .version {}; current version is '{}'",
            dotted(module.version),
            dotted(newest)
        );
        return fail_with(UNSUPPORTED_PTX_VERSION, text);
    }
    if module.level > driver.settings.level {
        let text = format!(
            "SM version specified by .target (sm_{}) is higher than the device's (sm_{})",
            module.level, driver.settings.level
        );
        return fail_with(INVALID_PTX, text);
    }
    Ok(())
}

fn load(driver: &mut Driver, text: &str) -> Result<Handle, Error> {
    let context = driver.current()?;
    let tree = parse(text).or_else(invalid)?;
    check_target(driver, &tree)?;
    let mut variables = BTreeMap::new();
    let result = place_variables(driver, context, &tree, &mut variables).and_then(|()| {
        let addresses = variables.iter().map(|(name, (address, _))| (name.clone(), *address)).collect();
        let program = decode(&tree, &addresses).or_else(invalid)?;
        initialize(driver, &tree, &variables, &program)?;
        Ok(program)
    });
    let program = match result {
        Ok(program) => Rc::new(program),
        Err(error) => {
            variables.values().for_each(|(address, _)| driver.memory.free_variable(*address));
            return Err(error);
        }
    };
    let handle = driver.handle();
    let module = Module { context, program, variables, version: tree.version, level: tree.level };
    driver.modules.insert(handle, module);
    Ok(handle)
}

fn globals(tree: &parse::Module) -> impl Iterator<Item = &Variable> {
    tree.variables.iter().filter(|v| matches!(v.space, Space::Global | Space::Const))
}

fn place_variables(
    driver: &mut Driver,
    context: Handle,
    tree: &parse::Module,
    variables: &mut BTreeMap<String, (u64, u64)>,
) -> Result<(), Error> {
    let device = driver.device_of(context);
    for variable in globals(tree) {
        if variable.external {
            return fail_with(
                INVALID_PTX,
                format!("`{}` is declared but not defined in this module", variable.name),
            );
        }
        match driver.memory.allocate(device, context, variable.size, Kind::Variable) {
            Some(address) => variables.insert(variable.name.clone(), (address, variable.size)),
            None => return fail(OUT_OF_MEMORY),
        };
    }
    Ok(())
}

/// Initial values, and zeros behind them: unlike memory that is allocated, variables begin as zero.
fn initialize(
    driver: &mut Driver,
    tree: &parse::Module,
    variables: &BTreeMap<String, (u64, u64)>,
    program: &crate::decode::Program,
) -> Result<(), Error> {
    for variable in globals(tree) {
        let (address, size) = variables[&variable.name];
        let mut bytes = Vec::with_capacity(size as usize);
        for initial in &variable.initial {
            let value = match initial {
                Initial::Number(bits) => *bits,
                Initial::Symbol(name, offset) => {
                    let found = match variables.get(name) {
                        Some((address, _)) => *address,
                        None => match program.functions.iter().position(|f| f.name == *name) {
                            Some(number) => CODE_WINDOW + number as u64,
                            None => {
                                let shared = tree.variables.iter().any(|v| v.name == *name);
                                let hint = if shared {
                                    format!(" (shared memory begins at {SHARED_WINDOW:#x})")
                                } else {
                                    String::new()
                                };
                                return fail_with(
                                    INVALID_PTX,
                                    format!("line {}: no address of `{name}`{hint}", variable.line),
                                );
                            }
                        },
                    };
                    found.wrapping_add(*offset as u64)
                }
            };
            bytes.extend_from_slice(&value.to_le_bytes()[..variable.ty.bytes() as usize]);
        }
        bytes.resize(size as usize, 0);
        driver.memory.bytes(None, address, size)?.copy_from_slice(&bytes);
    }
    Ok(())
}

/// PTX is text; what else an image may be is for real devices.
fn image_text(image: *const c_char) -> Result<String, Error> {
    let text = string(image)?;
    let binary = text.starts_with("\u{7f}ELF") || !text.contains(".version");
    if binary {
        fail_with(NO_BINARY_FOR_GPU, "the image is no PTX text; fakecuda runs nothing else")
    } else {
        Ok(text)
    }
}

const ERROR_LOG: u32 = 5;
const ERROR_LOG_SIZE: u32 = 6;

/// Writes an error's text where the options say.
fn write_log(error: &Error, count: u32, options: In<u32>, values: In<usize>) -> Result<(), Error> {
    let (mut buffer, mut size) = (0, 0);
    for n in 0..count as usize {
        match options.at(n)? {
            ERROR_LOG => buffer = values.at(n)?,
            ERROR_LOG_SIZE => size = values.at(n)?,
            _ => {}
        }
    }
    write_string(buffer as *mut c_char, size, error.text.as_deref().unwrap_or(""));
    Ok(())
}

driver_functions! {
    fn cuModuleLoadData(module: Out<Handle>, image: *const c_char) |driver| {
        let text = image_text(image)?;
        module.set(load(driver, &text)?)
    }

    fn cuModuleLoadDataEx(
        module: Out<Handle>, image: *const c_char, count: u32, options: In<u32>, values: In<usize>
    ) |driver| {
        match image_text(image).and_then(|text| load(driver, &text)) {
            Ok(handle) => module.set(handle),
            Err(error) => {
                write_log(&error, count, options, values)?;
                Err(error)
            }
        }
    }

    fn cuModuleLoad(module: Out<Handle>, path: *const c_char) |driver| {
        let path = string(path)?;
        match std::fs::read_to_string(&path) {
            Ok(text) => module.set(load(driver, &text)?),
            Err(error) => fail_with(FILE_NOT_FOUND, format!("{path}: {error}")),
        }
    }

    fn cuModuleGetFunction(function: Out<Handle>, module: Handle, name: *const c_char) |driver| {
        driver.current()?;
        let name = string(name)?;
        let Some(found) = driver.modules.get(&module) else { return fail(INVALID_HANDLE) };
        let Some(number) = found.program.entry(&name) else {
            return fail_with(NOT_FOUND, format!("the module has no kernel `{name}`"));
        };
        let known = driver.functions.iter().find(|(_, f)| f.module == module && f.number == number as u32);
        let handle = match known.map(|(handle, _)| *handle) {
            Some(handle) => handle,
            None => {
                let handle = driver.handle();
                driver.functions.insert(handle, Function { module, number: number as u32, dynamic_shared: 0 });
                handle
            }
        };
        function.set(handle)
    }

    fn cuModuleGetGlobal_v2(address: Out<u64>, bytes: Out<usize>, module: Handle, name: *const c_char) |driver| {
        driver.current()?;
        let name = string(name)?;
        let Some(found) = driver.modules.get(&module) else { return fail(INVALID_HANDLE) };
        let Some((start, size)) = found.variables.get(&name) else { return fail(NOT_FOUND) };
        address.set_if_wanted(*start);
        bytes.set_if_wanted(*size as usize);
        Ok(())
    }

    fn cuModuleGetLoadingMode(mode: Out<u32>) |_driver| { mode.set(1) }
}

/// Kernels of the module that still wait are done first.
#[unsafe(no_mangle)]
#[allow(non_snake_case)] // CUDA's name
pub extern "C" fn cuModuleUnload(module: Handle) -> u32 {
    let wait = |driver: &mut Driver| match driver.modules.get(&module) {
        Some(found) => Ok(whole_context(driver, found.context)),
        None => fail(INVALID_HANDLE),
    };
    call_in_two("cuModuleUnload", wait, |driver| {
        if let Some(found) = driver.modules.remove(&module) {
            found.variables.values().for_each(|(address, _)| driver.memory.free_variable(*address));
        }
        driver.functions.retain(|_, f| f.module != module);
        Ok(())
    })
}
