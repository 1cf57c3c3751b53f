//! Seeded mistakes in the evaluator, and whether the tests find them. All mutants are built at once, each behind a switch, and
//! then switched on one at a time. See the README beside this.

mod run;
mod sites;
mod weave;

use clap::Parser;
use run::{Against, Built};
use sites::Site;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Makes small mistakes in the library, one at a time, and tells which the tests do not find.
#[derive(Parser)]
struct Arguments {
    /// Rooms or files under src/, with commas.
    #[arg(long, default_value = "eval,call", value_delimiter = ',')]
    rooms: Vec<String>,
    /// How many mutants.
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// The seed of the sample.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// What they are tried against.
    #[arg(long, value_enum, default_value = "differential")]
    against: Against,
    /// Generated tuples per mutant.
    #[arg(long, default_value_t = 50_000)]
    cases: usize,
    /// Seconds after which a run counts as failed.
    #[arg(long, default_value_t = 300)]
    seconds: u64,
}

/// A mutant: where, and what.
struct Mutant {
    file: String,
    line: String,
    site: Site,
}

impl Mutant {
    /// `src/eval/bind.rs:12: <= for <`.
    fn told(&self) -> String {
        format!("{}:{}: {}    {}", self.file, self.site.line, self.site.kind, self.line)
    }

    /// How a survivor is named in `argued.txt`: without the line number, so that it survives moves.
    fn key(&self) -> String {
        format!("{} | {} | {}", self.file, self.site.kind, self.line)
    }
}

fn main() -> ExitCode {
    match mutate(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn mutate(arguments: &Arguments) -> Result<bool, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().map_err(|e| e.to_string())?;
    let work = root.join("target/mutation");
    let (tree, target) = (work.join("tree"), work.join("target"));
    let argued = argued(&root.join("mutation/argued.txt"))?;
    let texts = texts(&root, &arguments.rooms)?;
    let mut chosen = sample(&texts, arguments)?;
    // Some do not compile: a quarter is kept in reserve.
    let programs = loop {
        write(&root, &tree, &texts, &chosen)?;
        eprintln!("building {} mutants", chosen.len());
        match run::build(&tree, &target, arguments.against)? {
            Built::Programs(programs) => break programs,
            Built::Refused(numbers) => {
                eprintln!("{} do not compile", numbers.len());
                chosen.retain(|n, _| !numbers.contains(n));
            }
        }
    };
    let limit = Duration::from_secs(arguments.seconds);
    let began = Instant::now();
    if run::is_found(&programs, arguments.against, 0, arguments.cases, limit)? {
        return Err("the tests fail without any mutant".to_owned());
    }
    eprintln!("without a mutant: {:.1} s", began.elapsed().as_secs_f64());
    let (mut found, mut open, mut explained) = (0, Vec::new(), 0);
    for (number, mutant) in chosen.iter().take(arguments.count) {
        if run::is_found(&programs, arguments.against, *number, arguments.cases, limit)? {
            found += 1;
            println!("found     {}", mutant.told());
        } else if argued.contains(&mutant.key()) {
            explained += 1;
            println!("argued    {}", mutant.told());
        } else {
            println!("SURVIVES  {}", mutant.told());
            open.push(mutant.key());
        }
    }
    println!(
        "{} mutants of {}, seed {}: {found} found within {} tuples, {explained} change no decision (argued.txt), {} survive",
        found + explained + open.len(),
        arguments.rooms.join(", "),
        arguments.seed,
        arguments.cases,
        open.len()
    );
    open.iter().for_each(|key| println!("{key}"));
    Ok(open.is_empty())
}

/// The keys of survivors that were looked at: `file | kind | line | why`.
fn argued(path: &Path) -> Result<BTreeSet<String>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let lines = text.lines().filter(|l| !l.starts_with('#') && !l.trim().is_empty());
    lines
        .map(|l| l.rsplit_once(" | ").map(|(key, _why)| key.to_owned()).ok_or_else(|| format!("no reason: {l}")))
        .collect()
}

/// The files that are mutated, by their path from the root.
fn texts(root: &Path, rooms: &[String]) -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    for room in rooms {
        let mut open = vec![root.join("src").join(room)];
        while let Some(path) = open.pop() {
            if path.is_dir() {
                let entries = std::fs::read_dir(&path).map_err(|e| e.to_string())?;
                open.extend(entries.filter_map(|e| e.ok().map(|e| e.path())));
                continue;
            }
            let name = path.strip_prefix(root).map_err(|e| e.to_string())?.to_string_lossy().into_owned();
            if name.ends_with(".rs") && !name.ends_with("tests.rs") && !name.contains("/tests/") {
                let text = std::fs::read_to_string(&path).map_err(|e| format!("{name}: {e}"))?;
                found.insert(name, text);
            }
        }
    }
    if found.is_empty() { Err(format!("no file in {}", rooms.join(", "))) } else { Ok(found) }
}

/// A seeded choice of mutants, with a quarter more than asked for.
fn sample(texts: &BTreeMap<String, String>, arguments: &Arguments) -> Result<BTreeMap<usize, Mutant>, String> {
    let mut all: Vec<(&String, Site)> = Vec::new();
    for (file, text) in texts {
        let sites = sites::sites(text).map_err(|e| format!("{file}: {e}"))?;
        all.extend(sites.into_iter().map(|s| (file, s)));
    }
    eprintln!("{} sites in {} files", all.len(), texts.len());
    shuffle(&mut all, arguments.seed);
    let mut kept: Vec<(&String, Site)> = Vec::new();
    for (file, site) in all {
        let beside: Vec<&Site> = kept.iter().filter(|(f, _)| *f == file).map(|(_, s)| s).chain([&site]).collect();
        let clear = weave::apart(beside.iter().copied()).len() == beside.len();
        if clear {
            kept.push((file, site));
        }
        if kept.len() >= arguments.count + arguments.count / 2 {
            break;
        }
    }
    let mutant = |(file, site): (&String, Site)| {
        let line = texts[file].lines().nth(site.line - 1).unwrap_or_default().trim().to_owned();
        Mutant { file: file.clone(), line, site }
    };
    Ok((1..).zip(kept.into_iter().map(mutant)).collect())
}

/// Fisher and Yates, with SplitMix64.
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut state = seed;
    for i in (1..items.len()).rev() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        items.swap(i, ((z ^ (z >> 31)) % (i as u64 + 1)) as usize);
    }
}

/// The tree as it is committed or changed, with the mutants in it. Files that stay the same are not touched, so that little
/// is built anew.
fn write(
    root: &Path,
    tree: &Path,
    texts: &BTreeMap<String, String>,
    mutants: &BTreeMap<usize, Mutant>,
) -> Result<(), String> {
    let listed = Command::new("git").args(["ls-files", "-co", "--exclude-standard"]).current_dir(root).output();
    let listed = listed.map_err(|e| e.to_string())?.stdout;
    for name in String::from_utf8_lossy(&listed).lines() {
        let from = root.join(name);
        if !from.is_file() || name.starts_with("mutation/") {
            continue;
        }
        let mut bytes = std::fs::read(&from).map_err(|e| format!("{name}: {e}"))?;
        if let Some(text) = texts.get(name) {
            let own: Vec<_> = mutants.iter().filter(|(_, m)| m.file == *name).map(|(n, m)| (*n, &m.site)).collect();
            bytes = weave::weave(text, &own).into_bytes();
        }
        if name == "src/lib.rs" {
            bytes.extend_from_slice(weave::SWITCH.as_bytes());
        }
        let to = tree.join(name);
        if std::fs::read(&to).is_ok_and(|old| old == bytes) {
            continue;
        }
        let parent: PathBuf = to.parent().map_or_else(|| tree.to_owned(), Path::to_owned);
        std::fs::create_dir_all(&parent).and_then(|()| std::fs::write(&to, &bytes)).map_err(|e| format!("{name}: {e}"))?;
    }
    Ok(())
}
