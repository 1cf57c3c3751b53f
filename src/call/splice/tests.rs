//! What is spliced, and what stays.

use super::{Changes, splice};

fn check_spliced(text: &str, changes: &[(&str, &str)], expected: &str) {
    let changes: Changes = changes.iter().map(|(at, new)| ((*at).to_owned(), (*new).to_owned())).collect();
    assert_eq!(splice(text, &changes), expected);
}

#[test]
fn what_is_not_changed_stays_byte_for_byte() {
    let text = "{ \"a\" : 1e2, \"b\":[ \"\\u0061\" ,{\"c\": null}],\"d\":1.50 }";
    check_spliced(text, &[], text);
    check_spliced(text, &[("/b/0", "\"x\"")], "{ \"a\" : 1e2, \"b\":[ \"x\" ,{\"c\": null}],\"d\":1.50 }");
    check_spliced(text, &[("/b/1/c", "5")], "{ \"a\" : 1e2, \"b\":[ \"\\u0061\" ,{\"c\": 5}],\"d\":1.50 }");
    check_spliced(text, &[("/b", "[]"), ("/b/1/c", "5")], "{ \"a\" : 1e2, \"b\":[],\"d\":1.50 }");
}

#[test]
fn new_members_come_last() {
    check_spliced("{}", &[("/a", "1"), ("/b", "2")], "{\"a\":1,\"b\":2}");
    check_spliced("{ \"x\":{} }", &[("/a", "1"), ("/x/y", "2")], "{ \"x\":{\"y\":2} ,\"a\":1}");
    check_spliced("{\"x\":[{}, {\"y\":1}]}", &[("/x/0/z", "3"), ("/x/1/z", "4")], "{\"x\":[{\"z\":3}, {\"y\":1,\"z\":4}]}");
}

#[test]
fn names_are_read_as_they_are_meant() {
    check_spliced("{\"\\u0061/b\":1,\"c~\":2}", &[("/a~1b", "7"), ("/c~0", "8")], "{\"\\u0061/b\":7,\"c~\":8}");
    check_spliced("{\"q\\\"\\\\\":[1,2,3]}", &[("/q\"\\/2", "9")], "{\"q\\\"\\\\\":[1,2,9]}");
    check_spliced("{\"\":{\"\":1}}", &[("//", "2")], "{\"\":{\"\":2}}");
}
