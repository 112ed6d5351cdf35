//! The table of places that can raise.

use pydd_abi::{ExcKind, OWN_EXCEPTIONS};
use pydd_ir::{Exc, Loc, Message};
use std::collections::BTreeMap;

/// One place: what is raised, and where the source has it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Site {
    pub exc: Exc,
    pub loc: Loc,
    pub message: Option<Message>,
}

/// All places of a module, without duplicates, in order of their first use.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SiteTable {
    index: BTreeMap<Site, u32>,
    sites: Vec<Site>,
}

impl SiteTable {
    /// The number of a place.
    pub fn intern(&mut self, exc: Exc, loc: Loc, message: Option<Message>) -> u32 {
        let site = Site { exc, loc, message };
        *self.index.entry(site).or_insert_with_key(|site| {
            self.sites.push(site.clone());
            u32::try_from(self.sites.len() - 1).expect("fewer than 2^32 sites")
        })
    }

    #[must_use]
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }
}

/// The ABI's number of an exception.
#[must_use]
pub fn exc_number(exc: Exc) -> u32 {
    let kind = match exc {
        Exc::Own(index) => return OWN_EXCEPTIONS + u32::from(index),
        Exc::RuntimeError => ExcKind::RuntimeError,
        Exc::IndexError => ExcKind::IndexError,
        Exc::ValueError => ExcKind::ValueError,
        Exc::TypeError => ExcKind::TypeError,
        Exc::ZeroDivisionError => ExcKind::ZeroDivisionError,
        Exc::OverflowError => ExcKind::OverflowError,
        Exc::MemoryError => ExcKind::MemoryError,
        Exc::RecursionError => ExcKind::RecursionError,
        Exc::AssertionError => ExcKind::AssertionError,
        Exc::UnboundLocalError => ExcKind::UnboundLocalError,
        Exc::KeyError => ExcKind::KeyError,
        Exc::NotImplementedError => ExcKind::NotImplementedError,
        Exc::ArithmeticError => ExcKind::ArithmeticError,
        Exc::FloatingPointError => ExcKind::FloatingPointError,
        Exc::LookupError => ExcKind::LookupError,
        Exc::StopIteration => ExcKind::StopIteration,
        Exc::KeyboardInterrupt => ExcKind::KeyboardInterrupt,
        Exc::SystemError => ExcKind::SystemError,
        Exc::Exception => ExcKind::Exception,
        Exc::ImportError => ExcKind::ImportError,
        Exc::OSError => ExcKind::OSError,
        Exc::LinAlgError => ExcKind::LinAlgError,
    };
    kind as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both lists are written out, as the IR knows nothing of the ABI.
    #[test]
    fn the_abi_has_the_exceptions_of_the_ir() {
        assert_eq!(Exc::ALL.map(exc_number), ExcKind::ALL.map(|kind| kind as u32));
    }
}
