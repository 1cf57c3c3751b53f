//! Names on the command line → texts: files, directories, standard input; and where imports are found.

use crate::config::{self, Config};
use crate::exit::CommandError;
use bailiwick::driver::{Input, Loader};
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// What the files on the command line are.
pub enum Given {
    /// Policies to compile.
    Sources(Vec<Input>, Config),
    /// One compiled table.
    Table(PathBuf, Vec<u8>),
}

/// Reads the files; one `.bwt` alone, a file or standard input, may stand in place of sources.
pub fn read(files: &[PathBuf]) -> Result<Given, CommandError> {
    let [only] = files else {
        let alone = |name: &str| CommandError::usage(format!("`{name}` is a compiled table, which is given alone"));
        let (inputs, config) = gather(files, None, &alone)?;
        return Ok(Given::Sources(inputs, config));
    };
    let bytes = if only.is_dir() { None } else { Some(bytes(only)?) };
    match bytes {
        Some(bytes) if is_table(only, &bytes) => Ok(Given::Table(PathBuf::from(shown(only)), bytes)),
        bytes => {
            let (inputs, config) = gather(files, bytes, &needs_sources)?;
            Ok(Given::Sources(inputs, config))
        }
    }
}

/// Reads policies, and the boundaries that the configuration adds.
pub fn sources(files: &[PathBuf]) -> Result<(Vec<Input>, Config), CommandError> {
    gather(files, None, &needs_sources)
}

/// `bytes`, where given, is what the first of the files holds: standard input is read only once.
fn gather(
    files: &[PathBuf],
    mut bytes: Option<Vec<u8>>,
    is_table: &dyn Fn(&str) -> CommandError,
) -> Result<(Vec<Input>, Config), CommandError> {
    let config = match files.first() {
        Some(first) if !is_stdin(first) => config::find(first)?,
        _ => config::find(Path::new("."))?,
    };
    let mut inputs: Vec<Input> = Vec::new();
    for path in expand(files)?.into_iter().chain(expand(&config.boundaries)?) {
        let input = input(&path, bytes.take(), is_table)?;
        if !inputs.iter().any(|i| i.identity == input.identity) {
            inputs.push(input);
        }
    }
    Ok((inputs, config))
}

/// Whether the name means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Standard input is read once.
pub fn read_once(users: &[(bool, &str)]) -> Result<(), CommandError> {
    let users: Vec<&str> = users.iter().filter_map(|(uses, name)| uses.then_some(*name)).collect();
    match users.len() {
        0 | 1 => Ok(()),
        _ => Err(CommandError::usage(format!("standard input cannot be {} at once", users.join(" and ")))),
    }
}

/// A file called `.bwt` is meant to be a table, even when it holds none.
fn is_table(path: &Path, bytes: &[u8]) -> bool {
    bytes.starts_with(b"BWT1") || path.extension().is_some_and(|e| e == "bwt")
}

fn needs_sources(name: &str) -> CommandError {
    CommandError::usage(format!("`{name}` is a compiled table; what is needed here are the policy's sources (.bwk)"))
}

/// Directories become the policies below them, sorted.
pub fn expand(files: &[PathBuf]) -> Result<Vec<PathBuf>, CommandError> {
    let mut found = Vec::new();
    for path in files {
        if path.is_dir() {
            let before = found.len();
            walk(path, &mut found)?;
            if found.len() == before {
                return Err(CommandError::usage(nothing_in(path)));
            }
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

fn nothing_in(directory: &Path) -> String {
    let shown = directory.display();
    let entries = fs::read_dir(directory).into_iter().flatten().flatten().map(|e| e.path());
    let mut tables: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|e| e == "bwt")).collect();
    tables.sort();
    match tables.first() {
        Some(table) => format!("there is no .bwk file in `{shown}`; for the compiled table name it: `{}`", table.display()),
        None => format!("there is no .bwk file in `{shown}`"),
    }
}

fn walk(directory: &Path, found: &mut Vec<PathBuf>) -> Result<(), CommandError> {
    let failed = |source| CommandError::Read { path: directory.to_owned(), source };
    let mut entries: Vec<PathBuf> =
        fs::read_dir(directory).map_err(failed)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>().map_err(failed)?;
    entries.sort();
    for path in entries {
        let hidden = path.file_name().is_some_and(|n| n.to_string_lossy().starts_with('.'));
        if path.is_dir() && !hidden && !path.is_symlink() {
            walk(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "bwk") {
            found.push(path);
        }
    }
    Ok(())
}

/// One policy, or standard input for `-`.
pub fn source(path: &Path) -> Result<Input, CommandError> {
    input(path, None, &needs_sources)
}

fn input(path: &Path, known: Option<Vec<u8>>, table: &dyn Fn(&str) -> CommandError) -> Result<Input, CommandError> {
    let name = shown(path);
    let identity = if is_stdin(path) { name.clone() } else { identity(path) };
    let bytes = known.map_or_else(|| bytes(path), Ok)?;
    if is_table(path, &bytes) {
        return Err(table(&name));
    }
    let text = text(&name, bytes)?;
    Ok(Input { name, identity, text })
}

fn shown(path: &Path) -> String {
    if is_stdin(path) { "<stdin>".to_owned() } else { path.display().to_string() }
}

/// The bytes of a file, or of standard input for `-`.
pub fn bytes(path: &Path) -> Result<Vec<u8>, CommandError> {
    let failed = |source| CommandError::Read { path: path.to_owned(), source };
    if is_stdin(path) {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
        return Ok(bytes);
    }
    fs::read(path).map_err(failed)
}

fn text(name: &str, bytes: Vec<u8>) -> Result<String, CommandError> {
    String::from_utf8(bytes)
        .map_err(|e| CommandError::Encoding { name: name.to_owned(), offset: e.utf8_error().valid_up_to() })
}

/// The same file has the same identity, however it is named.
fn identity(path: &Path) -> String {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// Imports from the file system: relative to the importing file, then below the import roots.
pub struct FileLoader {
    roots: Vec<PathBuf>,
}

impl FileLoader {
    /// A loader that also looks below the configured roots.
    pub fn new(config: &Config) -> FileLoader {
        FileLoader { roots: config.import_roots.clone() }
    }
}

impl Loader for FileLoader {
    fn load(&mut self, path: &str, from: &Input) -> Result<Input, String> {
        let beside = Path::new(&from.name).parent().unwrap_or(Path::new("")).join(path);
        let relative = path.starts_with("./") || path.starts_with("../");
        let roots = self.roots.iter().filter(|_| !relative).map(|root| root.join(path));
        for candidate in std::iter::once(beside).chain(roots) {
            if candidate.is_file() {
                let found = source(&candidate).map_err(|e| reason(&e))?;
                return Ok(Input { name: tidied(&candidate).display().to_string(), ..found });
            }
        }
        Err("there is no such file".to_owned())
    }
}

/// `a/./b/../c` as `a/c`, for names that people read.
fn tidied(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidy.components().next_back(), Some(Component::Normal(_))) => {
                tidy.pop();
            }
            Component::ParentDir | Component::Normal(_) | Component::RootDir | Component::Prefix(_) => tidy.push(part),
        }
    }
    tidy
}

fn reason(error: &CommandError) -> String {
    match std::error::Error::source(error) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}
