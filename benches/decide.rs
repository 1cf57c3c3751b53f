//! A call's bytes → its decision, measured over the tables of the terminal and the bank: permitted as it came, rewritten, refused,
//! malformed. `cargo bench`.

use bailiwick::driver::{self, Input, NoImports, Options};
use bailiwick::eval::{Call, Facts, Handle, Status};
use bailiwick::table::Table;
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;
use std::path::Path;

/// The table of one shipped policy, as a host would load it.
fn table(policy: &str) -> Table {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(policy);
    let text = std::fs::read_to_string(&path).expect("a shipped policy");
    let input = Input { name: policy.to_owned(), identity: policy.to_owned(), text };
    let built = driver::compile(vec![input], &mut NoImports, &Options::default());
    let bytes = built.table.expect("it compiles").to_bytes().expect("it can be written");
    Table::load(&bytes).expect("it loads")
}

/// One measurement, after the answer has been seen to be the one that is meant.
fn measure(criterion: &mut Criterion, name: &str, handle: &Handle, (call, status): (&Call<'_>, Status)) {
    let facts = Facts::none();
    assert_eq!(handle.decide(call, &facts).status, status, "{name}");
    criterion.bench_function(name, |bench| bench.iter(|| handle.decide(black_box(call), black_box(&facts))));
}

fn terminal(criterion: &mut Criterion) {
    let handle = table("examples/quickstart/policy.bwk").handle("tmux_operator", &["acme"], &[]).expect("a handle");
    let call = |arguments| Call { connector: "terminal", tool: "terminal_capture", arguments };
    let permitted = call(br#"{"target":"tmux:main","backend":"tmux"}"#);
    measure(criterion, "terminal, as it came", &handle, (&permitted, Status::Ready));
    measure(criterion, "terminal, rewritten", &handle, (&call(br#"{"target":"main"}"#), Status::Ready));
    measure(criterion, "terminal, refused", &handle, (&call(br#"{"target":"iterm2:1:1:1"}"#), Status::PolicyBlocked));
    measure(criterion, "terminal, malformed", &handle, (&call(br#"{"target":"main","lines":"50"}"#), Status::Malformed));
}

fn bank(criterion: &mut Criterion) {
    let handle = table("examples/quickstart/policy.bwk").handle("bill_payer", &[], &[]).expect("a handle");
    let call = |arguments| Call { connector: "bank", tool: "send_money", arguments };
    let permitted = call(br#"{"recipient":"DE89370400440532013000","amount":499.99}"#);
    measure(criterion, "bank, as it came", &handle, (&permitted, Status::Ready));
    let refused = call(br#"{"recipient":"XX00","amount":10.5}"#);
    measure(criterion, "bank, refused by every row", &handle, (&refused, Status::PolicyBlocked));
}

criterion_group!(benches, terminal, bank);
criterion_main!(benches);
