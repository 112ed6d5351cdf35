//! Kernels: attributes, occupancy and launches.

use super::device::{MOST_SHARED, MOST_THREADS, SHARED_PER_PROCESSOR, THREADS_PER_PROCESSOR};
use super::driver_functions;
use super::error::{COOPERATIVE_LAUNCH_TOO_LARGE, Error, INVALID_HANDLE, INVALID_VALUE, fail, fail_with};
use super::pointer::{Host, In, Out};
use super::queue::Work;
use super::state::{Driver, Handle};
use crate::decode::{self, STATIC_SHARED, Slot};
use crate::machine::Launch;
use std::ffi::c_int;

fn decoded(driver: &Driver, function: Handle) -> Result<&decode::Function, Error> {
    let found = driver.functions.get(&function).and_then(|f| Some((f, driver.modules.get(&f.module)?)));
    match found {
        Some((function, module)) => Ok(&module.program.functions[function.number as usize]),
        None => fail(INVALID_HANDLE),
    }
}

fn most_threads(function: &decode::Function) -> u32 {
    let exact = function.exact_block.map(|b| b.iter().product());
    exact.or(function.most_threads).unwrap_or(MOST_THREADS).min(MOST_THREADS)
}

struct Shape {
    grid: [u32; 3],
    block: [u32; 3],
    shared: u32,
    cooperative: bool,
}

fn check(driver: &Driver, function: Handle, shape: &Shape) -> Result<(), Error> {
    let kernel = decoded(driver, function)?;
    let refuse = |text: String| fail_with(INVALID_VALUE, format!("`{}`: {text}", kernel.name));
    let (grid, block) = (shape.grid, shape.block);
    if grid.contains(&0) || block.contains(&0) {
        return refuse(format!("grid {grid:?} of blocks {block:?}: an extent is zero"));
    }
    if grid[0] > i32::MAX as u32 || grid[1] > 65535 || grid[2] > 65535 {
        return refuse(format!("grid {grid:?} is larger than [2147483647, 65535, 65535]"));
    }
    let threads: u64 = block.iter().map(|&n| u64::from(n)).product();
    if block[2] > 64 || threads > most_threads(kernel).into() {
        return refuse(format!("blocks of {block:?} threads; at most {} are allowed", most_threads(kernel)));
    }
    if kernel.exact_block.is_some_and(|exact| exact != block) {
        return refuse(format!("blocks of {block:?} threads, but .reqntid is {:?}", kernel.exact_block));
    }
    let allowed =
        driver.functions[&function].dynamic_shared.max(STATIC_SHARED.saturating_sub(kernel.shared_bytes));
    if shape.shared > allowed {
        return refuse(format!(
            "{} bytes of dynamic shared memory, {allowed} are allowed beside {} static ones",
            shape.shared, kernel.shared_bytes
        ));
    }
    Ok(())
}

/// A kernel's parameters from pointers to each, or from one buffer that `extra` names.
fn parameters(slots: &[Slot], size: u32, pointers: In<Host>, extra: In<usize>) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; size as usize];
    if slots.is_empty() {
        return Ok(bytes);
    }
    if extra.is_null() {
        for (n, slot) in slots.iter().enumerate() {
            let host = pointers.at(n)?;
            if host.address() == 0 {
                return fail(INVALID_VALUE);
            }
            host.read(&mut bytes[slot.offset as usize..][..slot.size as usize]);
        }
        return Ok(bytes);
    }
    // CU_LAUNCH_PARAM_BUFFER_POINTER, CU_LAUNCH_PARAM_BUFFER_SIZE: a pointer to the size.
    let (mut buffer, mut at) = (0, 0);
    loop {
        match extra.at(at)? {
            0 => break,
            1 => buffer = extra.at(at + 1)?,
            _ => {}
        }
        at += 2;
    }
    if buffer == 0 {
        return fail(INVALID_VALUE);
    }
    Host(buffer as *mut _).read(&mut bytes);
    Ok(bytes)
}

fn launch(
    driver: &mut Driver,
    function: Handle,
    shape: Shape,
    stream: Handle,
    pointers: In<Host>,
    extra: In<usize>,
) -> Result<(), Error> {
    let stream = driver.stream(stream)?;
    check(driver, function, &shape)?;
    let kernel = decoded(driver, function)?;
    let parameters = parameters(&kernel.parameters, kernel.parameter_bytes, pointers, extra)?;
    let name = kernel.name.clone();
    let Some(found) = driver.functions.get(&function) else { return fail(INVALID_HANDLE) };
    let (number, module) = (found.number, &driver.modules[&found.module]);
    let program = module.program.clone();
    let context = driver.streams[&stream].context;
    if module.context != context {
        return fail_with(INVALID_HANDLE, format!("`{name}` is of another context than the stream"));
    }
    let device = driver.device_of(context);
    let [gx, gy, gz] = shape.grid;
    let [bx, by, bz] = shape.block;
    driver.log(&format!(
        "launch {name} grid {gx} {gy} {gz} block {bx} {by} {bz} shared {} device {device} stream {stream:#x}",
        shape.shared
    ));
    let launch = Launch {
        function: number,
        grid: shape.grid,
        block: shape.block,
        dynamic_shared: shape.shared,
        device,
        cooperative: shape.cooperative,
        step_limit: driver.settings.steps,
    };
    driver.issue(stream, Work::Kernel { program, launch, parameters }, Vec::new());
    Ok(())
}

/// How many blocks a processor holds at once.
fn occupancy(kernel: &decode::Function, block: i32, dynamic: usize) -> Result<i32, Error> {
    if block <= 0 {
        return fail(INVALID_VALUE);
    }
    if block as u32 > most_threads(kernel) {
        return Ok(0);
    }
    let by_threads = THREADS_PER_PROCESSOR / (block as u32).next_multiple_of(32);
    // Each block takes a kilobyte for the system.
    let shared = dynamic + kernel.shared_bytes as usize + 1024;
    let by_shared = SHARED_PER_PROCESSOR as usize / shared;
    Ok(by_threads.min(by_shared as u32).min(32) as i32)
}

type SharedOfBlock = extern "C" fn(c_int) -> usize;

fn best_block(
    kernel: &decode::Function,
    grid: Out<i32>,
    block: Out<i32>,
    shared_of: Option<SharedOfBlock>,
    dynamic: usize,
    limit: i32,
) -> Result<(), Error> {
    let most = if limit > 0 { limit.min(most_threads(kernel) as i32) } else { most_threads(kernel) as i32 };
    let mut best = (0, 0, 0);
    for size in (1..=most / 32).map(|warps| 32 * warps) {
        let blocks = occupancy(kernel, size, shared_of.map_or(dynamic, |f| f(size)))?;
        best = best.max((blocks * size, size, blocks));
    }
    grid.set(best.2 * 16)?;
    block.set(best.1)
}

driver_functions! {
    fn cuFuncGetAttribute(value: Out<i32>, attribute: u32, function: Handle) |driver| {
        let kernel = decoded(driver, function)?;
        let (found, module) = (&driver.functions[&function], &driver.modules[&driver.functions[&function].module]);
        value.set(match attribute {
            0 => most_threads(kernel) as i32,
            1 => kernel.shared_bytes as i32,
            3 => kernel.frame_bytes as i32,
            4 => kernel.registers.min(255) as i32,
            5 => module.version as i32,
            6 => module.level as i32,
            8 => found.dynamic_shared.max(STATIC_SHARED.saturating_sub(kernel.shared_bytes)) as i32,
            2 | 7 | 9..=15 => 0,
            _ => return fail(INVALID_VALUE),
        })
    }

    fn cuFuncSetAttribute(function: Handle, attribute: u32, value: i32) |driver| {
        let used = decoded(driver, function)?.shared_bytes;
        if attribute == 8 {
            if value < 0 || value as u32 > MOST_SHARED.saturating_sub(used) {
                return fail(INVALID_VALUE);
            }
            driver.functions.get_mut(&function).expect("just looked up").dynamic_shared = value as u32;
        }
        Ok(())
    }

    fn cuFuncSetCacheConfig(function: Handle, _config: u32) |driver| { decoded(driver, function).map(|_| ()) }

    fn cuFuncGetModule(module: Out<Handle>, function: Handle) |driver| {
        decoded(driver, function)?;
        module.set(driver.functions[&function].module)
    }

    fn cuLaunchKernel(
        function: Handle, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: u32, stream: Handle,
        pointers: In<Host>, extra: In<usize>
    ) |driver| {
        let shape = Shape { grid: [gx, gy, gz], block: [bx, by, bz], shared, cooperative: false };
        launch(driver, function, shape, stream, pointers, extra)
    }

    /// All blocks are there at once, if so many fit.
    fn cuLaunchCooperativeKernel(
        function: Handle, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: u32, stream: Handle,
        pointers: In<Host>
    ) |driver| {
        let shape = Shape { grid: [gx, gy, gz], block: [bx, by, bz], shared, cooperative: true };
        let blocks = 16 * occupancy(decoded(driver, function)?, (bx * by * bz) as i32, shared as usize)? as u64;
        if u64::from(gx) * u64::from(gy) * u64::from(gz) > blocks {
            return fail_with(COOPERATIVE_LAUNCH_TOO_LARGE, format!("a cooperative launch of more than {blocks} blocks"));
        }
        launch(driver, function, shape, stream, pointers, In::null())
    }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(
        blocks: Out<i32>, function: Handle, block: i32, dynamic: usize
    ) |driver| { blocks.set(occupancy(decoded(driver, function)?, block, dynamic)?) }

    fn cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks: Out<i32>, function: Handle, block: i32, dynamic: usize, _flags: u32
    ) |driver| { blocks.set(occupancy(decoded(driver, function)?, block, dynamic)?) }

    fn cuOccupancyMaxPotentialBlockSize(
        grid: Out<i32>, block: Out<i32>, function: Handle, shared_of: Option<SharedOfBlock>, dynamic: usize, limit: i32
    ) |driver| { best_block(decoded(driver, function)?, grid, block, shared_of, dynamic, limit) }

    fn cuOccupancyMaxPotentialBlockSizeWithFlags(
        grid: Out<i32>, block: Out<i32>, function: Handle, shared_of: Option<SharedOfBlock>, dynamic: usize, limit: i32,
        _flags: u32
    ) |driver| { best_block(decoded(driver, function)?, grid, block, shared_of, dynamic, limit) }

    fn cuOccupancyAvailableDynamicSMemPerBlock(bytes: Out<usize>, function: Handle, blocks: i32, _block: i32) |driver| {
        let used = decoded(driver, function)?.shared_bytes as usize;
        if blocks <= 0 {
            return fail(INVALID_VALUE);
        }
        bytes.set((SHARED_PER_PROCESSOR as usize / blocks as usize).saturating_sub(used + 1024).min(MOST_SHARED as usize))
    }
}
