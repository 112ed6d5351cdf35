//! Parallel loops on devices.

use pydd_abi::device::{DECLINED, DeviceLoop};
use pydd_abi::{Ctx, ParCombine, Status};

/// The table's `device_for`. There is no device yet.
///
/// # Safety
/// As for [`par_for`](crate::parallel::par_for); `device_loop` describes the loop.
pub unsafe extern "C" fn device_for(
    _ctx: *mut Ctx,
    _device_loop: *const DeviceLoop,
    _n: i64,
    _cost: i64,
    _env: *const u64,
    _acc: *mut u64,
    _identity: *const u64,
    _combine: Option<ParCombine>,
) -> Status {
    DECLINED
}
