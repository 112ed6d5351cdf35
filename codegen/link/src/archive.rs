//! Objects as a static library, for linkers of other programs.

use crate::{LinkError, with_own_math};
use ar_archive_writer::{ArchiveKind, DEFAULT_OBJECT_READER, NewArchiveMember, write_archive_to_stream};
use std::io::Cursor;

/// Puts an ELF `object` into the bytes of a static library called `name`, with what it calls of `pydd_math`. Whatever is linked with it binds
/// the C library's functions. The same objects give the same bytes.
pub fn archive(object: &[u8], name: &str) -> Result<Vec<u8>, LinkError> {
    let (objects, _) = with_own_math(&[object])?;
    let names = [format!("{name}.o"), "pydd_math.o".to_owned()];
    let member = |(bytes, name)| NewArchiveMember::new(bytes, &DEFAULT_OBJECT_READER, name);
    let members: Vec<NewArchiveMember<'_>> = objects.into_iter().zip(names).map(member).collect();
    let mut out = Cursor::new(Vec::new());
    write_archive_to_stream(&mut out, &members, ArchiveKind::Gnu, false, None)
        .map_err(|error| LinkError::Object(error.to_string()))?;
    Ok(out.into_inner())
}
