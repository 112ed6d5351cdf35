//! Running the command in a folder of its own.

#![allow(dead_code, reason = "each test file uses some of it")]

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder with files in which the command runs.
pub struct Folder(tempfile::TempDir);

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = folder.path(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    pub fn run<S: AsRef<OsStr>>(&self, arguments: &[S]) -> Run {
        self.run_in("", arguments)
    }

    pub fn run_in<S: AsRef<OsStr>>(&self, folder: &str, arguments: &[S]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pyddc"));
        command.current_dir(self.path(folder)).env_remove("NO_COLOR").args(arguments);
        Run(command.output().unwrap())
    }

    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.path(folder)).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }
}

pub struct Run(pub Output);

impl Run {
    pub fn out(&self) -> String {
        String::from_utf8_lossy(&self.0.stdout).into_owned()
    }

    pub fn err(&self) -> String {
        String::from_utf8_lossy(&self.0.stderr).into_owned()
    }

    #[track_caller]
    pub fn ends_with(self, code: i32) -> Self {
        assert_eq!(self.0.status.code(), Some(code), "{}{}", self.out(), self.err());
        self
    }

    #[track_caller]
    pub fn says(self, part: &str) -> Self {
        assert!(self.err().contains(part), "no {part:?} in:\n{}", self.err());
        self
    }
}
