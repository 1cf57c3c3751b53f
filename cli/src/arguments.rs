//! What may stand on the command line, with help that teaches.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// Decide what an AI agent may pass to its tools.
///
/// A policy is written in *.bwk files: a vocabulary (the tools), an agent (its ceiling), overlays that narrow it. `check` finds
/// its mistakes, `verify` proves that overlays only narrow, `eval` decides calls, `compile` makes the table that hosts load.
#[derive(Debug, Parser)]
#[command(name = "bailiwick", version = version(), max_term_width = 110, after_help = FIRST_STEPS)]
pub struct Arguments {
    /// Colours on the terminal.
    #[arg(long, global = true, value_enum, default_value_t = When::Auto, value_name = "WHEN")]
    pub color: When,
    /// Only results; no warnings, no progress.
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const FIRST_STEPS: &str = "\
First steps:
  bailiwick init my-policy          a small policy that works
  bailiwick test my-policy          run its tests
  bailiwick eval my-policy --calls calls.jsonl
  bailiwick explain widens          what an error means

Exit codes: 0 yes, 1 no, 2 no answer, 3 widens.";

fn version() -> &'static str {
    concat!(env!("CARGO_PKG_VERSION"), " (table format BWT1)")
}

/// Whether to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Make a small working policy: vocabulary, agent, overlay, tests
    Init(Init),
    /// Report what is wrong with a policy
    Check(Check),
    /// Report errors and what a reviewer would say: lints, claims that the policy contradicts
    Lint(Lint),
    /// Lay policies out in the canonical way, comments kept
    Fmt(Fmt),
    /// Make the table that hosts load
    Compile(Compile),
    /// Print the decision table for people to read
    Table(Table),
    /// Decide calls
    Eval(Eval),
    /// Show the tools that a model sees, with narrowed schemas
    Surface(Surface),
    /// Prove that overlays only narrow
    Verify(Verify),
    /// Compare two policies: what is newly permitted, what newly refused
    Diff(Diff),
    /// List every clause that speaks to one call
    Why(Why),
    /// Explain an error or lint
    Explain(Explain),
    /// Run the policy's own tests
    Test(Test),
    /// Make a vocabulary of what a server offers
    #[command(subcommand)]
    Import(Import),
    /// Say what a server offers that a vocabulary does not say, and the reverse
    Drift(Drift),
    /// Stand in front of a server: only what the policy permits reaches it
    Proxy(Proxy),
    /// Print a completion script for a shell
    Completions(Completions),
}

/// Arguments of `init`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bailiwick init my-policy && bailiwick test my-policy")]
pub struct Init {
    /// Where; must be empty or not there yet.
    #[arg(default_value = ".", value_name = "DIR")]
    pub directory: PathBuf,
}

/// Policy files.
#[derive(Debug, Args)]
pub struct Files {
    /// Policies: files, directories, or `-` for standard input.
    #[arg(required = true, value_name = "FILES")]
    pub files: Vec<PathBuf>,
}

/// Formats of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FindingFormat {
    /// With excerpts of the source.
    Human,
    /// One JSON document.
    Json,
    /// SARIF 2.1.0.
    Sarif,
    /// Annotations of GitHub Actions.
    Github,
    /// One line each.
    Short,
}

/// Formats of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ResultFormat {
    /// For people.
    Human,
    /// JSON, one document; JSON Lines for `eval`.
    Json,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick check policies/
  bailiwick check policies/ --format sarif > findings.sarif
  cat agent.bwk | bailiwick check -

Exit: 0 no errors, 1 errors. The findings are the result: they go to standard output.")]
pub struct Check {
    #[command(flatten)]
    pub files: Files,
    /// How findings are shown.
    #[arg(long, value_enum, default_value_t = FindingFormat::Human, value_name = "FORMAT")]
    pub format: FindingFormat,
}

/// Arguments of `lint`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick lint policies/
  bailiwick lint policies/ -D warnings -A untested-row
  bailiwick lint policies/ --format sarif > findings.sarif
  bailiwick lint policies/ --baseline .bailiwick-baseline.json

RULE is a code (W0211), a slug (irreversible-without-approval), or `warnings` for all that warn. In a policy:
  // lint: allow RULE: why it is right here
Exit: 0 no errors and nothing denied, 1 errors or denied lints. The findings are the result: they go to standard output.")]
pub struct Lint {
    #[command(flatten)]
    pub files: Files,
    /// Fail the run where RULE finds something; may be repeated.
    #[arg(short = 'D', long, value_name = "RULE")]
    pub deny: Vec<String>,
    /// Show what RULE finds, and pass; may be repeated.
    #[arg(short = 'W', long, value_name = "RULE")]
    pub warn: Vec<String>,
    /// Do not show what RULE finds; may be repeated.
    #[arg(short = 'A', long, value_name = "RULE")]
    pub allow: Vec<String>,
    /// Show only what is not in this file; where it is missing, write it and show everything.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Apply the fixes that need no judgement, and show what is left.
    #[arg(long)]
    pub fix: bool,
    /// How findings are shown.
    #[arg(long, value_enum, default_value_t = FindingFormat::Human, value_name = "FORMAT")]
    pub format: FindingFormat,
}

/// Arguments of `fmt`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick fmt policies/            rewrite in place
  bailiwick fmt policies/ --check    exit 1 and name the files that differ
  bailiwick fmt - < agent.bwk        filter")]
pub struct Fmt {
    #[command(flatten)]
    pub files: Files,
    /// Change nothing; exit 1 if a file is laid out otherwise.
    #[arg(long)]
    pub check: bool,
}

/// Arguments of `compile`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  bailiwick compile policies/ -o policy.bwt

Prints the digest of what the table means; the same meaning has the same digest, whatever the layout.
Exit: 0 written, 2 the policy does not compile.")]
pub struct Compile {
    #[command(flatten)]
    pub files: Files,
    /// The table to write; `-` for standard output.
    #[arg(short, long, value_name = "OUT.bwt")]
    pub output: PathBuf,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = ResultFormat::Human, value_name = "FORMAT")]
    pub format: ResultFormat,
}

/// Which agent, under which overlays.
#[derive(Debug, Args)]
pub struct Applied {
    /// The agent; may be left out where there is one.
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// An overlay on the agent or on a parent of it: its name, or a file (.bwk) with one that is proved first; may be repeated.
    #[arg(long = "overlay", value_name = "OVERLAY")]
    pub overlays: Vec<String>,
}

/// Arguments of `table`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick table policies/ --agent bill_payer
  bailiwick table policies/ --agent bill_payer --overlay cautious --format md")]
pub struct Table {
    #[command(flatten)]
    pub files: Files,
    #[command(flatten)]
    pub applied: Applied,
    /// How it is printed.
    #[arg(long, value_enum, default_value_t = TableFormat::Human, value_name = "FORMAT")]
    pub format: TableFormat,
}

/// Formats of the decision table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TableFormat {
    /// Columns on the terminal.
    Human,
    /// Markdown.
    Md,
    /// Comma-separated values (RFC 4180).
    Csv,
    /// One JSON document.
    Json,
    /// A page.
    Html,
}

/// Arguments of `eval`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick eval policy.bwt --agent tmux_operator --calls calls.jsonl
  echo '{\"connector\":\"bank\",\"tool\":\"get_balance\",\"arguments\":{}}' | bailiwick eval policies/ --agent bill_payer

A call is {\"connector\", \"tool\", \"arguments\"} with optional \"id\" and \"facts\"; one JSON value or JSON Lines.
Exit: 0 every call is Ready, 1 some call is not, 2 a line was not usable or the policy does not compile.")]
pub struct Eval {
    #[command(flatten)]
    pub files: Files,
    #[command(flatten)]
    pub applied: Applied,
    /// Decide by this overlay alone, which allows whatever it does not mention.
    #[arg(long, value_name = "OVERLAY", conflicts_with_all = ["agent", "overlays"])]
    pub overlay_alone: Option<String>,
    /// Bind a limit for this session: `terminal.targets=tmux:main`; may be repeated.
    #[arg(long = "bind", value_name = "LIMIT=VALUE")]
    pub bindings: Vec<String>,
    /// Facts about the run (JSON; `-` for standard input).
    #[arg(long, value_name = "FILE")]
    pub facts: Option<PathBuf>,
    /// The calls; standard input when left out or `-`.
    #[arg(long, value_name = "FILE")]
    pub calls: Option<PathBuf>,
    /// Every clause that refuses, not only the deciding one.
    #[arg(long)]
    pub explain: bool,
    /// Counts by state at the end.
    #[arg(long)]
    pub summary: bool,
    /// Exit 0 whatever was decided.
    #[arg(long)]
    pub exit_zero: bool,
    /// How decisions are shown.
    #[arg(long, value_enum, default_value_t = ResultFormat::Human, value_name = "FORMAT")]
    pub format: ResultFormat,
}

/// Arguments of `surface`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick surface policies/ --agent bill_payer
  bailiwick surface policy.bwt --agent bill_payer --profile openai --format json

A tool is shown when some call to it is permitted; its schema shows which. What mode, consent, approvals and providers
say is reported beside the schemas and never changes them.")]
pub struct Surface {
    #[command(flatten)]
    pub files: Files,
    #[command(flatten)]
    pub applied: Applied,
    /// Bind a limit for this session: `terminal.targets=tmux:main`; may be repeated.
    #[arg(long = "bind", value_name = "LIMIT=VALUE")]
    pub bindings: Vec<String>,
    /// Facts about the run (JSON; `-` for standard input).
    #[arg(long, value_name = "FILE")]
    pub facts: Option<PathBuf>,
    /// For which kind of client the schemas are written.
    #[arg(long, value_enum, default_value_t = SurfaceProfile::Mcp, value_name = "PROFILE")]
    pub profile: SurfaceProfile,
    /// How the surface is shown.
    #[arg(long, value_enum, default_value_t = ResultFormat::Human, value_name = "FORMAT")]
    pub format: ResultFormat,
}

/// Clients that schemas are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SurfaceProfile {
    /// Model Context Protocol: JSON Schema 2020-12.
    Mcp,
    /// OpenAI function calling.
    Openai,
    /// Gemini function calling.
    Gemini,
}

/// Arguments of `verify`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick verify policies/
  bailiwick verify policies/ --overlay acme --format json
  bailiwick verify policies/ --on-widen clamp
  bailiwick verify policy.bwt --overlay saved.bwk
  bailiwick verify policies/ --certificate proof.json
  bailiwick verify policy.bwt --check-certificate proof.json

A compiled table (.bwt) needs no sources: its overlays are proved once more, or those in files are proved against it.
A certificate is the proof as a tree, whose leaves name the rows of the base that hold all that is left there. It is
replayed without a search, against the same table or sources.
Exit: 0 every overlay narrows, 3 one widens (with a call that shows it), 2 no answer, or a certificate that proves nothing.")]
pub struct Verify {
    #[command(flatten)]
    pub files: Files,
    /// Only these overlays: names, or files (.bwk) with one; may be repeated.
    #[arg(long = "overlay", value_name = "OVERLAY")]
    pub overlays: Vec<String>,
    /// What to do with a clause that widens.
    #[arg(long, value_enum, default_value_t = OnWiden::Reject, value_name = "HOW")]
    pub on_widen: OnWiden,
    /// Write the proof of all overlays to this file, if they all narrow.
    #[arg(long, value_name = "OUT")]
    pub certificate: Option<PathBuf>,
    /// Replay the proof in this file instead of searching for one.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["certificate", "on_widen", "overlays"])]
    pub check_certificate: Option<PathBuf>,
    /// How the answer is shown.
    #[arg(long, value_enum, default_value_t = ResultFormat::Human, value_name = "FORMAT")]
    pub format: ResultFormat,
}

/// What to do with a clause that widens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OnWiden {
    /// An error.
    Reject,
    /// Drop the part outside, with a warning.
    Clamp,
}

/// Arguments of `why`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  bailiwick why policies/ --agent bill_payer --call '{\"connector\":\"bank\",\"tool\":\"send_money\",\"arguments\":{}}'

Exit: 0 the call is Ready, 1 it is not.")]
pub struct Why {
    #[command(flatten)]
    pub files: Files,
    #[command(flatten)]
    pub applied: Applied,
    /// Bind a limit for this session: `terminal.targets=tmux:main`; may be repeated.
    #[arg(long = "bind", value_name = "LIMIT=VALUE")]
    pub bindings: Vec<String>,
    /// Facts about the run (JSON).
    #[arg(long, value_name = "FILE")]
    pub facts: Option<PathBuf>,
    /// The call: JSON, a file, or `-`.
    #[arg(long, value_name = "JSON|FILE|-")]
    pub call: String,
    /// How the answer is shown.
    #[arg(long, value_enum, default_value_t = ResultFormat::Human, value_name = "FORMAT")]
    pub format: ResultFormat,
}

/// Arguments of `diff`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick diff main/policies branch/policies
  bailiwick diff deployed.bwt policies/ --narrowing

Each difference comes with the lightest call that shows it. A call that needed approval and no longer does is newly
permitted. Compared is what agents, parents and boundaries permit; overlays, modes, consent and providers are not.
Exit: 0 equal (with --narrowing: equal or only narrower), 1 only narrower, 3 anything wider.")]
pub struct Diff {
    /// The policy before: a file, a directory or a compiled table.
    #[arg(value_name = "OLD")]
    pub old: PathBuf,
    /// The policy after.
    #[arg(value_name = "NEW")]
    pub new: PathBuf,
    /// Only this agent.
    #[arg(long, value_name = "AGENT")]
    pub agent: Option<String>,
    /// Exit 0 when the policy became only narrower.
    #[arg(long)]
    pub narrowing: bool,
    /// How the answer is shown.
    #[arg(long, value_enum, default_value_t = DiffFormat::Human, value_name = "FORMAT")]
    pub format: DiffFormat,
}

/// Formats of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// For people.
    Human,
    /// Markdown, for a review.
    Md,
    /// One JSON document.
    Json,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  bailiwick explain E0500\n  bailiwick explain widens\n  bailiwick explain        lists all"
)]
pub struct Explain {
    /// A code (`E0500`) or its slug (`widens`); all of them when left out.
    #[arg(value_name = "CODE|SLUG")]
    pub code: Option<String>,
}

/// Arguments of `test`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick test policies/
  bailiwick test policies/ --format junit > tests.xml

Exit: 0 all pass, 1 some fail, 2 the policy does not compile.")]
pub struct Test {
    #[command(flatten)]
    pub files: Files,
    /// How results are shown.
    #[arg(long, value_enum, default_value_t = TestFormat::Human, value_name = "FORMAT")]
    pub format: TestFormat,
}

/// Formats of test results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TestFormat {
    /// For people.
    Human,
    /// One JSON document.
    Json,
    /// JUnit XML.
    Junit,
}

/// What a vocabulary is made from.
#[derive(Debug, Subcommand)]
pub enum Import {
    /// From a `tools/list` result of the Model Context Protocol
    Mcp(ImportMcp),
}

/// Arguments of `import mcp`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick import mcp tools.json --name github > github.bwk
  bailiwick import mcp tools.json --name github --suggest > github.bwk

Read is `{\"tools\": [...]}`, the JSON-RPC response that holds it, or a capture with such a member. The vocabulary goes to
standard output. What it cannot say, what was assumed and what a person should decide goes to standard error.
Exit: 0 written, 2 no answer.")]
pub struct ImportMcp {
    /// What the server offers: a file, or `-` for standard input.
    #[arg(value_name = "TOOLS.json")]
    pub tools: PathBuf,
    /// What the connector is to be called.
    #[arg(long, value_name = "NAME")]
    pub name: String,
    /// Write what a person should decide as comments, too.
    #[arg(long)]
    pub suggest: bool,
}

/// Arguments of `drift`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  bailiwick drift github.bwk tools.json
  bailiwick drift github.bwk tools.json --format sarif > drift.sarif

Compared are tools, arguments, the values they take, what omission means, and effects. A string that the vocabulary calls a
path, a URL or opaque is no difference. Where the vocabulary was made by `import`, its digest of the list is compared too.
Exit: 0 no difference, 1 some, 2 no answer.")]
pub struct Drift {
    /// The vocabulary: a policy file or a compiled table.
    #[arg(value_name = "VOCAB.bwk")]
    pub vocabulary: PathBuf,
    /// What the server offers now: a file, or `-` for standard input.
    #[arg(value_name = "TOOLS.json")]
    pub tools: PathBuf,
    /// Which connector, where the vocabulary has several.
    #[arg(long, value_name = "NAME")]
    pub connector: Option<String>,
    /// How differences are shown.
    #[arg(long, value_enum, default_value_t = DriftFormat::Human, value_name = "FORMAT")]
    pub format: DriftFormat,
}

/// Formats of differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DriftFormat {
    /// One line each.
    Human,
    /// One JSON document.
    Json,
    /// SARIF 2.1.0.
    Sarif,
}

/// Arguments of `proxy`.
#[derive(Debug, Args)]
#[command(after_help = "Example:
  bailiwick proxy policies/ --agent writer --log calls.jsonl -- npx @modelcontextprotocol/server-filesystem /srv/docs

The client speaks the Model Context Protocol on standard input and output, as it would to the server. Tools that the agent
may not call are not listed; the schemas of the others are narrowed to what is permitted; each call is decided, rewritten
where the policy says so, and passed on or refused with the reason. Everything else passes byte for byte.
Exit: 0 the client was done, 2 the server ended first, or no answer.")]
pub struct Proxy {
    /// Policies: files, directories, or a compiled table.
    #[arg(required = true, value_name = "POLICY")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub applied: Applied,
    /// The connector that the server is, where the policy has several.
    #[arg(long, value_name = "NAME")]
    pub connector: Option<String>,
    /// Bind a limit for this session: `terminal.targets=tmux:main`; may be repeated.
    #[arg(long = "bind", value_name = "LIMIT=VALUE")]
    pub bindings: Vec<String>,
    /// Facts about the run (JSON).
    #[arg(long, value_name = "FILE")]
    pub facts: Option<PathBuf>,
    /// Refuse nothing and narrow nothing; only write down what would be refused.
    #[arg(long)]
    pub shadow: bool,
    /// Append every decision to this file (JSON Lines).
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Write arguments into the log, not only their digest.
    #[arg(long, requires = "log")]
    pub log_arguments: bool,
    /// What else may pass.
    #[arg(long, value_enum, value_delimiter = ',', value_name = "WHAT")]
    pub pass: Vec<Passed>,
    /// End the session when one side has taken nothing for so long.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..), value_name = "SECONDS")]
    pub patience: u64,
    /// The server and its arguments.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub command: Vec<OsString>,
}

/// What passes a proxy beside tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Passed {
    /// `resources/*`
    Resources,
    /// `prompts/*`
    Prompts,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  bailiwick completions bash > ~/.local/share/bash-completion/completions/bailiwick")]
pub struct Completions {
    /// Which shell.
    pub shell: clap_complete::Shell,
}
