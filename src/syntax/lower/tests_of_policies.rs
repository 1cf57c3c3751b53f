//! `test` declarations: nodes → ast.

use super::{Lower, child, children};
use crate::syntax::ast::{Dotted, Name, Test, TestCase};
use crate::syntax::grammar::{Node, Rule};

impl Lower<'_> {
    pub fn test(&mut self, node: Node<'_>) -> Test {
        let mut given = Vec::new();
        for fact in children(&node, Rule::given).flat_map(|n| n.into_inner()).filter(|n| n.as_rule() == Rule::given_fact) {
            let name = self.first_name(&fact);
            given.extend(child(&fact, Rule::json).map(|value| (name, self.json(value))));
        }
        Test {
            agent: self.first_name(&node),
            overlays: child(&node, Rule::test_with).map(|with| self.names(&with)).unwrap_or_default(),
            given,
            cases: children(&node, Rule::case).filter_map(|n| self.case(n)).collect(),
            span: self.span(&node),
        }
    }

    fn case(&mut self, node: Node<'_>) -> Option<TestCase> {
        let call = child(&node, Rule::call)?;
        let mut names = self.names(&call).into_iter();
        let arguments = child(&call, Rule::arguments).map(|n| self.pairs(&n)).unwrap_or_default();
        Some(TestCase {
            connector: names.next()?,
            tool: names.next()?,
            arguments,
            call_span: self.span(&call),
            state: child(&node, Rule::ident).map(|n| self.name(n))?,
            by: child(&node, Rule::case_by).and_then(|n| self.case_by(&n)),
            forwards: child(&node, Rule::object).map(|n| self.pairs(&n)),
            span: self.span(&node),
        })
    }

    fn case_by(&mut self, node: &Node<'_>) -> Option<Dotted> {
        let Some(code) = child(node, Rule::code) else {
            return self.dotteds(node).pop();
        };
        let span = self.span(&code);
        Some(Dotted { parts: vec![Name { text: code.as_str().to_owned(), span, quoted: false }], span })
    }
}
