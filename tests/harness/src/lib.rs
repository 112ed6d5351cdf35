//! Runs the case files under tests/.
