//! Text → tokens and ast: the guard, the cut into declarations, the grammar, the formatter. Knows no name and no type.

pub mod ast;
