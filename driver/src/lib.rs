//! Sessions, options and the pyddc command.
