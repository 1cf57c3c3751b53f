//! A call's paths → what they name on this machine, symbolic links followed. Knows types, and no policy.

use bailiwick::domain::{Kind, Member, Rest, Type, Value};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// By JSON pointer into the arguments, what each path names.
pub type Resolved = Vec<(Box<str>, Box<str>)>;

/// Resolves every path among the arguments; `prefix`: the way to them.
///
/// # Errors
/// The path that cannot be followed, and why.
pub fn resolve(arguments: &[Member], value: &Value, prefix: &str, base: &Path) -> Result<Resolved, String> {
    let Value::Object(given) = value else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for argument in arguments {
        if let Some((_, value)) = given.iter().find(|(name, _)| *name == argument.name) {
            collect(&argument.ty, value, &step(prefix, &argument.name), &mut found);
        }
    }
    let named = |(pointer, text): (String, &str)| {
        let real = follow(text, base).map_err(|error| format!("{text:?} cannot be followed: {error}"))?;
        Ok((pointer.into(), real.into()))
    };
    found.into_iter().map(named).collect()
}

fn step(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The paths inside a value, by pointer.
fn collect<'v>(ty: &Type, value: &'v Value, pointer: &str, found: &mut Vec<(String, &'v str)>) {
    match (&ty.kind, value) {
        (Kind::Path { .. }, Value::Text(text)) => found.push((pointer.to_owned(), text)),
        (Kind::List(of) | Kind::OneOrList(of), Value::List(items)) => {
            for (at, item) in items.iter().enumerate() {
                collect(of, item, &format!("{pointer}/{at}"), found);
            }
        }
        (Kind::OneOrList(of), one) => collect(of, one, pointer, found),
        (Kind::Map(of), Value::Object(members)) => {
            members.iter().for_each(|(name, value)| collect(of, value, &step(pointer, name), found));
        }
        (Kind::Record { members, rest }, Value::Object(given)) => {
            for (name, value) in given {
                match (members.iter().find(|member| member.name == *name), rest) {
                    (Some(member), _) => collect(&member.ty, value, &step(pointer, name), found),
                    (None, Rest::Typed(ty)) => collect(ty, value, &step(pointer, name), found),
                    (None, Rest::Open | Rest::Closed) => {}
                }
            }
        }
        (Kind::Union(parts), value) => {
            for part in parts {
                let before = found.len();
                collect(part, value, pointer, found);
                if found.len() > before {
                    break;
                }
            }
        }
        _ => {} // no path can stand here
    }
}

/// How many symbolic links are followed.
const LINKS: usize = 40;

/// What the path names: component by component, as the system would open it. What does not exist yet names itself below what
/// does. Relative below `base` where it was given relative and stays there.
fn follow(text: &str, base: &Path) -> io::Result<String> {
    let given = Path::new(text);
    let mut waiting: Vec<PathBuf> = Vec::new();
    let mut real = if given.is_absolute() { PathBuf::from("/") } else { base.to_owned() };
    let mut links = 0;
    push(&mut waiting, given);
    while let Some(part) = waiting.pop() {
        match part.components().next() {
            None | Some(Component::CurDir | Component::Prefix(_)) => {}
            Some(Component::RootDir) => real = PathBuf::from("/"),
            Some(Component::ParentDir) => drop(real.pop()),
            Some(Component::Normal(name)) => {
                real.push(name);
                match fs::read_link(&real) {
                    Ok(_) if links >= LINKS => return Err(io::Error::other("too many symbolic links")),
                    Ok(target) => {
                        links += 1;
                        real.pop();
                        push(&mut waiting, &target);
                    }
                    // No link (EINVAL), or nothing there yet.
                    Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => {}
                    Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
                    Err(error) => return Err(error),
                }
            }
        }
    }
    let shown = match real.strip_prefix(base) {
        Ok(below) if !given.is_absolute() => below.to_owned(),
        _ => real,
    };
    shown.into_os_string().into_string().map_err(|_| io::Error::other("its name is not UTF-8"))
}

/// The components, the first on top.
fn push(waiting: &mut Vec<PathBuf>, path: &Path) {
    let parts: Vec<PathBuf> = path.components().map(|part| PathBuf::from(part.as_os_str())).collect();
    waiting.extend(parts.into_iter().rev());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn links_are_followed_wherever_they_stand() {
        let place = tempfile::tempdir().expect("a directory");
        let base = place.path().canonicalize().expect("a path");
        fs::create_dir_all(base.join("a/b")).expect("writable");
        std::os::unix::fs::symlink("/etc", base.join("out")).expect("a link");
        std::os::unix::fs::symlink("a/b", base.join("in")).expect("a link");
        std::os::unix::fs::symlink("/nowhere/x", base.join("dangling")).expect("a link");
        std::os::unix::fs::symlink("loop", base.join("loop")).expect("a link");
        let named = |text: &str| follow(text, &base).ok();
        let below = |text: &str| Some(base.join(text).display().to_string());
        assert_eq!(named("out/passwd").as_deref(), Some("/etc/passwd"));
        assert_eq!(named("dangling").as_deref(), Some("/nowhere/x"));
        assert_eq!(named("in/new.txt").as_deref(), Some("a/b/new.txt"));
        assert_eq!(named("in/../x").as_deref(), Some("a/x"), "`..` is taken after the link");
        assert_eq!(named(&base.join("in/x").display().to_string()), below("a/b/x"));
        assert_eq!(named("new/x").as_deref(), Some("new/x"));
        assert_eq!(named("loop"), None);
    }
}
