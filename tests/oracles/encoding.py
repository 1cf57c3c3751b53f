"""Set expressions as SMT-LIB, from the words of the language and not from the compiler: texts are strings, host names
strings of labels, paths strings of segments, numbers and addresses arithmetic. A type may fall into several universes (names
and addresses; absolute and relative paths): a counterexample in one is a counterexample.
"""
import ipaddress
from fractions import Fraction

def string(s):
    return '"' + "".join(c if 32 <= ord(c) < 127 and c not in '"\\' else "\\u{%x}" % ord(c) for c in s) + '"'


def seq(parts):
    parts = list(parts)
    if not parts:
        return '(str.to_re "")'
    return parts[0] if len(parts) == 1 else "(re.++ %s)" % " ".join(parts)


def any_of(parts):
    parts = list(parts)
    if not parts:
        return "false"
    return parts[0] if len(parts) == 1 else "(or %s)" % " ".join(parts)


def number(f):
    f = Fraction(f)
    text = "%d.0" % abs(f.numerator) if f.denominator == 1 else "(/ %d.0 %d.0)" % (abs(f.numerator), f.denominator)
    return "(- %s)" % text if f < 0 else text


def integer(n):
    return "(- %d)" % -n if n < 0 else str(n)


def regex(r):
    kind = r[0]
    if kind == "chars":
        parts = ["(str.to_re %s)" % string(c) for c in r[1]]
        return parts[0] if len(parts) == 1 else "(re.union %s)" % " ".join(parts)
    if kind == "any char":
        return "re.allchar"
    if kind == "seq":
        return seq(regex(part) for part in r[1])
    if kind == "alt":
        return "(re.union %s)" % " ".join(regex(part) for part in r[1])
    low, high = r[2], r[3]
    inner = regex(r[1])
    if high is None:
        return "(re.++ ((_ re.^ %d) %s) (re.* %s))" % (low, inner, inner)
    return "((_ re.loop %d %d) %s)" % (low, high, inner)


# ---------------------------------------------------------------- addresses: `x` is the number

def is_address(p):
    try:
        ipaddress.ip_network(p)
        return True
    except ValueError:
        return False


CLASSES = {
    "loopback": ["127.0.0.0/8", "0.0.0.0/8", "::/128", "::1/128"],
    "link_local": ["169.254.0.0/16", "fe80::/10"],
}


def in_blocks(version):
    def inside(e):
        written = CLASSES[e[1]] if e[0] == "class" else [p for p in e[1] if is_address(p)]
        blocks = [ipaddress.ip_network(p) for p in written]
        blocks = [b for b in blocks if b.version == version]
        one = lambda b: "(and (<= %d x) (<= x %d))" % (int(b.network_address), int(b.broadcast_address))
        return any_of(one(b) for b in blocks)

    return inside


MAPPED = ipaddress.ip_network("::ffff:0:0/96")

# ---------------------------------------------------------------- texts and numbers


def in_text(e):
    kind = e[0]
    if kind == "one of":
        return any_of("(= x %s)" % string(v) for v in e[1])
    if kind == "prefix":
        return "(str.prefixof %s x)" % string(e[1])
    if kind == "suffix":
        return "(str.suffixof %s x)" % string(e[1])
    if kind == "length":
        high = "" if e[2] is None else "(<= (str.len x) %d)" % e[2]
        return "(and (<= %d (str.len x)) %s)" % (e[1], high or "true")
    return "(str.in_re x %s)" % regex(e[1])


def in_numbers(write):
    def inside(e):
        if e[0] == "one of":
            return any_of("(= x %s)" % write(v) for v in e[1])
        ends = []
        if e[1]:
            ends.append("(%s %s x)" % ("<=" if e[1][1] == "closed" else "<", write(e[1][0])))
        if e[2]:
            ends.append("(%s x %s)" % ("<=" if e[2][1] == "closed" else "<", write(e[2][0])))
        return "(and true %s)" % " ".join(ends)

    return inside


# ---------------------------------------------------------------- universes


class Universe:
    """A part of a type's values as one SMT sort: what is well-formed, what an atom holds, models as values and back."""

    def __init__(self, name, sort, formed, atom, decode, encode):
        self.name, self.sort, self.formed, self.atom, self.decode, self.encode = name, sort, formed, atom, decode, encode


def atoms(e):
    if e[0] in ("or", "and", "except"):
        return atoms(e[1]) + atoms(e[2])
    return [] if e[0] == "any" else [e]


class Letters:
    """Words as letters: two words that no pattern tells apart are one letter."""

    def __init__(self, words):
        self.words = list(words)

    def letter(self, at):
        return chr(ord("A") + at)

    def union(self, chosen):
        letters = ["(str.to_re %s)" % string(self.letter(at)) for at in chosen]
        if not letters:
            return "re.none"
        return letters[0] if len(letters) == 1 else "(re.union %s)" % " ".join(letters)

    def all(self):
        return self.union(range(len(self.words)))

    def text(self, model):
        return [self.words[ord(c) - ord("A")] for c in model]


def names(expressions):
    """Host names: a letter for each label that is written, and one for every other."""
    patterns = [p for e in expressions for a in atoms(e) if a[0] == "hosts" for p in a[1] if not is_address(p)]
    written = sorted({label for p in patterns for label in p.split(".") if label != "*"} | {"localhost"})
    letters = Letters(written + ["other"])

    def code(name):
        return "".join(letters.letter(written.index(l) if l in written else len(written)) for l in name.split("."))

    def below(top):
        return "(and (str.suffixof %s x) (< %d (str.len x)))" % (string(code(top)), len(code(top)))

    def inside(e):
        if e[0] == "class":
            return "(or (= x %s) %s)" % (string(code("localhost")), below("localhost")) if e[1] == "loopback" else "false"
        one = lambda p: below(p[2:]) if p.startswith("*.") else "(= x %s)" % string(code(p))
        return any_of(one(p) for p in e[1] if not is_address(p))

    formed = "(str.in_re x (re.+ %s))" % letters.all()
    return Universe("name", "String", formed, inside, lambda m: ".".join(letters.text(m)), code)


def matches(pattern, word):
    """A segment of a glob, with at most one star."""
    if "*" not in pattern:
        return pattern == word
    before, after = pattern.split("*")
    return word.startswith(before) and word.endswith(after) and len(word) >= max(1, len(before) + len(after))


def paths(expressions):
    """Paths, absolute and relative: a letter for each set of segment patterns that some segment matches."""
    globs = [p for e in expressions for a in atoms(e) if a[0] == "paths" for p in a[1]]
    patterns = sorted({s for p in globs for s in p.split("/") if s not in ("", ".", "**")})
    starred = [p.split("*") for p in patterns if "*" in p] + [["", ""]]
    tried = [p for p in patterns if "*" not in p]
    tried += [b + m + a for b, _ in starred for _, a in starred for m in ("", "q") if b + m + a]
    cells = {}
    for word in sorted(tried, key=lambda w: (len(w), w)):
        cells.setdefault(frozenset(p for p in patterns if matches(p, word)), word)
    kinds, letters = list(cells), Letters(cells.values())

    def segment(s):
        return "(re.* %s)" % letters.all() if s == "**" else letters.union(at for at, k in enumerate(kinds) if s in k)

    def glob(p):
        return seq(segment(s) for s in p.split("/") if s not in ("", "."))

    def code(path):
        words = [s for s in path.split("/") if s not in ("", ".")]
        return "".join(letters.letter(kinds.index(frozenset(p for p in patterns if matches(p, w)))) for w in words)

    def inside(absolute):
        both = lambda p: p == "**" or p.startswith("**/")
        mine = lambda e: [p for p in e[1] if both(p) or p.startswith("/") == absolute]
        return lambda e: any_of("(str.in_re x %s)" % glob(p) for p in mine(e))

    formed = "(str.in_re x (re.* %s))" % letters.all()
    absolute = lambda m: "/" + "/".join(letters.text(m))
    relative = lambda m: "/".join(letters.text(m)) or "."
    return [
        Universe("absolute", "String", formed, inside(True), absolute, code),
        Universe("relative", "String", formed, inside(False), relative, code),
    ]


SAFE = 2**53 - 1
# Surrogates are no scalars.
SCALARS = '(str.in_re x (re.* (re.union (re.range "\\u{0}" "\\u{d7ff}") (re.range "\\u{e000}" "\\u{2ffff}"))))'


def addresses():
    number = lambda text: int(ipaddress.ip_address(text.strip("[]")))
    v4 = "(and (<= 0 x) (<= x %d))" % (2**32 - 1)
    mapped = (int(MAPPED.network_address), int(MAPPED.broadcast_address))
    v6 = "(and (<= 0 x) (<= x %d) (or (< x %d) (< %d x)))" % (2**128 - 1, *mapped)
    return [
        Universe("v4", "Int", v4, in_blocks(4), lambda m: str(ipaddress.IPv4Address(int(m))), number),
        Universe("v6", "Int", v6, in_blocks(6), lambda m: str(ipaddress.IPv6Address(int(m))), number),
    ]


def universes(kind, expressions):
    if kind == "text":
        return [Universe("text", "String", SCALARS, in_text, str, str)]
    if kind == "host":
        return [names(expressions)] + addresses()
    if kind == "path":
        return paths(expressions)
    if kind == "decimal":
        return [Universe("decimal", "Real", "true", in_numbers(number), Fraction, Fraction)]
    if kind == "int":
        bounds = "(and (<= (- %d) x) (<= x %d))" % (SAFE, SAFE)
        return [Universe("int", "Int", bounds, in_numbers(lambda f: integer(int(f))), Fraction, Fraction)]
    return addresses()


def universe_of(kind, expressions, value):
    """Where a value lies."""
    of = universes(kind, expressions)
    if kind == "path":
        return of[0 if value.startswith("/") else 1]
    if kind in ("host", "ip"):
        try:
            version = ipaddress.ip_address(value.strip("[]")).version
        except ValueError:
            return of[0]
        return next(u for u in of if u.name == "v%d" % version)
    return of[0]


def formula(e, atom):
    if e[0] == "any":
        return "true"
    if e[0] in ("or", "and"):
        return "(%s %s %s)" % (e[0], formula(e[1], atom), formula(e[2], atom))
    if e[0] == "except":
        return "(and %s (not %s))" % (formula(e[1], atom), formula(e[2], atom))
    return atom(e)


def question(universe, rows, over, is_value=None):
    """Satisfiable iff something (`is_value`, if given) is in `over` and in none of `rows`."""
    lines = ["(set-logic ALL)", "(declare-const x %s)" % universe.sort, "(assert %s)" % universe.formed]
    if is_value is not None:
        write = {"String": string, "Int": lambda n: integer(int(n)), "Real": number}[universe.sort]
        lines.append("(assert (= x %s))" % write(universe.encode(is_value)))
    lines.append("(assert %s)" % formula(over, universe.atom))
    lines += ["(assert (not %s))" % formula(row, universe.atom) for row in rows]
    return "\n".join(lines + ["(check-sat)"])
