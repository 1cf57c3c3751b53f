//! Vocabularies: nodes → ast.

use super::values::Words;
use super::{Lower, child, children};
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{
    Cardinality, Effect, EffectClause, EnumDecl, EnumValue, LimitDecl, Text, Tool, Vocabulary, Within,
};
use crate::syntax::grammar::{Node, Rule};

impl Lower<'_> {
    pub fn vocabulary(&mut self, node: Node<'_>) -> Vocabulary {
        let mut vocabulary = Vocabulary {
            name: self.first_name(&node),
            doc: self.doc(&node),
            enums: Vec::new(),
            capabilities: Vec::new(),
            limits: Vec::new(),
            tools: Vec::new(),
            span: self.span(&node),
        };
        for item in node.into_inner() {
            match item.as_rule() {
                Rule::enum_decl => vocabulary.enums.push(self.enum_decl(item)),
                Rule::capability => vocabulary.capabilities.extend(self.dotteds(&item)),
                Rule::limit_decl => vocabulary.limits.extend(self.limit_decl(item)),
                Rule::tool => vocabulary.tools.push(self.tool(item)),
                _ => {} // words and marks
            }
        }
        vocabulary
    }

    fn enum_decl(&mut self, node: Node<'_>) -> EnumDecl {
        let mut values = Vec::new();
        for value in node.clone().into_inner().filter(|n| matches!(n.as_rule(), Rule::enum_value | Rule::enum_claimed)) {
            let doc = self.doc(&value);
            let claims = self.claims(&value);
            if let Some(value) = child(&value, Rule::literal).and_then(|n| self.scalar(n, Words::AreValues)) {
                values.push(EnumValue { value, doc, claims });
            }
        }
        EnumDecl { name: self.first_name(&node), doc: self.doc(&node), values }
    }

    /// The words of a `claims` child.
    fn claims(&mut self, node: &Node<'_>) -> Vec<Text> {
        child(node, Rule::claims).map(|claims| self.texts(&claims)).unwrap_or_default()
    }

    fn limit_decl(&mut self, node: Node<'_>) -> Option<LimitDecl> {
        let cardinality = match child(&node, Rule::kw_one) {
            Some(_) => Cardinality::One,
            None => Cardinality::Set,
        };
        let within = child(&node, Rule::within)
            .and_then(|within| Some(Within { limit: self.dotteds(&within).pop()?, separator: self.texts(&within).pop()? }));
        Some(LimitDecl {
            name: self.first_name(&node),
            doc: self.doc(&node),
            cardinality,
            ty: child(&node, Rule::type_full).and_then(|n| self.type_full(n))?,
            noun: child(&node, Rule::noun).and_then(|noun| self.texts(&noun).pop()),
            within,
            span: self.span(&node),
        })
    }

    fn tool(&mut self, node: Node<'_>) -> Tool {
        let mut tool = Tool {
            name: self.first_name(&node),
            doc: self.doc(&node),
            open: None,
            effects: Vec::new(),
            needs: Vec::new(),
            dispatches: None,
            claims: Vec::new(),
            arguments: Vec::new(),
            span: self.span(&node),
        };
        for item in node.into_inner() {
            let span = self.span(&item);
            match item.as_rule() {
                Rule::open => tool.open = Some(span),
                Rule::effects => tool.effects.extend(children(&item, Rule::effect).filter_map(|n| self.effect_clause(n))),
                Rule::needs => tool.needs.extend(self.dotteds(&item)),
                Rule::dispatches if tool.dispatches.is_some() => {
                    self.found.push(Diagnostic::new(Code::SYNTAX, span, "a tool says `dispatches` once"));
                }
                Rule::dispatches => {
                    let mut names = self.names(&item).into_iter();
                    tool.dispatches = names.next().zip(names.next());
                }
                Rule::claims => tool.claims.extend(self.texts(&item)),
                Rule::member => tool.arguments.extend(self.member(item)),
                _ => {} // words and marks
            }
        }
        tool
    }

    fn effect_clause(&mut self, node: Node<'_>) -> Option<EffectClause> {
        let (effect, span) = self.effects(&node).pop()?;
        let claims = self.claims(&node);
        let when = child(&node, Rule::when).and_then(|when| self.clauses(&when).pop());
        Some(EffectClause { effect, span, when: when.map(|c| (c.path, c.set)), claims })
    }

    /// The effect words directly in the node.
    pub fn effects(&mut self, node: &Node<'_>) -> Vec<(Effect, Span)> {
        let effect = |rule| match rule {
            Rule::kw_reads => Some(Effect::Reads),
            Rule::kw_mutates => Some(Effect::Mutates),
            Rule::kw_irreversible => Some(Effect::Irreversible),
            Rule::kw_reaches_outside => Some(Effect::ReachesOutside),
            _ => None, // no effect
        };
        node.clone().into_inner().filter_map(|n| Some((effect(n.as_rule())?, self.span(&n)))).collect()
    }
}
