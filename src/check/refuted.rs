//! A declaration that the reader mended, and that is wrong in the very lines it changed: it was mended wrongly, and counts as
//! broken, so that one mistake stays one error.

use crate::diag::Sink;
use crate::syntax::ast::{Broken, File};

/// The files without the declarations that `found` refutes; `None` where there are none. Their fixes in `sink` are doubted.
pub fn without_refuted(files: &[File], found: &Sink, sink: &mut Sink) -> Option<Vec<File>> {
    let refuted = |file: &File| -> Vec<usize> {
        let mended = file.mended.iter().filter(|mended| found.iter().any(|finding| mended.refuted_by(finding)));
        mended.map(|mended| mended.item).collect()
    };
    let all: Vec<Vec<usize>> = files.iter().map(refuted).collect();
    if all.iter().all(Vec::is_empty) {
        return None;
    }
    let left = files.iter().zip(&all).map(|(file, refuted)| without(file, refuted, sink));
    Some(left.collect())
}

fn without(file: &File, refuted: &[usize], sink: &mut Sink) -> File {
    let mut left = File { items: Vec::new(), mended: Vec::new(), ..file.clone() };
    for (at, item) in file.items.iter().enumerate() {
        let mended = file.mended.iter().find(|mended| mended.item == at);
        match mended {
            Some(mended) if refuted.contains(&at) => {
                mended.lines.iter().for_each(|lines| sink.doubt(*lines));
                left.broken.extend(item.declared().map(|name| Broken { name: Some(name.text.clone()) }));
            }
            Some(mended) => {
                left.mended.push(crate::syntax::ast::Mended { item: left.items.len(), lines: mended.lines.clone() });
                left.items.push(item.clone());
            }
            None => left.items.push(item.clone()),
        }
    }
    left
}
