//! Where C's math functions come from.

use object::Architecture;
use object::elf::{ELFMAG, EM_AARCH64, EM_X86_64};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

const SONAME: &str = "libm.so.6";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Libm {
    /// Bind to this machine's `libm.so.6`, at the symbol versions that it has now, so the module asks for
    /// a C library at least as new. Without such a file (musl has none): as [`Libm::Unbound`].
    #[default]
    Host,
    /// Leave math functions to whatever the process has loaded; Python itself is linked with libm. The
    /// module runs with any C library, and its bytes do not depend on this machine's.
    Unbound,
}

impl Libm {
    /// The file to link with, when there is one for this processor.
    pub fn locate(self, architecture: Architecture) -> Option<PathBuf> {
        match self {
            Self::Unbound => None,
            Self::Host => candidates().into_iter().find(|path| is_for(path, architecture)),
        }
    }
}

/// What the dynamic loader would look at: its cache, then the folders that distributions use.
fn candidates() -> Vec<PathBuf> {
    let cache = std::fs::read("/etc/ld.so.cache").unwrap_or_default();
    let mut paths = cached_paths(&cache, SONAME);
    let folders = [
        "/lib/x86_64-linux-gnu",
        "/lib/aarch64-linux-gnu",
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/lib64",
        "/usr/lib64",
        "/lib",
        "/usr/lib",
    ];
    paths.extend(folders.iter().map(|folder| Path::new(folder).join(SONAME)));
    paths
}

/// Paths that `ld.so.cache` lists for `soname`. Format: glibc's `sysdeps/generic/dl-cache.h`,
/// `struct cache_file_new`, which may follow an older table.
fn cached_paths(cache: &[u8], soname: &str) -> Vec<PathBuf> {
    const MAGIC: &[u8] = b"glibc-ld.so.cache1.1";
    const HEADER: usize = 48;
    const ENTRY: usize = 24;
    let Some(start) = cache.windows(MAGIC.len()).position(|window| window == MAGIC) else {
        return Vec::new();
    };
    let table = &cache[start..];
    let count = word(table, MAGIC.len()).unwrap_or(0);
    (0..count)
        .map_while(|i| {
            let entry = HEADER + i * ENTRY;
            Some((string(table, word(table, entry + 4)?)?, string(table, word(table, entry + 8)?)?))
        })
        .filter(|(key, _)| *key == soname)
        .map(|(_, path)| PathBuf::from(path))
        .collect()
}

fn word(table: &[u8], at: usize) -> Option<usize> {
    let bytes = table.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(bytes)).ok()
}

fn string(table: &[u8], at: usize) -> Option<&str> {
    let rest = table.get(at..)?;
    let length = rest.iter().position(|&byte| byte == 0)?;
    std::str::from_utf8(&rest[..length]).ok()
}

/// Whether `path` is a 64-bit ELF file for `architecture`.
fn is_for(path: &Path, architecture: Architecture) -> bool {
    let wanted = match architecture {
        Architecture::X86_64 => EM_X86_64,
        Architecture::Aarch64 => EM_AARCH64,
        _ => return false,
    };
    let mut header = [0; 20];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header[..4] == ELFMAG && header[4] == 2 && header[18..20] == wanted.0.to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cache of two libraries, behind some bytes of an older table.
    fn cache() -> Vec<u8> {
        let strings = b"libc.so.6\0libm.so.6\0/odd/lib/libm.so.6\0";
        let base = 48 + 2 * 24;
        let entry = |key: usize, value: usize| {
            let mut entry = vec![0; 24];
            entry[4..8].copy_from_slice(&u32::try_from(base + key).unwrap().to_le_bytes());
            entry[8..12].copy_from_slice(&u32::try_from(base + value).unwrap().to_le_bytes());
            entry
        };
        let mut table = b"glibc-ld.so.cache1.1".to_vec();
        table.extend(2u32.to_le_bytes());
        table.resize(48, 0);
        table.extend(entry(0, 0));
        table.extend(entry(10, 20));
        table.extend(strings);
        [b"ld.so-1.7.0\0".to_vec(), table].concat()
    }

    #[test]
    fn cache_lists_the_path_of_a_soname() {
        assert_eq!(cached_paths(&cache(), "libm.so.6"), [PathBuf::from("/odd/lib/libm.so.6")]);
        assert!(cached_paths(&cache(), "libz.so.1").is_empty());
    }

    #[test]
    fn damaged_cache_lists_nothing() {
        let cache = cache();
        for length in 0..cache.len() {
            assert!(cached_paths(&cache[..length], "libm.so.6").is_empty());
        }
    }

    #[test]
    fn files_that_are_no_library_are_passed_over() {
        assert!(!is_for(Path::new("/etc/passwd"), Architecture::X86_64));
        assert!(!is_for(Path::new("/nonexistent/libm.so.6"), Architecture::X86_64));
    }
}
