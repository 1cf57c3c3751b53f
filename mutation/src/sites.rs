//! Source text → every place where one small mistake can be made, as the text that stands there and the mistaken one.
//! Knows nothing of how mutants are built or run.

use proc_macro2::{LineColumn, Span};
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Block, Expr, ExprBinary, ExprCall, ExprLit, ExprMethodCall, ExprPath, ExprUnary, Lit, ReturnType, Stmt, UnOp};

/// One possible mistake.
#[derive(Clone, Debug)]
pub struct Site {
    /// Which kind: `<= for <`, `skips the first`, …
    pub kind: String,
    /// Line, from 1.
    pub line: usize,
    /// Byte range in the file.
    pub range: std::ops::Range<usize>,
    /// What stands there instead; `{on}` is the switch, the original text is repeated where it must run.
    pub text: String,
}

/// All sites of one file, in the order of the text.
///
/// # Errors
/// What `syn` says of a file that is no Rust.
pub fn sites(text: &str) -> Result<Vec<Site>, syn::Error> {
    let file = syn::parse_file(text)?;
    let mut finder = Finder { text, lines: line_starts(text), found: Vec::new() };
    finder.visit_file(&file);
    finder.found.sort_by(|a, b| (a.range.start, a.range.end, &a.kind).cmp(&(b.range.start, b.range.end, &b.kind)));
    Ok(finder.found)
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

struct Finder<'t> {
    text: &'t str,
    lines: Vec<usize>,
    found: Vec<Site>,
}

impl Finder<'_> {
    /// Columns are counted in characters.
    fn offset(&self, at: LineColumn) -> usize {
        let start = self.lines[at.line - 1];
        self.text[start..].char_indices().nth(at.column).map_or(self.text.len(), |(i, _)| start + i)
    }

    fn range(&self, span: Span) -> std::ops::Range<usize> {
        self.offset(span.start())..self.offset(span.end())
    }

    fn source(&self, of: &impl Spanned) -> &str {
        &self.text[self.range(of.span())]
    }

    /// The expression is replaced by a choice.
    fn choose(&mut self, of: &impl Spanned, kind: impl Into<String>, mistaken: &str) {
        let right = self.source(of).to_owned();
        self.put(of, kind, format!("(if {{on}} {{ {mistaken} }} else {{ {right} }})"));
    }

    fn put(&mut self, of: &impl Spanned, kind: impl Into<String>, text: String) {
        let span = of.span();
        self.found.push(Site { kind: kind.into(), line: span.start().line, range: self.range(span), text });
    }

    /// An early return at the beginning of a function.
    fn answer_at_once(&mut self, output: &ReturnType, block: &Block) {
        let ReturnType::Type(_, ty) = output else { return };
        let answers: &[&str] = match self.source(ty).replace(' ', "").as_str() {
            "bool" => &["true", "false"],
            "Tri" => &["Tri::In", "Tri::Out"],
            t if t.starts_with("Option<") => &["None"],
            t if t.starts_with("Vec<") => &["Vec::new()"],
            _ => &[],
        };
        let open = self.range(block.brace_token.span.open());
        for answer in answers {
            let text = format!("{{ if {{on}} {{ return {answer}; }}");
            let kind = format!("answers {answer} at once");
            self.found.push(Site { kind, line: block.span().start().line, range: open.clone(), text });
        }
    }
}

fn swapped(op: &BinOp) -> Option<(&'static str, &'static str)> {
    Some(match op {
        BinOp::Lt(_) => ("<", "<="),
        BinOp::Le(_) => ("<=", "<"),
        BinOp::Gt(_) => (">", ">="),
        BinOp::Ge(_) => (">=", ">"),
        BinOp::Eq(_) => ("==", "!="),
        BinOp::Ne(_) => ("!=", "=="),
        BinOp::And(_) => ("&&", "||"),
        BinOp::Or(_) => ("||", "&&"),
        BinOp::Add(_) => ("+", "-"),
        BinOp::Sub(_) => ("-", "+"),
        _ => return None, // assignments and bits: too few to matter
    })
}

/// Methods that are easily taken for one another.
const CONFUSED: [(&str, &str); 12] = [
    ("any", "all"),
    ("all", "any"),
    ("min", "max"),
    ("max", "min"),
    ("is_some", "is_none"),
    ("is_none", "is_some"),
    ("first", "last"),
    ("starts_with", "ends_with"),
    ("ends_with", "starts_with"),
    ("is_some_and", "is_none_or"),
    ("is_none_or", "is_some_and"),
    ("position", "rposition"),
];

/// Answers that are easily swapped.
const SWAPPED: [(&str, &str); 4] =
    [("Tri::In", "Tri::Out"), ("Tri::Out", "Tri::In"), ("Grade::Ask", "Grade::Allow"), ("Grade::Allow", "Grade::Ask")];

fn holds_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(b) => holds_let(&b.left) || holds_let(&b.right),
        _ => false, // a `let` stands in chains alone
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|a| a.path().is_ident("cfg") && a.meta.require_list().is_ok_and(|l| l.tokens.to_string().contains("test")))
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if item.sig.constness.is_none() && !is_test(&item.attrs) {
            self.answer_at_once(&item.sig.output, &item.block);
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        if item.sig.constness.is_none() && !is_test(&item.attrs) {
            self.answer_at_once(&item.sig.output, &item.block);
            visit::visit_impl_item_fn(self, item);
        }
    }

    fn visit_expr_binary(&mut self, expr: &'ast ExprBinary) {
        if let Some((from, to)) = swapped(&expr.op)
            && !holds_let(&expr.left)
            && !holds_let(&expr.right)
        {
            let mistaken = format!("({}) {to} ({})", self.source(&expr.left), self.source(&expr.right));
            self.choose(expr, format!("{to} for {from}"), &mistaken);
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast ExprUnary) {
        if matches!(expr.op, UnOp::Not(_)) {
            let mistaken = self.source(&expr.expr).to_owned();
            self.choose(expr, "! left out", &mistaken);
        }
        visit::visit_expr_unary(self, expr);
    }

    fn visit_expr_lit(&mut self, expr: &'ast ExprLit) {
        match &expr.lit {
            Lit::Bool(b) => {
                let other = (!b.value).to_string();
                self.choose(expr, format!("{other} for {}", b.value), &other);
            }
            Lit::Int(i) => {
                let mistaken = format!("{} + 1", self.source(expr));
                self.choose(expr, format!("{i} + 1 for {i}"), &mistaken);
            }
            _ => {} // texts are messages
        }
    }

    fn visit_expr_path(&mut self, expr: &'ast ExprPath) {
        let name = self.source(expr).to_owned();
        if let Some((from, to)) = SWAPPED.iter().find(|(from, _)| *from == name) {
            self.choose(expr, format!("{to} for {from}"), to);
        }
    }

    fn visit_expr_call(&mut self, expr: &'ast ExprCall) {
        expr.args.iter().for_each(|a| self.visit_expr(a));
    }

    fn visit_expr_method_call(&mut self, expr: &'ast ExprMethodCall) {
        let name = expr.method.to_string();
        if let Some((from, to)) = CONFUSED.iter().find(|(from, _)| *from == name) {
            let whole = self.source(expr);
            let at = self.range(expr.method.span()).start - self.range(expr.span()).start;
            let mistaken = format!("{}{to}{}", &whole[..at], &whole[at + from.len()..]);
            self.choose(expr, format!("{to} for {from}"), &mistaken);
        }
        if name == "iter" && expr.args.is_empty() {
            let text = format!("{}.skip(usize::from({{on}}))", self.source(expr));
            self.put(expr, "skips the first", text);
        }
        if name == "filter" {
            let (receiver, argument) = (self.source(&expr.receiver), self.source(&expr.args[0]));
            let text = format!("{receiver}.filter(|_| !{{on}}).filter({argument})");
            self.put(expr, "lets none through", text);
        }
        visit::visit_expr_method_call(self, expr);
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        if let Stmt::Expr(Expr::MethodCall(_) | Expr::Assign(_), Some(_)) = stmt {
            let text = format!("if !{{on}} {{ {} }}", self.source(stmt));
            self.put(stmt, "left out", text);
        }
        visit::visit_stmt(self, stmt);
    }
}
