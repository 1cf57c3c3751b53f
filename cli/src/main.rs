//! The command line: arguments, files and terminals; no policy logic.

fn main() {}
