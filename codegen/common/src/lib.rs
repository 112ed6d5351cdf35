//! What every backend needs before it emits code.
