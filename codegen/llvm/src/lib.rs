//! Loop IR to objects through LLVM.
