//! The file system that the linker sees: objects, libraries, and one output.

use libwild::error::Result;
use libwild::{FileSystem, FileType, InputFileData, OutputFileData, OutputOptions};
use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone, Default)]
pub struct InMemory {
    inputs: Arc<BTreeMap<PathBuf, Arc<[u8]>>>,
    output: Arc<Mutex<Option<Vec<u8>>>>,
}

impl InMemory {
    pub fn new(inputs: BTreeMap<PathBuf, Arc<[u8]>>) -> Self {
        Self { inputs: Arc::new(inputs), output: Arc::default() }
    }

    /// What the linker wrote, once it has finished.
    pub fn take_output(&self) -> Option<Vec<u8>> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn find(&self, path: &Path) -> Result<&Arc<[u8]>> {
        self.inputs
            .get(path)
            .ok_or_else(|| libwild::error::Error::with_message(format!("no input {}", path.display())))
    }
}

#[derive(Debug)]
pub struct Input(Arc<[u8]>);

impl InputFileData for Input {
    fn bytes(&self) -> &[u8] {
        &self.0
    }
}

pub struct Output {
    bytes: Vec<u8>,
    finished: Arc<Mutex<Option<Vec<u8>>>>,
}

impl OutputFileData for Output {
    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    fn finish(self) -> Result {
        *self.finished.lock().unwrap_or_else(PoisonError::into_inner) = Some(self.bytes);
        Ok(())
    }
}

impl FileSystem for InMemory {
    type Input = Input;
    type Output = Output;

    fn open_input(&self, path: &Path, _prepopulate_maps: bool) -> Result<(Input, Option<Arc<File>>)> {
        Ok((Input(Arc::clone(self.find(path)?)), None))
    }

    fn file_type(&self, path: &Path) -> Result<FileType> {
        self.find(path).map(|_| FileType::File)
    }

    fn canonicalize(&self, path: &Path) -> Result<PathBuf> {
        Ok(path.to_path_buf())
    }

    fn remove_file(&self, _path: &Path) -> Result<()> {
        Ok(())
    }

    fn rename_file(&self, _path: &Path, _new_path: &Path) -> Result<()> {
        Ok(())
    }

    fn create_output(&self, _path: Arc<Path>, options: OutputOptions) -> Result<Output> {
        Ok(Output { bytes: vec![0; usize::try_from(options.size)?], finished: Arc::clone(&self.output) })
    }

    /// Traces and layouts that the linker's own environment variables ask for.
    fn write_auxiliary(&self, _path: &Path, _bytes: &[u8]) -> Result {
        Ok(())
    }
}
