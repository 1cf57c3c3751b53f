//! Deployments: nodes → ast.

use super::{Lower, child, children};
use crate::diag::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::ast::{Deployment, Fallback, Mode, Name, Offer, Provider, SurfaceDecl};
use crate::syntax::grammar::{Node, Rule};

impl Lower<'_> {
    pub fn deployment(&mut self, node: Node<'_>) -> Deployment {
        let mut deployment = Deployment {
            name: self.first_name(&node),
            providers: Vec::new(),
            fallbacks: Vec::new(),
            modes: Vec::new(),
            consent: Vec::new(),
            surface: None,
            span: self.span(&node),
        };
        for item in node.into_inner() {
            let span = self.span(&item);
            match item.as_rule() {
                Rule::provider => deployment.providers.extend(self.provider(item)),
                Rule::fallback => deployment.fallbacks.extend(self.fallback(item)),
                Rule::mode => {
                    let blocks = children(&item, Rule::mode_block).flat_map(|n| self.effects(&n)).collect();
                    deployment.modes.push(Mode { name: self.first_name(&item), blocks, span });
                }
                Rule::consent => deployment.consent.extend(self.effects(&item)),
                Rule::surface if deployment.surface.is_some() => {
                    self.found.push(Diagnostic::new(Code::SYNTAX, span, "a deployment says `surface` once"));
                }
                Rule::surface => deployment.surface = Some(self.surface(&item)),
                _ => {} // words and marks
            }
        }
        deployment
    }

    fn provider(&mut self, node: Node<'_>) -> Option<Provider> {
        let mut names = self.names(&node).into_iter();
        let mut disabled = None;
        let mut offers = Vec::new();
        for item in node.clone().into_inner() {
            match item.as_rule() {
                Rule::disabled => disabled = Some(self.span(&item)),
                Rule::offers => offers.extend(children(&item, Rule::offer).filter_map(|n| self.offer(n))),
                _ => {} // names and marks
            }
        }
        Some(Provider { name: names.next()?, ty: names.next()?, disabled, offers, span: self.span(&node) })
    }

    fn offer(&mut self, node: Node<'_>) -> Option<Offer> {
        let mut capability = child(&node, Rule::dotted).map(|n| self.dotted(n))?;
        if let Some(star) = child(&node, Rule::star) {
            let span = self.span(&star);
            capability.span = capability.span.to(span);
            capability.parts.push(Name { text: "*".to_owned(), span, quoted: false });
        }
        Some(Offer {
            capability,
            except: child(&node, Rule::offer_except).map(|n| self.dotteds(&n)).unwrap_or_default(),
            pinned: self.texts(&node).pop(),
        })
    }

    fn fallback(&mut self, node: Node<'_>) -> Option<Fallback> {
        Some(Fallback {
            capability: self.dotteds(&node).pop()?,
            chain: child(&node, Rule::chain).map(|n| self.names(&n))?,
            when: child(&node, Rule::fallback_when).map(|n| self.names(&n)).unwrap_or_default(),
            announce: self.texts(&node).pop(),
            span: self.span(&node),
        })
    }

    fn surface(&mut self, node: &Node<'_>) -> SurfaceDecl {
        let mut surface = SurfaceDecl { budget: None, resident: Vec::new(), deferred: Vec::new(), span: self.span(node) };
        for item in node.clone().into_inner() {
            match item.as_rule() {
                Rule::budget => surface.budget = self.budget(&item),
                Rule::resident => surface.resident.extend(self.dotteds(&item)),
                Rule::deferred => surface.deferred.extend(self.dotteds(&item)),
                _ => {} // words and marks
            }
        }
        surface
    }

    /// `budget 8 KiB` in bytes.
    fn budget(&mut self, node: &Node<'_>) -> Option<(u64, Span)> {
        let number = child(node, Rule::number)?;
        let mut span = self.span(&number);
        let unit = child(node, Rule::ident);
        let factor = match unit.as_ref().map(|n| n.as_str()) {
            None | Some("B") => 1,
            Some("KiB") => 1 << 10,
            Some("MiB") => 1 << 20,
            Some(other) => {
                let span = unit.as_ref().map_or(span, |n| self.span(n));
                let finding = Diagnostic::new(Code::BAD_NUMBER, span, format!("`{other}` is no unit of a budget"));
                self.found.push(finding.note("units are `B`, `KiB`, `MiB`").did_you_mean(other, ["B", "KiB", "MiB"]));
                return None;
            }
        };
        if let Some(unit) = &unit {
            span = span.to(self.span(unit));
        }
        let bytes = number.as_str().parse::<u64>().ok().and_then(|n| n.checked_mul(factor));
        if bytes.is_none() {
            let message = format!("`{}` is no budget: a whole number of bytes", number.as_str());
            self.found.push(Diagnostic::new(Code::BAD_NUMBER, span, message));
        }
        bytes.map(|b| (b, span))
    }
}
