//! This engine alone: how a decision grows with what is in the table, two threads against two processes, the spread of single
//! decisions, the first decision after a load. `own --svg FILE` draws the curves.

use bailiwick::driver::{self, Input, NoImports, Options};
use bailiwick::eval::{Call, Facts};
use bailiwick::table::Table;
use peerbench::engine::Engine;
use peerbench::engines::bailiwick::Bailiwick;
use peerbench::measure::{Config, per_call, per_load};
use peerbench::spec::PolicySpec;
use peerbench::workload::{self, Request, Size};
use std::fmt::Write as _;
use std::time::{Duration, Instant};

const CONFIG: Config = Config {
    repeats: 11,
    min_repeat: Duration::from_millis(15),
    max_repeat: Duration::from_millis(60),
    warmup: Duration::from_millis(40),
};

struct Curve {
    name: &'static str,
    points: Vec<(usize, f64)>,
}

fn table(text: String) -> Table {
    let input = Input { name: "own.bwk".into(), identity: "own.bwk".into(), text };
    let built = driver::compile(vec![input], &mut NoImports, &Options::default());
    built.table.unwrap_or_else(|| panic!("it does not compile: {:?}", built.found.first()))
}

/// ns per decision of one call, which must be Ready and told by the quick path.
fn one(table: &Table, agent: &str, tool: &str, arguments: &str) -> f64 {
    let handle = table.handle(agent, &[], &[]).expect("the agent");
    let facts = Facts::none();
    let call = Call { connector: "v", tool, arguments: arguments.as_bytes() };
    let verdict = handle.verdict(&call, &facts);
    assert!(verdict.is_ready() && verdict.is_quick(), "{tool} {arguments}: {:?}", verdict.status());
    per_call(&CONFIG, 1, |_| handle.verdict(&call, &facts).is_ready()).median_ns
}

fn tools() -> Curve {
    let points = [8, 64, 512, 4096].map(|n| {
        let spec = PolicySpec::generate(42, n);
        let calls = workload::generate(&spec, 42, 4096, Size::Small);
        let mut engine = Bailiwick::load(&spec);
        let time = per_call(&CONFIG, calls.len(), |i| engine.decide_json(&calls[i].tool, &calls[i].args, calls[i].ctx));
        (n, time.median_ns)
    });
    Curve { name: "tools in the agent", points: points.into() }
}

fn agents() -> Curve {
    let points = [1, 10, 100, 1_000, 10_000].map(|n| {
        let mut text = String::from("vocabulary v { tool t { reads; n: int; s: text } }\n");
        (0..n).for_each(|i| writeln!(text, "agent a{i} {{ use v {{ allow t {{ n in 0..{}; s prefix \"p\" }} }} }}", i + 9).unwrap());
        (n, one(&table(text), &format!("a{}", n / 2), "t", r#"{"n":7,"s":"pq"}"#))
    });
    Curve { name: "agents in the table", points: points.into() }
}

fn rows() -> Curve {
    let points = [1, 2, 4, 8, 16, 32, 64].map(|n| {
        let rows: String = (0..n).map(|i| format!("allow t {{ s prefix \"p{i}:\"; n in {i}..{} }}\n", i + 100)).collect();
        let text = format!("vocabulary v {{ tool t {{ reads; n: int; s: text }} }}\nagent a {{ use v {{\n{rows}}} }}");
        (n, one(&table(text), "a", "t", &format!(r#"{{"n":99,"s":"p{}:x"}}"#, n - 1)))
    });
    Curve { name: "rows of the tool", points: points.into() }
}

fn literals() -> Curve {
    let points = [1, 10, 100, 1_000, 10_000, 100_000].map(|n| {
        let literals: Vec<String> = (0..n).map(|i| format!("\"DE{:018}\"", i * 7919)).collect();
        let mut text = String::from("vocabulary v { tool t { reads; s: text } }\n");
        // A declaration has a bound on its size.
        let chunks = literals.chunks(20_000);
        let names: Vec<String> = (0..chunks.len()).map(|c| format!("part{c}")).collect();
        chunks.enumerate().for_each(|(c, part)| writeln!(text, "let part{c}: text = {{ {} }}", part.join(", ")).unwrap());
        writeln!(text, "agent a {{ use v {{ allow t {{ s in {} }} }} }}", names.join(" or ")).unwrap();
        (n, one(&table(text), "a", "t", &format!(r#"{{"s":{}}}"#, literals[n / 2])))
    });
    Curve { name: "literals of the set", points: points.into() }
}

fn patterns() -> Curve {
    let points = [1, 4, 16, 64, 256].map(|n| {
        let text = format!(
            "vocabulary v {{ tool t {{ reads; s: text by pattern }} }}\nagent a {{ use v {{ allow t {{ s matches \"(ab|cd){{{n}}}\" }} }} }}"
        );
        (n, one(&table(text), "a", "t", &format!(r#"{{"s":"{}"}}"#, "ab".repeat(n))))
    });
    Curve { name: "length of the pattern and of the text", points: points.into() }
}

fn plot(curves: &[Curve]) -> String {
    let (width, height, left, bottom) = (640.0, 360.0, 60.0, 40.0);
    let x = |n: usize| left + (n as f64).log10() / 5.0 * (width - left - 20.0);
    let y = |ratio: f64| height - bottom - ratio.log2().max(-1.0) / 6.0 * (height - bottom - 20.0);
    let mut svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n");
    for power in 0..=6 {
        let at = y(f64::from(1 << power));
        writeln!(svg, "<path d=\"M{left} {at:.1}H{}\" stroke=\"#ddd\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}×</text>", width - 20.0, left - 6.0, at + 4.0, 1 << power).unwrap();
    }
    for power in 0..=5_u32 {
        let at = x(10_usize.pow(power));
        writeln!(svg, "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>", height - bottom + 16.0, 10_usize.pow(power)).unwrap();
    }
    for (index, (curve, colour)) in curves.iter().zip(["#1b6ca8", "#c0392b", "#27864b", "#8e44ad", "#b9770e"]).enumerate() {
        let base = curve.points[0].1;
        let line: Vec<String> = curve.points.iter().map(|(n, ns)| format!("{:.1},{:.1}", x(*n), y(ns / base))).collect();
        writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>", line.join(" ")).unwrap();
        let at = 24.0 + 15.0 * index as f64;
        writeln!(svg, "<path d=\"M{} {at}h18\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"{}\" y=\"{}\">{}</text>", left + 10.0, left + 33.0, at + 4.0, curve.name).unwrap();
    }
    svg + "</svg>\n"
}

/// The workload over 512 tools.
fn workload() -> (Bailiwick, Vec<Request>) {
    let spec = PolicySpec::generate(42, 512);
    let calls = workload::generate(&spec, 42, 4096, Size::Small);
    (Bailiwick::load(&spec), calls)
}

const ROUNDS: usize = 400;

fn decide_all(engine: &Bailiwick, calls: &[Request], rounds: usize) -> usize {
    (0..rounds).map(|_| calls.iter().filter(|call| engine.decide(&call.tool, &call.args, call.ctx)).count()).sum()
}

fn threads(engine: &Bailiwick, calls: &[Request]) -> f64 {
    let start = Instant::now();
    std::thread::scope(|scope| {
        (0..2).for_each(|_| drop(scope.spawn(|| std::hint::black_box(decide_all(engine, calls, ROUNDS)))));
    });
    start.elapsed().as_secs_f64()
}

/// Each says when it is ready, begins when told, and says when it is done.
fn processes() -> f64 {
    use std::io::{BufRead, BufReader, Write};
    let exe = std::env::current_exe().expect("this program");
    let piped = std::process::Stdio::piped;
    let mut all: Vec<_> = (0..2)
        .map(|_| {
            let mut child = std::process::Command::new(&exe).arg("--worker").stdin(piped()).stdout(piped()).spawn().expect("a process");
            let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
            (child, to, from)
        })
        .collect();
    let mut line = String::new();
    all.iter_mut().for_each(|(_, _, from)| assert!(from.read_line(&mut line).unwrap() > 0));
    let start = Instant::now();
    all.iter_mut().for_each(|(_, to, _)| to.write_all(b"go\n").unwrap());
    all.iter_mut().for_each(|(_, _, from)| assert!(from.read_line(&mut line).unwrap() > 0));
    let took = start.elapsed().as_secs_f64();
    all.iter_mut().for_each(|(child, _, _)| assert!(child.wait().is_ok()));
    took
}

fn worker() {
    let (engine, calls) = workload();
    decide_all(&engine, &calls, 2);
    println!("ready");
    let mut line = String::new();
    std::io::stdin().read_line(&mut line).expect("a line");
    std::hint::black_box(decide_all(&engine, &calls, ROUNDS));
    println!("done");
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

fn spread(engine: &Bailiwick, calls: &[Request]) {
    decide_all(engine, calls, 4);
    let mut times: Vec<u128> = Vec::new();
    for _ in 0..20 {
        for call in calls {
            let start = Instant::now();
            std::hint::black_box(engine.decide(&call.tool, &call.args, call.ctx));
            times.push(start.elapsed().as_nanos());
        }
    }
    times.sort_unstable();
    let at = |share: f64| times[(times.len() as f64 * share) as usize];
    println!("\nsingle decisions, 512 tools, the clock's own {} ns included: p50 {} ns, p99 {} ns, p99.9 {} ns", {
        let mut own: Vec<u128> = (0..1000).map(|_| Instant::now().elapsed().as_nanos()).collect();
        own.sort_unstable();
        own[500]
    }, at(0.5), at(0.99), at(0.999));
}

fn first() {
    for n in [8, 512, 4096] {
        let spec = PolicySpec::generate(42, n);
        let calls = workload::generate(&spec, 42, 512, Size::Small);
        let bytes = Bailiwick::load(&spec).to_bytes().expect("bytes");
        let load = per_load(9, 3, Duration::from_secs(3), || Table::load(&bytes).expect("a table").handle("bench", &[], &[]).expect("a handle"));
        let firsts = (0..25).map(|i| {
            let engine = Bailiwick::from_bytes(&bytes).expect("a table");
            let call = &calls[i * 17 % calls.len()];
            let start = Instant::now();
            std::hint::black_box(engine.decide(&call.tool, &call.args, call.ctx));
            start.elapsed().as_nanos() as f64
        });
        println!("{n} tools, {} bytes: ready in {:.1} us, the first decision then takes {:.1} us", bytes.len(), load.median_ns / 1e3, median(firsts.collect()) / 1e3);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|arg| arg == "--worker") {
        return worker();
    }
    let curves = [tools(), agents(), rows(), literals(), patterns()];
    for curve in &curves {
        let base = curve.points[0].1;
        println!("\n| {} | ns | ratio |\n|---:|---:|---:|", curve.name);
        curve.points.iter().for_each(|(n, ns)| println!("| {n} | {ns:.0} | {:.2} |", ns / base));
    }
    if let [flag, file] = args.as_slice()
        && flag == "--svg"
    {
        std::fs::write(file, plot(&curves)).expect("the plot is written");
    }
    let (engine, calls) = workload();
    decide_all(&engine, &calls, 20);
    let pairs: Vec<(f64, f64)> = (0..7).map(|_| (threads(&engine, &calls), processes())).collect();
    let ratio = median(pairs.iter().map(|(threads, processes)| processes / threads).collect());
    let rate = median(pairs.iter().map(|(threads, _)| 2.0 * (ROUNDS * calls.len()) as f64 / threads).collect());
    println!("\ntwo threads sharing a table: {:.2} million decisions per second, {ratio:.3} of two processes with one each", rate / 1e6);
    spread(&engine, &calls);
    first();
}
