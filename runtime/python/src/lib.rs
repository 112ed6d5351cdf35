//! The Python side of the runtime: capsule, arguments, results, exceptions.
