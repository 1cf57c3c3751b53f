//! Agents, overlays, boundaries, skills and `let`: nodes → ast.

use super::{Lower, child, children};
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Agent, Boundary, Let, LimitSetting, LimitValue, Name, Overlay, Row, Skill, Statement, Use};
use crate::syntax::grammar::{Node, Rule};

impl Lower<'_> {
    /// The first name of a declaration. The grammar demands one.
    pub fn first_name(&mut self, node: &Node<'_>) -> Name {
        let span = self.span(node);
        let name = node.clone().into_inner().find(|n| matches!(n.as_rule(), Rule::ident | Rule::set_name | Rule::name));
        match name {
            Some(name) => self.name(name),
            None => Name { text: String::new(), span, quoted: false },
        }
    }

    pub fn agent(&mut self, node: Node<'_>) -> Agent {
        let mut names = self.names(&node).into_iter();
        let span = self.span(&node);
        let mut agent = Agent {
            name: names.next().unwrap_or_else(|| self.first_name(&node)),
            parent: names.next(),
            describe: Vec::new(),
            welcome: Vec::new(),
            skills: Vec::new(),
            uses: Vec::new(),
            span,
        };
        for item in node.into_inner() {
            match item.as_rule() {
                Rule::describe => agent.describe.extend(self.joined(&item)),
                Rule::welcome => agent.welcome.extend(self.joined(&item)),
                Rule::skill_ref => agent.skills.extend(self.names(&item)),
                Rule::use_connector => agent.uses.push(self.connector(item)),
                _ => {} // words and marks
            }
        }
        agent
    }

    pub fn overlay(&mut self, node: Node<'_>) -> Overlay {
        let mut names = self.names(&node).into_iter();
        let span = self.span(&node);
        let name = names.next().unwrap_or_else(|| self.first_name(&node));
        let base = names.next().unwrap_or_else(|| name.clone());
        let mut overlay = Overlay {
            name,
            base,
            describe: Vec::new(),
            welcome: Vec::new(),
            uses: Vec::new(),
            without_providers: Vec::new(),
            span,
        };
        for item in node.into_inner() {
            match item.as_rule() {
                Rule::describe => overlay.describe.extend(self.joined(&item)),
                Rule::welcome => overlay.welcome.extend(self.joined(&item)),
                Rule::connector => overlay.uses.push(self.connector(item)),
                Rule::without_provider => overlay.without_providers.extend(self.names(&item)),
                _ => {} // words and marks
            }
        }
        overlay
    }

    pub fn boundary(&mut self, node: Node<'_>) -> Boundary {
        let mut names = self.names(&node).into_iter();
        let span = self.span(&node);
        let mut boundary = Boundary {
            name: names.next().unwrap_or_else(|| self.first_name(&node)),
            agents: names.collect(),
            uses: Vec::new(),
            without_providers: Vec::new(),
            span,
        };
        for item in node.into_inner() {
            match item.as_rule() {
                Rule::connector => boundary.uses.push(self.connector(item)),
                Rule::without_provider => boundary.without_providers.extend(self.names(&item)),
                _ => {} // words and marks
            }
        }
        boundary
    }

    pub fn skill(&mut self, node: Node<'_>) -> Skill {
        let mut skill = Skill {
            name: self.first_name(&node),
            version: None,
            instructions: Vec::new(),
            uses: Vec::new(),
            resources: Vec::new(),
            requires: Vec::new(),
            span: self.span(&node),
        };
        for item in node.into_inner() {
            match item.as_rule() {
                Rule::version => {
                    let written = self.joined(&item);
                    if let (Some(_), Some(again)) = (&skill.version, &written) {
                        self.found.push(Diagnostic::new(Code::SYNTAX, again.span, "a skill says `version` once"));
                    }
                    skill.version = written;
                }
                Rule::instructions => skill.instructions.extend(self.joined(&item)),
                Rule::resources => skill.resources.extend(self.texts(&item)),
                Rule::requires => skill.requires.extend(self.dotteds(&item)),
                Rule::use_connector => skill.uses.push(self.connector(item)),
                _ => {} // words and marks
            }
        }
        skill
    }

    pub fn let_set(&mut self, node: Node<'_>) -> Option<Let> {
        let name = self.first_name(&node);
        let ty = child(&node, Rule::type_full).and_then(|n| self.type_full(n))?;
        let set = child(&node, Rule::set).and_then(|n| self.set(n))?;
        Some(Let { name, ty, set, span: self.span(&node) })
    }

    /// `use_connector` or `connector`.
    fn connector(&mut self, node: Node<'_>) -> Use {
        let connector = self.first_name(&node);
        let span = self.span(&node);
        let mut statements = Vec::new();
        for statement in children(&node, Rule::statements).flat_map(|n| n.into_inner()) {
            let span = self.span(&statement);
            match statement.as_rule() {
                Rule::tools => statements.push(Statement::Tools { tools: self.names(&statement), span }),
                Rule::without => statements.push(Statement::Without { tools: self.names(&statement), span }),
                Rule::allow => statements.push(Statement::Allow(self.allow(statement))),
                Rule::limit_setting => statements.extend(self.limit_setting(statement).map(Statement::Limit)),
                _ => {} // marks
            }
        }
        Use { connector, statements, span }
    }

    fn allow(&mut self, node: Node<'_>) -> Row {
        let suffix = |lower: &mut Self, rule: Rule| -> Option<Span> {
            let spans: Vec<Span> = children(&node, rule).map(|n| lower.span(&n)).collect();
            if let [_, again, ..] = spans.as_slice() {
                lower.found.push(Diagnostic::new(Code::SYNTAX, *again, "a row says this once"));
            }
            spans.first().copied()
        };
        let approval = suffix(self, Rule::with_approval);
        let accepting_opaque = suffix(self, Rule::accepting_opaque);
        let clauses = child(&node, Rule::row).map(|row| self.clauses(&row)).unwrap_or_default();
        Row { tools: self.names(&node), clauses, approval, accepting_opaque, span: self.span(&node) }
    }

    fn limit_setting(&mut self, node: Node<'_>) -> Option<LimitSetting> {
        let limit = self.first_name(&node);
        let span = self.span(&node);
        let value = node.into_inner().find(|n| matches!(n.as_rule(), Rule::kw_many | Rule::kw_single | Rule::set))?;
        let value = match value.as_rule() {
            Rule::kw_many => LimitValue::Many(self.span(&value)),
            Rule::kw_single => LimitValue::Single(self.span(&value)),
            _ => LimitValue::Set(self.set(value)?), // `set`
        };
        Some(LimitSetting { limit, value, span })
    }
}
