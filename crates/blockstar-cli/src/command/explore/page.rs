//! The files of the page, which are part of the program.

use crate::Outcome;
use blockstar_files::write_file;
use std::borrow::Cow;
use std::path::{Component, Path};
use std::process::ExitCode;

/// A list of files of the folder `page`.
macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_bytes!(concat!("../../../../../page/", $name)))),*]
    };
}

/// Every file of the page. A test compares the list with the folder.
const FILES: &[(&str, &[u8])] = files! {
    "bar.js"
    "breakpoints.js"
    "camera.js"
    "compare.js"
    "crowd.js"
    "dialogs.js"
    "dom.js"
    "editing.js"
    "frames.js"
    "grid_map.js"
    "help.js"
    "icon.svg"
    "index.html"
    "inspector.js"
    "keys.js"
    "links.js"
    "main.js"
    "map_canvas.js"
    "map_gl.js"
    "maps.js"
    "matrix.js"
    "overlay.js"
    "palette.js"
    "planner_panel.js"
    "planning.js"
    "player.js"
    "profile.js"
    "replay.js"
    "result_panel.js"
    "scrubber.js"
    "session.js"
    "share.js"
    "signals.js"
    "stage.js"
    "state.js"
    "style.css"
    "terrain_shaders.js"
    "terrain_view.js"
    "tools.js"
    "tour.js"
    "trace.js"
    "transport.js"
    "units_view.js"
    "view_panel.js"
    "worker.js"
};

/// The name that the page knows the engine by.
const ENGINE: &str = "blockstar.wasm";

/// A file by the path of its address, and its media type; from a folder, if one is given.
pub fn file(path: &str, folder: Option<&Path>) -> Option<(&'static str, Cow<'static, [u8]>)> {
    let name = match path.strip_prefix('/')? {
        "" => "index.html",
        name => name,
    };
    let content = match folder {
        None => Cow::Borrowed(FILES.iter().find(|file| file.0 == name)?.1),
        Some(folder) => {
            let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
            let inside = Path::new(name).components().all(plain);
            Cow::Owned(inside.then(|| std::fs::read(folder.join(name)).ok())??)
        }
    };
    Some((media_type(name), content))
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" => "application/json",
        "wasm" => "application/wasm",
        "map" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Writes the page and the engine as a folder.
pub fn export(folder: &Path, engine: Option<&Path>) -> Outcome {
    const BUILT: &str = "packages/blockstar/blockstar.wasm";
    let engine = engine.unwrap_or(Path::new(BUILT));
    let wasm = std::fs::read(engine).map_err(|error| {
        format!(
            "{} cannot be read ({error}): make it with packages/blockstar/build.sh and name it with \
             --wasm",
            engine.display()
        )
    })?;
    if !wasm.starts_with(b"\0asm") {
        return Err(format!("{} is not a WebAssembly module", engine.display()).into());
    }
    let files = FILES.iter().copied().chain([(ENGINE, &*wasm)]);
    for (name, content) in files {
        let file = folder.join(name);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent)
                .map_err(|error| format!("{} cannot be made: {error}", parent.display()))?;
        }
        write_file(&file, content)?;
    }
    eprintln!("The explorer is in {}: serve it with any web server.", folder.display());
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files in a folder, as the page names them.
    fn list(folder: &Path, prefix: &str, names: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let name = format!("{prefix}{}", entry.file_name().to_str().unwrap());
            match entry.file_type().unwrap().is_dir() {
                // Tests and their tools are not part of the page.
                true if name != "tests" && name != "node_modules" => {
                    list(&entry.path(), &format!("{name}/"), names);
                }
                false if media_type(&name) != "application/octet-stream" => names.push(name),
                _ => {}
            }
        }
    }

    #[test]
    fn the_list_is_the_folder() {
        let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../page"));
        let mut names = Vec::new();
        list(folder, "", &mut names);
        names.sort();
        let listed: Vec<_> = FILES.iter().map(|file| file.0).collect();
        assert_eq!(listed, names, "list every file of the page here");
    }

    #[test]
    fn paths_stay_in_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(file("/main.rs", Some(&folder)).is_some());
        for path in ["/../Cargo.toml", "//etc/passwd", "/command/../../Cargo.toml", "main.rs"] {
            assert!(file(path, Some(&folder)).is_none(), "{path}");
        }
        assert!(file("/../index.html", None).is_none());
    }
}
