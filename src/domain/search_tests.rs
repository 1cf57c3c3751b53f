//! The search against brute force on random small instances.

use super::*;

/// A small reproducible source of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }

    fn bits(&mut self, n: usize, of_ten: u64) -> Bits {
        (0..n).filter(|_| self.below(10) < of_ten).collect()
    }
}

fn combinations(sizes: &[usize]) -> Vec<Vec<usize>> {
    sizes.iter().fold(vec![Vec::new()], |all, size| {
        all.iter().flat_map(|head| (0..*size).map(move |i| [head.as_slice(), &[i]].concat())).collect()
    })
}

#[test]
fn the_lightest_choice_is_found_iff_there_is_one() {
    let mut dice = Dice(7);
    let mut found = 0;
    for _ in 0..4_000 {
        let rows = dice.below(7) as usize;
        let dimensions: Vec<Vec<Candidate>> = (0..dice.below(4))
            .map(|_| {
                let cells = dice.below(5);
                (0..cells).map(|_| Candidate { refutes: dice.bits(rows, 4), weight: dice.below(6) }).collect()
            })
            .collect();
        let weight = |choice: &[usize]| -> Option<u64> {
            let chosen = || choice.iter().zip(&dimensions).map(|(i, d)| &d[*i]);
            let refuted = chosen().fold(Bits::EMPTY, |all, c| all.or(&c.refutes));
            refuted.covers(&Bits::full(rows)).then(|| chosen().map(|c| c.weight).sum())
        };
        let sizes: Vec<usize> = dimensions.iter().map(Vec::len).collect();
        let best = combinations(&sizes).iter().filter_map(|choice| weight(choice)).min();
        let answer = lightest(&dimensions, rows).unwrap();
        assert_eq!(answer.as_deref().and_then(weight), best, "{dimensions:?}");
        assert_eq!(answer.is_some(), best.is_some());
        found += usize::from(best.is_some());
    }
    assert!((800..3_200).contains(&found), "{found} of 4000 have a choice");
}

#[test]
fn unions_meet_iff_some_choice_lies_in_one_box_of_each() {
    let mut dice = Dice(11);
    let mut found = 0;
    for _ in 0..4_000 {
        let boxes = 1 + dice.below(7) as usize;
        let dimensions: Vec<Vec<Bits>> =
            (0..1 + dice.below(3)).map(|_| (0..1 + dice.below(4)).map(|_| dice.bits(boxes, 6)).collect()).collect();
        let mut unions: Vec<Vec<usize>> = vec![Vec::new(); 1 + dice.below(3) as usize];
        (0..boxes).for_each(|b| {
            let at = dice.below(unions.len() as u64) as usize;
            unions[at].push(b);
        });
        let holds = |choice: &Vec<usize>| {
            let inside = choice.iter().zip(&dimensions).fold(Bits::full(boxes), |all, (i, d)| all.and(&d[*i]));
            unions.iter().all(|union| union.iter().any(|b| inside.get(*b)))
        };
        let sizes: Vec<usize> = dimensions.iter().map(Vec::len).collect();
        let any = combinations(&sizes).iter().any(holds);
        let answer = consistent(&dimensions, &unions).unwrap();
        assert!(answer.as_ref().is_none_or(holds), "{dimensions:?} {unions:?}");
        assert_eq!(answer.is_some(), any);
        found += usize::from(any);
    }
    assert!((800..3_200).contains(&found), "{found} of 4000 meet");
}

#[test]
fn too_many_combinations_are_an_answer_and_name_rows() {
    // Pigeons and holes: each of 14 dimensions refutes one of 13 rows of its choice, but for one row that none refutes
    // together with another. Exponential for any search that only sets rows aside.
    let rows = 26;
    let dimensions: Vec<Vec<Candidate>> = (0..25)
        .map(|_| (0..rows).map(|row| Candidate { refutes: [row].into_iter().collect(), weight: 1 }).collect())
        .collect();
    let answer = lightest(&dimensions, rows);
    assert!(matches!(answer, Err(TooMany(rows)) if rows.len() == 2));
}

#[test]
fn a_thousand_keyed_rows_take_no_time() {
    let rows = 1_024;
    let keys: Vec<Candidate> =
        (0..rows).map(|row| Candidate { refutes: (0..rows).filter(|r| *r != row).collect(), weight: 3 }).collect();
    let amounts = vec![
        Candidate { refutes: Bits::EMPTY, weight: 1 },
        Candidate { refutes: (0..rows).filter(|r| *r != 700).collect(), weight: 4 },
    ];
    assert_eq!(lightest(&[keys.clone(), amounts.clone()], rows).unwrap().map(|c| c[1]), Some(1));
    let never = vec![Candidate { refutes: Bits::EMPTY, weight: 1 }];
    assert_eq!(lightest(&[keys, never], rows), Ok(None));
}
