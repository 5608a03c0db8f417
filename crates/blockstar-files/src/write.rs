//! Files that are written completely or not at all.
//!
//! A file is written under another name in the same folder, synced and renamed. Whatever happens
//! meanwhile (a kill, a full disk, a second writer), the name has the old content or the new one,
//! never half of either. Only a kill leaves the temporary file behind, with a name that ends in
//! `.tmp`.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Writes a file: afterwards it has these bytes or, after an error, its old content.
///
/// # Errors
/// A message that names the file.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), String> {
    replace_file(path, |file| file.write_all(bytes))
}

/// The same for a file whose content is written piece by piece.
///
/// Pipes and devices, which cannot be replaced, are written in place. A link stays a link, and its
/// file is replaced. The permissions stay.
///
/// # Errors
/// A message that names the file; also if `write` fails.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> Result<(), String> {
    replace(path, write).map_err(|error| format!("{} cannot be written: {error}", path.display()))
}

fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let old = match fs::metadata(path) {
        Ok(old) if !old.is_file() && !old.is_dir() => {
            return write(&mut OpenOptions::new().write(true).open(path)?);
        }
        Ok(old) => Some(old),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let place = match &old {
        Some(old) if old.is_dir() => return Err(ErrorKind::IsADirectory.into()),
        // Whoever protects a file against writing does not want it replaced either.
        Some(old) if old.permissions().readonly() => {
            return Err(ErrorKind::PermissionDenied.into());
        }
        Some(_) => path.canonicalize()?,
        None => path.to_path_buf(),
    };
    let (draft, mut file) = Draft::create(&place)?;
    if let Some(old) = old {
        file.set_permissions(old.permissions())?;
    }
    write(&mut file)?;
    file.sync_all()?;
    // Some systems do not rename open files.
    drop(file);
    draft.publish(&place)
}

/// A file under another name, which is removed unless it is published.
struct Draft(Option<PathBuf>);

impl Draft {
    fn create(place: &Path) -> io::Result<(Self, File)> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = place.file_name().ok_or(ErrorKind::InvalidFilename)?;
        loop {
            let count = COUNT.fetch_add(1, Ordering::Relaxed);
            let mut other = std::ffi::OsString::from(".");
            other.push(name);
            other.push(format!(".{}-{count}.tmp", std::process::id()));
            let other = place.with_file_name(other);
            match File::create_new(&other) {
                Ok(file) => return Ok((Self(Some(other)), file)),
                // Left behind by a killed process with the same id.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    fn publish(mut self, place: &Path) -> io::Result<()> {
        if let Some(draft) = &self.0 {
            fs::rename(draft, place)?;
            self.0 = None;
            // The new name must survive a power cut as well. Not every system can sync a folder,
            // and the content is safe either way.
            let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Ok(folder) = File::open(folder.unwrap_or(Path::new("."))) {
                let _ = folder.sync_all();
            }
        }
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Some(draft) = &self.0 {
            // There is nobody left to report it to.
            let _ = fs::remove_file(draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fresh folder, removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path =
                std::env::temp_dir().join(format!("blockstar-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<_> =
                entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn full(_: &mut File) -> io::Result<()> {
        Err(ErrorKind::StorageFull.into())
    }

    #[test]
    fn a_failing_writer_leaves_the_old_file_and_nothing_beside_it() {
        let folder = Folder::new("failing");
        let file = folder.0.join("a.map");
        let half = |out: &mut File| out.write_all(b"half").and_then(|()| full(out));
        let told = replace_file(&file, half).unwrap_err();
        assert!(told.contains("a.map cannot be written"), "{told}");
        assert!(folder.names().is_empty());
        write_file(&file, b"old").unwrap();
        replace_file(&file, half).unwrap_err();
        assert_eq!(fs::read(&file).unwrap(), b"old");
        assert_eq!(folder.names(), ["a.map"]);
        write_file(&file, b"new").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn two_writers_at_once_leave_one_whole_file() {
        let folder = Folder::new("writers");
        let file = folder.0.join("a.map");
        let contents = [b'a', b'b'].map(|letter| vec![letter; 100_000]);
        std::thread::scope(|scope| {
            for content in &contents {
                let file = &file;
                scope.spawn(move || {
                    for _ in 0..20 {
                        write_file(file, content).unwrap();
                        let seen = fs::read(file).unwrap();
                        assert!(seen.len() == 100_000 && seen.iter().all(|b| *b == seen[0]));
                    }
                });
            }
        });
        assert_eq!(folder.names(), ["a.map"]);
    }

    #[test]
    fn folders_protected_files_and_missing_folders_are_refused() {
        let folder = Folder::new("refused");
        assert!(write_file(&folder.0, b"x").unwrap_err().contains("cannot be written"));
        assert!(write_file(&folder.0.join("no/a.map"), b"x").is_err());
        assert!(write_file(Path::new(""), b"x").is_err());
        let file = folder.0.join("a.map");
        write_file(&file, b"old").unwrap();
        let mut rights = fs::metadata(&file).unwrap().permissions();
        rights.set_readonly(true);
        fs::set_permissions(&file, rights).unwrap();
        assert!(write_file(&file, b"new").is_err());
        assert_eq!(fs::read(&file).unwrap(), b"old");
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_devices_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new("links");
        let (file, link) = (folder.0.join("a.map"), folder.0.join("link.map"));
        write_file(&file, b"old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("a.map", &link).unwrap();
        write_file(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        write_file(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
