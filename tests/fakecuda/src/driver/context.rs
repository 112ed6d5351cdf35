//! Contexts, primary and other, and the stack of them that each thread has.

use super::device::checked;
use super::driver_functions;
use super::error::{
    INVALID_CONTEXT, INVALID_DEVICE, INVALID_VALUE, PEER_ACCESS_ALREADY_ENABLED, PEER_ACCESS_NOT_ENABLED,
    PEER_ACCESS_UNSUPPORTED, fail,
};
use super::pointer::{In, Out};
use super::state::{Handle, current_stack};

driver_functions! {
    fn cuDevicePrimaryCtxRetain(context: Out<Handle>, device: i32) |driver| {
        let device = checked(driver, device)?;
        let handle = match driver.devices[device].primary {
            Some(handle) => handle,
            None => {
                let flags = driver.devices[device].flags;
                let handle = driver.new_context(device, flags);
                driver.devices[device].primary = Some(handle);
                handle
            }
        };
        driver.devices[device].retained += 1;
        context.set(handle)
    }

    fn cuDevicePrimaryCtxRelease_v2(device: i32) |driver| {
        let device = checked(driver, device)?;
        let Some(handle) = driver.devices[device].primary else { return fail(INVALID_CONTEXT) };
        driver.devices[device].retained -= 1;
        if driver.devices[device].retained == 0 {
            driver.devices[device].primary = None;
            driver.destroy_context(handle);
        }
        Ok(())
    }

    fn cuDevicePrimaryCtxReset_v2(device: i32) |driver| {
        let device = checked(driver, device)?;
        if let Some(handle) = driver.devices[device].primary.take() {
            driver.devices[device].retained = 0;
            driver.destroy_context(handle);
        }
        Ok(())
    }

    fn cuDevicePrimaryCtxGetState(device: i32, flags: Out<u32>, active: Out<i32>) |driver| {
        let device = checked(driver, device)?;
        flags.set(driver.devices[device].flags)?;
        active.set(driver.devices[device].primary.is_some().into())
    }

    fn cuDevicePrimaryCtxSetFlags_v2(device: i32, flags: u32) |driver| {
        let device = checked(driver, device)?;
        driver.devices[device].flags = flags;
        Ok(())
    }

    fn cuCtxCreate_v2(context: Out<Handle>, flags: u32, device: i32) |driver| {
        let device = checked(driver, device)?;
        let handle = driver.new_context(device, flags);
        current_stack(|stack| stack.push(handle));
        context.set(handle)
    }

    fn cuCtxCreate_v3(context: Out<Handle>, affinity: In<u8>, count: i32, flags: u32, device: i32) |driver| {
        if count != 0 && !affinity.is_null() {
            return fail(INVALID_VALUE);
        }
        let device = checked(driver, device)?;
        let handle = driver.new_context(device, flags);
        current_stack(|stack| stack.push(handle));
        context.set(handle)
    }

    fn cuCtxDestroy_v2(context: Handle) |driver| {
        if !driver.contexts.contains_key(&context) || driver.devices.iter().any(|d| d.primary == Some(context)) {
            return fail(INVALID_CONTEXT);
        }
        driver.destroy_context(context);
        current_stack(|stack| if stack.last() == Some(&context) { stack.pop(); });
        Ok(())
    }

    fn cuCtxSetCurrent(context: Handle) |driver| {
        if context != 0 && !driver.contexts.contains_key(&context) {
            return fail(INVALID_CONTEXT);
        }
        current_stack(|stack| {
            stack.pop();
            if context != 0 {
                stack.push(context);
            }
        });
        Ok(())
    }

    fn cuCtxGetCurrent(context: Out<Handle>) |_driver| {
        context.set(current_stack(|stack| stack.last().copied().unwrap_or(0)))
    }

    fn cuCtxPushCurrent_v2(context: Handle) |driver| {
        if !driver.contexts.contains_key(&context) {
            return fail(INVALID_CONTEXT);
        }
        current_stack(|stack| stack.push(context));
        Ok(())
    }

    fn cuCtxPopCurrent_v2(context: Out<Handle>) |_driver| {
        match current_stack(Vec::pop) {
            Some(handle) => {
                context.set_if_wanted(handle);
                Ok(())
            }
            None => fail(INVALID_CONTEXT),
        }
    }

    fn cuCtxGetDevice(device: Out<i32>) |driver| {
        let context = driver.current()?;
        device.set(driver.device_of(context) as i32)
    }

    fn cuCtxGetFlags(flags: Out<u32>) |driver| {
        let context = driver.current()?;
        flags.set(driver.contexts[&context].flags)
    }

    fn cuCtxGetApiVersion(context: Handle, version: Out<u32>) |driver| {
        if context != 0 && !driver.contexts.contains_key(&context) {
            return fail(INVALID_CONTEXT);
        }
        version.set(3020)
    }

    fn cuCtxGetId(context: Handle, id: Out<u64>) |driver| {
        let handle = if context == 0 { driver.current()? } else { context };
        if driver.contexts.contains_key(&handle) { id.set(handle) } else { fail(INVALID_CONTEXT) }
    }

    fn cuCtxSynchronize() |driver| {
        let context = driver.current()?;
        let all = driver.streams.iter().filter(|(_, s)| s.context == context);
        Ok(all.map(|(handle, s)| (*handle, s.issued)).collect::<Vec<_>>())
    }

    /// Priorities are accepted, and change nothing: any order may happen.
    fn cuCtxGetStreamPriorityRange(least: Out<i32>, greatest: Out<i32>) |driver| {
        driver.current()?;
        least.set_if_wanted(0);
        greatest.set_if_wanted(-5);
        Ok(())
    }

    fn cuCtxSetFlags(flags: u32) |driver| {
        let context = driver.current()?;
        driver.contexts.get_mut(&context).expect("the current context").flags = flags;
        Ok(())
    }

    fn cuCtxGetLimit(value: Out<usize>, limit: u32) |driver| {
        let context = driver.current()?;
        let defaults = [1024, 1 << 20, 8 << 20];
        let set = driver.contexts[&context].limits.get(&limit).copied();
        match set.or(defaults.get(limit as usize).copied()) {
            Some(found) => value.set(found),
            None => fail(INVALID_VALUE),
        }
    }

    fn cuCtxSetLimit(limit: u32, value: usize) |driver| {
        let context = driver.current()?;
        driver.contexts.get_mut(&context).expect("the current context").limits.insert(limit, value);
        Ok(())
    }

    fn cuCtxGetCacheConfig(config: Out<u32>) |driver| {
        driver.current()?;
        config.set(0)
    }

    fn cuCtxSetCacheConfig(_config: u32) |driver| { driver.current().map(|_| ()) }

    fn cuCtxEnablePeerAccess(peer: Handle, flags: u32) |driver| {
        let context = driver.current()?;
        let Some(other) = driver.contexts.get(&peer) else { return fail(INVALID_CONTEXT) };
        if flags != 0 {
            return fail(INVALID_VALUE);
        }
        let pair = (driver.device_of(context), other.device);
        if pair.0 == pair.1 {
            return fail(PEER_ACCESS_UNSUPPORTED);
        }
        if driver.memory.peers.contains(&pair) {
            return fail(PEER_ACCESS_ALREADY_ENABLED);
        }
        driver.memory.peers.push(pair);
        Ok(())
    }

    fn cuCtxDisablePeerAccess(peer: Handle) |driver| {
        let context = driver.current()?;
        let Some(other) = driver.contexts.get(&peer) else { return fail(INVALID_DEVICE) };
        let pair = (driver.device_of(context), other.device);
        if !driver.memory.peers.contains(&pair) {
            return fail(PEER_ACCESS_NOT_ENABLED);
        }
        driver.memory.peers.retain(|p| *p != pair);
        Ok(())
    }
}
