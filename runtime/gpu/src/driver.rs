//! CUDA's driver, as far as it is used here. No other file names cudarc.
//!
//! Unsafe here: the driver's functions. What they take are handles that they gave, wrapped so that threads may share them, and memory of the caller's.

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUresult};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::fmt;

/// A code of the driver's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Error(CUresult);

impl Error {
    pub fn is_out_of_memory(self) -> bool {
        self.0 == CUresult::CUDA_ERROR_OUT_OF_MEMORY
    }

    pub fn is_no_device(self) -> bool {
        self.0 == CUresult::CUDA_ERROR_NO_DEVICE
    }

    /// Whether the device cannot run the code, but others may.
    pub fn is_refusal(self) -> bool {
        matches!(
            self.0,
            CUresult::CUDA_ERROR_INVALID_PTX
                | CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
                | CUresult::CUDA_ERROR_INVALID_IMAGE
                | CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
                | CUresult::CUDA_ERROR_JIT_COMPILER_NOT_FOUND
                | CUresult::CUDA_ERROR_JIT_COMPILATION_DISABLED
                | CUresult::CUDA_ERROR_NOT_FOUND
        )
    }

    pub fn is_newer_code(self) -> bool {
        self.0 == CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match result::DriverError(self.0).error_name() {
            Ok(name) => f.write_str(&name.to_string_lossy()),
            Err(_) => write!(f, "error {}", self.0 as u32),
        }
    }
}

impl From<result::DriverError> for Error {
    fn from(error: result::DriverError) -> Self {
        Self(error.0)
    }
}

type Answer<T> = Result<T, Error>;

macro_rules! handles {
    ($($name:ident $raw:ty)*) => {
        $(
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            #[repr(transparent)]
            pub struct $name($raw);
            // SAFETY: handles may be used on any thread.
            unsafe impl Send for $name {}
            // SAFETY: as above.
            unsafe impl Sync for $name {}
        )*
    };
}

handles! {
    Context sys::CUcontext
    Stream sys::CUstream
    Event sys::CUevent
    Module sys::CUmodule
    Function sys::CUfunction
}

/// All that is called here and in cudarc for it: a driver that lacks one is too old, and cudarc would panic when it is called.
const SYMBOLS: [&CStr; 33] = [
    c"cuCtxSynchronize",
    c"cuPointerGetAttribute",
    c"cuInit",
    c"cuDriverGetVersion",
    c"cuGetErrorName",
    c"cuDeviceGet",
    c"cuDeviceGetCount",
    c"cuDeviceGetName",
    c"cuDeviceGetAttribute",
    c"cuDeviceTotalMem_v2",
    c"cuDevicePrimaryCtxRetain",
    c"cuCtxGetCurrent",
    c"cuCtxSetCurrent",
    c"cuModuleLoadData",
    c"cuModuleGetFunction",
    c"cuOccupancyMaxActiveBlocksPerMultiprocessor",
    c"cuLaunchKernel",
    c"cuStreamCreate",
    c"cuStreamSynchronize",
    c"cuStreamQuery",
    c"cuStreamWaitEvent",
    c"cuStreamDestroy_v2",
    c"cuEventCreate",
    c"cuEventRecord",
    c"cuEventSynchronize",
    c"cuEventDestroy_v2",
    c"cuMemAlloc_v2",
    c"cuMemFree_v2",
    c"cuMemHostAlloc",
    c"cuMemFreeHost",
    c"cuMemsetD8Async",
    c"cuMemcpyHtoDAsync_v2",
    c"cuMemcpyDtoHAsync_v2",
];

/// Whether there is a driver; where not, nothing else here may be called.
pub fn is_present() -> bool {
    // SAFETY: loads libraries of CUDA's names.
    unsafe { sys::is_culib_present() }
}

/// The first function that the driver lacks.
pub fn missing() -> Option<&'static CStr> {
    // SAFETY: the driver is present; the symbols are functions, which are not called here.
    let has =
        |name: &CStr| unsafe { sys::culib().get::<unsafe extern "C" fn()>(name.to_bytes_with_nul()).is_ok() };
    SYMBOLS.into_iter().find(|name| !has(name))
}

pub fn init() -> Answer<()> {
    Ok(result::init()?)
}

/// 12090 is 12.9.
pub fn version() -> Answer<u32> {
    let mut version: c_int = 0;
    // SAFETY: writes a number.
    unsafe { sys::cuDriverGetVersion(&raw mut version) }.result()?;
    Ok(version.unsigned_abs())
}

/// What a device says of itself.
#[derive(Clone, Debug)]
pub struct Properties {
    pub name: String,
    /// Compute capability, 10 * major + minor.
    pub level: u32,
    /// Bytes.
    pub memory: usize,
    pub processors: u32,
    /// kHz; 0 where it does not say.
    pub clock: u32,
    /// kHz, and bits; 0 where it does not say.
    pub memory_clock: u32,
    pub memory_bus: u32,
}

pub fn device_count() -> Answer<i32> {
    Ok(result::device::get_count()?)
}

pub fn properties(index: i32) -> Answer<Properties> {
    use sys::CUdevice_attribute as A;
    let device = result::device::get(index)?;
    // SAFETY: a device that exists.
    let ask = |what| unsafe { result::device::get_attribute(device, what) }.map(i32::unsigned_abs);
    let major = ask(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
    let minor = ask(A::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
    Ok(Properties {
        name: result::device::get_name(device)?,
        level: 10 * major + minor,
        // SAFETY: as above.
        memory: unsafe { result::device::total_mem(device)? },
        processors: ask(A::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
        clock: ask(A::CU_DEVICE_ATTRIBUTE_CLOCK_RATE).unwrap_or(0),
        memory_clock: ask(A::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE).unwrap_or(0),
        memory_bus: ask(A::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH).unwrap_or(0),
    })
}

/// The context that a device has for all libraries of the process. It is kept until the process ends.
pub fn primary_context(index: i32) -> Answer<Context> {
    let device = result::device::get(index)?;
    // SAFETY: a device that exists.
    Ok(Context(unsafe { result::primary_ctx::retain(device)? }))
}

/// A context for this thread, which gets back afterwards the one that another library had given it.
pub struct Current {
    before: sys::CUcontext,
    own: Context,
}

impl Current {
    pub fn enter(context: Context) -> Answer<Self> {
        let before = result::ctx::get_current()?.unwrap_or(std::ptr::null_mut());
        if before != context.0 {
            // SAFETY: contexts are kept.
            unsafe { result::ctx::set_current(context.0)? };
        }
        Ok(Self { before, own: context })
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        if self.before != self.own.0 {
            // SAFETY: it was this thread's; without one this is the same as none.
            let _ = unsafe { result::ctx::set_current(self.before) };
        }
    }
}

/// PTX text to code for the current context's device.
///
/// # Safety
/// A C string.
pub unsafe fn load(ptx: *const c_char) -> Answer<Module> {
    // SAFETY: by the caller's promise.
    Ok(Module(unsafe { result::module::load_data(ptx.cast())? }))
}

impl Module {
    pub fn function(self, name: &CStr) -> Answer<Function> {
        // SAFETY: modules are kept.
        Ok(Function(unsafe { result::module::get_function(self.0, name.to_owned())? }))
    }
}

impl Function {
    /// Blocks of so many threads that a processor runs at a time.
    pub fn resident_blocks(self, threads: u32) -> Answer<u32> {
        // SAFETY: functions are kept with their modules.
        let blocks =
            unsafe { result::occupancy::max_active_block_per_multiprocessor(self.0, threads as c_int, 0)? };
        Ok(blocks.unsigned_abs())
    }

    /// Starts a kernel, whose parameters are all words.
    ///
    /// # Safety
    /// As many words as the kernel has; memory that they point to is not freed before the stream is idle.
    pub unsafe fn launch(self, stream: Stream, blocks: u32, threads: u32, words: &mut [u64]) -> Answer<()> {
        let mut places: Vec<*mut c_void> = words.iter_mut().map(|word| (&raw mut *word).cast()).collect();
        // SAFETY: the driver copies the words before it returns.
        let launched = unsafe {
            result::launch_kernel(self.0, (blocks, 1, 1), (threads, 1, 1), 0, stream.0, &mut places)
        };
        Ok(launched?)
    }
}

impl Stream {
    /// One that waits for no other one.
    pub fn new() -> Answer<Self> {
        Ok(Self(result::stream::create(result::stream::StreamKind::NonBlocking)?))
    }

    /// Waits until all is done.
    pub fn synchronize(self) -> Answer<()> {
        // SAFETY: a stream that is not destroyed.
        unsafe { result::stream::synchronize(self.0) }.map_err(Error::from)
    }

    /// Whether all is done, as far as is known.
    pub fn is_idle(self) -> bool {
        // SAFETY: a stream that is not destroyed.
        unsafe { sys::cuStreamQuery(self.0) == sys::CUresult::CUDA_SUCCESS }
    }

    /// What the stream is given from now on comes behind what an event marks.
    pub fn wait_for(self, event: Event) -> Answer<()> {
        let flags = sys::CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT;
        // SAFETY: neither is destroyed.
        unsafe { result::stream::wait_event(self.0, event.0, flags) }.map_err(Error::from)
    }

    /// # Safety
    /// Nobody uses it any more.
    pub unsafe fn destroy(self) -> Answer<()> {
        // SAFETY: by the caller's promise.
        unsafe { result::stream::destroy(self.0) }.map_err(Error::from)
    }
}

impl Event {
    pub fn new() -> Answer<Self> {
        Ok(Self(result::event::create(sys::CUevent_flags::CU_EVENT_DISABLE_TIMING)?))
    }

    /// Marks what the stream has been given so far.
    pub fn record(self, stream: Stream) -> Answer<()> {
        // SAFETY: neither is destroyed.
        unsafe { result::event::record(self.0, stream.0) }.map_err(Error::from)
    }

    /// Waits for what was marked.
    pub fn synchronize(self) -> Answer<()> {
        // SAFETY: not destroyed.
        unsafe { result::event::synchronize(self.0) }.map_err(Error::from)
    }

    /// # Safety
    /// Nobody uses it any more.
    pub unsafe fn destroy(self) -> Answer<()> {
        // SAFETY: by the caller's promise.
        unsafe { result::event::destroy(self.0) }.map_err(Error::from)
    }
}

/// Memory of the current context's device.
pub fn allocate(bytes: usize) -> Answer<u64> {
    // SAFETY: no condition.
    unsafe { result::malloc_sync(bytes) }.map_err(Error::from)
}

/// # Safety
/// Of [`allocate`], not freed, and nothing uses it.
pub unsafe fn free(address: u64) -> Answer<()> {
    // SAFETY: by the caller's promise.
    unsafe { result::free_sync(address) }.map_err(Error::from)
}

/// Memory of the host that the device can copy from and to by itself.
pub fn allocate_pinned(bytes: usize) -> Answer<*mut u8> {
    // SAFETY: no condition.
    Ok(unsafe { result::malloc_host(bytes, 0)? }.cast())
}

/// # Safety
/// Of [`allocate_pinned`], not freed, and nothing uses it.
pub unsafe fn free_pinned(memory: *mut u8) -> Answer<()> {
    // SAFETY: by the caller's promise.
    unsafe { result::free_host(memory.cast()) }.map_err(Error::from)
}

/// The device on which so many bytes are allocated at an address, by any library.
///
/// # Errors
/// What is there instead.
pub fn device_of(address: u64, bytes: usize) -> Result<usize, &'static str> {
    use sys::CUpointer_attribute as A;
    fn ask<T: Copy>(attribute: A, address: u64, default: T) -> Answer<T> {
        let mut value = default;
        // SAFETY: writes what the attribute is, which is of this size.
        unsafe { sys::cuPointerGetAttribute((&raw mut value).cast(), attribute, address) }.result()?;
        Ok(value)
    }
    let is_none = |_| "its address is none of a GPU's memory";
    // Of a device, and not of the host: CU_MEMORYTYPE_DEVICE.
    if ask(A::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address, 0u32).map_err(is_none)? != 2 {
        return Err("its address is none of a GPU's memory");
    }
    let ordinal = ask(A::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address, 0i32).map_err(is_none)?;
    let start = ask(A::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address, 0u64).map_err(is_none)?;
    let size = ask(A::CU_POINTER_ATTRIBUTE_RANGE_SIZE, address, 0usize).map_err(is_none)?;
    let end = start.checked_add(size as u64);
    if address.checked_add(bytes as u64).zip(end).is_none_or(|(wanted, end)| wanted > end) {
        return Err("its memory ends before its last element");
    }
    usize::try_from(ordinal).map_err(|_| "its address is none of a GPU's memory")
}

/// Waits for a stream of another library, as `__cuda_array_interface__` numbers it.
///
/// # Safety
/// It is one.
pub unsafe fn wait_for(stream: u64) -> Answer<()> {
    // SAFETY: by the caller's promise; 1 and 2 are CUDA's own streams.
    unsafe { sys::cuStreamSynchronize(stream as sys::CUstream) }.result().map_err(Error::from)
}

/// Waits for all streams of the current context.
pub fn wait_for_all() -> Answer<()> {
    Ok(result::ctx::synchronize()?)
}

/// # Safety
/// So many bytes are allocated there, and stay so until the stream is idle.
pub unsafe fn clear(address: u64, bytes: usize, stream: Stream) -> Answer<()> {
    // SAFETY: by the caller's promise.
    unsafe { result::memset_d8_async(address, 0, bytes, stream.0) }.map_err(Error::from)
}

/// # Safety
/// Both have so many bytes, and stay as they are until the stream is idle.
pub unsafe fn copy_to_device(to: u64, from: *const u8, bytes: usize, stream: Stream) -> Answer<()> {
    // SAFETY: by the caller's promise; may be called where the bytes change later, since it takes them as plain memory.
    Ok(unsafe { sys::cuMemcpyHtoDAsync_v2(to, from.cast(), bytes, stream.0) }.result()?)
}

/// # Safety
/// As for [`copy_to_device`].
pub unsafe fn copy_to_host(to: *mut u8, from: u64, bytes: usize, stream: Stream) -> Answer<()> {
    // SAFETY: by the caller's promise.
    Ok(unsafe { sys::cuMemcpyDtoHAsync_v2(to.cast(), from, bytes, stream.0) }.result()?)
}
